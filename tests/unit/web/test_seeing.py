"""Blind: nothing of a verdict, a score or another's comment is on any page, until all are in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from probare.model.record import RunPlan
from probare.model.review import Person, QueueItem, Reason, Submission
from probare.review.desk import ReviewDesk
from probare.web.seeing import blind_in, reasons_shown
from probare.web.shelf import Shelf

Team = Callable[[str], Any]
Queued = Callable[..., QueueItem]
Fill = Callable[..., Submission]
SCORED = "a comment of another"


def _everywhere(item: QueueItem, run: str) -> list[str]:
    return [
        "/",
        f"/runs/{run}",
        f"/runs/{run}?status=failed",
        f"/runs/{run}/case?id={quote(item.case)}",
        f"/runs/{run}/seal",
        f"/compare?before={run}&after={run}",
        f"/queue?run={item.run}",
        f"/items/{item.id}",
        f"/agreement?run={item.run}",
        "/incidents",
    ]


@pytest.fixture
def reviewed(desk: ReviewDesk, queued: Queued, submission: Fill) -> QueueItem:
    """An item with one review of two in: a 1 on safety, with a comment."""
    item = queued("told")
    ann = Person("reviewer1", "reviewer")
    desk.claim(ann, item.id)
    comments = {"safety": SCORED}
    desk.submit(ann, submission(item, accuracy=3, safety=1, comments=comments, excerpt="It told."))
    return desk.item(ann, item.id)


@pytest.mark.parametrize("role", ["reviewer2", "adjudicator", "lead"])
def test_no_page_says_anything_of_a_blind_item(
    role: str, team: Team, reviewed: QueueItem, run_name: str
) -> None:
    who = team(role)
    if role == "reviewer2":
        assert who.send(f"/items/{reviewed.id}/claim").status_code == 303
    pages = _everywhere(reviewed, run_name)
    if role == "reviewer2":
        pages.append(f"/items/{reviewed.id}/review")
    for page in pages:
        text = who.text(page)
        assert SCORED not in text, page
        assert "no-secret-told" not in text, page
        assert 'class="score' not in text, page
        assert "decision-" not in text, page
        assert "reviewer gave" not in text, page
    listed = who.text(f"/runs/{run_name}?status=failed")
    assert "0 of 5 cases" in listed
    assert "1 of 5 cases" in who.text(f"/runs/{run_name}?status=hidden")


def test_the_pages_say_it_all_to_an_auditor_and_when_all_reviews_are_in(
    team: Team, reviewed: QueueItem, run_name: str, desk: ReviewDesk, submission: Fill
) -> None:
    auditor = team("auditor")
    case = f"/runs/{run_name}/case?id=told"
    assert "no-secret-told" in auditor.text(case)
    assert SCORED in auditor.text(f"/items/{reviewed.id}")

    ben = team("reviewer2")
    assert "no-secret-told" not in ben.text(case)
    desk.submit(Person("reviewer2", "reviewer"), submission(reviewed))
    assert "no-secret-told" in ben.text(case)
    assert SCORED in ben.text(f"/items/{reviewed.id}")
    assert "decision-failed" in ben.text(f"/runs/{run_name}")
    assert "1 of 5 cases" in ben.text(f"/runs/{run_name}?status=failed")


def test_verdicts_of_a_run_made_from_this_one_are_blind_too(
    runs: Path, run_name: str, reviewed: QueueItem, team: Team, desk: ReviewDesk
) -> None:
    child = runs / "regraded"
    shutil.copytree(runs / run_name, child)
    plan = msgspec.json.decode((child / "run.json").read_bytes(), type=RunPlan)
    plan = msgspec.structs.replace(plan, run_id="regraded", parent=plan.run_id)
    (child / "run.json").write_bytes(msgspec.json.encode(plan))
    other = runs / "another-name"
    shutil.copytree(runs / run_name, other)

    shelf, ben = Shelf(runs), Person("Ben", "reviewer")
    for name in (run_name, "regraded", "another-name"):
        assert blind_in(desk, shelf, ben, shelf.run(name)).trials == {("told", 0)}
    who = team("reviewer2")
    assert "no-secret-told" not in who.text("/runs/regraded/case?id=told")
    assert "no-secret-told" not in who.text("/runs/another-name/case?id=told")
    assert "Blind" in who.text(f"/compare?before={run_name}&after=regraded")


def test_what_a_rule_found_is_told_only_with_the_verdicts(queued: Queued) -> None:
    item = queued()
    assert [each.words for each in reasons_shown(item, visible=False)] == ["tagged sensitive"]
    failed = msgspec.structs.replace(item, reasons=(Reason("failed", "failed: a check"),))
    passed = msgspec.structs.replace(item, reasons=(Reason("sampled", "drawn from the passes"),))
    assert reasons_shown(failed, visible=False) == reasons_shown(passed, visible=False)
    assert reasons_shown(item, visible=True) == item.reasons
    asked = msgspec.structs.replace(item, reasons=(Reason("asked", "always"),))
    assert reasons_shown(asked, visible=False) == asked.reasons


def test_a_lead_reads_an_incident_of_a_blind_item_by_choice_and_the_log_keeps_it(
    team: Team, reviewed: QueueItem, desk: ReviewDesk
) -> None:
    [incident] = desk.all_incidents(reviewed.run)
    lead = team("lead")
    address = f"/incidents/{incident.id}"
    before = desk.export_log(reviewed.run)
    for page in (address, f"{address}/incident.md", f"{address}/incident.json"):
        assert "It told." not in lead.text(page)
        assert SCORED not in lead.text(page)
    assert desk.export_log(reviewed.run) == before
    assert lead.send(f"{address}/read").headers["location"] == address
    assert "It told." in lead.text(address)
    last = json.loads(desk.export_log(reviewed.run)[-1])
    assert last["kind"] == "unblinded"
    assert lead.send(f"/items/{reviewed.id}/claim").status_code == 403
    assert team("reviewer2").get(address).status_code == 404


def test_one_reviewer_cannot_open_the_item_of_another(
    team: Team, queued: Queued, desk: ReviewDesk
) -> None:
    item = queued("told", overlap=1)
    assert team("reviewer1").send(f"/items/{item.id}/claim").status_code == 303
    ben = team("reviewer2")
    assert ben.send(f"/items/{item.id}/claim").status_code == 403
    assert ben.get(f"/items/{item.id}/review").headers["location"] == f"/items/{item.id}"
    draft = {
        "scores": {"safety": 1},
        "comments": {},
        "rubric": item.rubric,
        "transcript": item.transcript,
    }
    assert ben.json(f"/items/{item.id}/draft", draft).status_code == 403
    full = {**draft, "scores": {"safety": 1, "accuracy": 1}}
    assert ben.json(f"/items/{item.id}/submit", full).status_code == 403
    assert desk.all_reviews(item.run) == ()
    release = ben.send(f"/items/{item.id}/release", name="reviewer1")
    assert release.status_code == 403
