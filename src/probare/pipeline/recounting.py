"""Recounting a run: statuses, summary and decision again, from the records alone.

No grader is asked and no module of the suite is imported: verdicts are taken as recorded, and
everything that follows from them is worked out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from probare.errors import ProbareError, RunDirectoryError
from probare.evidence.examination import Finding
from probare.grading.ready import label_of
from probare.model.basis import Basis
from probare.model.case import Case, Check
from probare.model.outcome import Transcript, total_usage
from probare.model.record import RunPlan, TrialRecord
from probare.model.score import Summary
from probare.model.statuses import trial_status
from probare.model.suite import Suite
from probare.model.verdict import CheckVerdict
from probare.pipeline.concluding import summed
from probare.pipeline.people import People, people_in, without_people
from probare.pipeline.peoplefaults import of_log, of_trial
from probare.scoring.tally import Tally
from probare.stores import layout
from probare.stores.reader import RunReader

_MASKED = ("[secret:", "[planted:")


def recount(reader: RunReader) -> Iterator[Finding]:
    """Yield what does not follow from the records of a finished run.

    Records are read once, so memory stays flat in trials. What cannot be read at all is yielded
    too, and ends the recount.
    """
    try:
        yield from _recount(reader)
    except ProbareError as error:
        yield Finding(str(error.place) if error.place else "", error.message)
    except (msgspec.ValidationError, ValueError, RecursionError, OverflowError) as error:
        yield Finding("", f"cannot be recounted: {error}")


def _recount(reader: RunReader) -> Iterator[Finding]:
    plan, suite, basis = reader.plan, reader.suite(), reader.basis
    yield from _selection(plan, suite)
    people = people_in(reader.folder)
    yield from of_log(people, plan, basis)
    recounted = _Recount(reader, plan, suite, basis, people)
    yield from recounted.trials()
    yield from recounted.lost()
    yield from recounted.cases()
    yield from _summary(recounted.summary(), reader.summary)


def _selection(plan: RunPlan, suite: Suite) -> Iterator[Finding]:
    ids = [case.id for case in suite.cases]
    if ids != list(plan.cases):
        yield Finding(layout.SUITE, f"its cases are not those that {layout.RUN} planned to run")
    if suite.name != plan.suite:
        yield Finding(layout.SUITE, f"is of '{suite.name}', the run of '{plan.suite}'")


class _Recount:
    """One pass over the records, which are counted as they are checked."""

    def __init__(
        self, reader: RunReader, plan: RunPlan, suite: Suite, basis: Basis, people: People | None
    ) -> None:
        self._reader = reader
        self._plan = plan
        self._suite = suite
        self._basis = basis
        self._wide = frozenset(basis.case_wide)
        self._cases = {case.id: case for case in suite.cases if case.id in plan.cases}
        self._tally = Tally(suite.cases, plan.cases, self._wide)
        self._people = people
        self._unseen = set(() if people is None else people.outcomes)

    def trials(self) -> Iterator[Finding]:
        for number, (record, transcript) in enumerate(self._reader.trials(), 1):
            for what in self._faults_of(record):
                yield Finding(layout.TRIALS, what, number)
            for what in _of_transcript(record, transcript):
                yield Finding(layout.TRIALS, what, number)

    def lost(self) -> Iterator[Finding]:
        for case, trial in sorted(self._unseen):
            what = f"people were asked for case {case} trial {trial}, which is not recorded"
            yield Finding(layout.REVIEWS, what)

    def cases(self) -> Iterator[Finding]:
        judged: set[str] = set()
        for number, record in enumerate(self._reader.case_records(), 1):
            case = self._cases.get(record.case)
            if case is None or record.case in judged:
                what = "is not planned" if case is None else "stands twice"
                yield Finding(layout.CASES, f"case {record.case} {what}", number)
                continue
            judged.add(record.case)
            for what in self._layout_faults(case, record.verdicts, wide=True):
                yield Finding(layout.CASES, what, number)
            self._tally.add_case(record)

    def summary(self) -> Summary:
        return summed(self._tally, self._plan, self._suite, self._basis)

    def _faults_of(self, record: TrialRecord) -> Iterator[str]:
        case = self._cases.get(record.case)
        name = f"case {record.case} trial {record.trial}"
        if case is None:
            yield f"{name} was not planned"
            return
        try:
            self._tally.add(record)
        except RunDirectoryError as error:
            yield error.message
        status = trial_status(record.stop, record.verdicts)
        if record.status != status:
            yield f"{name} says {record.status}; its verdicts make it {status}"
        self._unseen.discard((record.case, record.trial))
        yield from of_trial(self._people, record)
        yield from self._layout_faults(case, without_people(record.verdicts), wide=False)

    def _layout_faults(
        self, case: Case, verdicts: Sequence[CheckVerdict], *, wide: bool
    ) -> Iterator[str]:
        """Yield where the verdicts are not those of the case's checks, one for one."""
        wanted = [
            (in_list, check)
            for in_list, checks in (("expect", case.expect), ("forbid", case.forbid))
            for check in checks
            if (check.grader in self._wide) == wide
        ]
        if len(wanted) != len(verdicts):
            yield (
                f"case {case.id} has {len(wanted)} checks to be judged here, "
                f"the record {len(verdicts)} verdicts"
            )
            return
        for (in_list, check), verdict in zip(wanted, verdicts, strict=True):
            if not _same_check(in_list, check, verdict):
                yield f"the verdict '{verdict.label}' is not of the check '{label_of(check)}'"


def _same_check(in_list: str, check: Check, verdict: CheckVerdict) -> bool:
    same = (
        verdict.list == in_list
        and verdict.grader == check.grader
        and verdict.weight == check.weight
        and verdict.required == check.required
    )
    label = label_of(check)
    masked = any(mark in text for mark in _MASKED for text in (label, verdict.label))
    return same and (masked or label == verdict.label)


def _of_transcript(record: TrialRecord, transcript: Transcript) -> Iterator[str]:
    name = f"case {record.case} trial {record.trial}"
    if (transcript.case, transcript.trial) != (record.case, record.trial):
        yield f"{name} refers to the transcript of case {transcript.case} trial {transcript.trial}"
    elif record.usage != total_usage(transcript.events):
        yield f"{name} does not tell the usage that its transcript adds up to"


def _summary(again: Summary, written: Summary) -> Iterator[Finding]:
    names = [field.name for field in msgspec.structs.fields(Summary)]
    for name in names:
        now, then = (_plain(getattr(summary, name)) for summary in (again, written))
        if now != then:
            yield Finding(layout.SUMMARY, f"{name}: {_difference(now, then)}")


def _plain(value: Any) -> Any:
    """Return a value as JSON keeps it, so that tuples compare with what was read back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _difference(now: Any, then: Any) -> str:
    if isinstance(now, dict) and isinstance(then, dict):
        keys = [key for key in {**now, **then} if now.get(key) != then.get(key)]  # pyright: ignore
        return f"differs from what the records give in {', '.join(map(str, keys[:5]))}"  # pyright: ignore
    return f"says {_short(then)}; the records give {_short(now)}"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else f"{text[:117]}…"
