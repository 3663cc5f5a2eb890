"""Sealing a run: the manifest, its digest, and with a key the checkpoints and attestations.

The order is VERIFY.md and trials.leaves, which the manifest lists, then manifest.json, which is
what makes a run sealed, then manifest.sha256, the two checkpoints, and the attestations, which
name all of these. Each is whole or absent. A kill before the manifest leaves an unsealed run; a
kill after it an incomplete seal, which `verify` names and `seal` finishes, after it has made
sure that nothing changed meanwhile.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from probare.encoding.narrow import mapping
from probare.errors import RunDirectoryError
from probare.evidence import manifest as manifests
from probare.evidence import names, statements
from probare.evidence.checkpoints import TreeHead, sign_checkpoint
from probare.evidence.dsse import sign_envelope
from probare.evidence.folder import Folder, Unreadable
from probare.evidence.hashing import (
    FileDigest,
    LinesDigest,
    LineTooLong,
    digest_file,
    digest_lines,
    leaves_file,
)
from probare.evidence.keys import PRIVATE_MARKS, SigningKey, refuse_in_run
from probare.evidence.manifest import Manifest, Parent
from probare.evidence.paths import colliding, path_problem, shown
from probare.evidence.recipe import recipe
from probare.evidence.writing import write_whole

SealState: TypeAlias = Literal["unsealed", "incomplete", "sealed", "signed"]

_LARGEST_JSON = 256 * 1024 * 1024


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """What was sealed. `key_id` is null where it was not signed."""

    folder: str
    run_id: str
    manifest_sha256: str
    files: int
    bytes: int
    trials: int
    key_id: str | None


def seal_state(folder: Path) -> SealState:
    """Return how far a run's seal goes, by the files that are there; verifies nothing."""
    there = {name for name in names.SEAL if os.path.lexists(folder / name)}
    if not there:
        return "unsealed"
    if frozenset(there) == names.SEAL:
        return "signed"
    return "sealed" if there == {names.MANIFEST, names.MANIFEST_DIGEST} else "incomplete"


def seal(folder: Path, *, key: SigningKey | None = None, parent: Parent | None = None) -> Sealed:
    """Seal a finished run, or add signatures to one that was sealed without a key.

    The caller holds the run's lock. Raises RunDirectoryError: the run has not ended, is sealed
    already, changed since its manifest was written, or holds what cannot be sealed (links, a
    private key, names that are unsafe elsewhere).
    """
    state = seal_state(folder)
    _refuse_sealed(folder, state, key)
    if key is not None:
        refuse_in_run(key.path)
    for name in (*names.SEAL, names.LEAVES, names.RECIPE):
        (folder / names.part_of(name)).unlink(missing_ok=True)
    if state == "unsealed":
        manifest = _new_manifest(folder, parent)
        data = manifests.render(manifest)
        write_whole(folder, names.MANIFEST, data)
    else:
        manifest, data = _same_manifest(folder, parent)
    if not (folder / names.MANIFEST_DIGEST).exists():
        write_whole(folder, names.MANIFEST_DIGEST, manifests.digest_line(data))
    if key is not None:
        _sign(folder, manifest, data, key)
    return Sealed(
        folder=str(folder),
        run_id=manifest.run_id,
        manifest_sha256=hashlib.sha256(data).hexdigest(),
        files=len(manifest.files),
        bytes=sum(file.size for file in manifest.files),
        trials=manifest.merkle[names.TRIALS].leaves,
        key_id=key.public.key_id if key is not None else None,
    )


def _refuse_sealed(folder: Path, state: SealState, key: SigningKey | None) -> None:
    if state == "signed":
        raise RunDirectoryError(f"{folder} is sealed and signed already")
    if state == "sealed" and key is None:
        raise RunDirectoryError(
            f"{folder} is sealed already", hint="with --key its signatures can be added"
        )
    if state == "incomplete" and not (folder / names.MANIFEST).is_file():
        raise RunDirectoryError(
            f"{folder} has parts of a seal but no {names.MANIFEST}",
            hint="take the run from a copy; no kill leaves this",
        )


def _new_manifest(folder: Path, parent: Parent | None) -> Manifest:
    missing = [name for name in names.NEEDED if not (folder / name).is_file()]
    if missing:
        raise RunDirectoryError(
            f"{folder} cannot be sealed: {', '.join(missing)} missing",
            hint=f"did the run end? probare run --resume {folder} finishes it",
        )
    run_id = _run_id(folder)
    digests, tokens = _digests(folder)
    written = {names.RECIPE: recipe(run_id), names.LEAVES: leaves_file(tokens)}
    for name, data in written.items():
        write_whole(folder, name, data)
        digests[name] = FileDigest(len(data), hashlib.sha256(data).hexdigest())
    return manifests.build(run_id, digests, parent)


