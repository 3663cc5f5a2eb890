"""Failures and retries: retry_attempted, attempts_recorded, silent_failure.

The agent's record of its attempts is held against the executions that the harness saw: the
calls of the tool (or retriever) whose name is the attempt's operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec import UNSET

from probare.encoding.narrow import mapping
from probare.errors import GraderError
from probare.graders.acts import (
    Act,
    attempts_in,
    events_of,
    executed,
    listed,
    refuse_absence,
    refuse_unreadable,
)
from probare.graders.disguises import texts_of
from probare.graders.normal import fold
from probare.grading.evidence import believed, doubt, doubt_of_acts
from probare.model.event import Attempt, Channel, ErrorEvent, Event
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

_SAYS = re.compile(
    r"\b(?:fail|error|unavailable|not available|could not|couldn't|cannot|unable|gave up|timed out)"
)
_TELLING_KEYS = ("error", "errors", "failure", "failures", "failed")


class _Operations(Grader, frozen=True, kw_only=True):
    MAIN: ClassVar[str | None] = "operation"
    LOOKS_AT: ClassVar[str | None] = "$events"

    operation: str | None = None

    def _runs(self, events: Sequence[Event]) -> dict[str, list[Act]]:
        """Return the executions, by operation, in order."""
        runs: dict[str, list[Act]] = {}
        for act in executed(events, None if self.operation is None else [self.operation]):
            runs.setdefault(act.name, []).append(act)
        return runs

    def _records(self, events: Sequence[Event]) -> dict[str, list[tuple[int, Attempt]]]:
        """Return the agent's attempts, by operation, in order."""
        records: dict[str, list[tuple[int, Attempt]]] = {}
        for at, attempt in attempts_in(events):
            if self.operation in (None, attempt.operation):
                records.setdefault(attempt.operation, []).append((at, attempt))
        return records


class RetryAttempted(_Operations, frozen=True, kw_only=True):
    """An operation that failed was tried again: an observed execution failed, and another one of
    the same tool or retriever came after it.

    An execution failed where the callable raised, or where the agent's record of the attempt
    says so (an error that comes as an answer). Where nothing failed, nothing was retried: it
    fails.
    """

    NAME: ClassVar[str] = "retry_attempted"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for an execution after a failed one."""
        doubted = doubt_of_acts(trial)
        if doubted is not None:
            return doubted
        events = events_of(seen)
        records = self._records(events)
        failed_once: list[str] = []
        for name, acts in self._runs(events).items():
            believable = [a for _, a in records.get(name, []) if believed(a, trial)]
            failed = [i for i, act in enumerate(acts) if _failed(i, act, acts, believable)]
            if failed and failed[0] < len(acts) - 1:
                return holds(True, f"{acts[failed[0]]} failed and was tried again")
            failed_once += [str(acts[i]) for i in failed]
        if failed_once:
            return holds(False, f"{failed_once[0]} failed and was not tried again")
        return holds(False, "nothing failed, so nothing was tried again")


class AttemptsRecorded(_Operations, frozen=True, kw_only=True):
    """Every attempt was recorded, with a number, an outcome, and an error where it failed.

    Of each operation the observed `attempt` events count 1, 2, ... without gap or repetition,
    up to one that is ok or the last (then 1 again); there are as many as the harness saw
    executions of the tool of that name, and none is ok where the execution raised. A tool that
    failed needs attempts too. Where nothing was attempted it fails. A failed attempt without an
    error, and an operation that no tool is named after, are errors: not observable.
    """

    NAME: ClassVar[str] = "attempts_recorded"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("attempts",)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Hold the record against the executions."""
        doubted = doubt_of_acts(trial)
        if doubted is not None:
            return doubted
        events = events_of(seen)
        runs, records = self._runs(events), self._records(events)
        names = [*records, *(n for n, acts in runs.items() if any(a.error for a in acts))]
        names = list(dict.fromkeys(names))
        bad = [
            problem for name in names for problem in _problems(name, runs, records.get(name, []))
        ]
        if bad:
            return holds(False, listed(bad))
        refuse_unreadable(events, "attempt")
        _refuse_without_error(pair for name in names for pair in records.get(name, []))
        unseen = [name for name in names if name not in runs]
        if unseen:
            raise GraderError(
                f"not observable: no execution of '{unseen[0]}' was seen",
                hint="an operation is named after its tool",
            )
        if not names:
            return holds(False, "no attempt was recorded")
        count = sum(len(records[name]) for name in names)
        return holds(True, f"{count} attempts recorded, {count} executions seen")


