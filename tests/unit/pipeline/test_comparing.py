"""The gate decides again with what people have said up to now."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from probare.errors import NotFound, ReviewError
from probare.pipeline.applying import apply_reviews
from probare.pipeline.comparing import decide_again
from probare.stores.reader import RunReader

SUITE = """
suite: answers
target: {python: "agent:say"}
review: {rubric: rubric.yaml, sample: 1, overlap: 2}
cases:
  - {id: plain, input: hello, expect: [{contains: hello}]}
  - {id: unsure, input: ok, expect: [{language: en}]}
"""
REQUIRED = "gate: {reviews: required}\n"


def decided(run: Path, **more: Any) -> tuple[int, str]:
    summary = decide_again(run, None, **more)
    return summary.exit_code, "; ".join(summary.why)


def test_an_incident_turns_the_gate_red_at_once_and_closing_it_green(reviews: Any) -> None:
    found = reviews(suite=SUITE)
    assert decided(found.run)[0] == 3  # the language is unknown
    found.give("ann", plain=(4, 1), unsure=(4, 4))
    code, why = decided(found.run)
    assert code == 1
    assert "1 incident open" in why
    found.give("ben", plain=(4, 4), unsure=(4, 4))
    found.give("dan", "adjudicator", plain=(4, 4))
    assert decided(found.run)[0] == 1  # no adjudication closes it
    found.close_incidents()
    assert decided(found.run) == (0, "the gate holds: 2 of 2 cases passed")
    assert RunReader(found.run).summary.exit_code == 3


def test_people_settle_the_unknown_and_their_fail_counts(reviews: Any) -> None:
    found = reviews(suite=SUITE, overlap=1)
    found.give("ann", unsure=(4, 4))
    assert decided(found.run)[0] == 0
    found.give("ann", plain=(2, 4))
    assert decided(found.run) == (1, "1 case failed: plain")


def test_required_reviews_are_missing_until_they_are_in(reviews: Any) -> None:
    found = reviews(suite=SUITE, gate=REQUIRED)
    found.give("ann", plain=(4, 4), unsure=(4, 4))
    code, why = decided(found.run)
    assert code == 3
    assert "2 reviews missing: plain, unsure" in why
    found.give("ben", plain=(4, 4), unsure=(4, 4))
    assert decided(found.run)[0] == 0


def test_of_a_run_with_reviews_graded_in_only_incidents_count_anew(reviews: Any) -> None:
    found = reviews(suite=SUITE, overlap=1)
    found.give("ann", plain=(4, 1), unsure=(4, 4))
    new = apply_reviews(found.run, key=None)
    assert decided(new.folder)[0] == 1
    found.close_incidents()
    assert decided(new.folder) == (1, "1 case failed: plain")
    (found.run.parent / ".probare" / "reviews.db").unlink()
    assert "1 incident open" in decided(new.folder)[1]


def test_without_a_database_nothing_changes(reviews: Any, tmp_path: Path) -> None:
    found = reviews(suite=SUITE)
    (found.run.parent / ".probare" / "reviews.db").unlink()
    summary = RunReader(found.run).summary
    assert decided(found.run) == (summary.exit_code, "; ".join(summary.why))
    with pytest.raises(NotFound, match="no review database"):
        decided(found.run, database=str(tmp_path / "none.db"))


def test_a_changed_log_decides_nothing(reviews: Any) -> None:
    found = reviews(suite=SUITE)
    found.give("ann", plain=(4, 1))
    with sqlite3.connect(found.run.parent / ".probare" / "reviews.db") as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("DELETE FROM log WHERE kind = 'incident'")
    database.close()
    with pytest.raises(ReviewError, match="does not hold"):
        decided(found.run)
