"""The gate: from scores and baseline to the one decision (DESIGN sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec

from probare.errors import InputError, did_you_mean
from probare.model.score import CaseSummary, Decision, Diff, Rate, Regression, Scores
from probare.model.suite import Gate

_SHOWN = 5


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate looks at. `automatic` names the cases to be graded automatically;
    `stopped` says which limit ended the run early; `open_incidents` names incidents.
    """

    cases: Mapping[str, CaseSummary]
    automatic: frozenset[str]
    scores: Scores
    regressions: tuple[Regression, ...] = ()
    diff: Diff | None = None
    stopped: str = ""
    reviewed: frozenset[str] = frozenset()
    open_incidents: tuple[str, ...] = ()


def decide(gate: Gate, facts: Facts) -> Decision:
    """Return the decision: failed (1) before incomplete (3) before passed (0)."""
    failed = [*_incidents(facts), *_failures(facts), *_regressions(gate, facts)]
    incomplete = [*_undecided(facts), *_coverage(gate, facts), *_reviews(gate, facts)]
    for reasons, word, code in _minimums(gate, facts):
        (failed if code == 1 else incomplete).append(f"{reasons}{word}")
    if gate.require == "conclusive" and (facts.diff is None or facts.diff.answer == "inconclusive"):
        why = facts.diff.words if facts.diff else "there is no baseline"
        incomplete.append(f"the comparison with the baseline is not conclusive: {why}")
    if facts.stopped:
        incomplete.append(f"the run was stopped early by {facts.stopped}")
    if failed:
        return Decision(decision="failed", exit_code=1, why=tuple(failed + incomplete))
    if incomplete:
        return Decision(decision="incomplete", exit_code=3, why=tuple(incomplete))
    held = _plural(len(facts.automatic), "case")
    return Decision(decision="passed", exit_code=0, why=(f"the gate holds on {held}",))


def on_the_hill(case: CaseSummary) -> bool:
    """Whether a case is a capability still to be won, which does not hold the gate."""
    return "capability" in case.tags and "regression" not in case.tags


def _incidents(facts: Facts) -> list[str]:
    if not facts.open_incidents:
        return []
    return [
        f"{_plural(len(facts.open_incidents), 'incident')} open: {_names(facts.open_incidents)}"
    ]


def _failures(facts: Facts) -> list[str]:
    reasons: list[str] = []
    for status in ("failed", "flaky"):
        found = [
            name
            for name, case in facts.cases.items()
            if case.status == status and not on_the_hill(case)
        ]
        if found:
            verb = "failed" if status == "failed" else "passed and failed (flaky)"
            reasons.append(f"{_plural(len(found), 'case')} {verb}: {_names(found)}")
    return reasons


def _regressions(gate: Gate, facts: Facts) -> list[str]:
    reasons: list[str] = []
    new = [found.what for found in facts.regressions if found.score == "status"]
    if new and gate.new_failures == "significant":
        if facts.diff is not None and facts.diff.answer == "regressed":
            reasons.append(f"a significant regression against the baseline: {facts.diff.words}")
    elif new:
        count = _plural(len(new), "case")
        reasons.append(f"{count} passed in the baseline and not now: {_names(new)}")
    drops = [found.words for found in facts.regressions if found.score != "status"]
    if drops:
        more = f"; and {len(drops) - _SHOWN} more" if len(drops) > _SHOWN else ""
        reasons.append("; ".join(drops[:_SHOWN]) + more)
    return reasons


def _undecided(facts: Facts) -> list[str]:
    reasons: list[str] = []
    words = {
        "errored": "errored or did not run",
        "ungraded": "have no required check",
        "needs_review": "could not be judged automatically (unknown)",
    }
    for status, text in words.items():
        found = [
            name
            for name, case in facts.cases.items()
            if case.status == status
            and not (case.review == "always" and status in ("ungraded", "needs_review"))
            and name not in facts.reviewed
        ]
        if found:
            reasons.append(f"{_plural(len(found), 'case')} {text}: {_names(found)}")
    return reasons


def _coverage(gate: Gate, facts: Facts) -> list[str]:
    planned = len(facts.automatic)
    graded = sum(
        facts.cases[name].status in ("passed", "failed", "flaky") for name in facts.automatic
    )
    if planned and graded / planned < gate.coverage - 1e-9:
        return [f"coverage {graded} of {planned} is under {gate.coverage:.0%}"]
    return []


def _reviews(gate: Gate, facts: Facts) -> list[str]:
    if gate.reviews != "required":
        return []
    missing = [
        name
        for name, case in facts.cases.items()
        if (case.review == "always" or case.status == "needs_review") and name not in facts.reviewed
    ]
    return [f"{_plural(len(missing), 'review')} missing: {_names(missing)}"] if missing else []


def _minimums(gate: Gate, facts: Facts) -> Iterable[tuple[str, str, int]]:
    for name, least in gate.minimum.items():
        value, best = score_named(facts.scores, name)
        if value is None:
            yield f"{name} ", f"is not known, and at least {least:g} is asked for", 3
        elif best is not None and value < least - 1e-9 <= best:
            yield f"{name} ", f"is between {value:.3f} and {best:.3f}; {least:g} is asked for", 3
        elif value < least - 1e-9:
            yield f"{name} ", f"is {value:.3f}, and at least {least:g} is asked for", 1


def score_named(scores: Scores, name: str) -> tuple[float | None, float | None]:
    """Return (value, best) of a score by its dotted name: accuracy, compliance.held_out,
    pass_hat.3. Raises InputError on an unknown one.
    """
    found: Any = scores
    for part in name.split("."):
        if isinstance(found, dict):
            found = cast("dict[str, Any]", found).get(part)
        elif isinstance(found, msgspec.Struct) and part in found.__struct_fields__:
            found = getattr(found, part)
        else:
            raise InputError(
                f"there is no score '{name}'",
                hint=did_you_mean(name, Scores.__struct_fields__),
            )
    if isinstance(found, Rate):
        return found.value, found.best
    if hasattr(found, "all"):
        return found.all.value, found.all.best
    return (found, None) if isinstance(found, int | float) else (None, None)


def _names(names: Iterable[str]) -> str:
    listed = list(names)
    shown = ", ".join(listed[:_SHOWN])
    return f"{shown} and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else shown


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
