"""A run in the terminal: at 80 columns, without colour, never interpreting data."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from rich.console import Console

from probare.ports.reporter import Material
from probare.reporting.details import details
from probare.reporting.terminal import render_run

Build = dict[str, Callable[..., Any]]
Snapshot = Callable[[str, str], None]


def render(console: Console, material: Material, *, table: bool = True) -> None:
    found = details(
        material.summary.trials,
        material.records(),
        material.case_records(),
        cases=material.suite.cases,
    )
    render_run(console, material.summary, found, table=table)


def test_every_kind_of_case(
    every_kind: Material, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    render(console, every_kind)
    snapshot("run.txt", shown())


def test_the_summary_alone(
    every_kind: Material, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    render(console, every_kind, table=False)
    snapshot("run_without_table.txt", shown())


def test_many_cases_show_only_those_that_did_not_pass(
    build: Build, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    per_case = {f"case_{n:03}": build["case"]("passed", 1, 1) for n in range(100)}
    per_case["case_042"] = build["case"]("failed", 0, 1)
    records = [build["record"]("case_042", 0, "failed", build["verdict"]("fail"))]
    render(console, build["material"](build["summary"](per_case), records))
    snapshot("run_of_many.txt", shown())


def test_a_passed_run_is_short(
    build: Build, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    whole = build["summary"](
        {"only": build["case"]("passed", 1, 1)},
        decision="passed",
        exit_code=0,
        why=("the gate holds: 1 of 1 cases passed",),
        cost_usd=None,
        tokens=None,
        baseline={"words": "no regression seen"},
    )
    render(console, build["material"](whole, []))
    snapshot("run_passed.txt", shown())


def test_errored_never_stands_among_violations(
    every_kind: Material, console: Console, shown: Callable[[], str]
) -> None:
    render(console, every_kind)
    text = shown()
    violations = text[text.index("Violations") : text.index("Errored")]
    errored = text[text.index("Errored") : text.index("Needs review")]
    assert "wrong" in violations
    assert "broken" not in violations
    assert "broken, over all its trials" in errored
    assert "wrong" not in errored
    assert text.rstrip().endswith("broken, late")


def test_more_than_fits_is_counted(
    build: Build, console: Console, shown: Callable[[], str]
) -> None:
    per_case = {f"c{n}": build["case"]("failed", 0, 1) for n in range(40)}
    bad = build["verdict"]("fail")
    records = [build["record"](name, 0, "failed", bad) for name in per_case]
    render(console, build["material"](build["summary"](per_case), records))
    assert "Violations: 40 trials" in shown()
    assert "… and 28 more: see report.md" in shown()
    assert "… and 10 cases more: 10 did not" in shown()


def test_data_is_never_markup(
    hostile: Material, console: Console, shown: Callable[[], str]
) -> None:
    render(console, hostile)
    text = shown()
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "[bold red]x[/]" in text
    assert "\\x1b[2J" in text.replace("\n    ", "")
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_colour_terminal_gets_only_our_escapes(hostile: Material) -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, _environ={})
    render(console, hostile)
    assert isinstance(console.file, io.StringIO)
    assert "\x1b[2J" not in console.file.getvalue()
    assert "\x1b[1;31mFAILED" in console.file.getvalue()


def test_wide_letters_and_long_ids_fit(
    build: Build, console: Console, shown: Callable[[], str]
) -> None:
    name = "問題" * 200
    bad = build["verdict"]("fail", reason="理由" * 500)
    whole = build["summary"]({name: build["case"]("failed", 0, 3)})
    render(console, build["material"](whole, [build["record"](name, 0, "failed", bad)]))
    from rich.cells import cell_len

    assert max(cell_len(line) for line in shown().splitlines()) <= 80
    assert len(shown()) < 4000
