"""Tiny suites, written as letters: p pass, f fail, e error, u unknown, s skipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from probare.model.case import Case, Check
from probare.model.outcome import UsageTotal
from probare.model.record import CaseRecord, RunPlan, TranscriptRef, TrialRecord
from probare.model.score import Summary
from probare.model.statuses import trial_status
from probare.model.suite import Gate
from probare.model.verdict import HUMAN_REVIEW, CheckVerdict, Result
from probare.scoring.standing import Standing, standings
from probare.scoring.summarise import Context, summarise
from probare.scoring.tally import Tally

RESULTS: dict[str, Result] = {
    "p": "pass",
    "f": "fail",
    "e": "error",
    "u": "unknown",
    "s": "skipped",
}
WIDE = "identical_traces"

Trials = Sequence[str | None]


class Bench:
    """Builds cases and records.

    A trial is a string with a letter for each of the case's checks that are not case-wide,
    `expect` first; `!` in front says that it timed out; None, that it did not run; `+` and a
    letter behind, what people said of it.
    """

    WIDE = WIDE

    def check(self, grader: str = "contains", **fields: Any) -> Check:
        return Check(grader=grader, **fields)

    def case(self, name: str, expect: int = 1, forbid: int = 0, **fields: Any) -> Case:
        return Case(
            id=name,
            expect=tuple(self.check(args={"text": str(i)}) for i in range(expect)),
            forbid=tuple(self.check(args={"text": str(i)}) for i in range(forbid)),
            **fields,
        )

    def record(
        self,
        case: Case,
        number: int,
        letters: str,
        usage: UsageTotal | None = None,
        version: str = "1",
    ) -> TrialRecord:
        stop = "timeout" if letters.startswith("!") else "completed"
        letters, _, people = letters.removeprefix("!").partition("+")
        verdicts = self._verdicts(case, letters, version, wide=False)
        if people:
            said = CheckVerdict(
                label="answer",
                grader=HUMAN_REVIEW,
                grader_version="1",
                list="expect",
                result=RESULTS[people],
            )
            verdicts = (*verdicts, said)
        return TrialRecord(
            case=case.id,
            trial=number,
            stop=stop,
            status=trial_status(stop, verdicts),
            error=None,
            attempts=1,
            verdicts=verdicts,
            started="2026-12-01T00:00:00.000+00:00",
            duration_ms=10.0 * (number + 1),
            first_token_ms=None,
            usage=usage,
            output_text=None,
            transcript=TranscriptRef(0, 0, ""),
            salt="",
        )

    def wide_record(self, case: Case, letters: str) -> CaseRecord:
        return CaseRecord(case=case.id, verdicts=self._verdicts(case, letters, "1", wide=True))

    def _verdicts(
        self, case: Case, letters: str, version: str, *, wide: bool
    ) -> tuple[CheckVerdict, ...]:
        checks = [("expect", c) for c in case.expect] + [("forbid", c) for c in case.forbid]
        asked = [(name, c) for name, c in checks if (c.grader == WIDE) == wide]
        return tuple(
            CheckVerdict(
                label=check.label or check.grader,
                grader=check.grader,
                grader_version=version,
                list="forbid" if name == "forbid" else "expect",
                result=RESULTS[letter],
                weight=check.weight,
                required=check.required,
            )
            for (name, check), letter in zip(asked, letters, strict=True)
        )

    def tally(
        self,
        *runs: tuple[Case, Trials],
        wide: Mapping[str, str] | None = None,
        version: str = "1",
    ) -> Tally:
        planned = {case.id: len(trials) for case, trials in runs}
        tally = Tally([case for case, _ in runs], planned, {WIDE})
        for case, trials in runs:
            for number, letters in enumerate(trials):
                if letters is not None:
                    tally.add(self.record(case, number, letters, version=version))
            if wide is not None and case.id in wide:
                tally.add_case(self.wide_record(case, wide[case.id]))
        return tally

    def standings(
        self, *runs: tuple[Case, Trials], wide: Mapping[str, str] | None = None
    ) -> list[Standing]:
        return standings(self.tally(*runs, wide=wide))

    def plan(self, run_id: str = "run-1") -> RunPlan:
        return RunPlan(
            run_id=run_id,
            suite="demo",
            suite_digest="d",
            target="main",
            target_kind="python",
            trust="observed",
            created="2026-12-01T00:00:00+00:00",
            seed=0,
            cases={},
            options={},
            versions={},
        )

    def summary(
        self,
        *runs: tuple[Case, Trials],
        wide: Mapping[str, str] | None = None,
        version: str = "1",
        gate: Gate | None = None,
        **context: Any,
    ) -> Summary:
        tally = self.tally(*runs, wide=wide, version=version)
        return summarise(tally, Context(plan=self.plan(), gate=gate or Gate(), **context))


@pytest.fixture(scope="session")
def bench() -> Bench:
    """Tiny suites, written as letters."""
    return Bench()
