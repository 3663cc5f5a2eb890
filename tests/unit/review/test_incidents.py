"""Incidents: opened by the first score that meets a trigger, closed by a decision alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from probare.errors import InvalidReview, NotAllowed, NotFound, Outdated
from probare.model.incident import Incident
from probare.model.review import QueueItem, Submission
from probare.review.desk import ReviewDesk
from probare.review.incidents import as_left

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]


def _kinds(incidents: tuple[Incident, ...]) -> list[tuple[str, str, int]]:
    return [(each.kind, each.dimension, each.score) for each in incidents]


def test_the_first_score_opens_it_before_the_others_are_in(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    given = filled(item, 4, 1, 4, comments={"safety": "told a salary"}, excerpt="She earns 5000.")
    done = desk.submit(team.ann, given)
    assert done.item.state == "in_review"
    assert _kinds(done.incidents) == [
        ("incident_review", "safety", 1),
        ("investigation_note", "safety", 1),
    ]
    incident = done.incidents[0]
    assert incident.open
    assert (incident.severity, incident.route) == ("high", "incident review")
    assert (incident.transcript, incident.excerpt) == (item.transcript, "She earns 5000.")
    assert (incident.review, incident.opened_by) == (done.review.id, "Ann")
    assert incident.happened.startswith("A reviewer gave 1 for safety: safety is at 1.")
    assert incident.changes[0].note == "told a salary"
    assert desk.open_incidents(item.run) == (incident,)


def test_legal_and_incident_reviews_come_from_one_template(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    done = desk.submit(team.ann, filled(item, 4, 1, 1))
    assert [each.route for each in done.incidents] == [
        "incident review",
        "investigation note",
        "legal review",
    ]
    assert [each.kind for each in desk.open_incidents(item.run)] == [
        "incident_review",
        "legal_review",
    ]


def test_a_note_does_not_hold_the_gate(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    (note,) = desk.submit(team.ann, filled(item, 4, 2, 4)).incidents
    assert (note.kind, note.holds_gate, note.severity) == ("investigation_note", False, "low")
    assert desk.open_incidents(item.run) == ()
    assert desk.all_incidents(item.run) == (note,)


def test_no_adjudication_closes_it(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    desk.submit(team.ann, filled(item, 4, 1, 4))
    assert desk.submit(team.ben, filled(item, 4, 4, 4)).incidents == ()
    desk.submit(team.ada, filled(item, 4, 4, 4, meaning="adjudicated"))
    assert desk.outcome(team.ann, item.id).result == "passed"
    assert [each.kind for each in desk.open_incidents(item.run)] == ["incident_review"]


def test_a_second_score_of_1_joins_the_one_that_is_open(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    desk.submit(team.ann, filled(item, 4, 1, 4))
    assert desk.submit(team.ben, filled(item, 4, 1, 4)).incidents == ()
    assert len(desk.open_incidents(item.run)) == 1


def test_a_score_of_1_after_the_close_opens_another(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    (first, _) = desk.submit(team.ann, filled(item, 4, 1, 4)).incidents
    desk.close_incident(team.lead, first.id, decision="harmless")
    assert desk.open_incidents(item.run) == ()
    (second,) = desk.submit(team.ben, filled(item, 4, 1, 4)).incidents
    assert second.id != first.id
    assert desk.open_incidents(item.run) == (second,)
    assert desk.check_log(item.run) == []


def test_a_correction_opens_one_and_does_not_take_one_back(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    first = desk.submit(team.ann, filled(item, 4, 4, 4)).review
    done = desk.correct(team.ann, first.id, filled(item, 4, 1, 4))
    assert len(done.incidents) == 2
    incident = done.incidents[0]
    desk.close_incident(team.lead, incident.id, decision="a slip")
    said = desk.correct(team.ann, done.review.id, filled(item, 4, 1, 4, comments={"": "so"}))
    assert said.incidents == ()
    back = desk.correct(team.ann, said.review.id, filled(item, 4, 4, 4))
    assert back.incidents == ()
    assert desk.incident(team.ann, incident.id).decision == "a slip"
    assert len(desk.all_incidents(item.run)) == 2
    assert desk.check_log(item.run) == []


def test_it_is_changed_and_closed_by_appended_records(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    incident = desk.submit(team.ann, filled(item, 4, 1, 4)).incidents[0]
    before = len(desk.export_log(item.run))
    desk.change_incident(team.lead, incident.id, owner="Mo", severity="critical")
    desk.change_incident(team.lead, incident.id, containment="the agent is off", note="12:00")
    closed = desk.close_incident(team.lead, incident.id, decision="fixed in 1.2")
    assert (closed.owner, closed.severity) == ("Mo", "critical")
    assert (closed.containment, closed.decision) == ("the agent is off", "fixed in 1.2")
    assert (closed.closed_by, closed.open) == ("Lea", False)
    assert [change.action for change in closed.changes] == [
        "opened",
        "changed",
        "changed",
        "closed",
    ]
    assert len(desk.export_log(item.run)) == before + 3
    assert desk.open_incidents(item.run) == ()
    assert desk.check_log(item.run) == []
    for again in (
        lambda: desk.change_incident(team.lead, incident.id, owner="Ed"),
        lambda: desk.close_incident(team.lead, incident.id, decision="again"),
    ):
        with pytest.raises(Outdated, match="was closed by 'Lea'"):
            again()


@pytest.mark.parametrize("decision", ["", "  \n"])
def test_it_is_not_closed_without_a_decision(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, decision: str
) -> None:
    item = queue_one()
    incident = desk.submit(team.ann, filled(item, 4, 1, 4)).incidents[0]
    with pytest.raises(InvalidReview, match="decision: an incident is closed with a decision"):
        desk.close_incident(team.lead, incident.id, decision=decision)
    assert desk.open_incidents(item.run) == (incident,)


def test_bad_changes_are_refused(desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any) -> None:
    item = queue_one()
    incident = desk.submit(team.ann, filled(item, 4, 1, 4)).incidents[0]
    bad: Any = "extreme"
    with pytest.raises(InvalidReview, match="no such severity"):
        desk.change_incident(team.lead, incident.id, severity=bad)
    with pytest.raises(InvalidReview, match="1,000,000 characters"):
        desk.change_incident(team.lead, incident.id, note="x" * 1_000_000)
    with pytest.raises(InvalidReview, match="nothing was said"):
        desk.change_incident(team.lead, incident.id)
    with pytest.raises(NotFound):
        desk.close_incident(team.lead, "inc-x", decision="no")


def test_only_a_lead_handles_it(desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any) -> None:
    item = queue_one()
    incident = desk.submit(team.ann, filled(item, 4, 1, 4)).incidents[0]
    for person in (team.ann, team.ben, team.ada, team.auditor):
        assert desk.incident(person, incident.id) == incident
        with pytest.raises(NotAllowed, match="may not handle incidents"):
            desk.change_incident(person, incident.id, owner="me")
        with pytest.raises(NotAllowed, match="may not handle incidents"):
            desk.close_incident(person, incident.id, decision="mine")


def test_the_excerpt_is_cut_and_kept_as_text(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    given = filled(item, 4, 1, 4, excerpt="a\x00\ud800" + "<b>" * 10_000)
    (incident, _) = desk.submit(team.ann, given).incidents
    assert len(incident.excerpt) == 2_001
    assert incident.excerpt.startswith("a\\ud800<b>")


def test_records_without_an_opening_make_no_incident() -> None:
    assert as_left([]) == {}
