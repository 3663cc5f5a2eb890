"""From a tally to the summary: every score, the decision, what fell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from probare.model.record import RunPlan
from probare.model.score import (
    Baseline,
    CaseSummary,
    GroupSummary,
    OptionalCheck,
    Regression,
    Scores,
    Summary,
)
from probare.model.suite import Gate
from probare.scoring.aggregate import case_counts, case_summary, scores, trial_counts
from probare.scoring.baselines import regressions
from probare.scoring.diff import Side, SideCase, compare, side_of_baseline
from probare.scoring.gate import Facts, decide
from probare.scoring.tally import CaseTally, Tally


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What a summary needs besides the tally. `stopped` says which limit ended the run early;
    `reviewed` and `open_incidents` come from reviews.
    """

    plan: RunPlan
    gate: Gate
    baseline: Baseline | None = None
    stopped: str = ""
    notes: tuple[str, ...] = ()
    reviewed: frozenset[str] = frozenset()
    open_incidents: tuple[str, ...] = ()


def summarise(tally: Tally, context: Context) -> Summary:
    """Return the whole summary of a run, its decision included."""
    tallies = list(tally.cases.values())
    per_case = {name: case_summary(found) for name, found in tally.cases.items()}
    whole = scores(tallies)
    fallen: tuple[Regression, ...] = ()
    diff = None
    if context.baseline is not None:
        fallen = regressions(context.baseline, per_case, whole, context.gate.max_drop)
        diff = compare(side_of_baseline(context.baseline), _side(context.plan, per_case))
    decision = decide(
        context.gate,
        Facts(
            cases=per_case,
            automatic=frozenset(n for n, t in tally.cases.items() if t.case.counts_for_compliance),
            scores=whole,
            regressions=fallen,
            diff=diff,
            stopped=context.stopped,
            reviewed=context.reviewed,
            open_incidents=context.open_incidents,
        ),
    )
    return Summary(
        suite=context.plan.suite,
        run_id=context.plan.run_id,
        target=context.plan.target,
        trust=context.plan.trust,
        decision=decision.decision,
        exit_code=decision.exit_code,
        why=decision.why,
        cases=case_counts(tallies),
        trials=trial_counts(tallies),
        scores=whole,
        by_tag=_groups(tallies, per_tag=True),
        by_category=_groups(tallies, per_tag=False),
        per_case=per_case,
        regressions=fallen,
        duration_ms=tally.duration_ms,
        cost_usd=tally.cost_usd if tally.with_usage == tally.costs_known > 0 else None,
        tokens=tally.tokens if tally.with_usage == tally.tokens_known > 0 else None,
        optional_checks={
            label: OptionalCheck(
                passed=found.passed,
                failed=found.failed,
                other=found.other,
                agree=found.agree,
                disagree=found.disagree,
            )
            for label, found in tally.optional.items()
        },
        notes=(*context.notes, *_notes(tallies)),
        baseline=None
        if context.baseline is None or diff is None
        else {
            "run_id": context.baseline.run_id,
            "created": context.baseline.created,
            "target": context.baseline.target,
            "answer": diff.answer,
            "words": diff.words,
            "changed": list(diff.changed),
            "added": list(diff.added),
            "removed": list(diff.removed),
        },
    )


def _side(plan: RunPlan, per_case: Mapping[str, CaseSummary]) -> Side:
    cases = {
        name: SideCase(
            digest=case.digest, status=case.status, n=case.trials, c=case.passed, tags=case.tags
        )
        for name, case in per_case.items()
    }
    return Side(run_id=plan.run_id, cases=cases)


def _groups(tallies: Sequence[CaseTally], *, per_tag: bool) -> dict[str, GroupSummary]:
    members: dict[str, list[CaseTally]] = {}
    for tally in tallies:
        category = (tally.case.category,) if tally.case.category is not None else ()
        for name in tally.case.tags if per_tag else category:
            members.setdefault(name, []).append(tally)
    found: dict[str, GroupSummary] = {}
    for name in sorted(members):
        group_scores = scores(members[name])
        words = _words(name, group_scores) if per_tag else None
        found[name] = GroupSummary(
            cases=case_counts(members[name]), scores=group_scores, words=words
        )
    return found


def _words(tag: str, found: Scores) -> str | None:
    """What a tag with a meaning says: the hill's saturation, the regressions' fall."""
    value = found.pass_rate.value
    if value is None:
        return None
    if tag == "capability":
        if value >= 1.0:
            return "saturated: everything passes, so the hill shows nothing more; add harder cases"
        return f"a hill to climb: {value:.0%} so far"
    if tag == "regression":
        return "holds" if value >= 1.0 else f"must stay near 100 %, and is at {value:.1%}"
    return None


def _notes(tallies: Sequence[CaseTally]) -> list[str]:
    people = sum(not tally.eligible for tally in tallies)
    if not people:
        return []
    verb = "case is" if people == 1 else "cases are"
    return [f"{people} {verb} for people alone: run and recorded, outside the pass rates"]
