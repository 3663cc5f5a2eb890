"""The page on judges: its suites and examples load, and it names every grader and setting."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from probare.graders.judges import GRADERS
from probare.loading import load
from probare.loading.labelled import read_labelled
from probare.model.suite import JudgeSettings
from probare.pipeline.catalogue import BuiltCatalogue

PAGE = (Path(__file__).parents[2] / "docs" / "judges.md").read_text("utf-8")
BLOCKS: list[str] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def test_the_suites_and_the_examples_load(tmp_path: Path) -> None:
    catalogue = BuiltCatalogue()
    suites = [block for block in BLOCKS if "suite" in yaml.safe_load(block)]
    assert (len(suites), len(BLOCKS)) == (2, 3)
    used: set[str] = set()
    for block in suites:
        (tmp_path / "suite.yaml").write_text(block)
        (case,) = load(tmp_path, catalogue, {}).suite.cases
        used |= {check.grader for check in case.expect + case.forbid}
    assert used == {kind.NAME for kind in GRADERS} - {"judge_rubric"}
    (examples,) = (block for block in BLOCKS if block not in suites)
    (tmp_path / "examples.yaml").write_text(examples)
    read = read_labelled(tmp_path / "examples.yaml", catalogue.graders)
    assert [each.label for each in read.examples] == ["pass", "fail"]


def test_every_grader_and_every_setting_is_named() -> None:
    for kind in GRADERS:
        assert f"| `{kind.NAME}` |" in PAGE
    for name in JudgeSettings.__struct_fields__:
        assert name == "override" or f"`{name}`" in PAGE
