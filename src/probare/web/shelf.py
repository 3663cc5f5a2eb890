"""The runs of a folder, read as pages need them: one case of ten thousand without the others.

What is read of a run is kept until its files change.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from probare.errors import NotFound, ProbareError, RunDirectoryError
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.record import RunPlan, TrialRecord
from probare.model.score import Summary
from probare.model.verdict import CheckVerdict
from probare.stores import layout
from probare.stores.reader import RunReader

T = TypeVar("T")

_KEPT = 32
_STEPS = 20


class _Named(msgspec.Struct):
    """The part of a line that says which case it is of."""

    case: str = ""
    id: str = ""
    trial: int = 0


Places = dict[str, list[tuple[int, int, int]]]


class Shelf:
    """A folder of runs. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: dict[tuple[str, str], tuple[object, Any]] = {}
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """Return the names of the run directories, the latest first."""
        if not self.folder.is_dir():
            return []
        found = [
            each
            for each in self.folder.iterdir()
            if not each.name.startswith(".") and (each / layout.RUN).is_file()
        ]
        return [each.name for each in sorted(found, key=_age, reverse=True)]

    def run(self, name: str) -> StoredRun:
        """Return a run by the name of its directory. Raises NotFound."""
        folder = self.folder / name
        plain = name == folder.name and not name.startswith(".") and "\x00" not in name
        if not plain or "\\" in name or len(name) > 255 or not (folder / layout.RUN).is_file():
            raise NotFound(f"there is no run '{name[:80]}'")
        return StoredRun(self, folder)

    def by_id(self, run_id: str) -> StoredRun | None:
        """Return the run of that id, whatever its directory is called; None where it is gone."""
        for name in sorted(self.names(), key=lambda name: name != run_id):
            run = self.run(name)
            try:
                if run.plan.run_id == run_id:
                    return run
            except ProbareError:
                continue
        return None

    def family(self, run: StoredRun) -> frozenset[str]:
        """Return the ids of the runs that hold the same transcripts: those that this one was made
        from, and those that were made from these.
        """
        parents: dict[str, str | None] = {}
        for name in self.names():
            try:
                plan = self.run(name).plan
            except ProbareError:
                continue
            parents[plan.run_id] = plan.parent
        root = _root(run.plan.run_id, parents)
        found = {each for each in parents if _root(each, parents) == root}
        return frozenset({*found, root, run.plan.run_id})

    def keep(self, path: Path, what: str, read: Callable[[], T]) -> T:
        """Return what was read of a file; read it anew where the file changed."""
        try:
            stat = path.stat()
            state: object = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        except OSError:
            state = None
        key = (str(path), what)
        with self._lock:
            known = self._kept.get(key)
        if known is not None and known[0] == state:
            return cast("T", known[1])
        value = read()
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = (state, value)
            limit = _KEPT if what != "plan" else 10 * _KEPT
            old = [each for each in self._kept if each[1] == what]
            for each in old[: max(0, len(old) - limit)]:
                del self._kept[each]
        return value


class StoredRun:
    """A run directory as pages read it. Raises RunDirectoryError where it is broken."""

    def __init__(self, shelf: Shelf, folder: Path) -> None:
        self._shelf = shelf
        self.folder = folder
        self.name = folder.name
        self.reader = RunReader(folder)

    @property
    def plan(self) -> RunPlan:
        """What was planned."""
        return self._shelf.keep(self.folder / layout.RUN, "plan", lambda: self.reader.plan)

    @property
    def summary(self) -> Summary | None:
        """The decision and the scores; None where the run has not ended."""
        if not self.reader.has_summary:
            return None
        path = self.folder / layout.SUMMARY
        return self._shelf.keep(path, "summary", lambda: self.reader.summary)

    def case(self, name: str) -> Case | None:
        """Return a case as the run holds it; None where it does not."""
        path = self.folder / layout.SUITE
        places = self._shelf.keep(path, "cases", lambda: _places(path, skip=1))
        found = places.get(name)
        return _line(path, found[0], Case) if found else None

    def trials(self, case: str) -> list[TrialRecord]:
        """Return the records of a case, by trial."""
        path = self.folder / layout.TRIALS
        places = self._shelf.keep(path, "trials", lambda: _places(path))
        found = [_line(path, place, TrialRecord) for place in places.get(case, ())]
        return sorted(found, key=lambda record: record.trial)

    def transcript(self, record: TrialRecord) -> Transcript:
        """Return what happened in a trial."""
        return self.reader.transcript(record)

    def wide(self, case: str) -> tuple[CheckVerdict, ...]:
        """Return a case's verdicts over all its trials."""
        path = self.folder / layout.CASES
        if not path.exists():
            return ()
        found = self._shelf.keep(
            path, "wide", lambda: {each.case: each.verdicts for each in self.reader.case_records()}
        )
        return found.get(case, ())


def _places(path: Path, skip: int = 0) -> Places:
    """Return where each case's lines stand: (offset, length, trial)."""
    decoder = msgspec.json.Decoder(_Named)
    found: Places = {}
    offset = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file):
                if number >= skip and line.endswith(b"\n"):
                    named = decoder.decode(line)
                    place = (offset, len(line), named.trial)
                    found.setdefault(named.case or named.id, []).append(place)
                offset += len(line)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunDirectoryError(f"{path} cannot be read: {error}") from error
    return found


def _line(path: Path, place: tuple[int, int, int], kind: type[T]) -> T:
    try:
        with path.open("rb") as file:
            file.seek(place[0])
            return msgspec.json.decode(file.read(place[1]), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RunDirectoryError(f"{path} cannot be read: {error}") from error


def _age(folder: Path) -> tuple[float, str]:
    return ((folder / layout.RUN).stat().st_mtime, folder.name)


def _root(name: str, parents: dict[str, str | None]) -> str:
    for _ in range(_STEPS):
        parent = parents.get(name)
        if parent is None or parent == name:
            return name
        name = parent
    return name
