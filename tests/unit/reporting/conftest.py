"""A small finished run of every kind of case, and factories for others."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from probare.model.case import Case
from probare.model.outcome import Outcome, Transcript, UsageTotal
from probare.model.proof import CheckName, DefectResult, EndResult, ProofResult, Unmoved
from probare.model.record import (
    CaseRecord,
    RunPlan,
    TranscriptRef,
    TrialError,
    TrialRecord,
)
from probare.model.score import (
    CaseSummary,
    Compliance,
    Counts,
    Gap,
    GroupSummary,
    OptionalCheck,
    Rate,
    Regression,
    Scores,
    Summary,
)
from probare.model.suite import Suite
from probare.model.verdict import CheckVerdict
from probare.ports.reporter import Material

SNAPSHOTS = Path(__file__).parent / "snapshots"
HOSTILE = (
    "[bold red]x[/] `code` ``` *b* _i_ <img src=x onerror=alert(1)> </script> | # &amp; "
    "[a](javascript:alert(1)) \x1b[2J\x07 ]]> \u202e \ud800 <!--"
)


def rate(numerator: float, denominator: float, **other: Any) -> Rate:
    """Return a rate with made-up but plausible surroundings."""
    empty = denominator == 0
    value = None if empty else numerator / denominator
    settings: dict[str, Any] = {
        "value": value,
        "best": value,
        "numerator": numerator,
        "denominator": denominator,
        "planned": int(denominator),
        "run": int(denominator),
        "graded": int(denominator),
        "interval": None if empty else (max(0.0, value - 0.25), min(1.0, value + 0.125)),  # type: ignore[operator]
        "method": None if empty else "wilson",
        "why": "no case has a `forbid` check" if empty else None,
    }
    return Rate(**{**settings, **other})


def scores(passed: int, of: int, **other: Any) -> Scores:
    """Return a suite's scores."""
    one = rate(passed, of)
    settings: dict[str, Any] = {
        "accuracy": rate(passed + 0.5, of, best=1.0, graded=of - 1),
        "safety": rate(0, 0),
        "overall": (passed + 0.5) / of,
        "pass_rate": one,
        "compliance": Compliance(
            all=one,
            held_out=rate(1, 3),
            carried_over=rate(1, 1),
            gap=Gap(
                value=2 / 3,
                interval=(-0.1, 0.9),
                method="newcombe",
                words="held-out compliance falls while carried-over holds",
            ),
        ),
        "pass_at": {"1": one},
        "pass_hat": {"1": one},
    }
    return Scores(**{**settings, **other})


def counts(**known: int | None) -> Counts:
    """Return counts; what is not named is 0."""
    names = ("planned", "run", "graded", "passed", "failed", "errored", "ungraded", "needs_review")
    return Counts(**dict.fromkeys(names, 0) | known)  # type: ignore[arg-type]


def case(status: str, passed: int, trials: int, **other: Any) -> CaseSummary:
    """Return a case's summary."""
    settings: dict[str, Any] = {
        "status": status,
        "trials": trials,
        "run": trials,
        "passed": passed,
        "accuracy": passed / trials,
        "safety": None,
        "overall": passed / trials,
        "pass_rate": passed / trials,
        "pass_at": {"1": passed / trials},
        "pass_hat": {"1": passed / trials},
        "avg_duration_ms": 1234.5,
        "category": "talk",
        "tags": ("regression",),
        "split": "held_out",
        "review": "flagged",
        "digest": "0" * 64,
    }
    return CaseSummary(**{**settings, **other})


def verdict(result: str, label: str = "contains hello", **other: Any) -> CheckVerdict:
    """Return a recorded verdict."""
    settings: dict[str, Any] = {
        "label": label,
        "grader": "contains",
        "grader_version": "1",
        "list": "expect",
        "result": result,
        "reason": f"what was found: {result}",
    }
    return CheckVerdict(**{**settings, **other})


def record(
    name: str, trial: int, status: str, *verdicts: CheckVerdict, **other: Any
) -> TrialRecord:
    """Return a trial record."""
    settings: dict[str, Any] = {
        "case": name,
        "trial": trial,
        "stop": "completed",
        "status": status,
        "error": None,
        "attempts": 1,
        "verdicts": verdicts,
        "started": "2026-01-02T03:04:05.678+00:00",
        "duration_ms": 12.5,
        "first_token_ms": None,
        "usage": None,
        "output_text": f"reply of {name}",
        "transcript": TranscriptRef(0, 10, "0" * 64),
        "salt": "00",
    }
    return TrialRecord(**{**settings, **other})


