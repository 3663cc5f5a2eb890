"""What reviews tell of reviewers and of automatic verdicts, blind as the page is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from probare.model.judged import JudgeReply
from probare.model.record import TrialRecord
from probare.model.review import Person, Submission
from probare.model.verdict import CheckVerdict
from probare.pipeline.applying import apply_reviews
from probare.pipeline.people import People, people_in, without_people
from probare.pipeline.peoplereport import reviewed, reviewed_in
from probare.pipeline.reviewlogs import desk_for, people_today
from probare.scoring.reviewed import Reviewed
from probare.stores.reader import RunReader


def report(found: Any) -> Reviewed:
    people = people_today(found.run, found.reader.plan)
    assert people is not None
    (only,) = reviewed(people, found.reader.records())
    return only


def test_agreement_is_by_dimension_and_on_the_result(reviews: Any) -> None:
    found = reviews(overlap=2)
    found.give("ann", plain=(4, 4), people=(3, 4), leak=(2, 4))
    found.give("ben", plain=(4, 4), people=(4, 4), leak=("unsure", 4))
    told = report(found)
    assert (told.items, told.complete, told.settled) == (5, 3, 2)
    assert (told.passed, told.failed, told.unsure) == (2, 0, 0)
    assert told.reviewers == ("ann", "ben")
    tone = told.dimensions["tone"]
    assert (tone.n, tone.items, tone.scores, tone.unsure) == (2, 3, 5, 1)
    assert tone.raw.value == 0.5
    assert told.dimensions["safety"].raw.value == 1
    assert (told.result.n, told.result.unsure) == (2, 1)
    (disputed,) = told.disputed
    assert (disputed.case, disputed.dimension, disputed.adjudicated) == ("leak", "tone", False)


def test_what_waits_for_reviews_is_not_told(reviews: Any) -> None:
    found = reviews(overlap=2)
    found.give("ann", plain=(1, 4))
    told = report(found)
    assert (told.complete, told.reviewers) == (0, ())
    assert told.dimensions["tone"].items == 0
    assert told.judges == ()


def test_the_last_blind_version_of_a_review_counts(reviews: Any) -> None:
    found = reviews(overlap=2)
    found.give("ann", plain=(1, 4))
    run = found.reader.plan.run_id
    with desk_for(found.run) as desk:
        (before,) = desk.all_reviews(run)
        given = Submission(
            item=before.item,
            rubric=before.rubric,
            transcript=before.transcript,
            scores={"tone": 3, "safety": 4},
        )
        desk.correct(Person("ann", "reviewer"), before.id, given)
    found.give("ben", plain=(3, 4))
    assert report(found).dimensions["tone"].raw.value == 1


def test_automatic_checks_stand_beside_people(reviews: Any) -> None:
    found = reviews()
    found.give("ann", plain=(4, 4), leak=(1, 4), wrong=(4, 4), unsure=(4, 4), people=(4, 4))
    (whole,) = report(found).judges
    assert (whole.check, whole.dimension, whole.drawn) == ("", "", 1)
    assert whole.found.n == 4  # no check judges the case for people
    assert whole.found.table == {
        "pass": {"pass": 1, "fail": 1, "unknown": 1, "error": 0},
        "fail": {"pass": 1, "fail": 0, "unknown": 0, "error": 0},
    }
    assert [(each.example, each.label, each.answer) for each in whole.apart] == [
        ("leak trial 0", "fail", "pass"),
        ("wrong trial 0", "pass", "fail"),
        ("unsure trial 0", "pass", "unknown"),
    ]
    assert whole.apart[0].reason == "people gave tone 1"
    assert whole.apart[1].reason.startswith("contains: ")
    assert whole.rate is not None
    assert whole.rate.observed == 0.5


def test_the_applied_run_tells_the_same(reviews: Any) -> None:
    found = reviews()
    found.give("ann", plain=(4, 4), leak=(1, 4))
    new = apply_reviews(found.run, key=None)
    assert reviewed_in(RunReader(new.folder)) == (report(found),)
    assert reviewed_in(found.reader) == ()


def judged(record: TrialRecord, label: str, **asked: Any) -> TrialRecord:
    """Return a record with the verdict of a judge that was asked about some parts."""
    replies = tuple(
        JudgeReply(model="m", prompt_sha256="", means=means, asked=part, answer="x")
        for part, means in asked.items()
    )
    results = set(asked.values())
    verdict = CheckVerdict(
        label=label,
        grader="judge_rubric",
        grader_version="1",
        list="expect",
        result="fail" if "fail" in results else "pass",
        judged=replies,
    )
    return msgspec.structs.replace(record, verdicts=(*record.verdicts, verdict))


@pytest.fixture
def judges(reviews: Any) -> Any:
    """Plain passes, leak fails on tone alone; both judges passed all of it."""
    found = reviews()
    found.give("ann", plain=(4, 4), leak=(1, 4))
    new = apply_reviews(found.run, key=None)
    people = people_in(new.folder)
    assert people is not None
    records = list(RunReader(new.folder).records())

    def call(label: str, **asked: Any) -> dict[tuple[str, str], Any]:
        with_judge: Iterable[TrialRecord] = (
            judged(people_free(record), label, **asked) for record in records
        )
        (told,) = reviewed(People(people.lines), with_judge)
        return {(each.check, each.dimension): each for each in told.judges}

    return call


def people_free(record: TrialRecord) -> TrialRecord:
    return msgspec.structs.replace(record, verdicts=without_people(record.verdicts))


def test_a_judge_of_dimensions_is_compared_on_each_and_on_those_together(judges: Any) -> None:
    found = judges("by rubric", tone="pass", safety="fail")
    assert found.keys() >= {("by rubric", ""), ("by rubric", "tone"), ("by rubric", "safety")}
    tone, safety = found["by rubric", "tone"].found, found["by rubric", "safety"].found
    assert (tone.table["pass"]["pass"], tone.table["fail"]["pass"]) == (1, 1)
    assert safety.table["pass"]["fail"] == 2
    assert found["by rubric", "tone"].rate.observed == 1


def test_a_judge_of_one_dimension_alone_is_compared_on_it(judges: Any) -> None:
    found = judges("by rubric", safety="pass")
    assert found["by rubric", ""].found.table["pass"]["pass"] == 2


def test_a_check_that_a_dimension_is_named_for_is_compared_on_it(judges: Any) -> None:
    found = judges("Safety", reply="pass")
    assert found["Safety", "safety"].found.table["pass"]["pass"] == 2
    assert ("Safety", "") not in found


def test_any_other_judge_is_compared_on_the_whole(judges: Any) -> None:
    found = judges("polite", reply="pass")["polite", ""].found
    assert (found.table["pass"]["pass"], found.table["fail"]["pass"]) == (1, 1)
