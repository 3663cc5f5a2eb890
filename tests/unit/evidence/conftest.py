"""A sealed run to tamper with, made by a real run; keys; an authority for time stamps."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import probare
from probare.evidence import names
from probare.evidence.keys import PublicKey, SigningKey, generate, load_private
from probare.evidence.sealing import seal


@dataclass(frozen=True)
class Keys:
    private: Path
    public: Path
    signing: SigningKey

    @property
    def verifying(self) -> PublicKey:
        return self.signing.public


def _agent(input: dict[str, str]) -> dict[str, str]:  # noqa: A002
    word = input["word"]
    return {"text": "delta " * 60_000 if word == "long" else f"The {word} is missing, é ✓."}


@pytest.fixture(scope="session")
def make_keys(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Keys]:
    folder = tmp_path_factory.mktemp("keys")

    def make(name: str) -> Keys:
        private, public = folder / f"{name}.key", folder / f"{name}.pub"
        generate(private, public)
        return Keys(private, public, load_private(private))

    return make


@pytest.fixture(scope="session")
def keys(make_keys: Callable[[str], Keys]) -> Keys:
    return make_keys("mine")


@pytest.fixture(scope="session")
def other_keys(make_keys: Callable[[str], Keys]) -> Keys:
    return make_keys("another")


@pytest.fixture(scope="session")
def unsealed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of four cases, two trials each, one with a text kept in `blobs/`."""
    words = {"one": "delta", "two": "alpha", "three": "delta", "large": "long"}
    suite = probare.Suite(
        "sealed",
        cases=[
            probare.Case(id=name, input={"word": word}, expect=[{"contains": "delta"}])
            for name, word in words.items()
        ],
        target=_agent,
        trials=2,
    )
    run = probare.run(suite, runs=tmp_path_factory.mktemp("runs"))
    for name in (*names.SEAL, names.RECIPE, names.LEAVES):
        (run.folder / name).unlink(missing_ok=True)
    assert (run.folder / names.BLOBS).is_dir()
    return run.folder


@pytest.fixture
def finished(unsealed_run: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, not sealed."""
    folder = tmp_path / "runs" / unsealed_run.name
    shutil.copytree(unsealed_run, folder)
    return folder


@pytest.fixture(scope="session")
def signed_run(unsealed_run: Path, keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run, sealed and signed. Do not change it: copy it."""
    folder = tmp_path_factory.mktemp("signed") / unsealed_run.name
    shutil.copytree(unsealed_run, folder)
    seal(folder, key=keys.signing)
    return folder


@pytest.fixture
def signed(signed_run: Path, tmp_path: Path) -> Path:
    """A copy of the signed run, to be tampered with."""
    folder = tmp_path / "bundle" / signed_run.name
    shutil.copytree(signed_run, folder)
    return folder


@pytest.fixture
def plain(finished: Path) -> Path:
    """A copy of the run, sealed without a key."""
    seal(finished)
    return finished


@pytest.fixture(scope="session")
def files_of() -> Callable[[Path], list[str]]:
    def files(folder: Path) -> list[str]:
        found = [
            os.path.relpath(os.path.join(place, name), folder)
            for place, _, inner in os.walk(folder)
            for name in inner
        ]
        return sorted(found)

    return files
