"""Judging a proof: which broken agents a suite catches, from what their runs showed.

A defect is caught where each case of its `must_fail` fails through a check that the healthy
agent passes in that case. An error, an unknown or a trial that did not run catches nothing; a
failure that the healthy agent shows as well is no sign of the defect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from probare.model.case import Case
from probare.model.proof import (
    CheckName,
    Defect,
    DefectResult,
    DefectWord,
    EndResult,
    Outcome,
    Proof,
    Unmoved,
)
from probare.model.score import DecisionWord, Rate
from probare.scoring.intervals import clopper_pearson
from probare.scoring.observed import CaseSeen
from probare.scoring.proofends import Ran, healthy_end, no_answer, null_end, oracle_end
from probare.scoring.unmoved import unmoved

_NAMED = 8


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What a proof found, without the circumstances of its runs."""

    decision: DecisionWord
    exit_code: int
    why: tuple[str, ...]
    oracle: EndResult
    null: EndResult
    healthy: EndResult
    caught: Rate
    defects: tuple[DefectResult, ...]
    matrix: dict[str, dict[str, Outcome]]
    unmoved: Unmoved
    notes: tuple[str, ...]


def judge_proof(
    proof: Proof,
    cases: Mapping[str, Case],
    ends: Mapping[str, Ran],
    defects: Sequence[tuple[Defect, Ran]],
) -> Judged:
    """Judge a proof from its runs.

    `ends` are the runs of `oracle`, `null` and `healthy`. `defects` come with the cases that
    were asked about as their `must_fail`.
    """
    oracle = oracle_end(ends["oracle"], cases)
    null = null_end(ends["null"], cases, proof.null_may_pass)
    healthy = healthy_end(ends["healthy"])
    compared = [(defect, ran, _outcomes(ran, ends["healthy"])) for defect, ran in defects]
    results = tuple(_defect(*each) for each in compared)
    decision, why = _decide(oracle, null, results)
    return Judged(
        decision=decision,
        exit_code={"passed": 0, "failed": 1, "incomplete": 3}[decision],
        why=why,
        oracle=oracle,
        null=null,
        healthy=healthy,
        caught=_caught(results),
        defects=results,
        matrix={
            defect.name: {name: found for name, (found, _) in outcomes.items()}
            for defect, _, outcomes in compared
        },
        unmoved=unmoved(
            [
                (ran.seen, {name: telling for name, (_, telling) in outcomes.items()})
                for _, ran, outcomes in compared
            ],
            [ran.seen for ran in ends.values()],
            ends["null"].seen,
        ),
        notes=tuple(_notes(proof, ends)),
    )


Outcomes = dict[str, tuple[Outcome, tuple[CheckName, ...]]]


def _outcomes(ran: Ran, healthy: Ran) -> Outcomes:
    """Return how each case came out beside the healthy agent, with the checks that tell."""
    return {
        name: compare_with_healthy(seen, healthy.seen.get(name)) for name, seen in ran.seen.items()
    }


def compare_with_healthy(
    seen: CaseSeen, healthy: CaseSeen | None
) -> tuple[Outcome, tuple[CheckName, ...]]:
    """Return a case's outcome, and the checks that fail for the broken agent alone."""
    if seen.status not in ("failed", "flaky"):
        return seen.status, ()
    if healthy is None:
        return "errored", ()
    telling = tuple(sorted(name for name in seen.failed if name in healthy.passed))
    if telling:
        return seen.status, telling
    return ("alike" if seen.failed.keys() <= healthy.failed.keys() else "errored"), ()


