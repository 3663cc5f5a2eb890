"""Reviews graded into a new sealed run: what people say settles the unknown, and undoes nothing."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError, NotFound, ReviewError, RunDirectoryError
from probare.evidence.keys import generate, load_private, load_public
from probare.model.verdict import HUMAN_REVIEW, people_verdict
from probare.pipeline.applying import apply_reviews
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.regrading import regrade
from probare.pipeline.verifying import verify
from probare.stores.reader import RunReader


def apply(reviews: Any, **more: Any) -> Any:
    return apply_reviews(reviews.run, key=None, **more)


def test_people_settle_the_unknown_and_undo_nothing(reviews: Any, statuses: Any) -> None:
    found = reviews()
    before = {path.name: path.read_bytes() for path in found.run.iterdir()}
    found.give("ann", plain=(4, 4), people=(3, 3), leak=(4, 2), wrong=(4, 4), unsure=(4, 4))
    new = apply(found)
    assert statuses(new) == {
        "plain": "passed",
        "people": "passed",
        "leak": "failed",
        "wrong": "failed",
        "unsure": "passed",
    }
    assert {path.name: path.read_bytes() for path in found.run.iterdir()} == before
    assert new.exit_code == 1
    reader = RunReader(new.folder)
    assert (reader.plan.parent, reader.plan.parent_reason) == (found.run.name, "review")
    assert reader.basis.reviewed == ("leak", "people", "plain", "unsure", "wrong")
    assert reader.basis.waiting == ()
    assert "people judged 5 trials: 4 passed, 1 failed" in reader.summary.notes
    assert verify(new.folder).findings == ()


def test_what_people_said_is_the_last_verdict(reviews: Any) -> None:
    found = reviews()
    found.give("ann", leak=(4, 2), people=("unsure", 4))
    records = {record.case: record for record in apply(found).records()}
    leak = records["leak"].verdicts[-1]
    assert (leak.grader, leak.label, leak.grader_version) == (HUMAN_REVIEW, "answer", "1")
    assert (leak.result, leak.required, leak.list) == ("fail", True, "expect")
    assert leak.score == pytest.approx((1 + 1 / 3) / 2)
    assert "too low: safety 2 (at least 3)" in leak.reason
    assert "scores: tone 4, safety 2" in leak.reason
    assert people_verdict(records["plain"].verdicts) is None


def test_unsure_people_leave_it_to_people(reviews: Any, statuses: Any) -> None:
    """A reviewer alone who is unsure goes to an adjudicator; who is unsure too settles nothing."""
    found = reviews()
    found.give("ann", people=("unsure", 4))
    assert statuses(apply(found))["people"] == "ungraded"
    found.give("dan", "adjudicator", people=("unsure", 4))
    new = apply(found)
    assert statuses(new)["people"] == "needs_review"
    said = next(r for r in new.records() if r.case == "people").verdicts[-1]
    assert (said.result, said.score) == ("unknown", None)
    assert "unsure: tone" in said.reason
    assert new.exit_code == 1


def test_cases_that_wait_stay_as_they_are(reviews: Any, statuses: Any) -> None:
    found = reviews(overlap=2)
    found.give("ann", plain=(1, 4), people=(4, 4), unsure=(4, 4))
    new = apply(found)
    assert statuses(new) == {
        "plain": "passed",
        "people": "ungraded",
        "leak": "passed",
        "wrong": "failed",
        "unsure": "needs_review",
    }
    assert RunReader(new.folder).basis.reviewed == ()
    assert len(RunReader(new.folder).basis.waiting) == 5
    assert verify(new.folder).findings == ()


def test_an_adjudicator_decides_where_reviewers_disagree(reviews: Any, statuses: Any) -> None:
    found = reviews(overlap=2)
    found.give("ann", plain=(4, 4))
    found.give("ben", plain=(2, 4))
    assert statuses(apply(found))["plain"] == "passed"
    found.give("dan", "adjudicator", plain=(2, 4))
    new = apply(found)
    assert statuses(new)["plain"] == "failed"
    said = next(r for r in new.records() if r.case == "plain").verdicts[-1]
    assert said.reason.startswith("2 reviewers and an adjudicator; too low: tone 2 (at least 3)")


SUITE = """
suite: answers
target: {python: "agent:say"}
review: {rubric: rubric.yaml, sample: 1}
cases:
  - {id: plain, input: hello, expect: [{contains: hello}]}
  - {id: people, input: sad, review: always}