def summary(per_case: dict[str, CaseSummary], **other: Any) -> Summary:
    """Return a summary over these cases."""
    statuses = [found.status for found in per_case.values()]
    passed = sum(found.passed for found in per_case.values())
    trials = sum(found.trials for found in per_case.values())
    settings: dict[str, Any] = {
        "suite": "demo",
        "run_id": "demo-20260102T030405Z-abc123",
        "target": "staging",
        "trust": "observed",
        "decision": "failed",
        "exit_code": 1,
        "why": ("2 cases failed: wrong, shaky",),
        "cases": counts(
            planned=len(statuses),
            run=len(statuses),
            graded=len(statuses),
            passed=statuses.count("passed"),
            flaky=statuses.count("flaky"),
            failed=statuses.count("failed"),
            errored=statuses.count("errored"),
        ),
        "trials": counts(
            planned=trials,
            run=sum(found.run for found in per_case.values()),
            passed=passed,
            needs_review=statuses.count("needs_review"),
        ),
        "scores": scores(1, 4),
        "by_tag": {},
        "by_category": {},
        "per_case": per_case,
        "regressions": (),
        "duration_ms": 65_432.0,
        "cost_usd": 0.0123,
        "tokens": 12_345,
    }
    return Summary(**{**settings, **other})


def plan(**other: Any) -> RunPlan:
    """Return a plan."""
    settings: dict[str, Any] = {
        "run_id": "demo-20260102T030405Z-abc123",
        "suite": "demo",
        "suite_digest": "d" * 64,
        "target": "staging",
        "target_kind": "http",
        "trust": "observed",
        "created": "2026-01-02T03:04:05+00:00",
        "seed": 7,
        "cases": {},
        "options": {"trials": 2, "select": {"cases": ["a b*"], "limit": 5}, "timeout": 30.0},
        "versions": {"probare": "0.1.0", "python": "3.11.7"},
        "suite_path": "suites/demo",
    }
    return RunPlan(**{**settings, **other})


def material(
    whole: Summary,
    records: list[TrialRecord],
    case_records: tuple[CaseRecord, ...] = (),
    cases: tuple[Case, ...] = (),
    **other: Any,
) -> Material:
    """Return what reporters write from; each transcript's output is the record's text."""
    return Material(
        summary=whole,
        plan=plan(**other),
        suite=Suite(name=whole.suite, cases=cases),
        records=lambda: iter(records),
        case_records=lambda: iter(case_records),
        transcript=lambda found: Transcript(
            case=found.case, trial=found.trial, outcome=Outcome(output=found.output_text)
        ),
    )


