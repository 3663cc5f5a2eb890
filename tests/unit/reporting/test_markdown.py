"""`report.md`: all that a reader needs, and nothing from data as markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from probare.errors import RunDirectoryError
from probare.model.case import Case
from probare.model.record import TrialRecord
from probare.ports.reporter import Material
from probare.reporting.markdown import MarkdownReporter, pieces

Build = dict[str, Callable[..., Any]]


def report(material: Material) -> str:
    return "".join(pieces(material))


def section(text: str, heading: str) -> str:
    """Return the part under a heading of the second level."""
    found = re.search(rf"^## {heading}.*?(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found is not None, heading
    return found[0]


def test_every_kind_of_case(every_kind: Material, snapshot: Callable[[str, str], None]) -> None:
    snapshot("report.md", report(every_kind))


def test_errored_never_stands_among_violations(every_kind: Material) -> None:
    text = report(every_kind)
    assert "broken" not in section(text, "Violations")
    assert "wrong" not in section(text, "Errored")
    assert "broken, over all its trials" in section(text, "Errored")
    assert "late" in section(text, "Did not run")


def test_replies_for_people_are_printed_whole(build: Build) -> None:
    reply = "".join(f"line {n}\n" for n in range(1000))
    whole = build["summary"]({"c": build["case"]("ungraded", 0, 1, review="always")})
    cut = build["record"]("c", 0, "ungraded", output_text=reply)
    text = report(build["material"](whole, [cut], (), (Case(id="c", input={"message": "Hi?"}),)))
    people = section(text, "For people")
    assert "Hi?" in people
    assert reply in people
    assert "… [" not in people


def test_replies_come_in_the_order_of_the_cases(build: Build) -> None:
    names = ["a", "b", "c"]
    cases = {name: build["case"]("ungraded", 0, 2, review="always") for name in names}
    records = [
        build["record"](name, trial, "ungraded") for trial in (1, 0) for name in reversed(names)
    ]
    text = section(report(build["material"](build["summary"](cases), records)), "For people")
    assert re.findall(r"^### (\w), trial (\d)", text, re.MULTILINE) == [
        (name, trial) for name in names for trial in "01"
    ]


def test_no_reply_is_said(build: Build) -> None:
    whole = build["summary"]({"c": build["case"]("errored", 0, 1, review="always")})
    gone = build["record"]("c", 0, "errored", output_text=None)
    assert "Replied nothing." in report(build["material"](whole, [gone]))


def test_the_command_is_quoted(every_kind: Material) -> None:
    how = section(report(every_kind), "How to make it again")
    line = "probare run suites/demo --case 'a b*' --limit 5 --trials 2 --timeout 30s --seed 7"
    assert line in how
    assert "d" * 64 in how
    assert "python 3.11.7" in how


def test_data_is_never_markup(hostile: Material) -> None:
    text = report(hostile)
    found = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    inner = [child for token in found for child in (token.children or [])]
    kinds = {token.type for token in [*found, *inner]}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "em_open", "s_open"}
    code = {token.content for token in inner if token.type == "code_inline"}
    assert code <= {"summary.json", "trials.jsonl", "cases.jsonl", "transcripts.jsonl"}
    ours = re.compile(
        r"Scores|Optional|By |Against|Violations|Errored|Needs|For people|Cases|How to"
    )
    heads = [
        found[at + 1].content
        for at, token in enumerate(found)
        if token.type == "heading_open" and token.tag == "h2"
    ]
    assert heads
    assert all(ours.match(head) for head in heads)
    assert "\x1b" not in text
    assert "\u202e" not in text
    text.encode("utf-8")


def test_twenty_thousand_failures_are_listed_up_to_a_cap(build: Build) -> None:
    names = [f"case_{n}" for n in range(20_000)]
    one = build["case"]("failed", 0, 1)
    bad = build["verdict"]("fail")
    whole = build["summary"](dict.fromkeys(names, one))
    made = build["material"](whole, [])

    def records() -> Iterator[TrialRecord]:
        return (build["record"](name, 0, "failed", bad) for name in names)

    text = "".join(
        pieces(
            Material(
                summary=whole,
                plan=made.plan,
                suite=made.suite,
                records=records,
                case_records=made.case_records,
                transcript=made.transcript,
            )
        )
    )
    assert len(text) < 300_000
    assert "Violations: 20,000 trials" in text
    assert "… and 19,800 more in `trials.jsonl`" in text
    assert "… and 19,500 cases more in `summary.json`" in text


def test_a_report_is_written_whole_or_not_at_all(every_kind: Material, tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text("old")
    reporter = MarkdownReporter()
    reporter.write(path, every_kind)
    assert path.read_text(encoding="utf-8") == report(every_kind)
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]
    with pytest.raises(RunDirectoryError, match="cannot be written"):
        reporter.write(tmp_path / "missing" / "report.md", every_kind)


def test_a_fault_in_the_middle_keeps_the_old_report(every_kind: Material, tmp_path: Path) -> None:
    def broken() -> Iterator[TrialRecord]:
        raise RunDirectoryError("corrupt")
        yield

    path = tmp_path / "report.md"
    path.write_text("old")
    bad = Material(
        summary=every_kind.summary,
        plan=every_kind.plan,
        suite=every_kind.suite,
        records=broken,
        case_records=every_kind.case_records,
        transcript=every_kind.transcript,
    )
    with pytest.raises(RunDirectoryError, match="corrupt"):
        MarkdownReporter().write(path, bad)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]
