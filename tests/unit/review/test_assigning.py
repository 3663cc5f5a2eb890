"""Places at items: given, taken, released."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from probare.errors import InvalidReview, NotAllowed, Outdated
from probare.model.review import Person, QueueItem, Submission
from probare.review.desk import ReviewDesk

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]


def test_an_item_assigned_twice_is_refused(desk: ReviewDesk, queue_one: Put, team: Any) -> None:
    item = queue_one(overlap=2)
    given = desk.assign(team.lead, item.id, "Ann")
    assert [(each.person, each.by, each.purpose) for each in given.assigned] == [
        ("Ann", "Lea", "reviewed")
    ]
    for name in ("Ann", "ann", " ANN "):
        with pytest.raises(Outdated, match="assigned to 'Ann' already"):
            desk.assign(team.lead, item.id, name)
    desk.assign(team.lead, item.id, "Ben")
    with pytest.raises(Outdated, match="assigned to 'Ann' and 'Ben', and needs no more"):
        desk.assign(team.lead, item.id, "Cat")
    assert len(desk.item(team.lead, item.id).assigned) == 2


def test_a_reviewer_asking_for_anothers_item_is_refused(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    desk.assign(team.lead, item.id, "Ann")
    for ask in (
        lambda: desk.claim(team.ben, item.id),
        lambda: desk.begin(team.ben, item.id),
        lambda: desk.submit(team.ben, filled(item)),
    ):
        with pytest.raises(NotAllowed, match="assigned to 'Ann', and needs no more"):
            ask()
    assert desk.all_reviews(item.run) == ()
    assert desk.next_item(team.ben) is None
    assert desk.next_item(team.ann) is not None


def test_a_claim_twice_is_one(desk: ReviewDesk, queue_one: Put, team: Any) -> None:
    item = queue_one(overlap=2)
    first = desk.claim(team.ann, item.id)
    assert desk.claim(team.ann, item.id) == first


def test_a_place_is_given_back(desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any) -> None:
    item = queue_one()
    desk.claim(team.ann, item.id)
    with pytest.raises(Outdated, match="not assigned to 'Ben'"):
        desk.release(team.ben, item.id)
    with pytest.raises(NotAllowed, match="may not assign"):
        desk.release(team.ben, item.id, "Ann")
    assert desk.release(team.ann, item.id).assigned == ()
    desk.claim(team.ben, item.id)
    assert desk.release(team.lead, item.id, "Ben").assigned == ()
    desk.submit(team.ann, filled(item))
    with pytest.raises(Outdated, match="has submitted"):
        desk.release(team.ann, item.id)


def test_only_a_lead_assigns(desk: ReviewDesk, queue_one: Put, team: Any) -> None:
    item = queue_one()
    for person in (team.ann, team.ada, team.auditor):
        with pytest.raises(NotAllowed, match="may not assign items"):
            desk.assign(person, item.id, "Ben")
    purpose: Any = "read"
    with pytest.raises(InvalidReview, match="purpose"):
        desk.assign(team.lead, item.id, "Ben", purpose)
    with pytest.raises(InvalidReview, match="the name is empty"):
        desk.assign(team.lead, item.id, "  ")


def test_accounts_say_who_can_be_assigned(desk: ReviewDesk, queue_one: Put, team: Any) -> None:
    item = queue_one(overlap=3)
    desk.accounts.add("Ann", "reviewer", "a long password")
    desk.accounts.add("Otto", "auditor", "a long password")
    desk.assign(team.lead, item.id, "Ann")
    with pytest.raises(NotAllowed, match="the role auditor may not review"):
        desk.assign(team.lead, item.id, "Otto")
    with pytest.raises(InvalidReview, match="control characters"):
        desk.assign(team.lead, item.id, "Be\u200bn")
    with pytest.raises(Exception, match="there is no user 'Ben'"):
        desk.assign(team.lead, item.id, "Ben")


def test_an_adjudication_is_assigned_to_one_who_has_not_reviewed(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    with pytest.raises(Outdated, match="it is waiting for reviews"):
        desk.assign(team.lead, item.id, "Ada", "adjudicated")
    desk.submit(team.ann, filled(item, 4, 4, 4))
    with pytest.raises(Outdated, match="at 1 of 2 reviews"):
        desk.assign(team.lead, item.id, "Ada", "adjudicated")
    desk.submit(team.ben, filled(item, 1, 4, 4))
    with pytest.raises(NotAllowed, match="'Ann' has reviewed this item"):
        desk.assign(team.lead, item.id, "Ann", "adjudicated")
    desk.assign(team.lead, item.id, "Ada", "adjudicated")
    other = Person("Bo", "adjudicator")
    assert desk.next_item(other) is None
    with pytest.raises(NotAllowed, match="assigned to 'Ada'"):
        desk.begin(other, item.id)
    with pytest.raises(Outdated, match="takes no more reviews"):
        desk.claim(team.cat, item.id)
    assert desk.next_item(team.ada) is not None


def test_the_queue_in_order_and_how_far_it_is(
    desk: ReviewDesk, filled: Fill, team: Any, rubric: Any, wanted: Any, run_id: str
) -> None:
    items = [
        wanted("late", priority=2, due="2026-12-03T00:00:00+00:00"),
        wanted("whenever", priority=2),
        wanted("soon", priority=2, due="2026-12-02T00:00:00+00:00"),
        wanted("first", priority=1, trial=1),
    ]
    desk.enqueue(team.lead, run_id, rubric, items)
    names = [each.case for each in desk.queue(team.ann)]
    assert names == ["first", "soon", "late", "whenever"]
    assert [each.case for each in desk.queue(team.ann, offset=1, limit=2)] == names[1:3]
    assert desk.queue(team.ann, "another run") == []
    desk.assign(team.lead, desk.queue(team.ann, case="whenever")[0].id, "Ann")
    following = desk.next_item(team.ann, run_id)
    assert following is not None
    assert following.case == "whenever"
    after = desk.next_item(team.ann, skip=[following.id])
    assert after is not None
    assert after.case == "first"
    desk.submit(team.ann, filled(after))
    assert [each.case for each in desk.queue(team.ann, mine=True)] == ["first", "whenever"]
    assert desk.count(team.ann, mine=True) == 2
    assert desk.count(team.ann, state="done") == 1
    progress = desk.progress(team.ann, run_id)
    assert (progress.total, progress.done, progress.waiting) == (4, 1, 3)
    assert (progress.mine_left, progress.mine_done, progress.free) == (1, 1, 2)
    assert desk.progress(team.auditor).free == 0
    with pytest.raises(NotAllowed):
        desk.next_item(team.auditor)
