"""manifest.json: what it lists, and how strictly it is read."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probare.encoding import digest
from probare.evidence import manifest as manifests
from probare.evidence import names
from probare.evidence.manifest import ManifestError, Parent, parent_of
from probare.stores import layout


def test_the_names_are_those_of_the_store() -> None:
    for name in ("RUN", "SUITE", "TRANSCRIPTS", "TRIALS", "CASES", "SUMMARY", "BLOBS", "MANIFEST"):
        assert getattr(names, name) == getattr(layout, name)


def test_it_lists_every_file_but_the_seal(
    signed: Path, files_of: Callable[[Path], list[str]]
) -> None:
    manifest = json.loads((signed / "manifest.json").read_bytes())
    listed = [entry["path"] for entry in manifest["files"]]
    assert listed == sorted(listed)
    assert set(files_of(signed)) - set(listed) == set(names.SEAL)
    for entry in manifest["files"]:
        path = signed / entry["path"]
        assert (entry["size"], entry["sha256"]) == (path.stat().st_size, digest.of_file(path))
    by_path = {entry["path"]: entry for entry in manifest["files"]}
    assert by_path["trials.jsonl"]["media_type"] == "application/jsonl"
    assert by_path["trials.jsonl"]["produced_by"] == "run"
    assert "transcripts.jsonl" in by_path["trials.jsonl"]["derived_from"]
    assert by_path["report.md"]["produced_by"] == "report"
    blob = next(path for path in listed if path.startswith("blobs/"))
    assert by_path[blob]["media_type"] == "text/plain"
    sources = {name for entry in manifest["files"] for name in entry["derived_from"]}
    assert sources <= set(listed)


def test_sha256sum_checks_it(signed: Path) -> None:
    subprocess.run(["sha256sum", "-c", "manifest.sha256"], cwd=signed, check=True)


def test_it_renders_as_it_was_read(signed: Path) -> None:
    data = (signed / "manifest.json").read_bytes()
    assert manifests.render(manifests.parse(data)) == data


def test_a_parent_and_a_plan_are_rendered_and_read(signed: Path) -> None:
    whole = manifests.parse((signed / "manifest.json").read_bytes())
    import msgspec

    parent = Parent(run_id="old", manifest_sha256="a" * 64)
    more = msgspec.structs.replace(whole, parent=parent, plan="b" * 64)
    assert manifests.parse(manifests.render(more)) == more


def test_the_parent_of_a_sealed_run(signed: Path, finished: Path) -> None:
    assert parent_of(finished) is None
    sha256 = digest.of_file(signed / "manifest.json")
    assert parent_of(signed) == Parent(run_id=signed.name, manifest_sha256=sha256)


def _without(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda value: {k: v for k, v in value.items() if k != key}


CHANGES: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (_without("format"), "format is 0"),
    (lambda m: {**m, "format": 2}, "format is 2"),
    (_without("files"), "files"),
    (_without("merkle"), "merkle"),
    (lambda m: {**m, "more": 1}, "unknown field"),
    (lambda m: {**m, "run_id": "../up"}, "run_id"),
    (lambda m: {**m, "merkle": {}}, "roots"),
    (lambda m: {**m, "plan": "x"}, "SHA-256"),
    (lambda m: {**m, "parent": {"run_id": "a", "manifest_sha256": "A" * 64}}, "SHA-256"),
    (lambda m: {**m, "files": [{"path": 1}]}, "Expected|missing"),
    (lambda m: [m], "Expected"),
]


@pytest.mark.parametrize(("change", "what"), CHANGES)
def test_it_is_read_strictly(
    signed: Path, change: Callable[[dict[str, Any]], Any], what: str
) -> None:
    raw = json.loads((signed / "manifest.json").read_bytes())
    with pytest.raises(ManifestError, match=what):
        manifests.parse(json.dumps(change(raw)).encode())


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b'{"format":1,"format":1}', b"\xff"])
def test_odd_json_is_refused(data: bytes) -> None:
    with pytest.raises(ManifestError):
        manifests.parse(data)
