"""What people's reviews tell, as lines and as Markdown."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from probare.reporting.reviewed import rendered_reviewed, reviewed_markdown
from probare.scoring.agreement import agreement
from probare.scoring.judgechecks import Compared
from probare.scoring.reviewed import Disputed, Reviewed, beside

HOSTILE = "<b>|[x](y)\x1b[2J"
SAME = [{"ann": 4, "ben": 4}] * 3
APART = [{"ann": 4, "ben": 3}, {"ann": 2, "ben": 2}]
COMPARED = [
    Compared(example="leak trial 0", label="fail", answer="pass", reason=HOSTILE),
    Compared(example="plain trial 0", label="pass", answer="pass"),
]


@pytest.fixture
def found() -> Reviewed:
    return Reviewed(
        run="run-1",
        rubric="answer",
        version="1",
        digest="d",
        items=5,
        complete=3,
        settled=2,
        passed=1,
        failed=1,
        unsure=0,
        reviewers=("ann", "ben"),
        unblinded=1,
        dimensions={
            "tone": agreement(APART, [1, 2, 3, 4], unsure=1),
            "safety": agreement(SAME, [1, 2, 3, 4]),
        },
        result=agreement([{"ann": 1, "ben": 1}], [0, 1]),
        disputed=(
            Disputed(case="leak", trial=0, dimension="tone", words=HOSTILE, adjudicated=True),
        ),
        judges=(beside("", "", COMPARED, drawn=1, rate=(9, 10)),),
    )


def test_lines(found: Reviewed) -> None:
    text = rendered_reviewed([found])
    lines = text.splitlines()
    assert lines[0] == "answer version 1, run run-1"
    assert "5 items, 3 with all reviews in, 2 settled: 1 passed, 1 failed, 0 unsure" in text
    assert "1 review left out here: not made blind" in text
    tone = next(line for line in lines if line.startswith("  tone"))
    assert tone.split()[:3] == ["tone", "2", "0.500"]
    safety = next(line for line in lines if line.startswith("  safety "))
    assert safety.split()[1:] == ["3", "1.000", "[0.44,", "1.00]", "null", "null", "1.000"]
    assert "α of safety" in text
    assert "there is no variation" in text
    assert "tone: 1 score unsure, left out" in text
    assert "(adjudicated)" in text
    assert "leak trial 0: people fail, it says pass" in text
    assert "\x1b" not in text


def test_markdown_is_escaped(found: Reviewed) -> None:
    text = "".join(reviewed_markdown([found]))
    assert text.startswith("## People: answer version 1\n")
    assert "| tone | 2 | 0.500" in text
    assert "| safety | 3 | 1.000" in text
    assert "| fail | 1 | 0 | 0 | 0 |" in text
    assert "sensitivity: 1.000" in text
    assert "<b>" not in text
    assert "\x1b" not in text


def test_where_none_was_drawn_at_random_it_says_what_that_means(found: Reviewed) -> None:
    judges: Any = (beside("kind", "tone", COMPARED, drawn=0, rate=None),)
    text = rendered_reviewed([msgspec.structs.replace(found, judges=judges)])
    assert "kind, tone beside people: 2 items, none drawn at random" in text


def test_many_disagreements_are_cut(found: Reviewed) -> None:
    many = found.disputed * 30
    text = rendered_reviewed([msgspec.structs.replace(found, disputed=many)])
    assert "and 10 more (--json has all)" in text


def test_without_reviews_there_is_nothing() -> None:
    assert list(reviewed_markdown([])) == []
