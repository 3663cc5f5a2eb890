"""What a run's decision rests on besides its records."""

from __future__ import annotations

import msgspec

from probare.model.score import Baseline


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """`basis.json`: with it, whoever has the records can decide again and come to the same.

    `case_wide` names the graders that read all trials of a case, `stopped` says which limit ended
    the run early; `notes` are remarks that the records do not tell; `reviewed` are the cases that
    people have judged, `waiting` those with a trial that waits for people, `open_incidents` the
    incidents that hold the gate and were not closed.
    """

    baseline: Baseline | None = None
    case_wide: tuple[str, ...] = ()
    stopped: str = ""
    notes: tuple[str, ...] = ()
    reviewed: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    open_incidents: tuple[str, ...] = ()
    format: int = 1
