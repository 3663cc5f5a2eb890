"""`manifest.json`: every file of a sealed run, and the Merkle roots of its two logs.

Each file stands on a line of its own, so that `sed` and `sha256sum` are enough to check them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.errors import RunDirectoryError
from probare.evidence import names
from probare.evidence.hashing import FileDigest, LinesDigest

FORMAT = 1
MAX_SIZE = 128 * 1024 * 1024

_HEX = re.compile(r"[0-9a-f]{64}")
_DIGEST_LINE = re.compile(rb"([0-9a-f]{64})  manifest\.json\n")


class ManifestFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file: size in bytes, SHA-256 in hex, what wrote it and from which files."""

    path: str
    size: int
    sha256: str
    media_type: str
    produced_by: str
    derived_from: tuple[str, ...]


class TreeRoot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of lines of a log and the RFC 6962 root over them, in hex."""

    leaves: int
    root: str


class Parent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sealed run that this one was made from."""

    run_id: str
    manifest_sha256: str


class Manifest(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What was sealed. `plan` is the SHA-256 of the sealed plan that the run was held to."""

    run_id: str
    files: tuple[ManifestFile, ...]
    merkle: dict[str, TreeRoot]
    parent: Parent | None = None
    plan: str | None = None
    format: int = 0


class ManifestError(ValueError):
    """The bytes are not a manifest that can be trusted to mean one thing."""


def build(run_id: str, digests: Mapping[str, FileDigest], parent: Parent | None) -> Manifest:
    """Return the manifest over files given by path; the logs among them by LinesDigest."""
    files = tuple(_entry(path, digests[path], digests) for path in sorted(digests))
    merkle = {
        path: TreeRoot(leaves=found.leaves, root=found.root.hex())
        for path in names.LOGS
        if isinstance(found := digests[path], LinesDigest)
    }
    plan = digests[names.PLAN].sha256 if names.PLAN in digests else None
    return Manifest(
        run_id=run_id, files=files, merkle=merkle, parent=parent, plan=plan, format=FORMAT
    )


def render(manifest: Manifest) -> bytes:
    """Return the bytes of `manifest.json`: the same for the same manifest."""
    encode = jsonbytes.encode
    files = b",\n".join(encode(file) for file in manifest.files)
    trees = b",\n".join(
        encode(path) + b":" + encode(root) for path, root in sorted(manifest.merkle.items())
    )
    tail = b""
    if manifest.parent is not None:
        tail += b',\n"parent":' + encode(manifest.parent)
    if manifest.plan is not None:
        tail += b',\n"plan":' + encode(manifest.plan)
    return b'{\n"format":%d,\n"run_id":%b,\n"files":[\n%b\n],\n"merkle":{\n%b\n}%b\n}\n' % (
        manifest.format,
        encode(manifest.run_id),
        files,
        trees,
        tail,
    )


def parse(data: bytes) -> Manifest:
    """Read a manifest strictly. Raises ManifestError with what is wrong."""
    try:
        manifest = msgspec.convert(jsonbytes.decode_strict(data), Manifest)
    except RecursionError:
        raise ManifestError("it is nested too deep") from None
    except ValueError as error:
        raise ManifestError(str(error)) from None
    if manifest.format != FORMAT:
        raise ManifestError(f"its format is {manifest.format}; this Probare reads {FORMAT}")
    if not names.is_run_id(manifest.run_id):
        raise ManifestError("its run_id is none")
    if set(manifest.merkle) != set(names.LOGS):
        raise ManifestError(f"its roots are not those of {' and '.join(names.LOGS)}")
    digests = [file.sha256 for file in manifest.files]
    digests += [root.root for root in manifest.merkle.values()]
    if manifest.plan is not None:
        digests.append(manifest.plan)
    if manifest.parent is not None:
        digests.append(manifest.parent.manifest_sha256)
    if not all(map(_HEX.fullmatch, digests)):
        raise ManifestError("one of its digests is no SHA-256")
    return manifest


def digest_line(manifest: bytes) -> bytes:
    """Return the text of `manifest.sha256`, as `sha256sum` writes it."""
    return f"{hashlib.sha256(manifest).hexdigest()}  {names.MANIFEST}\n".encode()


def parse_digest_line(data: bytes) -> str | None:
    """Return the digest in a `manifest.sha256`; None where it is not one."""
    match = _DIGEST_LINE.fullmatch(data)
    return match[1].decode() if match else None


def parent_of(folder: Path) -> Parent | None:
    """Return how a new bundle names a sealed run; None where that one is not sealed."""
    path = folder / names.MANIFEST
    if not path.is_file():
        return None
    data = path.read_bytes()
    try:
        run_id = parse(data).run_id
    except ManifestError as error:
        raise RunDirectoryError(f"{path} is corrupt: {error}") from None
    return Parent(run_id=run_id, manifest_sha256=hashlib.sha256(data).hexdigest())


_REPORTS = {
    "report.md": "text/markdown",
    "report.html": "text/html",
    "junit.xml": "application/xml",
}
_MEDIA_TYPES = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".html": "text/html",
    ".xml": "application/xml",
    ".csv": "text/csv",
    ".txt": "text/plain",
    ".leaves": "text/plain",
    ".tsr": "application/timestamp-reply",
}
_PRODUCERS = {
    names.RUN: ("run", ()),
    names.SUITE: ("run", ()),
    names.PLAN: ("plan", ()),
    names.TRANSCRIPTS: ("run", (names.RUN, names.SUITE)),
    names.TRIALS: ("run", (names.RUN, names.SUITE, names.TRANSCRIPTS)),
    names.CASES: ("run", (names.RUN, names.SUITE, names.TRANSCRIPTS, names.TRIALS)),
    names.BASIS: ("run", (names.RUN, names.SUITE)),
    names.SUMMARY: ("run", (names.RUN, names.SUITE, names.TRIALS, names.CASES, names.BASIS)),
    names.RECIPE: ("seal", ()),
    names.LEAVES: ("seal", (names.TRIALS,)),
}
_REPORT_SOURCES = (names.RUN, names.SUITE, names.SUMMARY, names.TRIALS, names.TRANSCRIPTS)


def _entry(path: str, found: FileDigest, present: Mapping[str, FileDigest]) -> ManifestFile:
    if path in _REPORTS:
        producer, sources = "report", _REPORT_SOURCES
    elif path.startswith(f"{names.BLOBS}/"):
        producer, sources = "run", (names.RUN, names.SUITE)
    else:
        producer, sources = _PRODUCERS.get(path, ("other", ()))
    return ManifestFile(
        path=path,
        size=found.size,
        sha256=found.sha256,
        media_type=_media_type(path),
        produced_by=producer,
        derived_from=tuple(source for source in sources if source in present),
    )


def _media_type(path: str) -> str:
    if path.startswith(f"{names.BLOBS}/"):
        return "text/plain"
    if path == names.PLAN:
        return "application/vnd.in-toto+json"
    return _MEDIA_TYPES.get(Path(path).suffix, "application/octet-stream")
