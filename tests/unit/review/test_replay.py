"""A log that keeps its chain and breaks the rules: each breach is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from probare.model.review import QueueItem, Submission
from probare.review.desk import ReviewDesk
from probare.review.log import first_hash, line_of, make, read_line
from probare.review.replay import replay

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]
Body = dict[str, Any]


def _rewritten(lines: list[bytes], change: Callable[[str, Body], Body | None]) -> list[bytes]:
    """Write a log anew, hashes and all, as somebody would who changed it."""
    again: list[bytes] = []
    prev = first_hash(read_line(lines[0]).run)
    for line in lines:
        record = read_line(line)
        body = change(record.kind, record.body)
        if body is not None:
            made = make(record.run, len(again), prev, record.kind, body)
            again.append(line_of(made))
            prev = made.hash
    return again


@pytest.fixture
def lines(desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any) -> list[bytes]:
    """Two reviews that disagree, an incident that is closed, an adjudication that is corrected."""
    item = queue_one(overlap=2)
    desk.submit(team.ann, filled(item, 4, 1, 4))
    desk.submit(team.ben, filled(item, 4, 4, 4))
    incident = desk.all_incidents(item.run)[0]
    desk.close_incident(team.lead, incident.id, decision="no harm")
    first = desk.submit(team.ada, filled(item, 4, 2, 4, meaning="adjudicated")).review
    desk.correct(team.ada, first.id, filled(item, 4, 3, 4, meaning="adjudicated"))
    return desk.export_log(item.run)


def test_the_log_alone_tells_what_the_desk_does(desk: ReviewDesk, lines: list[bytes]) -> None:
    (run,) = desk.runs()
    found = replay(lines, run)
    assert found.findings == ()
    assert found.outcomes == desk.outcomes(run)
    assert found.outcomes[0].result == "passed"
    assert found.incidents == desk.all_incidents(run)
    assert found.open_incidents == desk.open_incidents(run) == ()
    assert found.reviews == desk.all_reviews(run)
    assert found.head == read_line(lines[-1]).hash
    assert list(found.rubrics) == [found.items[found.outcomes[0].item].rubric]


def _set(kind: str, **values: Any) -> Callable[[str, Body], Body]:
    return lambda of, body: {**body, **values} if of == kind else body


def _only(kind: str, when: Callable[[Body], bool], **values: Any) -> Callable[[str, Body], Body]:
    return lambda of, body: {**body, **values} if of == kind and when(body) else body


def _without(kind: str) -> Callable[[str, Body], Body | None]:
    return lambda of, body: None if of == kind else body


def _is_ann(body: Body) -> bool:
    return body["reviewer"] == "Ann"


def _is_ada(body: Body) -> bool:
    return body["reviewer"] == "Ada"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without("rubric"), "rubric does not stand before it"),
        (_without("queued"), "an item that was not queued"),
        (_without("incident"), "opens an incident, and there is none"),
        (_set("rubric", digest="0" * 64), "the rubric's digest is not the one"),
        (_set("queued", trial=7), "not the one of its run, case and trial"),
        (
            _only("review", _is_ann, scores={"accuracy": 4, "safety": 9, "law": 4}),
            "not on the scale",
        ),
        (_only("review", _is_ann, scores={"accuracy": 4}), "has no score"),
        (
            _only("review", _is_ann, scores={"accuracy": 4, "safety": 4, "law": 4}),
            "does not follow",
        ),
        (_only("review", _is_ann, transcript="e" * 64), "another transcript or rubric"),
        (_only("review", _is_ann, rubric_version="9"), "names another rubric than its digest"),
        (_only("review", _is_ann, role="auditor"), "the role auditor makes no such review"),
        (_only("review", _is_ann, case="other"), "run, case and trial are not the item's"),
        (_only("review", _is_ann, reviewer="Ben"), "has reviewed the item before"),
        (_only("review", _is_ada, reviewer="Ben"), "the adjudicator has reviewed the item"),
        (_only("review", _is_ada, role="reviewer"), "the role reviewer makes no such review"),
        (_only("review", _is_ada, supersedes=None), "has adjudicated the item before"),
        (_only("review", _is_ada, id="same"), "stands twice"),
        (_set("review", supersedes="gone"), "supersedes a review that does not stand"),
        (_set("queued", overlap=3), "adjudicated before its reviews were in"),
        (_set("queued", overlap=1), "the item had all its reviews"),
        (_set("incident", role="reviewer"), "does not handle incidents"),
        (_only("incident", lambda b: b["action"] == "closed", decision=" "), "without a decision"),
        (_set("incident", opened=None), "was not opened"),
        (_set("incident", incident="one"), "is opened twice"),
        (_set("review", when=None), "is no review record"),
    ],
)
def test_a_breach_of_the_rules_is_found(
    lines: list[bytes], change: Callable[[str, Body], Body | None], words: str
) -> None:
    found = replay(_rewritten(lines, change))
    assert any(words in str(finding) for finding in found.findings), list(map(str, found.findings))


def test_a_closed_incident_takes_no_more_records(lines: list[bytes]) -> None:
    closing = next(line for line in lines if b'"action":"closed"' in line)
    again = _rewritten([*lines, closing], lambda _, body: body)
    assert any("was closed before" in str(finding) for finding in replay(again).findings)


def test_an_incident_that_no_trigger_opens(lines: list[bytes]) -> None:
    def change(kind: str, body: Body) -> Body:
        opened = body.get("opened")
        if kind != "incident" or not opened:
            return body
        return {**body, "opened": {**opened, "holds_gate": not opened["holds_gate"]}}

    found = replay(_rewritten(lines, change))
    assert any("no trigger of the rubric" in str(finding) for finding in found.findings)


def test_an_empty_log() -> None:
    found = replay([], "run")
    assert (found.outcomes, found.findings, found.head) == ((), (), first_hash("run"))
