"""A proof in the terminal: at 80 columns, without colour, never interpreting data."""

from __future__ import annotations

import io
from collections.abc import Callable

import msgspec
from rich.console import Console

from probare.model.proof import ProofResult, Unmoved
from probare.reporting.proofs import render_proof

Snapshot = Callable[[str, str], None]


def test_every_kind_of_outcome(
    every_outcome: ProofResult, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    render_proof(console, every_outcome)
    snapshot("proof.txt", shown())


def test_in_ascii(
    every_outcome: ProofResult, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    render_proof(console, every_outcome, ascii_only=True)
    snapshot("proof_ascii.txt", shown())


def test_a_console_without_unicode_gets_ascii_marks(every_outcome: ProofResult) -> None:
    buffer = io.BytesIO()
    file = io.TextIOWrapper(buffer, encoding="ascii", errors="backslashreplace")
    render_proof(Console(file=file, width=80, force_terminal=False, _environ={}), every_outcome)
    file.flush()
    assert b"X~x......." in buffer.getvalue()


def test_a_proof_that_holds_is_short(
    every_outcome: ProofResult, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    first = every_outcome.defects[0]
    whole = msgspec.structs.replace(
        every_outcome,
        decision="passed",
        exit_code=0,
        why=("1 of 1 defects are caught",),
        defects=(first,),
        matrix={first.name: every_outcome.matrix[first.name]},
        oracle=msgspec.structs.replace(every_outcome.oracle, against={}, aside={}, passed=12),
        null=msgspec.structs.replace(every_outcome.null, against={}, open={}, aside={}, passed=0),
        healthy=msgspec.structs.replace(every_outcome.oracle, against={}),
        unmoved=Unmoved(planned=24, never_failed=0, null_fails=0, checks={}, graders=(), cases=()),
        part=(),
        notes=(),
    )
    render_proof(console, whole)
    snapshot("proof_passed.txt", shown())


def test_more_cases_than_there_is_room_for_stand_in_several_blocks(
    every_outcome: ProofResult, console: Console, shown: Callable[[], str], snapshot: Snapshot
) -> None:
    cases = tuple(f"case_{number}" for number in range(120))
    first = msgspec.structs.replace(every_outcome.defects[0], must_fail=cases, failed=cases)
    wide = msgspec.structs.replace(
        every_outcome,
        cases=cases,
        defects=(first,),
        matrix={first.name: dict.fromkeys(cases, "failed")},
    )
    render_proof(console, wide)
    text = shown()
    lines = [line for line in text.splitlines() if "✗✗" in line]
    assert sum(line.count("✗") for line in lines) == 120
    assert all(len(line) <= 80 for line in text.splitlines())
    snapshot("proof_wide.txt", text)


def test_data_cannot_steer_the_terminal(
    hostile_proof: ProofResult, console: Console, shown: Callable[[], str]
) -> None:
    render_proof(console, hostile_proof)
    text = shown()
    assert "[bold red]x[/]" in text
    assert not {"\x1b", "\x07", "\u202e", "\ud800"} & set(text)
