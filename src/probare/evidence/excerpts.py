"""`probare excerpt`: evidence for one case, without disclosing the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError, RunDirectoryError, SelectionError, did_you_mean
from probare.evidence import excerptfile, names
from probare.evidence import manifest as manifests
from probare.evidence.checkpoints import TreeHead, parse_checkpoint, unsigned_checkpoint
from probare.evidence.excerptfile import Excerpt, ExcerptTrial
from probare.evidence.folder import Folder, Unreadable
from probare.evidence.hashing import MAX_LINE
from probare.evidence.manifest import Manifest
from probare.evidence.merkle import Tree, leaf_hash
from probare.evidence.notes import NoteError
from probare.evidence.records import blob_names
from probare.evidence.tlogproof import render_proof

_MAX_CHECKPOINT = 64 * 1024


class _Key(msgspec.Struct, frozen=True):
    case: str
    trial: int = 0


@dataclass(frozen=True, slots=True)
class _Log:
    """One log: its tree, the checkpoint over it, and the lines that were asked for, by index."""

    tree: Tree
    checkpoint: bytes
    lines: dict[int, bytes]

    def proof(self, index: int) -> str:
        return render_proof(index, self.tree.inclusion(index), self.checkpoint)


def make_excerpt(folder: Path, case: str, trial: int | None = None) -> bytes:
    """Return the excerpt of a case's trials, or of one of them (from 0).

    Raises RunDirectoryError where the run is not sealed or was changed since, and
    SelectionError where it has no such case or trial. From an unsigned run the checkpoints are
    without signatures, and verifying the excerpt says so.
    """
    with Folder(folder) as opened:
        try:
            return _excerpt(opened, case, trial)
        except (Unreadable, NoteError, UnicodeError, manifests.ManifestError) as error:
            raise _changed(folder, str(error)) from None


def _excerpt(opened: Folder, case: str, trial: int | None) -> bytes:
    if names.MANIFEST not in opened:
        raise RunDirectoryError(
            f"{opened.path} is not sealed", hint=f"seal it first: probare seal {opened.path}"
        )
    manifest = manifests.parse(opened.read(names.MANIFEST, manifests.MAX_SIZE))
    sealed = {file.path: file.size for file in manifest.files}
    for name in names.LOGS:
        if opened.sizes.get(name) != sealed.get(name):
            raise _changed(opened.path, f"{name} is not as long as it was sealed")
    wanted = _wanted(opened, case, trial)
    records = _log(opened, manifest, names.TRIALS, set(wanted))
    transcripts = _log(opened, manifest, names.TRANSCRIPTS, set(wanted))
    trials = tuple(
        ExcerptTrial(
            trial=number,
            record=records.lines[index].decode(),
            transcript=transcripts.lines[index].decode(),
            record_proof=records.proof(index),
            transcript_proof=transcripts.proof(index),
        )
        for index, number in sorted(wanted.items(), key=lambda item: item[1])
    )
    excerpt = Excerpt(
        format=excerptfile.FORMAT,
        run_id=manifest.run_id,
        case=case,
        trials=trials,
        blobs=_blobs(opened, transcripts.lines.values()),
    )
    data = excerptfile.render(excerpt)
    if len(data) > excerptfile.MAX_SIZE:
        raise InputError("the excerpt would be too large", hint="choose one trial with --trial N")
    return data


def _wanted(opened: Folder, case: str, trial: int | None) -> dict[int, int]:
    """Return the trials that were asked for: line index (from 0) to trial."""
    decoder = msgspec.json.Decoder(_Key)
    found: dict[int, int] = {}
    cases: set[str] = set()
    for index, line in enumerate(_lines(opened, names.TRIALS)):
        try:
            key = decoder.decode(line)
        except ValueError as error:
            raise _changed(opened.path, f"{names.TRIALS}:{index + 1}: {error}") from None
        cases.add(key.case)
        if key.case == case:
            found[index] = key.trial
    if not found:
        raise SelectionError(
            f"the run has no trial of the case '{case}'", hint=did_you_mean(case, cases)
        )
    if trial is None:
        return found
    chosen = {index: number for index, number in found.items() if number == trial}
    if not chosen:
        raise SelectionError(
            f"the case '{case}' has no trial {trial}",
            hint=f"it has {', '.join(map(str, sorted(found.values())))} (counted from 0)",
        )
    return chosen


def _log(opened: Folder, manifest: Manifest, name: str, wanted: set[int]) -> _Log:
    leaves: list[bytes] = []
    kept: dict[int, bytes] = {}
    for index, line in enumerate(_lines(opened, name)):
        leaves.append(leaf_hash(line))
        if index in wanted:
            kept[index] = line
    tree = Tree(leaves)
    root = manifest.merkle[name]
    if (tree.size, tree.root().hex()) != (root.leaves, root.root) or len(kept) != len(wanted):
        raise _changed(opened.path, f"{name} is not what was sealed")
    head = TreeHead(manifest.run_id, name, tree.size, tree.root())
    return _Log(tree, _checkpoint(opened, head), kept)


def _checkpoint(opened: Folder, head: TreeHead) -> bytes:
    name = names.LOGS[head.file]
    if name not in opened:
        return unsigned_checkpoint(head)
    data = opened.read(name, _MAX_CHECKPOINT)
    if parse_checkpoint(data)[0] != head:
        raise _changed(opened.path, f"{name} is not that of {head.file}")
    return data


def _blobs(opened: Folder, lines: Iterable[bytes]) -> dict[str, str]:
    """Return the large texts that the transcripts refer to, as far as the bundle holds them."""
    found: dict[str, str] = {}
    for line in lines:
        if b'"$blob"' not in line:
            continue
        for digest in blob_names(jsonbytes.decode_strict(line)):
            path = f"{names.BLOBS}/{digest}"
            if path in opened:
                found[digest] = opened.read(path, excerptfile.MAX_SIZE).decode()
    return dict(sorted(found.items()))


def _lines(opened: Folder, name: str) -> Iterator[bytes]:
    with opened.open(name) as file:
        while line := file.readline(MAX_LINE):
            yield line[:-1] if line.endswith(b"\n") else line


def _changed(folder: Path, what: str) -> RunDirectoryError:
    return RunDirectoryError(
        f"no excerpt can be made of {folder}: {what}", hint=f"probare verify {folder}"
    )