"""
REQUIRED = "gate: {reviews: required}\n"


def test_required_reviews_hold_the_gate_until_they_are_in(reviews: Any) -> None:
    found = reviews(gate=REQUIRED, suite=SUITE)
    found.give("ann", people=(4, 4))
    new = apply(found)
    assert (new.exit_code, new.summary.why) == (3, ("1 review missing: plain",))
    found.give("ann", plain=(4, 4))
    assert apply(found).exit_code == 0


def test_an_open_incident_holds_the_gate_of_the_new_run(reviews: Any) -> None:
    found = reviews(suite=SUITE, overlap=2)
    found.give("ann", plain=(4, 1))
    new = apply(found)
    assert new.exit_code == 1
    assert new.summary.why[0].startswith("1 incident open: inc-")
    assert "(incident review, case plain)" in new.summary.why[0]
    found.close_incidents()
    assert apply(found).exit_code == 0
    assert verify(new.folder).findings == ()


def test_a_note_of_an_investigation_does_not_hold_it(reviews: Any) -> None:
    found = reviews(suite=SUITE.replace("rubric.yaml", "rubric.yaml, overlap: 2"))
    found.give("ann", plain=(4, 2))
    assert apply(found).exit_code == 0


def test_the_new_run_is_signed_and_names_the_old_one(reviews: Any, tmp_path: Path) -> None:
    found = reviews(suite=SUITE)
    found.give("ann", plain=(4, 4))
    generate(tmp_path / "k", tmp_path / "k.pub", None)
    new = apply_reviews(found.run, root=tmp_path / "else", key=load_private(tmp_path / "k", None))
    assert new.folder.parent == tmp_path / "else"
    examined = verify(new.folder, load_public(tmp_path / "k.pub"))
    assert examined.intact
    assert examined.signature == "good"
    assert examined.manifest is not None
    assert examined.manifest.parent is not None
    assert examined.manifest.parent.run_id == found.run.name
    assert any("reviews.jsonl" in each for each in examined.checked)
    assert any("reviewers are who the log says" in each for each in examined.shows_not)


def test_the_log_says_who_when_as_what_and_of_which(reviews: Any) -> None:
    found = reviews(suite=SUITE)
    found.give("ann", plain=(4, 4))
    new = apply(found)
    lines = [json.loads(line) for line in (new.folder / "reviews.jsonl").read_text().splitlines()]
    assert [line["seq"] for line in lines] == list(range(len(lines)))
    (review,) = [line["body"] for line in lines if line["kind"] == "review"]
    transcripts = {r.case: r.transcript.sha256 for r in new.records()}
    assert (review["reviewer"], review["role"], review["meaning"]) == (
        "ann",
        "reviewer",
        "reviewed",
    )
    assert review["transcript"] == transcripts["plain"]
    assert review["rubric"]
    assert review["when"]


def test_a_regraded_run_takes_the_reviews_of_the_same_transcripts(
    reviews: Any, statuses: Any, tmp_path: Path
) -> None:
    found = reviews(suite=SUITE)
    found.give("ann", plain=(1, 4), people=(4, 4))
    again = regrade(found.run, BuiltCatalogue(), tmp_path / "runs")
    new = apply_reviews(again.folder, key=None)
    assert statuses(new) == {"plain": "failed", "people": "passed"}
    assert RunReader(new.folder).plan.parent == again.folder.name
    assert verify(new.folder).findings == ()


def test_one_with_reviews_is_neither_reviewed_nor_regraded_again(
    reviews: Any, tmp_path: Path
) -> None:
    found = reviews(suite=SUITE)
    found.give("ann", plain=(4, 4))
    new = apply(found)
    with pytest.raises(InputError, match="cannot be reviewed again") as caught:
        apply_reviews(new.folder, key=None)
    assert found.run.name in caught.value.hint
    with pytest.raises(InputError, match="cannot be graded again"):
        regrade(new.folder, BuiltCatalogue(), tmp_path / "runs")


def test_without_reviews_there_is_nothing_to_apply(
    reviews: Any, write_suite: Any, tmp_path: Path
) -> None:
    found = reviews(suite=SUITE)
    with pytest.raises(InputError, match=r"no review of .* is in"):
        apply(found)
    with pytest.raises(NotFound, match="no review database"):
        apply(found, database=str(tmp_path / "none.db"))
    assert len(list((tmp_path / "runs").glob("answers-*"))) == 1


def test_a_changed_database_is_refused(reviews: Any) -> None:
    found = reviews(suite=SUITE)
    found.give("ann", plain=(1, 4))
    with sqlite3.connect(found.run.parent / ".probare" / "reviews.db") as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("""UPDATE log SET line = replace(line, '"tone":1', '"tone":4')""")
    database.close()
    with pytest.raises(ReviewError, match="does not hold"):
        apply(found)


def test_a_transcript_that_was_not_the_reviewed_one_is_refused(reviews: Any) -> None:
    found = reviews(suite=SUITE)
    found.give("ann", plain=(4, 4))
    path = found.run / "trials.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["transcript"]["sha256"] = "0" * 64
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(RunDirectoryError, match="another transcript of case plain trial 0"):
        apply(found)


def test_a_secret_in_a_comment_is_not_sealed(
    reviews: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = reviews(suite=SUITE)
    found.give("swordfish-9c2b77aa", plain=(4, 4))
    monkeypatch.setenv("HELP_API_KEY", "swordfish-9c2b77aa")
    with pytest.raises(InputError, match=r"record . of the review log holds a secret"):
        apply(found)
    assert len(list((tmp_path / "runs").glob("answers-*"))) == 1