def _same_manifest(folder: Path, parent: Parent | None) -> tuple[Manifest, bytes]:
    """Return the manifest that was written, having made sure that all is still as it says."""
    data = (folder / names.MANIFEST).read_bytes()
    try:
        old = manifests.parse(data)
    except manifests.ManifestError as error:
        raise _changed(folder, f"{names.MANIFEST} is corrupt: {error}") from None
    if parent is not None and parent != old.parent:
        raise _changed(folder, f"{names.MANIFEST} names another parent")
    digests, tokens = _digests(folder)
    today = manifests.build(old.run_id, digests, old.parent)
    leaves = hashlib.sha256(leaves_file(tokens)).hexdigest()
    if manifests.render(today) != data or digests[names.LEAVES].sha256 != leaves:
        raise _changed(folder, f"{folder} is not what its {names.MANIFEST} says")
    stored = folder / names.MANIFEST_DIGEST
    if stored.exists() and stored.read_bytes() != manifests.digest_line(data):
        raise _changed(folder, f"{names.MANIFEST_DIGEST} is not that of {names.MANIFEST}")
    return old, data


def _changed(folder: Path, what: str) -> RunDirectoryError:
    return RunDirectoryError(
        f"{what}: something changed after it was sealed", hint=f"probare verify {folder}"
    )


def _digests(folder: Path) -> tuple[dict[str, FileDigest], bytes]:
    """Return the digests of all files to be sealed, and the tokens of the trials' lines."""
    with Folder(folder) as opened:
        paths = [path for path in opened.sizes if path not in names.SEAL]
        _refuse_unsealable(opened, paths)
        found = {path: _digest(opened, path) for path in paths}
    trials, transcripts = found[names.TRIALS], found[names.TRANSCRIPTS]
    if (
        not isinstance(trials, LinesDigest)
        or not isinstance(transcripts, LinesDigest)
        or trials.leaves != transcripts.leaves
    ):
        raise RunDirectoryError(
            f"{folder} cannot be sealed: its trials and transcripts do not pair",
            hint="was it edited, or is it still being written?",
        )
    return found, trials.tokens


def _refuse_unsealable(opened: Folder, paths: list[str]) -> None:
    faults = [f"{shown(path)} {what}" for path, what in opened.odd.items()]
    faults += [f"the name {shown(p)}: {problem}" for p in paths if (problem := path_problem(p))]
    faults += [f"{a} and {b} differ only in case" for a, b in colliding(paths)]
    if faults:
        more = f" (and {len(faults) - 5} more)" if len(faults) > 5 else ""
        raise RunDirectoryError(
            f"{opened.path} cannot be sealed: {'; '.join(faults[:5])}{more}",
            hint="take these out of the run directory",
        )


def _digest(opened: Folder, path: str) -> FileDigest:
    if path in names.LOGS:
        return _lines(opened, path)
    try:
        with opened.open(path) as file:
            found = digest_file(file)
            os.fsync(file.fileno())
    except (Unreadable, OSError) as error:
        raise RunDirectoryError(f"{opened.path / path} cannot be sealed: {error}") from None
    if any(mark in found.head for mark in PRIVATE_MARKS):
        raise RunDirectoryError(
            f"{opened.path / path} is a private key, which has no place in a run directory",
            hint="move it away; if the folder was shared, the key is no longer secret",
        )
    return found


def _lines(opened: Folder, path: str) -> LinesDigest:
    try:
        with opened.open(path) as file:
            found = digest_lines(file)
            os.fsync(file.fileno())
    except (Unreadable, LineTooLong, OSError) as error:
        raise RunDirectoryError(f"{opened.path / path} cannot be sealed: {error}") from None
    if not found.whole:
        raise RunDirectoryError(
            f"{opened.path / path} ends in half a line",
            hint=f"did the run end? probare run --resume {opened.path} finishes it",
        )
    return found


def _sign(folder: Path, manifest: Manifest, data: bytes, key: SigningKey) -> None:
    run, summary = _json(folder, names.RUN), _json(folder, names.SUMMARY)
    digests = {names.MANIFEST: hashlib.sha256(data).hexdigest()}
    for file, name in names.LOGS.items():
        tree = manifest.merkle[file]
        head = TreeHead(manifest.run_id, file, tree.leaves, bytes.fromhex(tree.root))
        checkpoint = sign_checkpoint(head, key)
        write_whole(folder, name, checkpoint)
        digests[name] = hashlib.sha256(checkpoint).hexdigest()
    digests[names.SUMMARY] = next(f.sha256 for f in manifest.files if f.path == names.SUMMARY)
    envelopes = [
        sign_envelope(statements.encode(statement), key)
        for statement in statements.about_run(digests, run, summary, manifest)
    ]
    write_whole(folder, names.ATTESTATIONS, b"".join(line + b"\n" for line in envelopes))


def _run_id(folder: Path) -> str:
    run_id = _json(folder, names.RUN).get("run_id")
    if not isinstance(run_id, str) or not names.is_run_id(run_id):
        raise RunDirectoryError(f"{folder / names.RUN} names no run")
    return run_id


def _json(folder: Path, name: str) -> dict[str, Any]:
    try:
        with Folder(folder) as opened:
            return mapping(msgspec.json.decode(opened.read(name, _LARGEST_JSON)))
    except (Unreadable, ValueError, RecursionError) as error:
        raise RunDirectoryError(f"{folder / name} is corrupt: {error}") from None