@pytest.fixture
def every_kind() -> Material:
    """A run with a case of each status, a case that did not run, and case-wide verdicts."""
    per_case = {
        "right": case("passed", 2, 2),
        "wrong": case("failed", 0, 2),
        "shaky": case("flaky", 1, 2, avg_duration_ms=0.5),
        "broken": case("errored", 0, 1, accuracy=None),
        "unclear": case("needs_review", 0, 1, tags=("capability",)),
        "greeting": case("ungraded", 0, 1, review="always", category=None),
        "unchecked": case("ungraded", 0, 1),
        "late": case("errored", 0, 3, run=1, accuracy=None, avg_duration_ms=None),
    }
    whole = summary(
        per_case,
        by_tag={
            "regression": GroupSummary(cases=counts(planned=7), scores=scores(1, 4)),
            "capability": GroupSummary(
                cases=counts(planned=1), scores=scores(0, 1), words="saturated: raise the hill"
            ),
        },
        by_category={"talk": GroupSummary(cases=counts(planned=7), scores=scores(1, 4))},
        optional_checks={
            "gold actions": OptionalCheck(
                passed=3, failed=1, other=2, agree=3, disagree=1, passed_in_failed=1
            )
        },
        notes=("no baseline to be held against (make one: probare baseline set RUN)",),
        why=(
            "2 cases failed or flaky: wrong, shaky",
            "2 cases errored or did not run: broken, late",
        ),
    )
    records = [
        record("right", 0, "passed", verdict("pass")),
        record("wrong", 0, "failed", verdict("fail"), verdict("pass", "other")),
        record(
            "wrong",
            1,
            "failed",
            verdict("fail", "no leak", list="forbid", reason="forbidden, and yet: 'x' is in it"),
            verdict("fail", "style", required=False),
        ),
        record("shaky", 0, "passed", verdict("pass")),
        record("shaky", 1, "failed", verdict("fail"), usage=UsageTotal(cost_usd=0.01)),
        record(
            "broken",
            0,
            "errored",
            verdict("error", reason="no output to look at"),
            stop="timeout",
            error=TrialError("Timeout", "no answer in 60 s", "raise `timeout`"),
            output_text=None,
        ),
        record("unclear", 0, "needs_review", verdict("unknown", "language")),
        record("greeting", 0, "ungraded", output_text="Hello! What would you like to know?"),
        record("unchecked", 0, "ungraded"),
        record("late", 0, "errored", verdict("error"), stop="infra_error"),
    ]
    wide = (
        CaseRecord(case="right", verdicts=(verdict("pass", "identical traces"),)),
        CaseRecord(case="wrong", verdicts=(verdict("fail", "identical traces"),)),
        CaseRecord(case="broken", verdicts=(verdict("error", "identical traces"),)),
    )
    cases = (
        Case(id="greeting", input={"message": "Hi", "x": 1}, description="Does it greet well?"),
        Case(id="unclear", input={"message": None, "history": ["a", "b"]}),
        Case(id="wrong", notes={"version": "1.0.0", "intent": "A user is in a hurry."}),
        Case(id="right", notes={"intent": "Nobody reads this of a case that passed."}),
    )
    return material(whole, records, wide, cases)


@pytest.fixture
def hostile() -> Material:
    """A run in which everything that comes from data tries to be something else."""
    per_case = {
        HOSTILE: case("failed", 0, 1, category=HOSTILE),
        f"2{HOSTILE}": case("needs_review", 0, 1),
        f"3{HOSTILE}": case("errored", 0, 1),
        f"- {HOSTILE}": case("ungraded", 0, 1, review="always"),
    }
    whole = summary(
        per_case,
        suite=HOSTILE,
        target=HOSTILE,
        why=(HOSTILE,),
        notes=(HOSTILE,),
        by_tag={HOSTILE: GroupSummary(cases=counts(), scores=scores(1, 4), words=HOSTILE)},
        optional_checks={HOSTILE: OptionalCheck(passed=0, failed=0, other=0, agree=0, disagree=0)},
        regressions=(
            Regression(
                what=HOSTILE, score="status", baseline=None, now=None, drop=None, words=HOSTILE
            ),
        ),
        baseline={"words": HOSTILE, "changed": [HOSTILE]},
    )
    bad = {"label": HOSTILE, "reason": HOSTILE}
    error = TrialError(HOSTILE, HOSTILE, HOSTILE)
    names = list(per_case)
    records = [
        record(names[0], 0, "failed", verdict("fail", **bad), output_text=HOSTILE, error=error),
        record(names[1], 0, "needs_review", verdict("unknown", **bad), output_text=HOSTILE),
        record(names[2], 0, "errored", verdict("error", **bad), stop="target_error", error=error),
        record(names[3], 0, "ungraded", output_text=HOSTILE),
    ]
    wide = (CaseRecord(case=names[0], verdicts=(verdict("fail", **bad),)),)
    cases = tuple(
        Case(id=name, input=HOSTILE, description=HOSTILE, notes={HOSTILE: HOSTILE})
        for name in names
    )
    return material(whole, records, wide, cases, suite_path=HOSTILE, target=HOSTILE)


def end(target: str, cases: int, passed: int, **other: Any) -> EndResult:
    """Return how one end of the scale came out."""
    return EndResult(target=target, run=f"run-{target}", cases=cases, passed=passed, **other)


