"""Putting trials in the queue: once, and anew where something changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from probare.errors import InvalidReview, NotAllowed
from probare.model.review import QueueItem, Reason, Submission, Wanted
from probare.model.rubric import Rubric
from probare.review.desk import ReviewDesk

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]
Make = Callable[..., Wanted]


def test_twice_is_once(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Make, run_id: str
) -> None:
    some = [wanted("a"), wanted("a", trial=1), wanted("b")]
    first = desk.enqueue(team.lead, run_id, rubric, some)
    assert (first.added, first.known, first.changed) == (3, 0, 0)
    log = desk.export_log(run_id)
    again = desk.enqueue(team.lead, run_id, rubric, [*some, wanted("c")])
    assert (again.added, again.known, again.changed) == (1, 3, 0)
    assert desk.export_log(run_id)[: len(log)] == log
    assert len(desk.export_log(run_id)) == len(log) + 1


def test_reasons_and_priority_are_brought_up_to_date(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Make, queue_one: Put, run_id: str
) -> None:
    item = queue_one(due="2026-12-02T00:00:00+00:00")
    reasons = (Reason("failed", "failed: tone"),)
    result = desk.enqueue(
        team.lead, run_id, rubric, [wanted(reasons=reasons, priority=1, due=None)]
    )
    assert (result.added, result.known, result.changed) == (0, 1, 0)
    found = desk.item(team.lead, item.id)
    assert (found.reasons, found.priority, found.due) == (reasons, 1, "2026-12-02T00:00:00+00:00")


def test_how_many_reviewers_stays_once_one_has_reviewed(
    desk: ReviewDesk,
    team: Any,
    rubric: Rubric,
    wanted: Make,
    queue_one: Put,
    filled: Fill,
    run_id: str,
) -> None:
    item = queue_one(overlap=1)
    result = desk.enqueue(team.lead, run_id, rubric, [wanted(overlap=2, distance=0)])
    assert result.changed == 1
    assert desk.item(team.lead, item.id).overlap == 2
    desk.submit(team.ann, filled(item))
    desk.enqueue(team.lead, run_id, rubric, [wanted(overlap=1, distance=3)])
    now = desk.item(team.lead, item.id)
    assert (now.overlap, now.distance, now.state) == (2, 0, "in_review")
    assert desk.check_log(run_id) == []


def test_it_needs_no_fewer_reviewers_than_it_is_assigned_to(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Make, queue_one: Put, run_id: str
) -> None:
    item = queue_one(overlap=3)
    desk.claim(team.ann, item.id)
    desk.claim(team.ben, item.id)
    desk.enqueue(team.lead, run_id, rubric, [wanted(overlap=1)])
    assert desk.item(team.lead, item.id).overlap == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"transcript": "short"}, "no SHA-256"),
        ({"transcript": "E" * 64}, "no SHA-256"),
        ({"trial": -1}, "too small"),
        ({"overlap": 0}, "too small"),
        ({"distance": -1}, "too small"),
        ({"priority": 0}, "too small"),
        ({"reasons": ()}, "no reason says why"),
        ({"case": ""}, "is empty"),
        ({"case": "a\x00"}, "NUL"),
        ({"case": "\ud800"}, "lone surrogate"),
    ],
)
def test_what_cannot_be_queued(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Make, run_id: str, changes: Any, words: str
) -> None:
    bad = wanted(**{"transcript": "a" * 64, **changes})
    with pytest.raises(InvalidReview, match=words):
        desk.enqueue(team.lead, run_id, rubric, [wanted("good"), bad])
    assert desk.queue(team.lead) == []


def test_one_trial_twice(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Make, run_id: str
) -> None:
    with pytest.raises(InvalidReview, match="stands twice"):
        desk.enqueue(team.lead, run_id, rubric, [wanted(), wanted()])
    with pytest.raises(InvalidReview, match="no id of a run"):
        desk.enqueue(team.lead, "", rubric, [wanted()])


def test_only_a_lead_queues(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Make, run_id: str
) -> None:
    for person in (team.ann, team.ada, team.auditor):
        with pytest.raises(NotAllowed, match="may not put trials in the queue"):
            desk.enqueue(person, run_id, rubric, [wanted()])


def test_many_items_are_queued_and_listed(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Make, run_id: str
) -> None:
    some = [wanted(f"c{number:04}", transcript="a" * 64) for number in range(1_200)]
    assert desk.enqueue(team.lead, run_id, rubric, some).added == 1_200
    assert desk.enqueue(team.lead, run_id, rubric, some).known == 1_200
    assert [each.case for each in desk.queue(team.lead, offset=1_195)] == [
        f"c{number:04}" for number in range(1_195, 1_200)
    ]
    assert len(desk.queue(team.lead, limit=2_000)) == 1_200
    assert len(desk.hidden_trials(team.lead, run_id)) == 1_200
    assert desk.check_log(run_id) == []
