"""The page on instrumented agents: its suites load, and the numbers it names are the code's."""

from __future__ import annotations

import re
from pathlib import Path

from probare.loading import load
from probare.pipeline.catalogue import BuiltCatalogue
from probare.targets.otel import receiver, settings, traces

PAGE = (Path(__file__).parents[2] / "docs" / "instrumented.md").read_text("utf-8")


def test_the_suites_load(tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    kinds: list[str] = []
    for block in blocks:
        (tmp_path / "suite.yaml").write_text(block)
        suite = load(tmp_path, BuiltCatalogue(), {}).suite
        kinds += [target.kind for target in suite.targets.values()]
        assert {target.trust for target in suite.targets.values()} == {"claimed"}
    assert kinds == ["python", "command", "http"]


def test_the_numbers_are_the_codes() -> None:
    assert f"{settings.DEFAULT_PORT} is the default" in PAGE
    assert f"By default {settings.HTTP_GRACE:.0f} seconds" in PAGE
    assert f"{receiver.MOST_SENT // 1_000_000} MB\na request" in PAGE
    assert f"{receiver.MOST_INFLATED // 1_000_000} MB unpacked" in PAGE
    assert f"{traces.MOST_SPANS:,} spans" in PAGE
