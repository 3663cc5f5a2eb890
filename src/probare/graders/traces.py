"""Whether the trials of a case left the same trace (`probare.grading.traces`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from probare.errors import GraderError
from probare.graders.compare import shown
from probare.grading.traces import Difference, first_difference, trace_hash
from probare.model.event import ErrorEvent, Note, Usage
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds, unknown

_HASH_SHOWN = 12
_SAID = (Note, ErrorEvent, Usage)


class _Traces(Grader, frozen=True, kw_only=True):
    LOOKS_AT: ClassVar[str | None] = None
    SCOPE: ClassVar[Literal["trial", "case"]] = "case"

    def _compared(self, trials: Sequence[TrialView]) -> tuple[bool, str] | Verdict:
        """Return whether all traces are the same, and in which words; or that none can tell.

        A difference is one whoever tells it; sameness takes acts that somebody saw.
        """
        hashes = [trace_hash(trial.transcript.events) for trial in trials]
        other = next((n for n, found in enumerate(hashes) if found != hashes[0]), None)
        if other is not None:
            return False, _parted(trials[0], trials[other], len(set(hashes)), len(hashes))
        acts = [event for event in trials[0].transcript.events if not isinstance(event, _SAID)]
        if not acts:
            raise GraderError(
                "not observable: the traces hold no act, and two empty traces show nothing",
                hint="let the Recorder wrap the agent's tools and retrievers",
            )
        if any(_only_claimed(trial) for trial in trials):
            return unknown(
                "the traces are the same, and all that is in them is the agent's own claim, not "
                "observed (let the Recorder wrap its tools, or declare `trust: claimed`)"
            )
        count = len(trials[0].transcript.events)
        events = "1 event" if count == 1 else f"{count} events"
        return True, f"{len(trials)} trials, one trace hash {hashes[0][:_HASH_SHOWN]}… ({events})"


class IdenticalTraces(_Traces, frozen=True, kw_only=True):
    """All completed trials of the case left the same trace: the same acts, in the same order,
    with the same values.

    Compared are trace hashes, which leave out the harness's clocks, durations, artifact events
    and who saw an event; a clock that the agent writes counts. Where traces differ, the reason
    shows the first event that does. Two traces without any act show nothing: error. Traces
    in which everything is the agent's own claim: unknown, unless the target declares
    `trust: claimed`. Under `forbid`, use `different_traces`.
    """

    NAME: ClassVar[str] = "identical_traces"

    def grade_case(self, trials: Sequence[TrialView]) -> Verdict:
        """Compare the hashes of all completed trials."""
        found = self._compared(trials)
        return found if isinstance(found, Verdict) else holds(*found)


class DifferentTraces(_Traces, frozen=True, kw_only=True):
    """Some completed trials of the case left different traces: the opposite of
    `identical_traces`, for `forbid`.
    """

    NAME: ClassVar[str] = "different_traces"

    def grade_case(self, trials: Sequence[TrialView]) -> Verdict:
        """Compare the hashes of all completed trials."""
        found = self._compared(trials)
        return found if isinstance(found, Verdict) else holds(not found[0], found[1])


def _only_claimed(trial: TrialView) -> bool:
    acts = [event for event in trial.transcript.events if not isinstance(event, _SAID)]
    return trial.trust != "claimed" and all(event.source == "claimed" for event in acts)


def _parted(one: TrialView, two: TrialView, hashes: int, trials: int) -> str:
    a, b = one.transcript, two.transcript
    found = first_difference(a.events, b.events)
    if found is None:  # hashes differ and no value does: a fault of the canonical form
        raise GraderError(f"trials {a.trial} and {b.trial} hash apart, and no event differs")
    return f"{hashes} trace hashes among {trials} trials; {_words(found, a.trial, b.trial)}"


def _words(found: Difference, one: int, two: int) -> str:
    """Say where two trials part."""
    at = f"trials {one} and {two} part at event {found.position}"
    first, second = found.kinds
    if not first:
        return f"{at}: trial {two} goes on with {second}, trial {one} has ended"
    if not second:
        return f"{at}: trial {one} goes on with {first}, trial {two} has ended"
    if first != second:
        return f"{at}: {first} in trial {one}, {second} in trial {two}"
    there = f"{at} ({first}), {found.path}"
    if found.only is not None:
        has, lacks = (one, two) if found.only == "one" else (two, one)
        value = found.one if found.only == "one" else found.two
        return f"{there}: {shown(value)} in trial {has}, nothing in trial {lacks}"
    return f"{there}: {shown(found.one)} in trial {one}, {shown(found.two)} in trial {two}"


GRADERS: tuple[type[Grader], ...] = (IdenticalTraces, DifferentTraces)
