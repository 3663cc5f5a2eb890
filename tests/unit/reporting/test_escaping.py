"""Data in Markdown: read back by a CommonMark parser, it is the same text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from probare.reporting.escaping import cells, fenced, text

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_MARKS = st.text(alphabet="`*_[]()<>|~&#$!+-=.1ab \\\n:/\"'{}", max_size=30)
_ANY = st.text(max_size=40) | _MARKS


def tokens(source: str) -> list[Any]:
    """Return all tokens, inline ones unfolded."""
    return [inner for token in _PARSER.parse(source) for inner in [token, *(token.children or [])]]


def read(source: str) -> str:
    """Return what a reader sees, and assert that all of it is plain text."""
    found = [token for token in tokens(source) if token.type not in ("inline",)]
    kinds = {token.type for token in found}
    assert kinds <= {"paragraph_open", "paragraph_close", "text", "text_special"}, kinds
    return "".join(token.content for token in found if token.type.startswith("text"))


@given(_ANY)
def test_text_is_read_as_it_was(value: str) -> None:
    line = text(value)
    assert "\n" not in line
    expected = " ".join(value.split())
    if all(letter.isprintable() for letter in value.replace("\n", " ")):
        assert read(line) == expected


@pytest.mark.parametrize(
    "value",
    [
        "# heading", "- item", "+ item", "1. item", "12) item", "> quote", "a | b", "***", "===",
        "<img src=x onerror=alert(1)>", "</script>", "<https://x.example>", "&lt;", "~~no~~",
        "![x](y)", "[a]: b", "`code`", "_it_ __is__", "snake_case_id", "$x$", "\\*", "    code",
    ],
)  # fmt: skip
def test_no_mark_is_left(value: str) -> None:
    assert read(text(value)) == " ".join(value.split())
    item = tokens(f"- {text(value)}\n")
    assert [t.type for t in item].count("list_item_open") == 1
    assert not {"heading_open", "html_inline", "html_block", "link_open"} & {t.type for t in item}


def test_underscores_inside_words_stay_readable() -> None:
    assert text("help_ex_guard_delta") == "help_ex_guard_delta"


@given(_ANY)
def test_a_cell_stays_one_cell(value: str) -> None:
    row = cells(text(value), "x")
    found = tokens(f"{cells('a', 'b')}|---|---|\n{row}")
    assert [t.type for t in found].count("td_open") == 2


@given(st.text(max_size=80) | st.text(alphabet="`~\n ab", max_size=60))
def test_nothing_closes_a_fence(value: str) -> None:
    found = _PARSER.parse(f"before\n\n{fenced(value)}\nafter\n")
    assert [t.type for t in found] == [
        "paragraph_open", "inline", "paragraph_close", "fence",
        "paragraph_open", "inline", "paragraph_close",
    ]  # fmt: skip
    fence = next(t for t in found if t.type == "fence")
    if value.isascii() and "\x00" not in value and value.replace("\n", "").isprintable():
        assert fence.content == value + "\n"


def test_long_data_is_cut_and_says_so() -> None:
    assert "… [5 more characters]" in fenced("x" * 15, 10)
    assert text("y" * 15, 10) == "y" * 10 + "…"