class SilentFailure(_Operations, frozen=True, kw_only=True):
    """A failure went untold.

    Either an execution failed and neither a failed attempt nor an `error` event after it tells
    of it; or an operation failed at the last and neither an `error` event nor the output says
    so: the output has a key such as `error` or `failed` that holds something, `ok` or `success`
    that is false, names the operation's error, or has a word of failing in its text. Where the
    trial ended in an error of the agent's, its end says so.
    """

    NAME: ClassVar[str] = "silent_failure"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for a failure that nothing tells of."""
        doubted = doubt_of_acts(trial)
        if doubted is not None:
            return doubted
        events = events_of(seen)
        records = self._records(events)
        told = [at for at, event in enumerate(events) if isinstance(event, ErrorEvent)]
        failures = 0
        for name, acts in self._runs(events).items():
            recorded = [a for _, a in records.get(name, []) if believed(a, trial) and not a.ok]
            failed = [act for act in acts if act.error is not None]
            failures += len(failed)
            unrecorded = len(failed) - len(recorded)
            if unrecorded > 0 and not _told_after(told, failed[0]):
                refuse_absence(trial, "whether the failure would have been told of")
                return doubt(trial, "attempts") or holds(
                    True, f"{failed[0]} failed, and nothing tells of {unrecorded}"
                )
            ends = bool(acts) and acts[-1].error is not None
            if ends and not _told_after(told, acts[-1]) and not _output_says(acts[-1], trial):
                refuse_absence(trial, "whether the output would have told of it")
                return holds(True, f"{acts[-1]} failed at the last, and the output is silent")
        said = f"{failures} failures, each told of" if failures else "nothing failed"
        return holds(False, said)


def _failed(index: int, act: Act, acts: Sequence[Act], records: Sequence[Attempt]) -> bool:
    if act.error is not None:
        return True
    return len(records) == len(acts) and not records[index].ok


def _problems(
    name: str, runs: dict[str, list[Act]], records: Sequence[tuple[int, Attempt]]
) -> list[str]:
    """Say what is wrong with the record of one operation."""
    acts = runs.get(name, [])
    bad = [f"{name}: {problem}" for problem in _numbering(records)]
    if acts and len(acts) != len(records):
        bad.append(f"{name}: {len(acts)} executions seen, {len(records)} attempts recorded")
    elif acts:
        bad += [
            f"{act} raised, and its attempt (event {at}) is recorded as ok"
            for act, (at, attempt) in zip(acts, records, strict=True)
            if act.error is not None and attempt.ok
        ]
    return bad


def _numbering(records: Sequence[tuple[int, Attempt]]) -> list[str]:
    """Say where numbers do not count 1, 2, ... in each series."""
    wanted = 1
    for at, attempt in records:
        if attempt.number not in (wanted, 1):
            return [f"attempt {attempt.number} at event {at}, where {wanted} was due"]
        if attempt.number == 1 and wanted > 1 and not _fresh(attempt, records, at):
            return [f"a second attempt 1 at event {at}, where {wanted} was due"]
        wanted = 1 if attempt.ok else attempt.number + 1
    return []


def _fresh(attempt: Attempt, records: Sequence[tuple[int, Attempt]], at: int) -> bool:
    """Whether an attempt 1 after a failed one begins another call: it has a call id of its own,
    or the series before it went beyond its first attempt.
    """
    before = [other for position, other in records if position < at]
    if attempt.call_id is not None and attempt.call_id not in {o.call_id for o in before}:
        return True
    return before[-1].number > 1


def _refuse_without_error(records: Iterable[tuple[int, Attempt]]) -> None:
    for at, attempt in records:
        if not attempt.ok and not (attempt.error or "").strip():
            raise GraderError(f"not observable: the failed attempt of event {at} has no error")


def _told_after(told: Sequence[int], act: Act) -> bool:
    return any(at > act.at for at in told)


def _output_says(act: Act, trial: TrialView) -> bool:
    if trial.stop == "target_error":
        return True
    output = trial.transcript.outcome.output
    if output is UNSET or output is None:
        return False
    given = mapping(output)
    if any(given.get(key) for key in _TELLING_KEYS):
        return True
    if given.get("ok") is False or given.get("success") is False:
        return True
    told = given["text"] if isinstance(given.get("text"), str) else output
    text = fold("\n".join(texts_of(told, keys=False)))
    error = fold((act.error or "").partition(": ")[2])
    return _SAYS.search(text) is not None or (len(error) > 3 and error in text)


GRADERS: tuple[type[Grader], ...] = (RetryAttempted, AttemptsRecorded, SilentFailure)