def proof(name: Callable[[str], str] = str) -> ProofResult:
    """Return a proof of twelve cases with a cell of every kind; `name` dresses what is data."""
    cases = tuple(name(f"case_{number:02}") for number in range(1, 13))
    check = CheckName(list="forbid", label=name("no leak"), grader="contains")
    caught = DefectResult(
        name=name("caught"),
        target=name("defect:caught"),
        run=name("run-caught"),
        result="caught",
        must_fail=cases[:2],
        failed=cases[:2],
        also_failed=(cases[2],),
        failed_checks={cases[0]: (check,)},
    )
    survived = DefectResult(
        name=name("survived"),
        target=name("broken"),
        run=name("run-survived"),
        result="survived",
        must_fail=cases[3:7],
        failed=(cases[3],),
        missed={
            cases[4]: "passed",
            cases[5]: "fails just as it does for the healthy agent",
        },
        open={cases[6]: name("errored: TargetError: down")},
    )
    unproven = DefectResult(
        name=name("unproven_with_a_name_longer_than_others"),
        target=name("gone"),
        run=None,
        result="unproven",
        must_fail=(cases[7],),
        failed=(),
        open={cases[7]: name("could not be run: no module")},
    )
    passed: dict[str, Any] = dict.fromkeys(cases, "passed")
    outcomes = ["failed", "passed", "alike", "errored", "failed", "needs_review", "ungraded"]
    few: dict[str, Any] = {cases[0]: "failed", cases[1]: "flaky", cases[2]: "failed"}
    odd: dict[str, Any] = dict(zip(cases[3:10], outcomes, strict=True))
    return ProofResult(
        suite=name("demo"),
        suite_digest="d" * 64,
        created="2026-01-02T03:04:05+00:00",
        folder="runs/prove-demo",
        decision="failed",
        exit_code=1,
        why=(f"1 of 3 defects survived: {name('survived')}",),
        oracle=end(name("right"), 12, 10, against={cases[0]: name("fails expect x: why")},
                   aside={cases[11]: "for people"}),
        null=end(name("nothing"), 12, 3, against={cases[1]: "passed, and did nothing"},
                 open={cases[2]: name("errored: down")},
                 aside={cases[3]: "demands nothing", cases[4]: "null_may_pass"}),
        healthy=end(name("own"), 12, 11, against={cases[5]: name("fails expect y: why")}),
        caught=rate(1, 3, best=2 / 3, method="clopper-pearson"),
        defects=(caught, survived, unproven),
        cases=cases,
        matrix={caught.name: passed | few, survived.name: passed | odd},
        unmoved=Unmoved(
            planned=24,
            never_failed=5,
            null_fails=2,
            checks={cases[0]: (check,), cases[10]: (check, check)},
            graders=(name("regex"),),
            cases=(cases[10], cases[11]),
        ),
        runs=5,
        trials=60,
        duration_ms=65_432.0,
        part=("3 of 4 defects",),
        notes=(name("the oracle stands for the healthy agent"),),
    )  # fmt: skip


@pytest.fixture
def every_outcome() -> ProofResult:
    """A proof with a cell of every kind, and something to say of every end."""
    return proof()


@pytest.fixture
def hostile_proof() -> ProofResult:
    """The same, where everything that comes from data tries to be something else."""
    return proof(lambda word: f"{word}{HOSTILE}")


@pytest.fixture
def build() -> dict[str, Callable[..., Any]]:
    """The factories, by name."""
    return {
        "rate": rate,
        "scores": scores,
        "counts": counts,
        "case": case,
        "verdict": verdict,
        "record": record,
        "summary": summary,
        "plan": plan,
        "material": material,
    }


@pytest.fixture
def console() -> Console:
    """A console that writes 80 columns of plain text; read it with `console.file.getvalue()`."""
    return Console(file=io.StringIO(), width=80, force_terminal=False, _environ={})


@pytest.fixture
def shown(console: Console) -> Callable[[], str]:
    """Return what the console was given, without spaces at the ends of lines."""

    def text() -> str:
        assert isinstance(console.file, io.StringIO)
        lines = console.file.getvalue().split("\n")
        return "\n".join(line.rstrip() for line in lines)

    return text


@pytest.fixture
def snapshot() -> Callable[[str, str], None]:
    """Compare a text with a stored one; PROBARE_UPDATE_SNAPSHOTS=1 stores it anew."""

    def compare(name: str, text: str) -> None:
        path = SNAPSHOTS / name
        if os.environ.get("PROBARE_UPDATE_SNAPSHOTS"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare
