"""`docs/scenarios.md` lists the sentences that there are, and its example loads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

import probare.loading
from probare.loading.dialects.criteria import CORE
from probare.pipeline.catalogue import BuiltCatalogue

PAGE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")


def block(language: str, number: int = 0) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found[number]


def test_every_core_sentence_is_listed() -> None:
    rows = re.findall(r"^\| ([^|]+) \| `([^`]+)` \|$", PAGE, re.MULTILINE)
    written = [(text, yaml.safe_load(check)) for text, check in rows]
    assert written == [(text, check) for side in CORE.values() for text, check in side.items()]


def test_the_example_loads(tmp_path: Path) -> None:
    suite = yaml.safe_load(block("yaml")) | yaml.safe_load(block("yaml", 1))
    scenario = json.loads(block("json"))
    folder = tmp_path / "scenarios" / "s01"
    folder.mkdir(parents=True)
    (folder / "scenario.json").write_text(json.dumps(scenario))
    (tmp_path / "suite.yaml").write_text(yaml.safe_dump(suite))
    loaded = probare.loading.load(tmp_path, BuiltCatalogue(), {})
    (case,) = loaded.suite.cases
    assert [check.label for check in case.expect] == scenario["pass_criteria"]
    assert [check.label for check in case.forbid] == scenario["fail_criteria"]
    assert loaded.suite.target == "mock"
