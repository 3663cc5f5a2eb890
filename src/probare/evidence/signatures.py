"""Checkpoints and attestations of a bundle, against its manifest and, where given, a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from probare.encoding import digest
from probare.encoding.narrow import mapping
from probare.evidence import names, statements
from probare.evidence.checkpoints import TreeHead, parse_checkpoint
from probare.evidence.dsse import EnvelopeError, OpenedEnvelope, open_envelope
from probare.evidence.examination import Findings, Signature
from probare.evidence.folder import Folder, Unreadable
from probare.evidence.keys import PublicKey
from probare.evidence.manifest import Manifest
from probare.evidence.notes import Note, NoteError

_MAX_CHECKPOINT = 64 * 1024
_MAX_ATTESTATIONS = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Signed:
    """What was found of signatures: the verdict, and the id of the key that signed."""

    signature: Signature
    key_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What the signatures are about: the manifest, its digest, and run.json and summary.json
    as stored (empty where they are not as they were sealed).
    """

    manifest: Manifest
    manifest_sha256: str
    run: Mapping[str, Any]
    summary: Mapping[str, Any]


def check_signatures(
    opened: Folder, sealed: Sealed, public: PublicKey | None, findings: Findings
) -> Signed:
    """Check every signature file. Without a key, all but the signatures themselves."""
    present = [name for name in names.SIGNATURES if name in opened]
    if not present and not any(name in opened.odd for name in names.SIGNATURES):
        if public is not None:
            for name in names.SIGNATURES:
                findings.add(name, "it is missing: this run was not signed")
        return Signed("absent")
    for name in names.SIGNATURES:
        if name not in opened and name not in opened.odd:
            findings.add(name, "it is missing, though other parts of the signature are there")
    before = len(findings.all())
    digests = {names.MANIFEST: sealed.manifest_sha256}
    ids: set[str] = set()
    for file, name in names.LOGS.items():
        if name in opened:
            _check_checkpoint(opened, name, _head(sealed.manifest, file), public, findings, ids)
            digests[name] = digest.of_bytes(_read(opened, name, _MAX_CHECKPOINT, findings))
    listed = {file.path: file.sha256 for file in sealed.manifest.files}
    digests[names.SUMMARY] = listed.get(names.SUMMARY, "")
    key_id = _check_attestations(opened, sealed, digests, public, findings)
    if key_id is not None and any(short != key_id[:8] for short in ids):
        findings.add(names.ATTESTATIONS, "its key is another than the checkpoints'")
    if public is None:
        return Signed("not checked", key_id)
    whole = len(present) == len(names.SIGNATURES) and len(findings.all()) == before
    return Signed("good" if whole else "bad", key_id)


def check_note(
    name: str, note: Note, origin: str, public: PublicKey | None, findings: Findings
) -> str | None:
    """Check a checkpoint's one signature; return the start of its key's id, in hex."""
    if len(note.signatures) != 1 or note.signatures[0].name != origin:
        findings.add(name, "it does not have one signature, under the name of its origin")
        return None
    short = note.signatures[0].key_id.hex()
    if public is None:
        return short
    if short != public.key_id[:8]:
        findings.add(name, f"it was signed by another key ({short}…), not by {public.key_id}")
    elif not note.signed_by(origin, public):
        findings.add(name, "its signature does not hold: it or the text was changed")
    return short


def check_envelope(
    name: str,
    envelope: OpenedEnvelope,
    public: PublicKey | None,
    findings: Findings,
    line: int | None = None,
) -> None:
    """Check an envelope's signature, where there is a key to check it with."""
    if public is None:
        return
    if envelope.key_id != public.key_id:
        what = f"it was signed by another key ({envelope.key_id}), not by {public.key_id}"
        findings.add(name, what, line)
    elif not envelope.signed_by(public):
        findings.add(name, "its signature does not hold: it or the payload was changed", line)


