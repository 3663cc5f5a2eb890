"""A stored trial in the terminal: what was asked, what happened, what was said of it.

Data is printed as text with its control characters written out, never as markup, as it is
stored: what was masked stays masked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET
from rich.console import Console
from rich.text import Text

from probare.grading.placeholders import text_of
from probare.model.case import Case
from probare.model.event import Event
from probare.model.outcome import Outcome, Transcript
from probare.model.record import TrialRecord
from probare.model.verdict import CheckVerdict
from probare.reporting.events import source_mark, told, value_text
from probare.reporting.looked import looked_at
from probare.reporting.printing import print_data
from probare.reporting.spans import excerpts
from probare.reporting.terminal import COLOURS
from probare.reporting.words import (
    STATUS_WORDS,
    SYMBOLS,
    duration,
    money,
    one_line,
    plural,
)

_NAME = 120
_CLOCK = 11
_MARKS = {
    "pass": ("✓", "green"),
    "fail": ("✗", "red"),
    "error": ("!", "yellow"),
    "unknown": ("?", "cyan"),
    "skipped": ("–", "dim"),
}
_MEANING = {
    "claimed": "claimed: the agent says so itself; nobody saw it",
    "replayed": "replayed: read from a recording",
}


class StoredTrial(msgspec.Struct, frozen=True):
    """A trial read back from a run directory. `case` is null where the run does not hold it."""

    case: Case | None
    record: TrialRecord
    transcript: Transcript


def render_trial(console: Console, trial: StoredTrial, *, longest: int | None = 2_000) -> None:
    """Print one trial. Values longer than `longest` characters are cut; null for no cap."""
    _Printer(console, longest).trial(trial)


def render_wide(console: Console, verdicts: Iterable[CheckVerdict]) -> None:
    """Print the case-wide verdicts of a case."""
    listed = list(verdicts)
    if listed:
        print_data(console, "Over all trials", 0, "bold")
    for verdict in listed:
        _verdict(console, verdict)


class _Printer:
    def __init__(self, console: Console, longest: int | None) -> None:
        self._console = console
        self._longest = longest

    def trial(self, trial: StoredTrial) -> None:
        self._head(trial)
        if trial.case is not None:
            self._section("Input", trial.case.input)
        self._events(trial.transcript.events)
        self._outcome(trial.transcript.outcome)
        self._verdicts(trial)

    def _head(self, trial: StoredTrial) -> None:
        record = trial.record
        line = Text(f"{one_line(record.case, _NAME)}, trial {record.trial}", "bold")
        word = f"{SYMBOLS[record.status]} {STATUS_WORDS[record.status]}"
        line.append(f"  {word}", COLOURS[record.status])
        self._console.print(line)
        case = trial.case
        if case is not None and case.description:
            print_data(self._console, case.description, 2)
        for name, note in (case.notes if case is not None else {}).items():
            print_data(self._console, f"{name}: {note}", 2, "dim")
        facts = [f"began {record.started}", f"took {duration(record.duration_ms)}"]
        if record.first_token_ms is not None:
            facts.append(f"first piece after {duration(record.first_token_ms)}")
        facts += [plural(record.attempts, "attempt")] if record.attempts != 1 else []
        usage = record.usage
        if usage is not None:
            total = usage.total_tokens
            facts.append("tokens unknown" if total is None else f"{total:,} tokens")
            facts += [money(usage.cost_usd)] if usage.cost_usd is not None else []
        print_data(self._console, ", ".join(facts), 2, "dim")
        if record.error is not None:
            hint = f" ({record.error.hint})" if record.error.hint else ""
            said = f"{record.error.type}: {record.error.message}{hint}"
            print_data(self._console, f"{record.stop.replace('_', ' ')}: {said}", 2, "red")

    def _section(self, heading: str, value: Any, style: str = "") -> None:
        self._console.print()
        print_data(self._console, heading, 0, "bold")
        print_data(self._console, self._cut(value_text(value)), 2, style)

    def _cut(self, text: str) -> str:
        if self._longest is None or len(text) <= self._longest:
            return text
        more = len(text) - self._longest
        return f"{text[: self._longest]}… [{more:,} more characters: --full]"

    def _events(self, events: tuple[Event, ...]) -> None:
        self._console.print()
        print_data(self._console, f"What happened: {plural(len(events), 'event')}", 0, "bold")
        for source, meaning in _MEANING.items():
            if any(event.source == source for event in events):
                print_data(self._console, meaning, 2, "dim")
        calls: set[str] = set()
        for event in events:
            call_id: str | None = getattr(event, "call_id", None)
            self._event(event, inside=call_id is not None and call_id in calls)
            if call_id is not None:
                calls.add(call_id)

    def _event(self, event: Event, *, inside: bool) -> None:
        found = told(event)
        clock = "" if event.at_ms is None else f"{event.at_ms:,.1f} ms"
        left = 2 if inside else 0
        line = Text.assemble((f"{clock:>{_CLOCK}}  {' ' * left}", "dim"))
        line.append(found.title, found.style)
        line.append(source_mark(event), "yellow")
        for number, wrapped in enumerate(line.wrap(self._console, self._console.width)):
            text = wrapped if not number else Text.assemble(" " * (_CLOCK + 4 + left), wrapped)
            self._console.print(text, no_wrap=True, overflow="ignore", crop=False)
        for name, value in found.parts:
            text = self._cut(value_text(value))
            print_data(self._console, f"{name}: {text}" if name else text, _CLOCK + 4 + left)

    def _outcome(self, outcome: Outcome) -> None:
        if outcome.output is UNSET or outcome.output is None:
            self._console.print()
            print_data(self._console, "No output", 0, "bold")
        else:
            cut = " (cut off)" if outcome.truncated else ""
            self._section(f"Output{cut}", outcome.output)
        if outcome.state is not UNSET:
            self._section("State in the end", outcome.state)
        if outcome.artifacts:
            self._section("Artifacts", "\n".join(outcome.artifacts))
        if outcome.recorded is not UNSET:
            self._section("What the recording says of itself", outcome.recorded)

    def _verdicts(self, trial: StoredTrial) -> None:
        self._console.print()
        verdicts = trial.record.verdicts
        print_data(self._console, "Verdicts" if verdicts else "No checks", 0, "bold")
        looked = {
            found.verdict: found for found in looked_at(trial.case, verdicts, trial.transcript)
        }
        for number, verdict in enumerate(verdicts):
            _verdict(self._console, verdict)
            found = looked.get(number)
            if found is None:
                continue
            if found.why is not None:
                print_data(self._console, f"(no excerpt: {found.why})", 6, "dim")
                continue
            text = found.text
            if text is None:
                text = str(text_of(trial.transcript.outcome.output))
            for excerpt in excerpts(text, verdict.spans):
                _wrapped(self._console, excerpt, 6)


def _verdict(console: Console, verdict: CheckVerdict) -> None:
    mark, style = _MARKS[verdict.result]
    optional = "" if verdict.required else ", optional"
    score = "" if verdict.score in (None, 0.0, 1.0) else f", score {verdict.score:.3g}"
    head = f"{mark} {verdict.result}  {verdict.list} {one_line(verdict.label, _NAME)}"
    print_data(console, f"{head} ({verdict.grader}{optional}{score})", 2, style)
    if verdict.reason:
        print_data(console, verdict.reason, 6)


def _wrapped(console: Console, text: Text, left: int) -> None:
    for line in text.wrap(console, max(20, console.width - left)):
        console.print(Text.assemble(" " * left, line), no_wrap=True, overflow="ignore", crop=False)
