"""The catalogue's pages agree with the graders."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import Meta
from msgspec import inspect as types

from probare.encoding import jsonbytes
from probare.graders import CORE
from probare.graders.catalogue_page import GraderPage, catalogue_rows, in_words
from probare.ports.grader import Grader

PAGES = {page.name: page for page in catalogue_rows({kind.NAME: kind for kind in CORE})}


MAIN_JOB = """
equals contains starts_with ends_with contains_any contains_all regex similar word_count number
language is_json json_schema field_present field_equals field_length max_latency max_first_token
max_cost max_tokens tool_called tool_calls python
"""


class Wide(Grader, frozen=True, kw_only=True):
    """First sentence,
    over two lines. And another.

    The rest.
    """

    NAME: ClassVar[str] = "wide"
    VERSION: ClassVar[str] = "7"
    SCOPE: ClassVar[Literal["trial", "case"]] = "case"
    LOOKS_AT: ClassVar[str | None] = None

    texts: tuple[str, ...]
    size: int = 3


def test_names_are_taken_once() -> None:
    assert len(PAGES) == len(CORE)


def test_the_graders_of_the_main_job_are_there() -> None:
    assert set(MAIN_JOB.split()) <= set(PAGES)


@pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
def test_every_page_says_something(page: GraderPage) -> None:
    assert page.summary.endswith(".")
    assert "\n" not in page.summary
    assert " ".join(page.text.split()).startswith(page.summary)
    names = [argument.name for argument in page.arguments]
    assert page.main is None or page.main in names
    for argument in page.arguments:
        assert (argument.default is None) == argument.required


def test_a_page_is_read_off_its_class() -> None:
    (page,) = catalogue_rows({"wide": Wide})
    assert page.summary == "First sentence, over two lines."
    assert page.text.endswith("And another.\n\nThe rest.")
    assert (page.version, page.scope, page.looks_at, page.main) == ("7", "case", None, None)
    texts, size = page.arguments
    assert (texts.name, texts.type, texts.required) == ("texts", "list (text)", True)
    assert (size.name, size.default, size.required) == ("size", "3", False)


def test_an_open_grader_says_so() -> None:
    assert PAGES["python"].open
    assert not PAGES["equals"].open


def test_pages_are_json() -> None:
    found = jsonbytes.decode_strict(jsonbytes.encode(list(PAGES.values())))
    assert [each["name"] for each in found] == list(PAGES)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (str | None, "text"),
        (bool, "true or false"),
        (dict[str, Any], "mapping"),
        (list[Any], "list"),
        (Literal["a", "b"], "a | b"),
        (Annotated[float, Meta(ge=0, le=1)], "number, at least 0, at most 1"),
        (int | str, "whole number or text"),
    ],
)
def test_types_in_words(kind: Any, words: str) -> None:
    assert in_words(types.type_info(kind)) == words
