"""A grader that states a prohibition is refused where it would become a demand."""

from __future__ import annotations

from pathlib import Path

import pytest

from probare.errors import LoadError
from probare.loading import load
from probare.pipeline.catalogue import BuiltCatalogue


def faults(folder: Path, case: str) -> list[str]:
    (folder / "suite.yaml").write_text(f"suite: s\ncases:\n  - {{id: a, {case}}}\n")
    try:
        load(folder, BuiltCatalogue(), {})
    except LoadError as error:
        return [str(fault).partition("suite.yaml:")[2] for fault in error.faults]
    return []


BANNED = "{banned_words: [art]}"


@pytest.mark.parametrize(
    "case",
    [
        f"expect: [{BANNED}]",
        f"expect: [{{any_of: [{BANNED}]}}]",
        f"expect: [{{not: {{not: {BANNED}}}}}]",
        f"forbid: [{{not: {BANNED}}}]",
        "forbid: [{contains: art}]",
    ],
)
def test_where_it_stays_a_prohibition(tmp_path: Path, case: str) -> None:
    assert faults(tmp_path, case) == []


@pytest.mark.parametrize(
    ("case", "place"),
    [
        (f"forbid: [{BANNED}]", "cases[0].forbid[0].banned_words"),
        (f"expect: [{{not: {BANNED}}}]", "cases[0].expect[0].not.banned_words"),
        (f"forbid: [{{all_of: [x, {BANNED}]}}]".replace("x, ", "{contains: a}, "), "all_of[1]"),
    ],
)
def test_where_it_would_become_a_demand(tmp_path: Path, case: str, place: str) -> None:
    (fault,) = faults(tmp_path, case)
    assert place in fault
    assert fault.endswith("write it under expect)")