def _defect(defect: Defect, ran: Ran, outcomes: Outcomes) -> DefectResult:
    failed: list[str] = []
    missed: dict[str, str] = {}
    unanswered: dict[str, str] = {}
    for name in defect.must_fail:
        found = outcomes[name][0] if name in outcomes else None
        if found in ("failed", "flaky"):
            failed.append(name)
        elif found == "alike":
            missed[name] = "fails just as it does for the healthy agent"
        elif found in ("passed", "ungraded"):
            missed[name] = found
        else:
            unanswered[name] = _why_open(ran, name)
    result: DefectWord = "survived" if missed else "unproven" if unanswered else "caught"
    also = [
        name
        for name, (found, _) in outcomes.items()
        if found in ("failed", "flaky") and name not in defect.must_fail
    ]
    return DefectResult(
        name=defect.name,
        target=defect.target,
        run=ran.run,
        result=result,
        must_fail=defect.must_fail,
        failed=tuple(failed),
        missed=missed,
        open=unanswered,
        also_failed=tuple(also),
        failed_checks={name: telling for name, (_, telling) in outcomes.items() if telling},
    )


def _why_open(ran: Ran, name: str) -> str:
    seen = ran.seen.get(name)
    if seen is None:
        return f"could not be run: {ran.problem}"
    if seen.status in ("failed", "flaky"):
        return "fails, and the healthy agent gave no answer to compare with"
    return no_answer(seen)


def _caught(results: Sequence[DefectResult]) -> Rate:
    """The share of the defects that was caught; at worst, what is unproven is not."""
    count = {word: sum(each.result == word for each in results) for word in ("caught", "unproven")}
    n = len(results)
    return Rate(
        value=count["caught"] / n if n else None,
        best=(count["caught"] + count["unproven"]) / n if n else None,
        numerator=count["caught"],
        denominator=n,
        planned=n,
        run=sum(each.run is not None for each in results),
        graded=n - count["unproven"],
        interval=clopper_pearson(count["caught"], n),
        method="clopper-pearson" if n else None,
        why=None if n else "no defect is named",
    )


def _decide(
    oracle: EndResult, null: EndResult, results: Sequence[DefectResult]
) -> tuple[DecisionWord, tuple[str, ...]]:
    survived = [each.name for each in results if each.result == "survived"]
    unproven = [each.name for each in results if each.result == "unproven"]
    failed: list[str] = []
    if survived:
        failed.append(f"{len(survived)} of {len(results)} defects survived: {_some(survived)}")
    if oracle.against:
        count = f"{len(oracle.against)} of {oracle.cases} cases"
        failed.append(f"the oracle does not pass {count}: {_some(oracle.against)}")
    if null.against:
        names = _some(null.against)
        failed.append(f"the null target passes what demands an act, so these are weak: {names}")
    lacking: list[str] = []
    if unproven:
        count = f"{len(unproven)} of {len(results)} defects"
        lacking.append(f"without an answer, which catches nothing: {count}: {_some(unproven)}")
    for words, end in (("the oracle", oracle), ("the null target", null)):
        if end.open:
            lacking.append(f"{words} gave no answer in: {_some(end.open)}")
    if failed or lacking:
        return ("failed" if failed else "incomplete"), (*failed, *lacking)
    aside = f" ({len(oracle.aside)} more are for people)" if oracle.aside else ""
    all_of = f"{oracle.passed} of {oracle.cases - len(oracle.aside)}"
    count = f"{len(results)} of {len(results)} defects are caught"
    whole = (
        f"{count if results else 'no defect is named, so none was looked for'}; "
        f"the oracle passes {all_of} cases{aside}; "
        f"the null target passes none that demands an act, of {null.cases}"
    )
    return "passed", (whole,)


def _some(names: Sequence[str] | Mapping[str, str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    return ", ".join(listed[:_NAMED]) + more


def _notes(proof: Proof, ends: Mapping[str, Ran]) -> list[str]:
    notes: list[str] = []
    null = ends["null"].seen
    idle = [name for name in proof.null_may_pass if name in null and null[name].status != "passed"]
    if idle:
        notes.append(f"null_may_pass lists what the null target does not pass: {_some(idle)}")
    if ends["healthy"].target == ends["oracle"].target:
        notes.append("the oracle stands for the healthy agent")
    return notes
