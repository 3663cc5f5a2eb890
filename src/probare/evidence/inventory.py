"""The files of a bundle against its manifest: each there, alone, of the size and digest sealed."""

from __future__ import annotations

from probare.encoding import digest as digests_of
from probare.evidence import linediff, names
from probare.evidence.examination import Findings
from probare.evidence.folder import Folder, Unreadable
from probare.evidence.hashing import (
    FileDigest,
    LinesDigest,
    LineTooLong,
    digest_file,
    digest_lines,
    leaves_file,
    parse_leaves,
)
from probare.evidence.manifest import Manifest, ManifestFile
from probare.evidence.paths import colliding, path_problem, shown
from probare.evidence.records import transcript_tokens

_MANY = 256 * 1024 * 1024


def check_inventory(opened: Folder, manifest: Manifest, findings: Findings) -> None:
    """Find what is missing, extra, odd or changed; no file is read that is not of its size."""
    listed = _listing(manifest, findings)
    for path, what in opened.odd.items():
        findings.add(path, what)
    for path in opened.sizes:
        problem = path_problem(path)
        if problem:
            findings.add(path, f"its name is unsafe: {problem}")
        elif path not in listed and path not in names.SEAL:
            findings.add(path, f"it is not in {names.MANIFEST}: it was added after the seal")
    for one, other in colliding(list(opened.sizes)):
        findings.add(other, f"its name differs from {shown(one)} only in case")
    digests = {path: _check_file(opened, file, findings) for path, file in listed.items()}
    _check_roots(manifest, digests, findings)
    for path in names.LOGS:
        if path in opened and path in listed and findings.names(path):
            _find_lines(opened, path, listed, findings)


def _listing(manifest: Manifest, findings: Findings) -> dict[str, ManifestFile]:
    """Return the listed files by path, without those that a bundle cannot have."""
    listed: dict[str, ManifestFile] = {}
    for file in manifest.files:
        problem = path_problem(file.path)
        if problem:
            findings.add(names.MANIFEST, f"it lists the path {shown(file.path)}: {problem}")
        elif file.path in names.SEAL:
            findings.add(names.MANIFEST, f"it lists {file.path}, a part of the seal itself")
        elif file.path in listed:
            findings.add(names.MANIFEST, f"it lists {shown(file.path)} twice")
        elif file.size < 0:
            findings.add(names.MANIFEST, f"it gives {shown(file.path)} a size below zero")
        else:
            listed[file.path] = file
    for name in (*names.NEEDED, names.RECIPE, names.LEAVES):
        if name not in listed:
            findings.add(names.MANIFEST, f"it does not list {name}, which every run has")
    plan = listed.get(names.PLAN)
    if (plan.sha256 if plan else None) != manifest.plan:
        findings.add(names.MANIFEST, f"its plan is not the {names.PLAN} that it lists")
    return listed


def _check_file(opened: Folder, file: ManifestFile, findings: Findings) -> FileDigest | None:
    """Return the digest of a file that is as it was sealed."""
    path = file.path
    size = opened.sizes.get(path)
    if size is None:
        if path not in opened.odd:
            findings.add(path, "it is missing")
        return None
    if size != file.size:
        findings.add(path, f"it is {size:,} bytes long and was sealed with {file.size:,}")
        return None
    try:
        with opened.open(path) as stream:
            digest = digest_lines if path in names.LOGS else digest_file
            found = digest(stream, file.size)
    except LineTooLong as error:
        findings.add(path, "this line is longer than a line may be", error.number)
        return None
    except (Unreadable, OSError) as error:
        findings.add(path, str(error))
        return None
    if found.size != file.size or found.sha256 != file.sha256:
        findings.add(path, "it was changed: its SHA-256 is not the sealed one")
        return None
    if path.startswith(f"{names.BLOBS}/") and path != f"{names.BLOBS}/{found.sha256}":
        findings.add(path, "a blob's name is not the digest of its content")
    return found


def _check_roots(
    manifest: Manifest, digests: dict[str, FileDigest | None], findings: Findings
) -> None:
    for path in names.LOGS:
        found = digests.get(path)
        if not isinstance(found, LinesDigest):
            continue
        tree = manifest.merkle[path]
        if tree.leaves != found.leaves:
            what = f"it says {tree.leaves:,} lines of {path}, which has {found.leaves:,}"
            findings.add(names.MANIFEST, what)
        elif tree.root != found.root.hex():
            findings.add(names.MANIFEST, f"its Merkle root is not that of {path}")
        if not found.whole:
            findings.add(path, "its last line has no line feed", found.leaves)
    trials, leaves = digests.get(names.TRIALS), digests.get(names.LEAVES)
    if isinstance(trials, LinesDigest) and leaves is not None:
        data = leaves_file(trials.tokens)
        if (len(data), digests_of.of_bytes(data)) != (leaves.size, leaves.sha256):
            findings.add(names.LEAVES, f"it is not that of {names.TRIALS}")


def _find_lines(
    opened: Folder, path: str, listed: dict[str, ManifestFile], findings: Findings
) -> None:
    """Name the lines of a changed log."""
    expected = _expected_tokens(opened, path, listed, findings)
    if expected is None:
        findings.unchecked.append(f"which line of {path} was changed cannot be said")
        return
    token = linediff.leaf_token if path == names.TRIALS else linediff.digest_token
    try:
        with opened.open(path) as stream:
            actual, whole = linediff.tokens_of(stream, listed[path].size, token)
    except (Unreadable, OSError):
        return
    for line, what in linediff.differences(expected, actual):
        findings.add(path, what, line)
    if not whole:
        findings.add(path, "the file ends in this line without a line feed", len(actual))


def _expected_tokens(
    opened: Folder, path: str, listed: dict[str, ManifestFile], findings: Findings
) -> list[bytes] | None:
    try:
        if path == names.TRANSCRIPTS:
            return transcript_tokens(opened, listed[names.TRIALS].size)
        if names.LEAVES not in opened or findings.names(names.LEAVES):
            return None
        return parse_leaves(opened.read(names.LEAVES, _MANY))
    except (Unreadable, OSError, KeyError):
        return None
