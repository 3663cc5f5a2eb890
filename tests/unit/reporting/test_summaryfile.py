"""`summary.json` is the summary, readable, with null for what is no number."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from probare.model.score import Summary
from probare.ports.reporter import Material
from probare.reporting.summaryfile import SummaryReporter, pieces

Build = dict[str, Callable[..., Any]]


def test_it_is_read_back_as_it_was(every_kind: Material, tmp_path: Path) -> None:
    reporter = SummaryReporter()
    path = tmp_path / reporter.filename
    reporter.write(path, every_kind)
    assert msgspec.json.decode(path.read_bytes(), type=Summary) == every_kind.summary
    assert path.read_bytes().endswith(b"}\n")


def test_a_case_stands_on_a_line(every_kind: Material) -> None:
    lines = "".join(pieces(every_kind.summary)).splitlines()
    for name, case in every_kind.summary.per_case.items():
        (line,) = [line for line in lines if line.startswith(f'    "{name}": {{"status"')]
        found = json.loads(line.strip().rstrip(",").partition(": ")[2])
        assert found["status"] == case.status


def test_nan_is_null(build: Build) -> None:
    whole = build["summary"]({"c": build["case"]("passed", 1, 1, accuracy=float("nan"))})
    text = "".join(pieces(whole))
    assert json.loads(text)["per_case"]["c"]["accuracy"] is None
    assert "NaN" not in text


def test_odd_names_and_no_cases(build: Build, hostile: Material) -> None:
    assert json.loads("".join(pieces(build["summary"]({}))))["per_case"] == {}
    text = "".join(pieces(hostile.summary))
    assert len(json.loads(text)["per_case"]) == 4
    tricky = build["summary"](
        {'"per_case": {}': build["case"]("passed", 1, 1)}, notes=('"per_case": {}',)
    )
    assert list(json.loads("".join(pieces(tricky)))["per_case"]) == ['"per_case": {}']
