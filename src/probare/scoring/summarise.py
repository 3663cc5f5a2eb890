"""From a tally to the summary: every score, the decision, what fell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from probare.model.record import RunPlan
from probare.model.score import (
    Baseline,
    CaseSummary,
    Diff,
    DiffCase,
    GroupSummary,
    JudgeSpending,
    OptionalCheck,
    Scores,
    Summary,
)
from probare.model.suite import Gate
from probare.scoring.aggregate import case_counts, case_summary, scores, suite_ks, trial_counts
from probare.scoring.baselines import Fallen, fallen
from probare.scoring.compliance import with_trend
from probare.scoring.diff import compare
from probare.scoring.gate import Facts, decide
from probare.scoring.minimums import ks_named
from probare.scoring.sides import Side, side_case, side_of_baseline
from probare.scoring.standing import Standing, standings
from probare.scoring.tally import Spent, Tally
from probare.scoring.wording import plural


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What a summary needs besides the tally. `stopped` says which limit ended the run early;
    `reviewed`, `waiting` and `open_incidents` come from reviews.
    """

    plan: RunPlan
    gate: Gate
    baseline: Baseline | None = None
    stopped: str = ""
    notes: tuple[str, ...] = ()
    reviewed: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    open_incidents: tuple[str, ...] = ()


def summarise(tally: Tally, context: Context) -> Summary:
    """Return the whole summary of a run, its decision included.

    Raises InputError where the gate asks for a score that does not exist.
    """
    plan, gate, baseline = context.plan, context.gate, context.baseline
    cases = standings(tally)
    wanted = ks_named(gate.minimum)
    ks = suite_ks(cases, wanted)
    whole = scores(cases, wanted)
    fell = Fallen()
    diff = None
    if baseline is not None:
        fell = fallen(baseline, cases, gate.max_drop)
        diff = compare(side_of_baseline(baseline), _side(plan.run_id, cases))
        trend = with_trend(whole.compliance, cases, baseline)
        whole = msgspec.structs.replace(whole, compliance=trend)
    decision = decide(
        gate,
        Facts(
            cases=cases,
            scores=whole,
            fallen=fell,
            diff=diff,
            stopped=context.stopped,
            reviewed=context.reviewed,
            waiting=context.waiting,
            open_incidents=context.open_incidents,
        ),
    )
    per_case: dict[str, CaseSummary] = {case.case.id: case_summary(case, ks) for case in cases}
    return Summary(
        suite=plan.suite,
        run_id=plan.run_id,
        target=plan.target,
        trust=plan.trust,
        decision=decision.decision,
        exit_code=decision.exit_code,
        why=decision.why,
        cases=case_counts(cases),
        trials=trial_counts(tally.cases.values()),
        scores=whole,
        by_tag=_groups(cases, per_tag=True),
        by_category=_groups(cases, per_tag=False),
        per_case=per_case,
        regressions=fell.regressions,
        duration_ms=tally.elapsed_ms,
        cost_usd=_total(tally.cost_usd, tally.trials),
        tokens=_whole(_total(tally.tokens, tally.trials)),
        optional_checks=_optional(tally),
        notes=(*context.notes, *_notes(cases), *_spent_notes(tally)),
        baseline=None if baseline is None or diff is None else _against(baseline, diff),
        judges=_judges(tally),
    )


def _side(run_id: str, cases: Sequence[Standing]) -> Side:
    sides = {
        case.case.id: side_case(
            digest=case.digest,
            status=case.status,
            graded=case.graded,
            passed=case.passed,
            graders=case.graders,
            tags=case.case.tags,
        )
        for case in cases
    }
    return Side(run_id=run_id, cases=sides)


def _against(baseline: Baseline, diff: Diff) -> dict[str, Any]:
    return {
        "run_id": baseline.run_id,
        "created": baseline.created,
        "target": baseline.target,
        "answer": diff.answer,
        "words": diff.words,
        "pairs": diff.pairs,
        "pass_rate_before": diff.pass_rate_before,
        "pass_rate_after": diff.pass_rate_after,
        "fell": [_moved(case) for case in diff.fell],
        "rose": [_moved(case) for case in diff.rose],
        "changed": list(diff.changed),
        "added": list(diff.added),
        "removed": list(diff.removed),
        "regraded": list(diff.regraded),
        "undecided": list(diff.undecided),
    }


