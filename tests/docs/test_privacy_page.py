"""The privacy page: its checks load, and its table of types is whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from probare.graders.phi_recognisers import TYPES
from probare.loading import load
from probare.pipeline.catalogue import BuiltCatalogue

PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text("utf-8")


def test_the_checks_load(tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 2
    cases: list[Any] = [
        {"id": f"c{at}", "planted": {"name": "Avery Quill"}, **yaml.safe_load(block)}
        for at, block in enumerate(blocks)
    ]
    (tmp_path / "suite.yaml").write_text(yaml.safe_dump({"suite": "s", "cases": cases}))
    assert len(load(tmp_path, BuiltCatalogue(), {}).suite.cases) == 2


def test_every_type_is_listed() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    named = re.findall(r"`([A-Z_]+)`", " ".join(row.split("|")[1] for row in rows))
    assert sorted(named) == sorted(TYPES)
