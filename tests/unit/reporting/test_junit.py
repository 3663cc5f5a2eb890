"""`junit.xml`: read back by a parser, and what is unknown is never green."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.model.record import CaseRecord
from probare.ports.reporter import Material
from probare.reporting.junit import JunitReporter, pieces

Build = dict[str, Callable[..., Any]]


def parsed(material: Material) -> ET.Element:
    document = "".join(pieces(material))
    suite = ET.fromstring(document.encode("utf-8")).find("testsuite")
    assert suite is not None
    return suite


def test_each_status_has_its_kind(every_kind: Material) -> None:
    suite = parsed(every_kind)
    kinds = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert kinds == {
        "right": [],
        "wrong": ["failure"],
        "shaky": ["failure"],
        "broken": ["error"],
        "unclear": ["error"],
        "greeting": ["skipped"],
        "unchecked": ["error"],
        "late": ["error"],
    }
    assert suite.attrib | {"timestamp": ""} == {
        "name": "demo",
        "tests": "8",
        "failures": "2",
        "errors": "4",
        "skipped": "1",
        "time": "65.432",
        "timestamp": "",
    }


def test_reasons_and_properties(every_kind: Material) -> None:
    suite = parsed(every_kind)
    wrong = suite.find("testcase[@name='wrong']/failure")
    assert wrong is not None
    assert wrong.get("type") == "failed"
    assert wrong.get("message") == "failed: 0 of 2 trials passed"
    assert "trial 1: fail: forbid no leak: forbidden, and yet: 'x' is in it" in (wrong.text or "")
    assert "all trials: fail: expect identical traces" in (wrong.text or "")
    broken = suite.find("testcase[@name='broken']/error")
    assert broken is not None
    assert "trial 0: timeout: Timeout: no answer in 60 s" in (broken.text or "")
    late = suite.find("testcase[@name='late']/error")
    assert late is not None
    assert late.get("message") == "errored: 0 of 3 trials passed, 2 did not run"
    named = {p.get("name"): p.get("value") for p in suite.iter("property")}
    assert named["decision"] == "failed"
    assert named["run_id"] == "demo-20260102T030405Z-abc123"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(), st.text(), st.text())
def test_any_text_is_valid_xml(build: Build, name: str, reason: str, why: str) -> None:
    case = build["case"]("failed", 0, 1, category=why)
    bad = build["verdict"]("fail", name, reason=reason)
    records = [build["record"](name, 0, "failed", bad)]
    suite = parsed(
        build["material"](build["summary"]({name: case}, suite=name, why=(why,)), records)
    )
    found = suite.find("testcase")
    assert found is not None
    if name.isprintable():
        assert found.get("name") == name


def test_data_is_never_markup(hostile: Material) -> None:
    suite = parsed(hostile)
    assert [child.tag for child in suite] == ["properties"] + ["testcase"] * 4
    assert {child.tag for case in suite.iter("testcase") for child in case} == {
        "failure", "error", "skipped"
    }  # fmt: skip
    assert all(len(case) == 1 and len(case[0]) == 0 for case in suite.iter("testcase"))


@pytest.mark.parametrize("control", ["\x00", "\x0b", "\x1f", "\ufffe", "\ud800", "]]>", "<!--"])
def test_what_xml_cannot_hold_is_replaced(build: Build, control: str) -> None:
    name = f"a{control}b"
    suite = parsed(build["material"](build["summary"]({name: build["case"]("passed", 1, 1)}), []))
    case = suite.find("testcase")
    assert case is not None
    assert case.get("name") in (name, "a\ufffdb")


def test_lines_a_case_are_capped(build: Build) -> None:
    bad = build["verdict"]("fail", reason="x" * 5000)
    records = [build["record"]("c", trial, "failed", bad) for trial in range(100)]
    wide = (CaseRecord(case="c", verdicts=(bad,)),)
    whole = build["summary"]({"c": build["case"]("failed", 0, 100)})
    found = parsed(build["material"](whole, records, wide)).find("testcase/failure")
    assert found is not None
    lines = (found.text or "").split("\n")
    assert len(lines) == 21
    assert lines[0].startswith("all trials: fail")
    assert lines[-1] == "… more in trials.jsonl"
    assert max(map(len, lines)) <= 500


def test_the_file_is_written(every_kind: Material, tmp_path: Path) -> None:
    reporter = JunitReporter()
    reporter.write(tmp_path / reporter.filename, every_kind)
    assert len(list(ET.parse(tmp_path / "junit.xml").getroot().iter("testcase"))) == 8
