"""The recipe of VERIFY.md, run as it is written: `sha256sum` and `openssl`, without Probare."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from probare.evidence.sealing import seal


def _blocks(folder: Path) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", (folder / "VERIFY.md").read_text(), re.DOTALL)


def _run(folder: Path, block: str, key: Path | None = None) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    if key is not None:
        environ["KEY"] = str(key)
    return subprocess.run(
        ["sh", "-c", block], cwd=folder, env=environ, capture_output=True, text=True, check=False
    )


def test_the_recipe_verifies_files_and_signatures(signed: Path, keys: Any) -> None:
    files, signatures = _blocks(signed)
    done = _run(signed, files)
    assert (done.returncode, done.stdout, done.stderr) == (0, "manifest.json: OK\n", "")
    done = _run(signed, signatures, keys.public)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Verified OK") == 4
    for name in ("manifest.json", "trials.checkpoint", "transcripts.checkpoint", "summary.json"):
        assert done.stdout.count(f"{name}: OK") == 2
    assert done.stdout.count("run.json: OK") == done.stdout.count("suite.jsonl: OK") == 1
    assert (signed / "trials.checkpoint").read_text().partition("\n\n")[0] in done.stdout


def test_the_recipe_changes_nothing(signed: Path, keys: Any) -> None:
    before = {path: path.read_bytes() for path in signed.rglob("*") if path.is_file()}
    for block in _blocks(signed):
        _run(signed, block, keys.public)
    assert {path: path.read_bytes() for path in signed.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["trials.jsonl", "report.md", "manifest.json"])
def test_the_recipe_finds_a_changed_file(signed: Path, name: str) -> None:
    path = signed / name
    path.write_bytes(path.read_bytes().replace(b"e", b"x", 1))
    done = _run(signed, _blocks(signed)[0])
    assert done.returncode != 0
    assert f"{name}: FAILED" in done.stdout


def test_the_recipe_finds_another_key_and_a_changed_payload(signed: Path, other_keys: Any) -> None:
    done = _run(signed, _blocks(signed)[1], other_keys.public)
    assert done.returncode != 0
    assert "Verified OK" not in done.stdout


@pytest.mark.parametrize("name", ["attestations.intoto.jsonl", "transcripts.checkpoint"])
def test_the_recipe_finds_a_changed_signature_file(signed: Path, keys: Any, name: str) -> None:
    path = signed / name
    data = path.read_bytes()
    place = len(data) // 3
    path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    assert _run(signed, _blocks(signed)[1], keys.public).returncode != 0


def test_the_recipe_asks_for_the_key(signed: Path) -> None:
    done = _run(signed, _blocks(signed)[1])
    assert done.returncode != 0
    assert "set KEY to the path" in done.stderr


def test_files_of_any_name_are_checked_by_the_recipe(finished: Path) -> None:
    (finished / "artifacts").mkdir()
    odd = finished / "artifacts" / "a drawing' $(x) é &.svg"
    odd.write_text("<svg/>")
    seal(finished)
    block = _blocks(finished)[0]
    assert _run(finished, block).returncode == 0
    odd.write_text("<svg >")
    done = _run(finished, block)
    assert done.returncode != 0
    assert "a drawing" in done.stdout
