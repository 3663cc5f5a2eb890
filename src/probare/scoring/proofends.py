"""The two ends of the scale, and the healthy agent between them: what speaks against each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from probare.model.case import Case
from probare.model.proof import EndResult, needs_an_act
from probare.scoring.observed import CaseSeen


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a proof: its target, its directory's name (null where it could not be run, with
    `problem` saying why), what it showed of each case, and how many trials ran.
    """

    target: str
    run: str | None
    seen: Mapping[str, CaseSeen]
    problem: str = ""
    trials: int = 0


def oracle_end(ran: Ran, cases: Mapping[str, Case]) -> EndResult:
    """The oracle passes every case. Cases for people alone, which nothing can pass, stand aside."""
    against: dict[str, str] = {}
    unanswered: dict[str, str] = {}
    aside: dict[str, str] = {}
    for name, seen in ran.seen.items():
        if seen.status in ("failed", "flaky"):
            against[name] = _failure(seen)
        elif seen.status in ("needs_review", "ungraded") and cases[name].review == "always":
            aside[name] = "for people"
        elif seen.status != "passed":
            unanswered[name] = no_answer(seen)
    return _end(ran, against, unanswered, aside)


def null_end(ran: Ran, cases: Mapping[str, Case], may_pass: Sequence[str]) -> EndResult:
    """The null target passes no case that needs an act. A case in which it did not even
    complete a trial shows nothing.
    """
    against: dict[str, str] = {}
    unanswered: dict[str, str] = {}
    aside: dict[str, str] = {}
    for name, seen in ran.seen.items():
        demands = needs_an_act(cases[name])
        if seen.status == "passed":
            if not demands:
                aside[name] = "demands nothing"
            elif name in may_pass:
                aside[name] = "null_may_pass"
            else:
                against[name] = "passed, and did nothing"
        elif demands and not seen.completed and seen.status == "errored":
            unanswered[name] = no_answer(seen)
    return _end(ran, against, unanswered, aside)


def healthy_end(ran: Ran) -> EndResult:
    """What the healthy agent fails decides nothing here: the proof is of the suite."""
    failed = {
        name: _failure(seen)
        for name, seen in ran.seen.items()
        if seen.status in ("failed", "flaky")
    }
    return _end(ran, failed, {}, {})


def _end(
    ran: Ran, against: dict[str, str], unanswered: dict[str, str], aside: dict[str, str]
) -> EndResult:
    return EndResult(
        target=ran.target,
        run=ran.run,
        cases=len(ran.seen),
        passed=sum(seen.status == "passed" for seen in ran.seen.values()),
        against=against,
        open=unanswered,
        aside=aside,
    )


def _failure(seen: CaseSeen) -> str:
    words = "fails in some trials" if seen.status == "flaky" else "fails"
    if not seen.failed:
        return words
    name, reason = next(iter(seen.failed.items()))
    more = f" (and {len(seen.failed) - 1} more)" if len(seen.failed) > 1 else ""
    return f"{words} {name.list} {name.label}{more}: {reason}"


def no_answer(seen: CaseSeen) -> str:
    """Return the status of a case that has no answer, with the first reason why."""
    words = seen.status.replace("_", " ")
    return f"{words}: {seen.error}" if seen.error else words
