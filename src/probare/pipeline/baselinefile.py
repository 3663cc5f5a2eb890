"""`baseline.json` beside the suite: small, and made to be committed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError, RunDirectoryError
from probare.model.score import Baseline
from probare.scoring.baselines import baseline_of
from probare.stores.reader import RunReader

_FOLDER_SUITES = ("suite.yaml", "suite.yml", "suite.json")


def path_for(suite: Path) -> Path:
    """Return where a suite's baseline stands: `baseline.json` for a folder's suite, and
    `<name>.baseline.json` for a suite that is one file among others.
    """
    if suite.is_dir():
        return suite / "baseline.json"
    if suite.name in _FOLDER_SUITES:
        return suite.parent / "baseline.json"
    return suite.with_name(f"{suite.stem}.baseline.json")


def read(path: Path) -> Baseline | None:
    """Return a baseline, or None where there is no such file. Raises InputError on a bad one."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Baseline)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} is not a baseline: {error}", hint="make it anew: probare baseline set RUN"
        ) from error


def chosen(asked: Path | None, suite: Path | None) -> Baseline | None:
    """Return the baseline that a run is held against: the one asked for, which must exist, else
    the one beside the suite's file, if there is one.
    """
    if asked is not None:
        found = read(asked)
        if found is None:
            raise InputError(
                f"there is no baseline {asked}", hint="make it: probare baseline set RUN --out FILE"
            )
        return found
    return read(path_for(suite)) if suite is not None else None


def set_from(run: Path, out: Path | None) -> tuple[Path, Baseline]:
    """Write the baseline that a finished run gives; return its path and content."""
    reader = RunReader(run)
    plan, summary = reader.plan, reader.summary
    if summary.decision == "incomplete":
        raise InputError(
            f"{run.name} is incomplete, so its scores are the worst case: {summary.why[0]}",
            hint="later runs would be held against too little; finish or repeat the run first",
        )
    if out is None:
        if plan.suite_path is None:
            raise RunDirectoryError(
                f"{run} was started from Python; its suite has no file", hint="use --out FILE"
            )
        out = path_for(Path(plan.suite_path))
    baseline = baseline_of(summary, plan, created=datetime.now(UTC).isoformat(timespec="seconds"))
    text = msgspec.json.format(jsonbytes.encode(baseline), indent=1)
    try:
        out.write_bytes(text + b"\n")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    return out, baseline
