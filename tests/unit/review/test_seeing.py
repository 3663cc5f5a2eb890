"""The blind rule."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.errors import NotAllowed, NotFound, ReviewError
from probare.model.review import Person, QueueItem, Submission
from probare.model.rubric import Rubric
from probare.review.desk import ReviewDesk
from probare.review.people import may

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]


def test_nothing_is_seen_until_all_reviews_are_in(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    assert desk.hidden_trials(team.lead, item.run) == {("leave", 0)}
    desk.submit(team.ann, filled(item, 4, 3, 3, comments={"": "mine"}))
    for person in (team.ben, team.cat, team.ada, team.lead):
        assert not desk.visible_to(person, item.id)
        assert not desk.visible_trial(person, item.run, "leave", 0)
        assert desk.reviews(person, item.id) == ()
        assert desk.hidden_trials(person, item.run) == {("leave", 0)}
        with pytest.raises(NotAllowed, match="hidden"):
            desk.outcome(person, item.id)
    assert not desk.visible_to(team.ann, item.id)
    assert [review.reviewer for review in desk.reviews(team.ann, item.id)] == ["Ann"]
    assert desk.begin(team.ben, item.id).others == ()
    desk.submit(team.ben, filled(item, 4, 3, 4))
    for person in team.everyone:
        assert desk.visible_to(person, item.id)
        assert len(desk.reviews(person, item.id)) == 2
        assert desk.hidden_trials(person, item.run) == frozenset()


def test_an_auditor_sees_and_cannot_review(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    desk.submit(team.ann, filled(item))
    assert desk.visible_to(team.auditor, item.id)
    assert len(desk.reviews(team.auditor, item.id)) == 1
    assert desk.hidden_trials(team.auditor, item.run) == frozenset()
    for call in (desk.begin, desk.claim):
        with pytest.raises(NotAllowed, match="auditor may not review"):
            call(team.auditor, item.id)


def test_a_trial_that_is_not_queued_is_not_hidden(desk: ReviewDesk, team: Any) -> None:
    assert desk.visible_trial(team.ann, "any run", "leave", 0)


def test_a_lead_who_looks_reviews_no_more(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    with pytest.raises(NotAllowed, match="may not see an item before"):
        desk.unblind(team.ann, item.id)
    desk.unblind(team.lead, item.id, why="an incident")
    desk.unblind(team.lead, item.id)
    assert desk.visible_to(team.lead, item.id)
    assert desk.hidden_trials(team.lead, item.run) == frozenset()
    assert desk.next_item(team.lead) is None
    for call in (desk.begin, desk.claim):
        with pytest.raises(NotAllowed, match="has seen this item"):
            call(team.lead, item.id)
    with pytest.raises(NotAllowed, match="has seen this item"):
        desk.submit(team.lead, filled(item))
    kinds = [line.count(b'"kind":"unblinded"') for line in desk.export_log(item.run)]
    assert sum(kinds) == 1


def test_who_is_to_review_does_not_look(desk: ReviewDesk, queue_one: Put, team: Any) -> None:
    item = queue_one()
    desk.claim(team.lead, item.id)
    with pytest.raises(NotAllowed, match="you are to review"):
        desk.unblind(team.lead, item.id)
    desk.release(team.lead, item.id)
    desk.unblind(team.lead, item.id)


# --- whatever happens, in whatever order

PEOPLE = [
    Person("Ann", "reviewer"),
    Person("Ben", "reviewer"),
    Person("Ada", "adjudicator"),
    Person("Lea", "lead"),
    Person("Max", "lead"),
    Person("Otto", "auditor"),
]
_COUNT = itertools.count()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], ReviewDesk]:
    folder = tmp_path_factory.mktemp("blind")
    ReviewDesk.open(folder / "pattern.db").close()

    def new() -> ReviewDesk:
        path: Path = folder / f"{next(_COUNT)}.db"
        shutil.copy(folder / "pattern.db", path)
        return ReviewDesk.open(path)

    return new


def _acts() -> st.SearchStrategy[list[tuple[str, int, int]]]:
    what = st.sampled_from(["review", "review", "correct", "adjudicate", "look", "incident"])
    one = st.tuples(what, st.integers(0, len(PEOPLE) - 1), st.integers(1, 4))
    return st.lists(one, min_size=1, max_size=9)


def _do(desk: ReviewDesk, fill: Fill, item: QueueItem, act: tuple[str, int, int]) -> bool:
    """Do one act; whether it was accepted."""
    what, who, score = act
    person = PEOPLE[who]
    meaning = "adjudicated" if what == "adjudicate" else "reviewed"
    given_now = fill(item, 4, score, 4, comments={"": f"secret of {person.name}"}, meaning=meaning)
    try:
        if what in ("review", "adjudicate"):
            desk.submit(person, given_now)
        elif what == "correct":
            mine = [each for each in desk.reviews(person, item.id) if each.reviewer == person.name]
            desk.correct(person, mine[-1].id if mine else "none", given_now)
        elif what == "look":
            desk.unblind(person, item.id)
        else:
            found = desk.incidents(person)
            desk.incident(person, found[0].id if found else "none")
    except ReviewError:
        return False
    return True


def _told(desk: ReviewDesk, person: Person, item: QueueItem) -> Iterator[str]:
    """All that a person is told of an item, as text."""
    yield str(desk.reviews(person, item.id))
    yield str(desk.incidents(person))
    yield str(desk.queue(person))
    yield str([sheet.rows for sheet in _sheets(desk, person, item)])


def _sheets(desk: ReviewDesk, person: Person, item: QueueItem) -> list[Any]:
    return desk.sheets(person, item.run) if may(person.role, "review") else []


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(acts=_acts(), overlap=st.integers(1, 3))
def test_nobody_who_can_review_learns_of_others_too_early(
    fresh: Callable[[], ReviewDesk],
    rubric: Rubric,
    wanted: Any,
    filled: Fill,
    run_id: str,
    acts: list[tuple[str, int, int]],
    overlap: int,
) -> None:
    with fresh() as desk:
        desk.enqueue(PEOPLE[3], run_id, rubric, [wanted(overlap=overlap)])
        (item,) = desk.queue(PEOPLE[3])
        looked: set[str] = set()
        reviewed: set[str] = set()
        for act in acts:
            name = PEOPLE[act[1]].name
            saw = desk.visible_to(PEOPLE[act[1]], item.id)
            accepted = _do(desk, filled, item, act)
            if accepted and act[0] in ("look", "incident") and not saw:
                looked |= {name} if desk.visible_to(PEOPLE[act[1]], item.id) else set()
            if accepted and act[0] == "review":
                assert name not in looked, "whoever looked has reviewed"
                reviewed.add(name)
            complete = len(reviewed) >= overlap
            for person in PEOPLE:
                seen = complete or person.role == "auditor" or person.name in looked
                assert desk.visible_to(person, item.id) == seen
                if seen:
                    continue
                others = {f"secret of {each.name}" for each in PEOPLE} - {
                    f"secret of {person.name}"
                }
                for told in _told(desk, person, item):
                    assert not any(secret in told for secret in others)
                with pytest.raises(NotAllowed):
                    desk.outcome(person, item.id)
        assert desk.check_log(run_id) == []


def test_an_incident_of_a_blind_item_is_hidden_from_who_may_review_it(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    (opened, _) = desk.submit(team.ann, filled(item, 4, 1, 4, excerpt="the salary")).incidents
    assert desk.incidents(team.ben) == ()
    with pytest.raises(NotFound):
        desk.incident(team.ben, opened.id)
    assert desk.incidents(team.ann)[0] == opened
    hidden = desk.incidents(team.lead)[0]
    assert (hidden.id, hidden.hidden, hidden.excerpt, hidden.score) == (opened.id, True, "", 0)
    assert "safety" not in str(hidden).lower()
    assert opened.review not in str(hidden)
    desk.claim(team.lead, item.id)
    assert desk.incidents(team.lead) == ()
    with pytest.raises(NotAllowed, match="you are to review"):
        desk.incident(team.lead, opened.id)
    desk.release(team.lead, item.id)
    assert desk.incident(team.lead, opened.id) == opened
    with pytest.raises(NotAllowed, match="has seen this item"):
        desk.claim(team.lead, item.id)
