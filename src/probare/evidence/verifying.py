"""`probare verify`: a sealed run, or an excerpt of one, with no network and no trust in its writer.

A folder is first checked against its manifest, then what stands in its records, then its
signatures. Nothing outside it is read, no link is followed, and nothing is as large as the
writer likes: sizes are held against the manifest before a byte is hashed, and what is read
whole has a limit. Probare ships no compressed files, so there is nothing to unpack.
"""

from __future__ import annotations

from pathlib import Path

from probare.encoding import digest
from probare.encoding.narrow import mapping
from probare.errors import InputError, RunDirectoryError
from probare.evidence import manifest as manifests
from probare.evidence import names, words
from probare.evidence.examination import Examination, Findings
from probare.evidence.excerptfile import examine_excerpt, is_excerpt
from probare.evidence.folder import Folder, Unreadable
from probare.evidence.inventory import check_inventory
from probare.evidence.keys import PublicKey
from probare.evidence.manifest import Manifest, ManifestError
from probare.evidence.plans import MAX_SIZE as MAX_PLAN
from probare.evidence.plans import open_plan
from probare.evidence.records import check_document, check_lines, check_records
from probare.evidence.signatures import Sealed, check_envelope, check_signatures

_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")
_DOCUMENTS = (names.RUN, names.SUMMARY, names.BASIS)
_RECORDS = (names.SUITE, names.TRANSCRIPTS, names.TRIALS, names.CASES, *_DOCUMENTS)


def examine(path: Path, *, public: PublicKey | None = None) -> Examination:
    """Examine a run directory, or the file of an excerpt.

    With a public key, a missing checkpoint or attestation is a finding. Raises InputError where
    the path is neither of the two.
    """
    if path.is_dir():
        return _examine_bundle(path, public)
    if not path.is_file():
        raise RunDirectoryError(f"{path} does not exist, or is no plain file or folder")
    with path.open("rb") as file:
        head = file.read(512)
    if is_excerpt(head):
        return examine_excerpt(path, public=public)
    if head.startswith(_ARCHIVES) or head[257:262] == b"ustar":
        raise InputError(
            f"{path} is an archive, which Probare does not unpack",
            hint="unpack it into a folder of its own, and verify that",
        )
    raise InputError(f"{path} is neither a run directory nor an excerpt of one")


def _examine_bundle(path: Path, public: PublicKey | None) -> Examination:
    findings = Findings()
    with Folder(path) as opened:
        if not any(name in opened for name in (names.MANIFEST, names.RUN, names.TRIALS)):
            raise RunDirectoryError(f"{path} is not a run directory")
        data, manifest = _manifest(opened, findings)
        if manifest is None:
            return Examination(kind="bundle", findings=findings.all())
        sha256 = digest.of_bytes(data)
        check_inventory(opened, manifest, findings)
        counts = {
            "files": len(manifest.files),
            "bytes": sum(file.size for file in manifest.files),
        }
        findings.checked.append(
            f"{counts['files']:,} files with {counts['bytes']:,} bytes against {names.MANIFEST}"
        )
        sealed = _content(opened, manifest, sha256, findings, counts)
        readable = not findings.names(*_RECORDS) and not findings.below(names.BLOBS)
        signed = check_signatures(opened, sealed, public, findings)
        _check_plan(opened, manifest, public, findings)
        if signed.signature == "good":
            findings.checked.append(f"checkpoints and attestations, with the key {signed.key_id}")
        elif signed.signature == "not checked":
            findings.unchecked.append("signature not checked: no public key was given")
        elif signed.signature == "absent":
            findings.unchecked.append("no signature: this run was sealed without a key")
    shows, shows_not = words.of_bundle(signed.signature, signed.key_id)
    found = findings.all()
    return Examination(
        kind="bundle",
        run_id=manifest.run_id,
        findings=found,
        checked=tuple(findings.checked),
        unchecked=tuple(dict.fromkeys(findings.unchecked)),
        shows=() if found else shows,
        shows_not=() if found else shows_not,
        counts=counts,
        signature=signed.signature,
        key_id=signed.key_id,
        manifest=manifest,
        manifest_sha256=sha256,
        readable=readable,
    )


def _manifest(opened: Folder, findings: Findings) -> tuple[bytes, Manifest | None]:
    """Return the manifest and its bytes, held against `manifest.sha256`."""
    name = names.MANIFEST
    if name in opened.odd:
        findings.add(name, opened.odd[name])
        return b"", None
    if name not in opened:
        findings.add(name, "it is missing: this run is not sealed")
        return b"", None
    try:
        data = opened.read(name, manifests.MAX_SIZE)
    except Unreadable as error:
        findings.add(name, str(error))
        return b"", None
    _check_digest_line(opened, data, findings)
    try:
        return data, manifests.parse(data)
    except ManifestError as error:
        findings.add(name, f"it is not a manifest that can be trusted: {error}")
        return data, None


def _check_digest_line(opened: Folder, data: bytes, findings: Findings) -> None:
    name = names.MANIFEST_DIGEST
    if name in opened.odd:
        return
    if name not in opened:
        findings.add(name, "it is missing: the seal is incomplete")
        return
    try:
        stored = manifests.parse_digest_line(opened.read(name, 1024))
    except Unreadable as error:
        findings.add(name, str(error))
        return
    if stored is None:
        findings.add(name, f"it is not the line that sha256sum writes of {names.MANIFEST}")
    elif stored != digest.of_bytes(data):
        what = f"{names.MANIFEST} and {name} do not fit: one of the two was changed"
        findings.add(names.MANIFEST, what)
        findings.add(name, what)


def _content(
    opened: Folder, manifest: Manifest, sha256: str, findings: Findings, counts: dict[str, int]
) -> Sealed:
    """Check what stands in the files that are as they were sealed."""
    intact = {name for name in _RECORDS if name in opened and not findings.names(name)}
    read = {
        name: check_document(opened, name, findings) if name in intact else {}
        for name in _DOCUMENTS
    }
    run, summary = read[names.RUN], read[names.SUMMARY]
    for name in (names.RUN, names.SUMMARY):
        if read[name] and read[name].get("run_id") != manifest.run_id:
            findings.add(name, f"it is of another run than {names.MANIFEST}")
    for name in intact & {names.SUITE, names.CASES}:
        check_lines(opened, name, findings)
    if run and {names.TRIALS, names.TRANSCRIPTS} <= intact:
        counts["planned"] = sum(n for n in mapping(run.get("cases")).values() if type(n) is int)
        counts["trials"] = check_records(opened, run, findings)
        findings.checked.append(
            f"{counts['trials']:,} records of {counts['planned']:,} planned trials, each with "
            "its transcript, and the Merkle roots over their lines"
        )
    return Sealed(manifest=manifest, manifest_sha256=sha256, run=run, summary=summary)


def _check_plan(
    opened: Folder, manifest: Manifest, public: PublicKey | None, findings: Findings
) -> None:
    if manifest.plan is None or names.PLAN not in opened or findings.names(names.PLAN):
        return
    try:
        envelope, _ = open_plan(opened.read(names.PLAN, MAX_PLAN))
    except (Unreadable, ValueError) as error:
        findings.add(names.PLAN, f"it is not a sealed plan: {error}")
        return
    check_envelope(names.PLAN, envelope, public, findings)