def _head(manifest: Manifest, file: str) -> TreeHead:
    tree = manifest.merkle[file]
    return TreeHead(manifest.run_id, file, tree.leaves, bytes.fromhex(tree.root))


def _check_checkpoint(
    opened: Folder,
    name: str,
    expected: TreeHead,
    public: PublicKey | None,
    findings: Findings,
    ids: set[str],
) -> None:
    try:
        head, note = parse_checkpoint(_read(opened, name, _MAX_CHECKPOINT, findings))
    except NoteError as error:
        findings.add(name, f"it is not a checkpoint: {error}")
        return
    if head != expected:
        findings.add(name, f"its origin, size or root is not that of {names.MANIFEST}")
    short = check_note(name, note, head.origin, public, findings)
    if short is not None:
        ids.add(short)


def _check_attestations(
    opened: Folder,
    sealed: Sealed,
    digests: Mapping[str, str],
    public: PublicKey | None,
    findings: Findings,
) -> str | None:
    """Check both envelopes; return the id of the key that they name."""
    name = names.ATTESTATIONS
    if name not in opened:
        return None
    lines = _read(opened, name, _MAX_ATTESTATIONS, findings).split(b"\n")
    if len(lines) != 3 or lines[-1]:
        findings.add(name, "it is not two lines, each an envelope")
    expected = statements.about_run(
        {subject: digests.get(subject, "") for subject in statements.SUBJECTS},
        sealed.run,
        sealed.summary,
        sealed.manifest,
    )
    ids: set[str] = set()
    for number, (line, statement) in enumerate(zip(lines, expected, strict=False), 1):
        try:
            envelope = open_envelope(line)
            found = statements.decode(envelope.payload)
        except (EnvelopeError, statements.StatementError) as error:
            findings.add(name, str(error), number)
            continue
        ids.add(envelope.key_id)
        check_envelope(name, envelope, public, findings, number)
        _compare(found, statement, number, findings, whole=bool(sealed.run and sealed.summary))
    if len(ids) > 1:
        findings.add(name, "its two envelopes name different keys")
    return ids.pop() if len(ids) == 1 else None


def _compare(
    found: Mapping[str, Any],
    expected: Mapping[str, Any],
    number: int,
    findings: Findings,
    *,
    whole: bool,
) -> None:
    """Find where a statement says otherwise than the bundle does."""
    name = names.ATTESTATIONS
    if found.get("subject") != expected["subject"]:
        there = _subjects(found.get("subject"))
        here = _subjects(expected["subject"])
        for subject in here.keys() | there.keys():
            if there.get(subject) != here.get(subject):
                findings.add(name, f"it is not about this {subject}", number)
                if subject in statements.SUBJECTS and subject != names.SUMMARY:
                    findings.add(subject, "it is not the one that the attestations name")
    if set(found) != set(expected) or found.get("predicateType") != expected["predicateType"]:
        findings.add(name, f"it is not a statement of {expected['predicateType']}", number)
    if not whole:
        findings.unchecked.append(f"what {name} says of the run: its files were changed")
        return
    said, true = mapping(found.get("predicate")), mapping(expected["predicate"])
    wrong = sorted(key for key in said.keys() | true.keys() if said.get(key) != true.get(key))
    if wrong or said.keys() != true.keys():
        what = f"it says otherwise than {names.RUN} and {names.SUMMARY}: {', '.join(wrong)}"
        findings.add(name, what, number)


def _subjects(value: Any) -> dict[str, Any]:
    if not isinstance(value, list):
        return {}
    entries = [mapping(entry) for entry in value]  # pyright: ignore[reportUnknownVariableType]
    return {str(entry.get("name")): entry for entry in entries}


def _read(opened: Folder, name: str, limit: int, findings: Findings) -> bytes:
    try:
        return opened.read(name, limit)
    except Unreadable as error:
        findings.add(name, str(error))
        return b""
