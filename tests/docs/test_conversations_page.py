"""The suites of `docs/conversations.md` load as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

import probare.loading
from probare.pipeline.catalogue import BuiltCatalogue
from probare.targets.modelsettings import ModelSettings

PAGE = (Path(__file__).parents[2] / "docs" / "conversations.md").read_text(encoding="utf-8")
BLOCKS: list[Any] = [
    yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
]


def test_the_examples_load_together(tmp_path: Path) -> None:
    suite, scripted, simulated = BLOCKS
    cases = suite["cases"] + scripted + simulated
    for case in cases:
        case.setdefault("input", {"question": "?"})
    (tmp_path / "suite.yaml").write_text(yaml.safe_dump({**suite, "cases": cases}))
    (tmp_path / "system.md").write_text("You answer {{ input.question }}.")
    loaded = probare.loading.load(tmp_path, BuiltCatalogue(), {})
    order, refund, angry = loaded.suite.cases
    assert not order.converses
    assert [check.turn for check in refund.expect] == [None, 0, 0, 1]
    assert angry.simulate is not None
    assert angry.simulate.stop.tools == ("hang_up",)


def test_every_setting_of_the_target_is_shown() -> None:
    assert set(BLOCKS[0]["target"]) == set(ModelSettings.__struct_encode_fields__)
