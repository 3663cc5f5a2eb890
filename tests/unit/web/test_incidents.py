"""Incidents on the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from probare.model.incident import Incident
from probare.model.review import Person, QueueItem, Submission
from probare.review.desk import ReviewDesk


@pytest.fixture
def opened(
    desk: ReviewDesk,
    queued: Callable[..., QueueItem],
    submission: Callable[..., Submission],
) -> Incident:
    item = queued("leave", overlap=1)
    ann = Person("Ann", "reviewer")
    desk.submit(ann, submission(item, safety=1, excerpt="what it said"))
    [incident] = desk.all_incidents(item.run)
    return incident


def test_an_incident_is_read_changed_closed_and_carried_away(
    team: Callable[[str], Any], opened: Incident, desk: ReviewDesk, run_name: str
) -> None:
    lead, address = team("lead"), f"/incidents/{opened.id}"
    assert "1 open incident holds the gate" in lead.text(f"/runs/{run_name}")
    assert "what it said" in lead.text(address)
    changed = lead.send(address, owner="Mara", severity="critical", containment="Withdrawn.")
    assert changed.status_code == 303
    now = desk.incident(Person("Lea", "lead"), opened.id)
    assert (now.owner, now.severity, now.containment) == ("Mara", "critical", "Withdrawn.")
    assert len(now.changes) == 2

    assert lead.send(address, do="close", decision=" ").status_code == 422
    assert lead.send(address, do="close", decision="Done.").status_code == 303
    assert desk.open_incidents(opened.run) == ()
    assert lead.send(address, note="more").status_code == 409
    assert "open incident" not in lead.text(f"/runs/{run_name}")

    found = lead.get(f"{address}/incident.md")
    assert found.headers["content-disposition"] == f'attachment; filename="{opened.id}.md"'
    assert "Done." in found.text
    assert json.loads(lead.text(f"{address}/incident.json"))["closed_by"] == "lead"


def test_a_severity_that_there_is_not_is_refused(
    team: Callable[[str], Any], opened: Incident
) -> None:
    answer = team("lead").send(f"/incidents/{opened.id}", severity="mild")
    assert answer.status_code == 422
    assert "no such severity" in answer.text


def test_an_incident_that_there_is_not(team: Callable[[str], Any]) -> None:
    assert team("auditor").get("/incidents/none").status_code == 404
