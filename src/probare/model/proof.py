"""A proof of a suite: what a suite declares under `prove`, and what proving it found."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from probare.model.case import Case
from probare.model.score import DecisionWord, Rate
from probare.model.verdict import CheckList

Outcome: TypeAlias = Literal[
    "passed", "failed", "flaky", "alike", "errored", "needs_review", "ungraded"
]
"""How a broken agent came out of a case.

`failed` and `flaky` (in some trials only): a required check fails that the healthy agent passes.
`alike`: only such checks fail as fail for the healthy agent too. `errored`: no answer, of the
broken agent or of the healthy one, that could be compared.
"""

DefectWord: TypeAlias = Literal["caught", "survived", "unproven"]


class Defect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A named fault: `target` is a target of the suite that has it; each of the cases
    `must_fail` must fail for it.
    """

    name: str
    target: str
    must_fail: tuple[str, ...]


class Proof(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a suite declares under `prove`.

    `oracle` and `null` name targets: one must pass every case, the other none that needs an
    act, save those of `null_may_pass`. Without `defects`, only the two ends are proved.
    """

    oracle: str
    null: str
    defects: tuple[Defect, ...] = ()
    null_may_pass: tuple[str, ...] = ()


def needs_an_act(case: Case) -> bool:
    """Whether a case demands something: at least one required `expect` check.

    One that only forbids is passed by an agent that does nothing, and rightly so.
    """
    return any(check.required for check in case.expect)


class CheckName(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A check within its case: `number` counts, from 1, those of one list, label and grader."""

    list: CheckList
    label: str
    grader: str
    number: int = 1


class EndResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one end of the scale came out: the oracle, the null target, the healthy agent.

    `run` is its run directory, null where it was not run. `passed` of `cases` passed.
    `against` maps the cases that speak against this end to what is wrong, `open` those that
    show nothing, `aside` those that are left out, each in words.
    """

    target: str
    run: str | None
    cases: int
    passed: int
    against: dict[str, str] = {}
    open: dict[str, str] = {}
    aside: dict[str, str] = {}


class DefectResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one defect came out.

    `must_fail` are the cases that were asked about, `failed` those of them that failed;
    `missed` maps the others that have an answer to what it was, `open` those without one to
    why. `also_failed` are further cases that fail. `run` is null where the broken agent could
    not be run.
    """

    name: str
    target: str
    run: str | None
    result: DefectWord
    must_fail: tuple[str, ...]
    failed: tuple[str, ...]
    missed: dict[str, str] = {}
    open: dict[str, str] = {}
    also_failed: tuple[str, ...] = ()
    failed_checks: dict[str, tuple[CheckName, ...]] = {}


class Unmoved(msgspec.Struct, frozen=True, kw_only=True):
    """What no defect makes fail.

    `checks` maps a case to its required checks that never fail, out of `planned` in all; of
    these the null target fails `null_fails`. `graders` never fail in any case, and in `cases`
    nothing does.
    """

    planned: int
    never_failed: int
    null_fails: int
    checks: dict[str, tuple[CheckName, ...]]
    graders: tuple[str, ...]
    cases: tuple[str, ...]


class ProofResult(msgspec.Struct, frozen=True, kw_only=True):
    """`prove.json`. `matrix` maps each defect to the outcome of each case that it ran.

    `folder` holds the run directories. `part` says what was left out, where not all was asked.
    """

    suite: str
    suite_digest: str
    created: str
    folder: str
    decision: DecisionWord
    exit_code: int
    why: tuple[str, ...]
    oracle: EndResult
    null: EndResult
    healthy: EndResult
    caught: Rate
    defects: tuple[DefectResult, ...]
    cases: tuple[str, ...]
    matrix: dict[str, dict[str, Outcome]]
    unmoved: Unmoved
    runs: int
    trials: int
    duration_ms: float
    part: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    format: int = 1
