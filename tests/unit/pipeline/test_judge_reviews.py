from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import InputError
from probare.pipeline.judge_reviews import reviewed_examples


@pytest.fixture
def run(tmp_path: Path) -> Path:
    cases = [probare.Case(id=f"c{n}", input=n, expect=[{"contains": "x"}]) for n in range(3)]
    suite = probare.Suite("s", target=lambda case: f"x{case.input}", cases=cases)  # pyright: ignore
    return probare.run(suite, runs=tmp_path / "runs").folder


def write(tmp_path: Path, value: Any, name: str = "reviews.json") -> Path:
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


ROWS = [
    {"case": "c0", "trial": 0, "dimension": "tone", "score": 4, "reviewer": "ada"},
    {"case": "c0", "trial": 0, "dimension": "tone", "score": 2, "reviewer": "bea"},
    {"case": "c0", "trial": 0, "dimension": "tone", "score": 3, "reviewer": "cyd"},
    {"case": "c0", "trial": 0, "dimension": "accuracy", "score": "unsure", "reviewer": "ada"},
    {"case": "c2", "trial": "0", "dimension": "tone", "score": "1", "reviewer": "ada"},
]


def test_rows_of_scores_in_any_form(tmp_path: Path, run: Path) -> None:
    table = "case,trial,dimension,score,reviewer\n" + "".join(
        ",".join(str(cell) for cell in row.values()) + "\n" for row in ROWS
    )
    lines = "\n".join(map(json.dumps, ROWS))
    for name, text in (
        ("r.json", json.dumps(ROWS)),
        ("r.jsonl", lines),
        ("r.csv", table),
        ("s.csv", "\ufeff" + table.replace(",", ";")),
    ):
        one, two = reviewed_examples(write(tmp_path, text, name), run)
        assert (one.id, one.input, one.output) == ("c0 trial 0", 0, "x0")
        assert one.scores == {"tone": 3, "accuracy": None}
        assert (two.id, two.scores) == ("c2 trial 0", {"tone": 1})


def test_the_lower_of_two_middle_scores_counts(tmp_path: Path, run: Path) -> None:
    (one, _) = reviewed_examples(write(tmp_path, [*ROWS[1:3], ROWS[4]]), run)
    assert one.scores == {"tone": 2}


def test_an_adjudication_stands_in_place_of_the_reviews(tmp_path: Path, run: Path) -> None:
    rows = [*ROWS[:2], {**ROWS[2], "score": 1, "meaning": "adjudicated"}]
    (one,) = reviewed_examples(write(tmp_path, rows), run)
    assert one.scores == {"tone": 1}


def test_a_sheet_of_the_review_desk(tmp_path: Path, run: Path) -> None:
    sheet: dict[str, Any] = {
        "rubric": {},
        "digest": "d",
        "reviews": [
            {"item": "i", "transcript": "t", "case": "c1", "trial": 0, "scores": {"tone": 4}},
            {
                "item": "i",
                "transcript": "t",
                "case": "c1",
                "reviewer": "z",
                "scores": {"tone": "unsure", "accuracy": 2},
            },
        ],
    }
    (one,) = reviewed_examples(write(tmp_path, sheet), run)
    assert (one.id, one.scores) == ("c1 trial 0", {"tone": None, "accuracy": 2})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([{**ROWS[0], "case": "c9"}], "not in"),
        ([{**ROWS[0], "trial": 7}], "not in"),
        ([{**ROWS[0], "trial": -1}], "number from 0"),
        ([{**ROWS[0], "trial": "x"}], "number from 0"),
        ([{**ROWS[0], "score": "high"}], "whole number or unsure"),
        ([{**ROWS[0], "score": 3.5}], "whole number or unsure"),
        ([{**ROWS[0], "score": True}], "whole number or unsure"),
        ([{**ROWS[0], "dimension": ""}], "names no case or no dimension"),
        ([], "sheet"),
        ("case,trial\nc0,0\n", "sheet|column"),
        ("", "sheet|column|empty"),
        ("[1, 2", "sheet"),
    ],
)
def test_what_is_no_review_of_the_run(tmp_path: Path, run: Path, value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        reviewed_examples(write(tmp_path, value), run)


def test_a_file_that_is_not_there(tmp_path: Path, run: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        reviewed_examples(tmp_path / "none.csv", run)
