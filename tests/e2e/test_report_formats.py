"""`probare report RUN --format …`: every format of a finished run; nothing in the run changes."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

SUITE = """suite: greeter
target: {python: "agent:greet"}
trials: 2
cases:
  - {id: world, input: world, tags: [regression], expect: [{contains: hello}]}
  - {id: nobody, input: "=1+1", tags: [capability], expect: [{contains: hello}]}
"""
AGENT = """def greet(input, trial):
    return f"hello {input}" if input == "world" else f"@team <b>{input}</b>"
"""


@pytest.fixture
def run(probare: Any, write_suite: Any, only_run: Any) -> Any:
    write_suite(SUITE, AGENT)
    probare("run", "demo")
    return only_run()


def contents(run: Any) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}


def test_each_run_has_its_html_report_and_names_it(
    probare: Any, write_suite: Any, only_run: Any
) -> None:
    write_suite(SUITE, AGENT)
    result = probare("run", "demo")
    assert "report.html" in result.out
    text = (only_run() / "report.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in text
    assert "<b>=1+1</b>" not in text


@pytest.mark.parametrize("name", ["md", "html", "junit", "json", "csv", "github"])
def test_a_format_is_printed_or_written(probare: Any, run: Any, tmp_path: Any, name: str) -> None:
    before = contents(run)
    printed = probare("report", run, "--format", name)
    assert printed.code == 0, printed.err
    written = probare("report", run, "--format", name, "--out", tmp_path / "out")
    assert written.code == 0, written.err
    assert (tmp_path / "out").read_bytes().decode() == printed.out or name == "csv"
    assert contents(run) == before


def test_csv_has_a_row_a_trial(probare: Any, run: Any, tmp_path: Any) -> None:
    probare("report", run, "--format", "csv", "--out", tmp_path / "t.csv")
    text = (tmp_path / "t.csv").read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert sorted((row["case"], row["trial"], row["status"]) for row in rows) == [
        ("nobody", "0", "failed"),
        ("nobody", "1", "failed"),
        ("world", "0", "passed"),
        ("world", "1", "passed"),
    ]


def test_github_calls_nobody(probare: Any, run: Any) -> None:
    text = probare("report", run, "--format", "github").out
    assert text.startswith("### ✅ greeter: PASSED")
    assert "@team" not in text
    assert "<b>" not in text
    assert len(text.splitlines()) <= 60


def test_an_unknown_format_names_the_known_ones(probare: Any, run: Any) -> None:
    result = probare("report", run, "--format", "pdf")
    assert result.code == 2
    for name in ("md", "html", "junit", "json", "csv", "github"):
        assert name in result.err
    assert "did you mean 'html'" in probare("report", run, "--format", "htm").err


def test_a_baseline_shows_what_fell_and_what_was_fixed(
    probare: Any, write_suite: Any, tmp_path: Any
) -> None:
    swapped = AGENT.replace('input == "world"', 'input != "world"')
    write_suite(SUITE, AGENT)
    first = probare("run", "demo", "--runs", "first")
    assert first.code == 0, first
    [old] = (tmp_path / "first").iterdir()
    assert probare("baseline", "set", old).code == 0
    write_suite(SUITE, swapped)
    assert probare("run", "demo", "--runs", "second").code == 1
    [new] = (tmp_path / "second").iterdir()
    text = (new / "report.html").read_text(encoding="utf-8")
    assert "world: 2/2 → 0/2 trials passed" in text
    assert "Fixed or better: 1" in text
    assert "nobody: 0/2 → 2/2 trials passed" in text
