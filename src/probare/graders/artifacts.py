"""Artifacts and their manifest: manifest_valid, artifact_hashes_match, artifact_provenance,
manifest_missing, artifact_hash_mismatch.

The manifest's form is told in `probare.graders.manifests`, where its bytes come from in
`probare.graders.artifact_files`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from probare.errors import GraderError
from probare.graders.acts import events_of, listed, refuse_absence, refuse_unreadable
from probare.graders.artifact_files import MASKS, Files
from probare.graders.manifests import LARGEST, Manifest, find, parse
from probare.grading.traces import trace_hash
from probare.model.event import Artifact, Attempt, Channel, Event, Message, Note, Usage
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds, unknown

_AFTER_THE_LAST_ACT = (Note, Usage, Message)


class _Artifacts(Grader, frozen=True, kw_only=True):
    MAIN: ClassVar[str | None] = "manifest"
    LOOKS_AT: ClassVar[str | None] = "$events"
    BLOCKING: ClassVar[bool] = True
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("artifacts",)

    manifest: str | None = None

    def _read(self, files: Files) -> Manifest | str:
        """Return the manifest, or what is wrong with it. Raises GraderError where there is none,
        or where its bytes cannot be had any more.
        """
        path = find(files, self.manifest)
        if path is None:
            raise GraderError(f"there is no manifest ({self.manifest or 'manifest.json'})")
        problem = files.problem(path)
        if problem:
            return f"{path} {problem}"
        if (files.size(path) or 0) > LARGEST:
            return f"{path} is larger than {LARGEST:,} bytes"
        try:
            return parse(path, files.read(path, LARGEST))
        except ValueError as error:
            return str(error)


class ManifestValid(_Artifacts, frozen=True, kw_only=True):
    """There is a manifest, and it is in order.

    It is strict JSON of at most 1 MB, no link, and lists at least one file; each path stays
    inside the manifest's folder, stands there once, and leads to a plain file of at most 64 MB
    of the size given; no other file of that folder is unlisted. `manifest` is its path; absent,
    the one file called `manifest.json`.
    """

    NAME: ClassVar[str] = "manifest_valid"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Read the manifest and look at what it lists."""
        files = Files(trial)
        if find(files, self.manifest) is None:
            return holds(False, "there is no manifest")
        manifest = self._read(files)
        if isinstance(manifest, str):
            return holds(False, manifest)
        faults = [*manifest.faults, *_faults(manifest, files)]
        if not manifest.entries:
            faults.append("it lists no file")
        if faults:
            return holds(False, f"{manifest.path}: {listed(faults, 5)}")
        refuse_unreadable(events_of(seen), "artifact")
        return holds(True, f"{manifest.path} lists {_files(len(manifest.entries))}, all there")


class ArtifactHashesMatch(_Artifacts, frozen=True, kw_only=True):
    """The digest of every file that the manifest lists is that of its bytes, recomputed.

    A file that is not there does not match; a manifest that lists none fails. An entry without a
    digest, and bytes that cannot be had any more, are errors: not observable.
    """

    NAME: ClassVar[str] = "artifact_hashes_match"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Recompute every digest."""
        files = Files(trial)
        manifest = self._read(files)
        if isinstance(manifest, str):
            return holds(False, manifest)
        bad = list(_mismatches(manifest, files))
        if bad:
            return holds(False, listed(bad))
        if not manifest.entries:
            return holds(False, f"{manifest.path} lists no file")
        _refuse_faulty(manifest)
        return holds(True, f"{_files(len(manifest.entries))} with the digest of their bytes")


class ArtifactHashMismatch(_Artifacts, frozen=True, kw_only=True):
    """The digest of some file that the manifest lists is not that of its bytes, recomputed.

    A file that is not there counts. No manifest, one that cannot be read or lists no file, an
    entry without a digest, and bytes that cannot be had any more, are errors.
    """

    NAME: ClassVar[str] = "artifact_hash_mismatch"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Recompute every digest."""
        files = Files(trial)
        manifest = self._read(files)
        if isinstance(manifest, str):
            raise GraderError(manifest)
        bad = list(_mismatches(manifest, files))
        if bad:
            return holds(True, listed(bad))
        if not manifest.entries:
            raise GraderError(f"{manifest.path} lists no file")
        _refuse_faulty(manifest)
        return holds(False, f"{_files(len(manifest.entries))} with the digest of their bytes")


