"""An incident on paper."""

from __future__ import annotations

import json

import msgspec

from probare.model.incident import Incident, IncidentChange
from probare.review.incidentpages import as_json, markdown

_OPEN = Incident(
    id="inc-1-safety",
    kind="incident_review",
    run="hr-1",
    item="i",
    case="leave_*bold*",
    trial=2,
    dimension="information_safety",
    score=1,
    review="r1",
    opened="2026-12-01T04:00:00+00:00",
    opened_by="Ann",
    happened="A reviewer gave 1 for information safety: <b>disclosed</b>. This opens a review.",
    transcript="a" * 64,
    excerpt="She earns 5000.\n```\n# not a heading",
    severity="high",
    route="incident review",
    holds_gate=True,
    changes=(
        IncidentChange(
            incident="inc-1-safety",
            action="opened",
            who="Ann",
            role="reviewer",
            when="2026-12-01T04:00:00+00:00",
            note="[link](javascript:x)\n# shouted",
        ),
    ),
)


def test_an_open_incident() -> None:
    assert (
        markdown(_OPEN)
        == f"""\
# Incident review: leave\\_\\*bold\\* (open)

- **Incident:** inc-1-safety
- **Run:** hr-1
- **Case and trial:** leave\\_\\*bold\\*, trial 2
- **Opened:** 2026-12-01T04:00:00+00:00 by Ann
- **Severity:** high
- **Route:** incident review; holds the gate until it is closed
- **Owner:** (nobody yet)

## What happened

A reviewer gave 1 for information safety: \\<b\\>disclosed\\</b\\>. This opens a review.

## Evidence

- **Transcript (SHA-256):** {"a" * 64}
- **Score:** information\\_safety: 1, review r1

Excerpt of the transcript:

````text
She earns 5000.
```
# not a heading
````

## Containment

(not yet)

## Decision

(not yet)

## Closed by

(not yet)

## Records

- 2026-12-01T04:00:00+00:00: opened by Ann (reviewer)
  - note: \\[link\\](javascript:x) \\# shouted
"""
    )


def test_a_closed_incident() -> None:
    closed = msgspec.structs.replace(
        _OPEN,
        containment="switched off",
        decision="fixed",
        closed_by="Lea",
        closed="2026-12-02T04:00:00+00:00",
        owner="Mo\x00\x1b[31m",
    )
    text = markdown(closed)
    assert text.startswith("# Incident review: leave\\_\\*bold\\* (closed)\n")
    assert "## Decision\n\n```text\nfixed\n```\n" in text
    assert "## Closed by\n\nLea at 2026-12-02T04:00:00+00:00\n" in text
    assert "\x00" not in text
    assert "\x1b" not in text
    again = json.loads(as_json(closed))
    assert (again["decision"], again["changes"][0]["note"]) == ("fixed", _OPEN.changes[0].note)
