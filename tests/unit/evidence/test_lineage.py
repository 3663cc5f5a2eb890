"""Walking back from a bundle to those it was made from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probare.evidence.lineage import walk_back
from probare.evidence.manifest import Parent, parent_of
from probare.evidence.sealing import seal

MakeChain = Callable[[], list[Path]]


@pytest.fixture
def chain(unsealed_run: Path, keys: Any, tmp_path: Path) -> list[Path]:
    """Three sealed runs side by side, each made from the one before."""
    folders: list[Path] = []
    parent: Parent | None = None
    for name in ("first", "second", "third"):
        folder = tmp_path / "chain" / name
        shutil.copytree(unsealed_run, folder)
        for file in ("run.json", "summary.json"):
            raw = json.loads((folder / file).read_bytes())
            (folder / file).write_text(json.dumps(raw | {"run_id": name}))
        seal(folder, key=keys.signing, parent=parent)
        parent = parent_of(folder)
        folders.append(folder)
    return folders


def test_a_whole_chain(chain: list[Path], keys: Any) -> None:
    links = walk_back(chain[2], public=keys.verifying)
    assert [link.run_id for link in links] == ["third", "second", "first"]
    assert [link.folder for link in links] == [
        path.resolve() if path != chain[2] else path for path in reversed(chain)
    ]
    assert all(link.intact for link in links)


def test_a_run_without_a_parent_is_a_chain_of_one(chain: list[Path]) -> None:
    assert len(walk_back(chain[0])) == 1


def test_a_parent_elsewhere_is_found_where_one_says(chain: list[Path], tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    chain[1].rename(elsewhere / "second")
    links = walk_back(chain[2])
    assert links[-1].problem.startswith("it was not found in")
    assert not links[-1].intact
    links = walk_back(chain[2], search=[elsewhere, chain[0].parent])
    assert [link.intact for link in links] == [True, True, True]


def test_a_changed_parent_is_not_intact(chain: list[Path]) -> None:
    (chain[0] / "report.md").write_text("other")
    links = walk_back(chain[2])
    assert [link.intact for link in links] == [True, True, False]


def test_another_bundle_of_that_name_is_not_the_parent(chain: list[Path], keys: Any) -> None:
    shutil.rmtree(chain[1])
    shutil.copytree(chain[0], chain[1])
    links = walk_back(chain[2], public=keys.verifying)
    assert len(links) == 2
    assert "another digest" in links[1].problem


def test_a_link_in_place_of_a_parent_is_not_followed(chain: list[Path], tmp_path: Path) -> None:
    chain[1].rename(tmp_path / "away")
    chain[1].symlink_to(tmp_path / "away")
    assert "not found" in walk_back(chain[2])[-1].problem


def test_a_parent_under_a_wrong_name(chain: list[Path]) -> None:
    """Its child calls it by a name that is not its own."""
    from probare.evidence import manifest as manifests

    raw = json.loads((chain[2] / "manifest.json").read_bytes())
    raw["parent"]["run_id"] = "renamed"
    data = json.dumps(raw).encode()
    (chain[2] / "manifest.json").write_bytes(data)
    (chain[2] / "manifest.sha256").write_bytes(manifests.digest_line(data))
    chain[1].rename(chain[1].with_name("renamed"))
    links = walk_back(chain[2])
    assert links[1].problem == "its manifest is that of second"
    assert len(links) == 2


def test_an_unsafe_run_id_is_not_looked_for(plain: Path) -> None:
    from probare.evidence import manifest as manifests

    raw = json.loads((plain / "manifest.json").read_bytes())
    raw["parent"] = {"run_id": "../../etc", "manifest_sha256": "0" * 64}
    data = json.dumps(raw).encode()
    (plain / "manifest.json").write_bytes(data)
    (plain / "manifest.sha256").write_bytes(manifests.digest_line(data))
    links = walk_back(plain)
    assert "not looked for" in links[-1].problem