def _moved(case: DiffCase) -> dict[str, Any]:
    return {"case": case.case, "before": list(case.before), "after": list(case.after)}


def _groups(cases: Sequence[Standing], *, per_tag: bool) -> dict[str, GroupSummary]:
    members: dict[str, list[Standing]] = {}
    for case in cases:
        category = (case.case.category,) if case.case.category is not None else ()
        for name in case.case.tags if per_tag else category:
            members.setdefault(name, []).append(case)
    found: dict[str, GroupSummary] = {}
    for name in sorted(members):
        group = scores(members[name])
        words = _words(name, group, members[name]) if per_tag else None
        found[name] = GroupSummary(cases=case_counts(members[name]), scores=group, words=words)
    return found


def _words(tag: str, found: Scores, cases: Sequence[Standing]) -> str | None:
    """What a tag with a meaning says: the hill's saturation, the regressions' fall."""
    value = found.pass_rate.value
    if value is None or tag not in ("capability", "regression"):
        return None
    passed = sum(case.status == "passed" for case in cases)
    count = f"{passed} of {plural(len(cases), 'case')} passed"
    if tag == "capability":
        if passed == len(cases):
            return f"saturated: {count}; add harder ones"
        return f"a hill to climb: {count}, pass rate {value:.1%}"
    if passed == len(cases):
        return f"holds: {count}"
    undecided = sum(not case.decided for case in cases)
    open_words = f" ({undecided} without an answer)" if undecided else ""
    return f"must stay near 100 %, and is at {value:.1%}: {count}{open_words}"


def _notes(cases: Sequence[Standing]) -> list[str]:
    people = sum(not case.in_pass_rates and not case.case.automatic for case in cases)
    wide = sum(not case.in_pass_rates and case.case.automatic for case in cases)
    notes: list[str] = []
    if people:
        verb = "is" if people == 1 else "are"
        notes.append(
            f"{plural(people, 'case')} {verb} for people alone: run and recorded, outside the "
            "pass rates"
        )
    if wide:
        notes.append(
            f"{plural(wide, 'case')} judged as a whole only, outside the pass rates (no trial can "
            "pass by itself)"
        )
    return notes


def _total(spent: Spent, trials: int) -> float | None:
    """The sum; null unless every trial told its part: unknown is not nought."""
    return spent.known if spent.told == trials > 0 else None


def _judges(tally: Tally) -> JudgeSpending | None:
    if not tally.judge_replies:
        return None
    return JudgeSpending(
        replies=tally.judge_replies,
        tokens=_whole(_total(tally.judge_tokens, tally.judge_replies)),
        cost_usd=_total(tally.judge_cost_usd, tally.judge_replies),
    )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _spent_notes(tally: Tally) -> list[str]:
    notes: list[str] = []
    judges = _judges(tally)
    if judges is not None:
        tokens = "tokens not known" if judges.tokens is None else f"{judges.tokens} tokens"
        cost = "cost not known" if judges.cost_usd is None else f"${judges.cost_usd:.4f}"
        told = plural(judges.replies, "time")
        notes.append(f"judges answered {told}, beside what the agent used: {tokens}, {cost}")
    for spent, what, known in (
        (tally.cost_usd, "cost", f"${tally.cost_usd.known:.4f}"),
        (tally.tokens, "tokens", f"{tally.tokens.known:.0f}"),
    ):
        silent = tally.trials - spent.told
        if spent.told and silent:
            notes.append(
                f"{what} not known: {silent} of {tally.trials} trials told none; the others "
                f"come to {known}"
            )
    return notes


def _optional(tally: Tally) -> dict[str, OptionalCheck]:
    return {
        label: OptionalCheck(
            passed=found.passed,
            failed=found.failed,
            other=found.other,
            agree=found.agree,
            disagree=found.disagree,
            passed_in_failed=found.passed_in_failed,
            failed_in_passed=found.failed_in_passed,
        )
        for label, found in tally.optional.items()
    }