class ArtifactProvenance(_Artifacts, frozen=True, kw_only=True):
    """The manifest's provenance names the trace of this trial.

    `provenance.trace_hash` is the hash of the trial's events (`Recorder.trace_hash`), artifact
    events left out; notes, messages and usage that came after the last act need not be in it.
    A provenance that is missing, or another trial's, fails. Where something in the stored events
    is masked, their hash cannot be recomputed: unknown.
    """

    NAME: ClassVar[str] = "artifact_provenance"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Hash the trace and compare."""
        manifest = self._read(Files(trial))
        if isinstance(manifest, str):
            return holds(False, manifest)
        named = manifest.provenance.get("trace_hash")
        if not isinstance(named, str) or not named:
            return holds(False, f"{manifest.path} has no provenance.trace_hash")
        events = events_of(seen)
        given = named.removeprefix("sha256:").casefold()
        hashes = [trace_hash(part) for part in _traces(events)]
        if given in hashes:
            return holds(True, f"the provenance names this trial's trace ({given[:12]}…)")
        if any(mask in repr(event) for event in events for mask in MASKS):
            return unknown("the stored events are masked, so that their hash is another")
        return holds(False, f"the provenance names {given[:12]}…, the trace is {hashes[0][:12]}…")


class ManifestMissing(_Artifacts, frozen=True, kw_only=True):
    """The trial left no manifest. In a trial that broke off this shows nothing: error."""

    NAME: ClassVar[str] = "manifest_missing"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for the manifest."""
        files = Files(trial)
        path = find(files, self.manifest)
        if path is not None:
            return holds(False, f"there is {path}")
        refuse_absence(trial, "whether a manifest would have come")
        return holds(True, f"no manifest among {_files(len(files.paths()))}")


def _faults(manifest: Manifest, files: Files) -> Iterator[str]:
    """Yield what is wrong with what a manifest lists, or does not."""
    listed_paths = {manifest.path}
    for entry in manifest.entries:
        path = manifest.located(entry)
        listed_paths.add(posixpath.normpath(path))
        problem = files.problem(path)
        if problem:
            yield f"'{entry.path}' {problem}"
        elif entry.size is not None and files.size(path) not in (None, entry.size):
            yield f"'{entry.path}' has {files.size(path)} bytes, not {entry.size}"
    prefix = f"{manifest.folder}/" if manifest.folder else ""
    for path in files.paths():
        unlisted = path.startswith(prefix) and path not in listed_paths
        if unlisted and files.problem(path) != "is not there":
            yield f"'{path}' is not listed"


def _mismatches(manifest: Manifest, files: Files) -> Iterator[str]:
    for entry in manifest.entries:
        path = manifest.located(entry)
        if entry.sha256 is None:
            continue
        problem = files.problem(path)
        if problem:
            yield f"'{entry.path}' {problem}"
            continue
        found = files.sha256(path)
        if found != entry.sha256:
            yield f"'{entry.path}' is {found[:12]}…, listed as {entry.sha256[:12]}…"


def _refuse_faulty(manifest: Manifest) -> None:
    without = [entry.path for entry in manifest.entries if entry.sha256 is None]
    if without:
        raise GraderError(f"not observable: '{without[0]}' is listed without a SHA-256 digest")


def _traces(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Yield the trace of the last attempt, then what is left of it without what came after the
    last act, one event less each time.
    """
    part = [event for event in events if not isinstance(event, Artifact)]
    ends = [at for at, e in enumerate(part) if isinstance(e, Attempt) and e.operation == "trial"]
    if ends and ends[-1] == len(part) - 1:
        part = part[: ends[-1]]
        ends.pop()
    if ends:
        part = part[ends[-1] + 1 :]
    yield part
    while part and isinstance(part[-1], _AFTER_THE_LAST_ACT):
        part = part[:-1]
        yield part


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"


GRADERS: tuple[type[Grader], ...] = (
    ManifestValid,
    ArtifactHashesMatch,
    ArtifactProvenance,
    ManifestMissing,
    ArtifactHashMismatch,
)
