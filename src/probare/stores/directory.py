"""Making a run directory, and mending one that a kill left half-written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.errors import RunDirectoryError
from probare.model.record import CaseRecord, RunPlan, TrialRecord
from probare.model.suite import Suite
from probare.stores import layout


def write_plan(folder: Path, plan: RunPlan, suite: Suite, mask: Callable[[bytes], bytes]) -> None:
    """Write `run.json` and `suite.jsonl` into a new run directory."""
    head = msgspec.structs.replace(suite, cases=())
    with (folder / layout.SUITE).open("wb") as file:
        file.write(mask(jsonbytes.encode(head)) + b"\n")
        for case in suite.cases:
            file.write(mask(jsonbytes.encode(case)) + b"\n")
    whole = msgspec.json.format(mask(jsonbytes.encode(plan)), indent=2)
    (folder / layout.RUN).write_bytes(whole + b"\n")


def create(root: Path, run_id: str) -> Path:
    """Make a new run directory; one that exists is never written over."""
    folder = root / run_id
    if folder.exists():
        raise RunDirectoryError(f"{folder} exists already; results are never overwritten")
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except OSError as error:
        raise RunDirectoryError(
            f"cannot make the run directory {folder}: {error.strerror}",
            hint="choose another place with --runs DIR",
        ) from error
    return folder


def discard(folder: Path) -> None:
    """Remove the directory of a run of which no trial was recorded: nothing ran."""
    trials = folder / layout.TRIALS
    if not trials.exists() or trials.stat().st_size == 0:
        shutil.rmtree(folder, ignore_errors=True)


def cut_back(folder: Path) -> None:
    """Cut both record files back to the last complete pair: what a kill left half-written goes.

    A pair is complete where the trial line ends in a line feed and decodes, and the transcript
    it refers to stands whole. Raises RunDirectoryError where a whole line is corrupt: a kill
    leaves none such.
    """
    _cut_to_whole_lines(folder / layout.CASES)
    trials = folder / layout.TRIALS
    transcripts = folder / layout.TRANSCRIPTS
    if not trials.exists() or not transcripts.exists():
        return
    size = transcripts.stat().st_size
    decoder = msgspec.json.Decoder(TrialRecord)
    good_trials = good_transcripts = 0
    with trials.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                break
            try:
                reference = decoder.decode(line).transcript
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise RunDirectoryError(
                    f"{trials}:{number}: {error}", hint="was this file edited?"
                ) from None
            end = reference.offset + reference.length + 1
            if end > size:
                break
            good_trials += len(line)
            good_transcripts = end
    os.truncate(trials, good_trials)
    os.truncate(transcripts, good_transcripts)


def _cut_to_whole_lines(path: Path) -> None:
    if path.exists():
        data = path.read_bytes()
        os.truncate(path, data.rfind(b"\n") + 1)


def drop_trials(folder: Path, dropped: Callable[[TrialRecord], bool]) -> int:
    """Take trials out of an unsealed run, so that they can run again; return how many.

    Both record files are written anew beside the old ones and then replace them: transcripts
    first, so that a kill in between leaves trial lines whose digests tell.
    """
    trials, transcripts = folder / layout.TRIALS, folder / layout.TRANSCRIPTS
    if not trials.exists():
        return 0
    decoder = msgspec.json.Decoder(TrialRecord)
    new_trials, new_transcripts = trials.with_suffix(".new"), transcripts.with_suffix(".new")
    count = offset = 0
    cases: set[str] = set()
    with (
        trials.open("rb") as old,
        transcripts.open("rb") as old_lines,
        new_trials.open("wb") as kept,
        new_transcripts.open("wb") as kept_lines,
    ):
        for line in old:
            record = decoder.decode(line)
            if dropped(record):
                count += 1
                cases.add(record.case)
                continue
            old_lines.seek(record.transcript.offset)
            kept_lines.write(old_lines.read(record.transcript.length) + b"\n")
            place = msgspec.structs.replace(record.transcript, offset=offset)
            kept.write(jsonbytes.encode(msgspec.structs.replace(record, transcript=place)) + b"\n")
            offset += record.transcript.length + 1
    os.replace(new_transcripts, transcripts)
    os.replace(new_trials, trials)
    _drop_case_lines(folder / layout.CASES, cases)
    return count


def _drop_case_lines(path: Path, cases: set[str]) -> None:
    if not path.exists():
        return
    decoder = msgspec.json.Decoder(CaseRecord)
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if decoder.decode(line).case not in cases]
    path.write_bytes(b"".join(kept))
