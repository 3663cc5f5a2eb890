"""The gate: from scores and baseline to the one decision (DESIGN sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from probare.model.record import CaseStatus
from probare.model.score import Decision, Diff, Scores
from probare.model.suite import Gate
from probare.scoring.baselines import Fallen
from probare.scoring.minimums import shortfalls
from probare.scoring.standing import Standing
from probare.scoring.wording import SHOWN, names, plural

_TOLERANCE = 1e-9


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate looks at. `stopped` says which limit ended the run early; `reviewed` names
    the cases that people have judged, `waiting` those in their queue that wait for them,
    `open_incidents` the incidents that are not closed.
    """

    cases: Sequence[Standing]
    scores: Scores
    fallen: Fallen = Fallen()
    diff: Diff | None = None
    stopped: str = ""
    reviewed: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    open_incidents: tuple[str, ...] = ()


def decide(gate: Gate, facts: Facts) -> Decision:
    """Return the decision, and why, most important first.

    failed (1): an open incident, a failed or flaky case, a fall against the baseline, a missed
    minimum. Else incomplete (3): something has no answer, or cannot be told. Else passed (0).
    """
    short = shortfalls(gate.minimum, facts.scores)
    failed = [*_incidents(facts), *_failures(facts), *_falls(gate, facts), *short.missed]
    incomplete = [
        *_undecided(facts),
        *_coverage(gate, facts),
        *_reviews(gate, facts),
        *short.unknown,
        *_doubts(facts),
        *_conclusive(gate, facts),
    ]
    if facts.stopped:
        incomplete.append(f"the run was stopped early by {facts.stopped}")
    if failed:
        return Decision(decision="failed", exit_code=1, why=(*failed, *incomplete))
    if incomplete:
        return Decision(decision="incomplete", exit_code=3, why=tuple(incomplete))
    return Decision(decision="passed", exit_code=0, why=_passes(facts))


def on_the_hill(case: Standing) -> bool:
    """Whether a case is a capability still to be won, which need not pass."""
    return case.case.on_the_hill


def _ids(cases: Sequence[Standing]) -> str:
    return names([case.case.id for case in cases])


def _incidents(facts: Facts) -> list[str]:
    found = facts.open_incidents
    return [f"{plural(len(found), 'incident')} open: {names(found)}"] if found else []


def _failures(facts: Facts) -> list[str]:
    reasons: list[str] = []
    words: dict[CaseStatus, str] = {"failed": "failed", "flaky": "passed and failed (flaky)"}
    for status, verb in words.items():
        found = [c for c in facts.cases if c.status == status and not on_the_hill(c)]
        if found:
            reasons.append(f"{plural(len(found), 'case')} {verb}: {_ids(found)}")
    return reasons


def _falls(gate: Gate, facts: Facts) -> list[str]:
    reasons: list[str] = []
    new = [found.what for found in facts.fallen.regressions if found.score == "status"]
    if gate.new_failures == "significant":
        if facts.diff is not None and facts.diff.answer == "regressed":
            reasons.append(f"a significant regression against the baseline: {facts.diff.words}")
    elif new:
        count = plural(len(new), "case")
        reasons.append(f"{count} passed in the baseline and not now: {names(new)}")
    drops = [found.words for found in facts.fallen.regressions if found.score != "status"]
    return reasons + _first(drops)


def _first(reasons: Sequence[str]) -> list[str]:
    more = f"; and {len(reasons) - SHOWN} more" if len(reasons) > SHOWN else ""
    return ["; ".join(reasons[:SHOWN]) + more] if reasons else []


def _undecided(facts: Facts) -> list[str]:
    """Cases without an answer. Those of the hill need none beyond coverage; those that only
    people judge wait for them.
    """
    reasons: list[str] = []
    words: dict[CaseStatus, str] = {
        "errored": "errored or did not run",
        "needs_review": "could not be judged automatically (unknown)",
        "ungraded": "without a required check",
    }
    for status, text in words.items():
        found = [
            case
            for case in facts.cases
            if case.status == status
            and not on_the_hill(case)
            and not (status == "ungraded" and case.case.review == "always")
        ]
        if found:
            reasons.append(f"{plural(len(found), 'case')} {text}: {_ids(found)}")
    if not any(case.decided for case in facts.cases) and not reasons:
        count = plural(len(facts.cases), "case")
        reasons.append(f"nothing was judged automatically: none of {count} has an answer")
    return reasons


def _coverage(gate: Gate, facts: Facts) -> list[str]:
    """Graded over planned trials of the cases to be graded automatically."""
    automatic = [case for case in facts.cases if case.case.automatic]
    planned = sum(case.planned for case in automatic)
    graded = sum(case.covered for case in automatic)
    if not planned or graded / planned >= gate.coverage - _TOLERANCE:
        return []
    lacking = [case for case in automatic if case.covered < case.planned]
    share = f"{graded} of {planned} trials have an answer"
    return [f"coverage: {share}, which is under {gate.coverage:.0%}: {_ids(lacking)}"]


def _reviews(gate: Gate, facts: Facts) -> list[str]:
    if gate.reviews != "required":
        return []
    missing = [
        case
        for case in facts.cases
        if case.case.id in facts.waiting
        or (
            (case.case.review == "always" or case.status == "needs_review")
            and case.case.id not in facts.reviewed
        )
    ]
    return [f"{plural(len(missing), 'review')} missing: {_ids(missing)}"] if missing else []


def _doubts(facts: Facts) -> list[str]:
    reasons = _first(facts.fallen.doubtful)
    if facts.diff is not None and facts.diff.regraded:
        found = facts.diff.regraded
        reasons.append(
            f"{plural(len(found), 'case')} judged by other graders than in the baseline, so that "
            f"they cannot be compared: {names(found)} (take this run, or regrade the old one, as "
            "the new baseline: probare baseline set RUN)"
        )
    return reasons


def _conclusive(gate: Gate, facts: Facts) -> list[str]:
    if gate.require != "conclusive":
        return []
    if facts.diff is None:
        return ["a conclusive comparison is asked for, and there is no baseline"]
    if facts.diff.answer != "inconclusive":
        return []
    return [f"the comparison with the baseline is not conclusive: {facts.diff.words}"]


def _passes(facts: Facts) -> tuple[str, ...]:
    passed = sum(case.status == "passed" for case in facts.cases)
    why = [f"the gate holds: {passed} of {plural(len(facts.cases), 'case')} passed"]
    climbing = [case for case in facts.cases if on_the_hill(case) and case.status != "passed"]
    if climbing:
        why.append(f"{plural(len(climbing), 'case')} still on the hill (capability)")
    waiting = [
        case
        for case in facts.cases
        if case.status == "ungraded" and case.case.id not in facts.reviewed
    ]
    if waiting:
        why.append(f"{plural(len(waiting), 'case')} for people: {_ids(waiting)}")
    return tuple(why)
