"""Many at once: nothing is lost, nothing is kept twice, the chain holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from probare.errors import NotAllowed, Outdated, ReviewError
from probare.model.review import Person, QueueItem, Submission
from probare.model.rubric import Rubric
from probare.review.desk import ReviewDesk

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]

_MANY = 8


def _at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """Do all acts at the same moment; return what each gave, or the error it raised."""
    barrier = Barrier(len(acts))

    def do(act: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return act()
        except ReviewError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(do, acts))


def test_reviewers_who_submit_at_once_lose_nothing(
    desk: ReviewDesk, queue_one: Put, filled: Fill, run_id: str
) -> None:
    item = queue_one(overlap=_MANY)
    people = [Person(f"R{number}", "reviewer") for number in range(_MANY)]

    def act(person: Person) -> Callable[[], Any]:
        given = filled(item, 4, 1, 4, comments={"": person.name})
        return lambda: desk.submit(person, given)

    results = _at_once([act(person) for person in people])
    assert all(result.new for result in results)
    assert {review.reviewer for review in desk.all_reviews(run_id)} == {
        each.name for each in people
    }
    assert desk.queue(people[0])[0].reviews_in == _MANY
    assert desk.queue(people[0])[0].state == "done"
    assert Counter(each.kind for each in desk.all_incidents(run_id)) == {
        "incident_review": 1,
        "investigation_note": 1,
    }
    assert desk.check_log(run_id) == []
    assert len(desk.export_log(run_id)) == 2 + _MANY + 2


def test_two_desks_on_one_database(
    desk: ReviewDesk, where: str, rubric: Rubric, wanted: Any, filled: Fill, run_id: str, team: Any
) -> None:
    desk.enqueue(team.lead, run_id, rubric, [wanted(trial=number) for number in range(6)])
    items = desk.queue(team.lead)
    with ReviewDesk.open(where) as other:
        acts: list[Callable[[], Any]] = []
        for number, item in enumerate(items):
            one = (desk, other)[number % 2]
            acts.append(lambda one=one, item=item: one.submit(team.ann, filled(item)))
        results = _at_once(acts)
    assert all(result.new for result in results)
    assert desk.count(team.lead, state="done") == 6
    assert desk.check_log(run_id) == []


def test_one_review_submitted_many_times_at_once_is_one(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, run_id: str
) -> None:
    item = queue_one()
    results = _at_once([lambda: desk.submit(team.ann, filled(item))] * _MANY)
    assert sum(result.new for result in results) == 1
    assert len({result.review.id for result in results}) == 1
    assert len(desk.all_reviews(run_id)) == 1


def test_the_last_place_goes_to_one(desk: ReviewDesk, queue_one: Put) -> None:
    item = queue_one()
    people = [Person(f"R{number}", "reviewer") for number in range(_MANY)]
    results = _at_once([lambda person=person: desk.claim(person, item.id) for person in people])
    got = [result for result in results if isinstance(result, QueueItem)]
    refused = [result for result in results if isinstance(result, NotAllowed)]
    assert (len(got), len(refused)) == (1, _MANY - 1)
    assert len(desk.item(people[0], item.id).assigned) == 1


def test_one_of_many_corrections_stands(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, run_id: str
) -> None:
    item = queue_one()
    old = desk.submit(team.ann, filled(item, 4, 4, 4)).review

    def act(number: int) -> Callable[[], Any]:
        given = filled(item, 3, 4, 4, comments={"": str(number)})
        return lambda: desk.correct(team.ann, old.id, given)

    results = _at_once([act(number) for number in range(_MANY)])
    assert sum(isinstance(result, Outdated) for result in results) == _MANY - 1
    assert len(desk.all_reviews(run_id)) == 2
    assert desk.check_log(run_id) == []


def test_one_of_many_closes_an_incident(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, run_id: str
) -> None:
    item = queue_one()
    incident = desk.submit(team.ann, filled(item, 4, 1, 4)).incidents[0]

    def act(number: int) -> Callable[[], Any]:
        lead = Person(f"L{number}", "lead")
        return lambda: desk.close_incident(lead, incident.id, decision=lead.name)

    results = _at_once([act(number) for number in range(_MANY)])
    assert sum(isinstance(result, Outdated) for result in results) == _MANY - 1
    assert desk.check_log(run_id) == []


def test_a_run_queued_twice_at_once_is_queued_once(
    desk: ReviewDesk, rubric: Rubric, wanted: Any, team: Any, run_id: str
) -> None:
    each = [wanted(trial=number) for number in range(5)]
    results = _at_once([lambda: desk.enqueue(team.lead, run_id, rubric, each)] * 4)
    assert sorted(result.added for result in results) == [0, 0, 0, 5]
    assert len(desk.export_log(run_id)) == 6
    assert desk.check_log(run_id) == []


def test_a_new_database_opened_by_many_at_once(nowhere: str) -> None:
    results = _at_once([lambda: ReviewDesk.open(nowhere)] * 4)
    for result in results:
        assert isinstance(result, ReviewDesk), result
        assert result.runs() == ()
        result.close()
