"""What every importer yields, and the suite that is written from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError
from probare.model.event import Channel, Event
from probare.model.outcome import Outcome, Transcript

MOST_TRIALS = 10_000
OBSERVED: tuple[Channel, ...] = ("messages", "tools")


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded trial. `checks` are the case's `expect`, in the form of a suite file."""

    case: str
    trial: int
    input: Any
    events: tuple[Event, ...]
    outcome: Outcome
    checks: tuple[Any, ...] = ()
    reference: Any = msgspec.UNSET
    tags: tuple[str, ...] = ()


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What an import wrote. `notes` say what the user should know of it."""

    folder: Path
    cases: int
    trials: int
    notes: tuple[str, ...] = ()


def write_suite(recordings: Iterable[Recording], out: Path, *, origin: str) -> Written:
    """Write `suite.yaml`, `cases.jsonl` and `transcripts.jsonl` into the folder `out`."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} exists already", hint="imports never write over files")
    cases: dict[str, Recording] = {}
    checks: dict[str, dict[bytes, Any]] = {}
    trials: dict[str, set[int]] = {}
    lines: list[bytes] = []
    for recording in recordings:
        numbers = trials.setdefault(recording.case, set())
        if recording.trial in numbers:
            raise InputError(
                f"case '{recording.case}' has trial {recording.trial} twice in the recording"
            )
        numbers.add(recording.trial)
        cases.setdefault(recording.case, recording)
        found = checks.setdefault(recording.case, {})
        found.update((jsonbytes.encode(check), check) for check in recording.checks)
        lines.append(jsonbytes.encode(_transcript(recording)))
    if not cases:
        raise InputError(f"nothing is recorded in {origin}")
    for name, found in checks.items():  # a trial without a score must not free the others of it
        cases[name] = msgspec.structs.replace(cases[name], checks=tuple(found.values()))
    most = max(max(numbers) + 1 for numbers in trials.values())
    out.mkdir(parents=True, exist_ok=True)
    (out / "transcripts.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    case_lines = [
        jsonbytes.encode(_case(recording, max(trials[case]) + 1, most))
        for case, recording in cases.items()
    ]
    (out / "cases.jsonl").write_bytes(b"".join(line + b"\n" for line in case_lines))
    (out / "suite.yaml").write_text(_suite_text(out.resolve().name, origin, most), encoding="utf-8")
    return Written(folder=out, cases=len(cases), trials=len(lines), notes=_notes(cases, trials))


def _transcript(recording: Recording) -> Transcript:
    numbered = tuple(
        msgspec.structs.replace(event, seq=number, source="replayed")
        for number, event in enumerate(recording.events)
    )
    return Transcript(
        case=recording.case,
        trial=recording.trial,
        events=numbered,
        outcome=recording.outcome,
        observes=OBSERVED,
    )


def _case(recording: Recording, trials: int, usual: int) -> dict[str, Any]:
    case: dict[str, Any] = {"id": recording.case, "input": recording.input}
    if recording.tags:
        case["tags"] = recording.tags
    if recording.reference is not msgspec.UNSET:
        case["reference"] = recording.reference
    if recording.checks:
        case["expect"] = recording.checks
    if trials != usual:
        case["trials"] = trials
    return case


def _suite_text(name: str, origin: str, trials: int) -> str:
    return (
        f"suite: {json.dumps(name)}\n"
        f"description: {json.dumps(f'Imported from {origin}')}\n"
        "target: {replay: transcripts.jsonl}\n"
        f"trials: {trials}\n"
        "cases: [cases.jsonl]\n"
    )


def _notes(cases: dict[str, Recording], trials: dict[str, set[int]]) -> tuple[str, ...]:
    notes: list[str] = []
    unchecked = [name for name, recording in cases.items() if not recording.checks]
    if unchecked:
        notes.append(
            f"{len(unchecked)} of {len(cases)} cases have no recorded score, so no check: they "
            "are ungraded until you add some (`expect:` in cases.jsonl)"
        )
    gaps = [name for name, numbers in trials.items() if len(numbers) <= max(numbers)]
    if gaps:
        notes.append(f"trials are missing in the recording of {len(gaps)} cases: they will err")
    return tuple(notes)


def trial_number(value: Any, what: str) -> int:
    """Return a trial's number. Raises InputError where it is none; `what` says whose it is."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_TRIALS:
        raise InputError(
            f"{what}: a trial should be a whole number from 0 to {MOST_TRIALS - 1}, is {value!r}"
        )
    return value


def count(value: Any) -> int | None:
    """Return a recorded count of tokens, or None where it is unknown."""
    known = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if known else None


def placeholder_name(name: str) -> str:
    """Return a name that can stand in a placeholder's path."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", name) or "_"


def read_json(path: Path) -> Any:
    """Return a JSON file's value. Raises InputError naming the line where it is not JSON."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None
