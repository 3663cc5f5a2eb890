"""`--format csv`: a row a trial, harmless in a spreadsheet, readable by any parser of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.model.outcome import UsageTotal
from probare.model.record import TrialError
from probare.ports.reporter import Material
from probare.reporting.csvtable import COLUMNS, CsvReporter, harmless, pieces, score

Build = dict[str, Callable[..., Any]]


def read(material: Material) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(pieces(material)), newline="")))


def test_each_trial_has_a_row_in_the_order_it_ended(every_kind: Material) -> None:
    rows = read(every_kind)
    assert [(row["case"], row["trial"]) for row in rows] == [
        (record.case, str(record.trial)) for record in every_kind.records()
    ]
    assert list(rows[0]) == list(COLUMNS)
    assert [row["status"] for row in rows[:3]] == ["passed", "failed", "failed"]


def test_failing_labels_the_reason_and_the_error_are_told(every_kind: Material) -> None:
    rows = {(row["case"], row["trial"]): row for row in read(every_kind)}
    wrong = rows["wrong", "1"]
    assert wrong["failed"] == "no leak\nstyle"
    assert wrong["reason"] == "forbidden, and yet: 'x' is in it"
    broken = rows["broken", "0"]
    assert (broken["stop"], broken["error"]) == ("timeout", "Timeout: no answer in 60 s")
    assert (broken["failed"], broken["undecided"]) == ("", "contains hello")
    assert rows["unclear", "0"]["undecided"] == "language"


def test_what_is_not_known_is_empty_never_nought(every_kind: Material, build: Build) -> None:
    rows = {(row["case"], row["trial"]): row for row in read(every_kind)}
    assert rows["right", "0"]["cost_usd"] == ""
    assert rows["shaky", "1"]["cost_usd"] == "0.01"
    assert rows["greeting", "0"]["score"] == ""
    none_spent = build["record"]("right", 0, "passed", usage=UsageTotal(cost_usd=0.0))
    [row] = read(msgspec.structs.replace(every_kind, records=lambda: iter([none_spent])))
    assert row["cost_usd"] == "0.0"


def test_the_score_is_the_share_of_weight(build: Build) -> None:
    verdict = build["verdict"]
    assert score((verdict("pass", weight=3.0), verdict("fail"))) == 0.75
    assert score((verdict("error"), verdict("pass"))) == 0.5
    assert score((verdict("pass", weight=0.0),)) is None
    assert score(()) is None


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_a_formula(start: str, every_kind: Material, build: Build) -> None:
    text = f"{start}cmd|' /C calc'!A0"
    record = build["record"](
        text,
        0,
        "failed",
        build["verdict"]("fail", text, reason=text),
        stop="target_error",
        error=TrialError(text, text),
    )
    case = build["case"]("failed", 0, 1, category=text, tags=(text,))
    material = build["material"](build["summary"]({text: case}), [record])
    [row] = read(material)
    for column in ("case", "category", "tags", "failed", "reason", "error"):
        assert row[column].startswith("'"), column


def test_ordinary_text_and_numbers_are_left_alone() -> None:
    assert harmless("hello = world") == "hello = world"
    assert harmless("") == ""


def test_hostile_data_survives_the_round_trip(hostile: Material) -> None:
    rows = read(hostile)
    assert [row["case"].removeprefix("'") for row in rows] == [r.case for r in hostile.records()]


def test_secrets_are_masked_and_the_file_is_written(every_kind: Material, tmp_path: Path) -> None:
    def mask(text: str) -> str:
        return text.replace("shaky", "[x]")

    material = msgspec.structs.replace(every_kind, mask=mask)
    CsvReporter().write(tmp_path / "t.csv", material)
    text = (tmp_path / "t.csv").read_text(encoding="utf-8")
    assert "shaky" not in text
    assert "[x]" in text
