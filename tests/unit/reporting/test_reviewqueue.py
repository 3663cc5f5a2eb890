from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from probare.model.incident import Incident
from probare.model.review import Assignment, QueueItem, Reason
from probare.reporting.reviewqueue import render_incidents, render_queue


def console() -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, width=140, markup=False, emoji=False, highlight=False), out


def item(**more: Any) -> QueueItem:
    fields: dict[str, Any] = {
        "id": "0123456789abcdef",
        "run": "r",
        "case": "leak",
        "trial": 0,
        "transcript": "t",
        "rubric": "d",
        "reasons": (Reason("tagged", "tagged sensitive"), Reason("failed", "failed: [b]x[/]")),
        "priority": 2,
        "due": "2026-12-01T05:00:00+00:00",
        "overlap": 2,
        "distance": 1,
    }
    return QueueItem(**(fields | more))


def test_a_row_says_why_when_and_who() -> None:
    screen, out = console()
    holder = Assignment(item="i", person="ann", purpose="reviewed", by="lea", at="", submitted=True)
    judge = Assignment(item="i", person="dan", purpose="adjudicated", by="lea", at="")
    assigned = (holder, judge)
    render_queue(screen, [item(state="adjudication", reviews_in=2, assigned=assigned, trial=3)])
    head, row, *_ = out.getvalue().splitlines()
    assert head.split() == ["item", "case", "prio", "due", "in", "state", "assigned", "why"]
    for part in ("0123456789abcdef", "leak #3", "2026-12-01 05:00", "2/2", "to adjudicate"):
        assert part in row
    assert "ann ✓, dan (adjudicates)" in " ".join(out.getvalue().split())
    assert "[b]x[/]" in out.getvalue()


def test_a_long_queue_is_cut() -> None:
    screen, out = console()
    render_queue(screen, [item()] * 203)
    assert "… and 3 items more (--json has all)" in out.getvalue()


def incident(**more: Any) -> Incident:
    fields: dict[str, Any] = {
        "id": "inc-1",
        "kind": "incident_review",
        "run": "r",
        "item": "i",
        "case": "leak",
        "trial": 0,
        "dimension": "safety",
        "score": 1,
        "review": "v",
        "opened": "",
        "opened_by": "ann",
        "happened": "A reviewer gave 1.\x1b[2J",
        "transcript": "t",
        "excerpt": "",
        "severity": "high",
        "route": "incident review",
        "holds_gate": True,
    }
    return Incident(**(fields | more))


def test_incidents_say_what_they_hold() -> None:
    screen, out = console()
    render_incidents(screen, [incident(owner="olga"), incident(closed="now", closed_by="lea")])
    text = out.getvalue()
    assert "inc-1 incident review high open, holds the gate" in text
    assert "leak trial 0, owner olga: A reviewer gave 1." in text
    assert "closed by lea\n" in text
    assert "\x1b" not in text
