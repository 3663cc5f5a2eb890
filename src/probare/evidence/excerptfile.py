"""The file of an excerpt: the trials of one case, each with proofs that they stand in the run.

Lines are kept as they are stored, as JSON strings. The file has one form only, so that any
changed byte is seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.evidence import names, words
from probare.evidence.examination import Examination, Findings, Signature
from probare.evidence.keys import PublicKey
from probare.evidence.notes import NoteError
from probare.evidence.records import blob_names
from probare.evidence.signatures import check_note
from probare.evidence.strict import json_as, json_value
from probare.evidence.tlogproof import Proof, parse_proof
from probare.model.record import TrialRecord

FORMAT = "https://probare.dev/excerpt/v1"
MAX_SIZE = 256 * 1024 * 1024

_TRIAL = msgspec.json.Decoder(TrialRecord)


class ExcerptTrial(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One trial: its two lines as stored, without their line feeds, and a tlog-proof of each."""

    trial: int
    record: str
    transcript: str
    record_proof: str
    transcript_proof: str


class Excerpt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Trials of one case, and the large texts that their transcripts refer to, by digest."""

    format: str
    run_id: str
    case: str
    trials: tuple[ExcerptTrial, ...]
    blobs: dict[str, str]


def render(excerpt: Excerpt) -> bytes:
    """Return the bytes of the file."""
    return msgspec.json.format(jsonbytes.encode(excerpt), indent=1) + b"\n"


def is_excerpt(head: bytes) -> bool:
    """Return whether a file that begins so is an excerpt."""
    return head.startswith(f'{{\n "format": "{FORMAT}"'.encode())


def examine_excerpt(path: Path, *, public: PublicKey | None = None) -> Examination:
    """Examine an excerpt by itself: lines, proofs, checkpoints, and with a key the signatures."""
    findings = Findings()
    name = path.name
    if path.stat().st_size > MAX_SIZE:
        findings.add(name, f"it is larger than the {MAX_SIZE:,} bytes that an excerpt may have")
        return Examination(kind="excerpt", findings=findings.all())
    data = path.read_bytes()
    excerpt = _parse(name, data, findings)
    if excerpt is None:
        return Examination(kind="excerpt", findings=findings.all())
    check = _Check(name, excerpt, public, findings)
    check.all()
    signature = check.signature()
    key_id = public.key_id if public is not None and signature == "good" else check.short_id
    shows, shows_not = words.of_excerpt(signature, key_id)
    found = findings.all()
    return Examination(
        kind="excerpt",
        run_id=excerpt.run_id,
        findings=found,
        checked=tuple(findings.checked),
        unchecked=tuple(findings.unchecked),
        shows=() if found else shows,
        shows_not=() if found else shows_not,
        counts={"trials": len(excerpt.trials), "bytes": len(data)},
        signature=signature,
        key_id=key_id,
    )


def _parse(name: str, data: bytes, findings: Findings) -> Excerpt | None:
    try:
        excerpt = msgspec.convert(jsonbytes.decode_strict(data), Excerpt)
        same = render(excerpt) == data
    except RecursionError:
        findings.add(name, "it is nested too deep")
        return None
    except ValueError as error:
        findings.add(name, f"it is not an excerpt that can be trusted: {error}")
        return None
    if not same or excerpt.format != FORMAT:
        findings.add(name, "it is not in the one form of an excerpt: it was changed")
    if not excerpt.trials:
        findings.add(name, "it holds no trial")
    return excerpt


class _Check:
    """One excerpt under examination."""

    def __init__(
        self, name: str, excerpt: Excerpt, public: PublicKey | None, findings: Findings
    ) -> None:
        self.short_id: str | None = None
        self._name = name
        self._excerpt = excerpt
        self._public = public
        self._findings = findings
        self._proofs: list[Proof] = []
        self._blobs: set[str] = set()

    def all(self) -> None:
        """Check every trial, that their trees are the same, and the large texts."""
        seen: set[int] = set()
        for place, trial in enumerate(self._excerpt.trials, 1):
            if trial.trial in seen:
                self._add(f"it holds trial {trial.trial} twice")
            seen.add(trial.trial)
            self._check_trial(f"trial {trial.trial} (entry {place})", trial)
        heads = {proof.head for proof in self._proofs}
        if len(heads) > len(names.LOGS) or len({head.size for head in heads}) > 1:
            self._add("its proofs are of different trees")
        self._check_blobs()
        if not self._findings.all():
            count = len(self._excerpt.trials)
            lines = "lines" if count > 1 else "line"
            self._findings.checked.append(
                f"{count} {lines} of {names.TRIALS} and of {names.TRANSCRIPTS}, with their proofs"
            )

    def signature(self) -> Signature:
        """Check the checkpoints' signatures, once for each checkpoint."""
        before = len(self._findings.all())
        notes = {proof.note: proof.head.origin for proof in self._proofs}
        if not any(note.signatures for note in notes):
            if self._public is not None:
                self._add("its checkpoints are missing their signatures: the run was not signed")
            self._findings.unchecked.append("no signature: the run was sealed without a key")
            return "absent"
        for note, origin in notes.items():
            short = check_note(self._name, note, origin, self._public, self._findings)
            self.short_id = self.short_id or short
        if self._public is None:
            self._findings.unchecked.append("signature not checked: no public key was given")
            return "not checked"
        if len(self._findings.all()) > before:
            return "bad"
        self._findings.checked.append(f"both checkpoints, with the key {self._public.key_id}")
        return "good"

    def _add(self, what: str) -> None:
        self._findings.add(self._name, what)

    def _check_trial(self, where: str, trial: ExcerptTrial) -> None:
        record_line = trial.record.encode("utf-8", "surrogatepass")
        line = trial.transcript.encode("utf-8", "surrogatepass")
        first = self._proof(where, trial.record_proof, names.TRIALS, record_line)
        second = self._proof(where, trial.transcript_proof, names.TRANSCRIPTS, line)
        if first is not None and second is not None and first.index != second.index:
            self._add(f"{where}: its record and its transcript stand at different lines")
        try:
            record = json_as(record_line, _TRIAL)
            transcript = mapping(json_value(line))
        except ValueError as error:
            self._add(f"{where}: a line is not what it should be: {error}")
            return
        mine = (self._excerpt.case, trial.trial)
        told = (transcript.get("case"), transcript.get("trial", 0))
        if (record.case, record.trial) != mine or told != mine:
            self._add(f"{where}: its lines are of another case or trial")
        if (record.transcript.length, record.transcript.sha256) != (
            len(line),
            sha256(line).hexdigest(),
        ):
            self._add(f"{where}: its record is of another transcript")
        if b'"$blob"' in line:
            self._blobs.update(blob_names(transcript))

    def _proof(self, where: str, text: str, file: str, line: bytes) -> Proof | None:
        try:
            proof = parse_proof(text)
        except NoteError as error:
            self._add(f"{where}: the proof of its line of {file} is malformed: {error}")
            return None
        self._proofs.append(proof)
        if (proof.head.run_id, proof.head.file) != (self._excerpt.run_id, file):
            self._add(f"{where}: a proof is of {proof.head.origin}")
        if not proof.holds_for(line):
            self._add(f"{where}: its line of {file} is not the one in the signed tree")
        return proof

    def _check_blobs(self) -> None:
        for digest, text in self._excerpt.blobs.items():
            if digest not in self._blobs:
                self._add(f"no transcript in it refers to the blob {digest[:80]}")
            elif sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != digest:
                self._add(f"the blob {digest[:80]} is not the text of that digest")
        lacking = _shown(self._blobs - self._excerpt.blobs.keys())
        if lacking:
            self._add(f"texts that transcripts refer to are not in it: {lacking}")


def _shown(digests: Iterable[str]) -> str:
    return ", ".join(digest[:80] for digest in sorted(digests)[:5])
