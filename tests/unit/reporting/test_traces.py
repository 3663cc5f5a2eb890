"""The steps of a trace, and where two traces part."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from rich.console import Console

from probare.grading.traces import first_difference
from probare.model.event import (
    Approval,
    Artifact,
    Attempt,
    Decision,
    Event,
    Message,
    Note,
    ToolCall,
    ToolResult,
)
from probare.reporting.traces import Step, render_difference, render_steps, steps

Snapshot = Callable[[str, str], None]
EVENTS: list[Event] = [
    Message(role="user", content="What dose?", source="observed"),
    Decision(action="lookup", decision="allow", policy="p", call_id="a", source="observed"),
    ToolCall(name="lookup", arguments={"drug": "metformin"}, call_id="a", source="observed"),
    Attempt(operation="lookup", number=1, ok=True, call_id="a"),
    Artifact(path="notes.md", source="observed"),
    ToolCall(name="send", arguments={}, call_id="b", source="observed"),
    ToolResult(name="lookup", result={"dose": 500}, call_id="a", source="observed"),
    Approval(state="denied", action="send", call_id="b"),
    Message(role="assistant", content="500 mg", source="observed"),
]


def outline(found: list[Step]) -> list[Any]:
    return [
        (step.position, step.event.kind, [(one.position, one.event.kind) for one in step.below])
        for step in found
    ]


def test_what_names_a_call_stands_below_it() -> None:
    assert outline(steps(EVENTS)) == [
        (0, "message", []),
        (2, "tool_call", [(1, "decision"), (3, "attempt"), (5, "tool_result")]),
        (None, "artifact", []),
        (4, "tool_call", [(6, "approval")]),
        (7, "message", []),
    ]


def test_an_id_that_no_call_has_gathers_below_the_first_that_names_it() -> None:
    events: list[Event] = [
        Approval(state="requested", action="send", call_id="k"),
        Note(text="waiting"),
        Approval(state="granted", action="send", call_id="k"),
    ]
    assert outline(steps(events)) == [(0, "approval", [(2, "approval")]), (1, "note", [])]


def test_two_calls_of_one_id_stand_below_the_first() -> None:
    events: list[Event] = [ToolCall(name="a", call_id="k"), ToolCall(name="b", call_id="k")]
    assert outline(steps(events)) == [(0, "tool_call", [(1, "tool_call")])]


def test_plain_steps(console: Console, shown: Callable[[], str], snapshot: Snapshot) -> None:
    render_steps(console, EVENTS)
    snapshot("trace.txt", shown())


def test_a_tree_on_a_terminal(snapshot: Snapshot) -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system=None, _environ={})
    render_steps(console, EVENTS)
    snapshot("trace_tree.txt", "\n".join(line.rstrip() for line in out.getvalue().split("\n")))


def test_an_empty_trace(console: Console, shown: Callable[[], str]) -> None:
    render_steps(console, [])
    assert shown() == "no events\n"


def difference(console: Console, one: list[Event], two: list[Event]) -> None:
    found = first_difference(one, two)
    assert found is not None
    render_difference(console, found, "trial 0", "trial 1")


def test_a_value_that_differs(console: Console, shown: Callable[[], str]) -> None:
    difference(console, [Note(text="t", data={"at": 1})], [Note(text="t", data={"at": 2})])
    assert shown() == (
        "the traces part at event 0 (note), in data.at\n  trial 0: 1\n  trial 1: 2\n"
    )


def test_a_value_that_only_one_has(console: Console, shown: Callable[[], str]) -> None:
    difference(console, [Note(text="t", data={})], [Note(text="t", data={"at": "\x1b[1m"})])
    assert shown() == (
        "the traces part at event 0 (note), in data.at\n  trial 0: nothing\n  trial 1: \\x1b[1m\n"
    )


def test_one_trace_that_goes_on(console: Console, shown: Callable[[], str]) -> None:
    difference(console, [], [Note(text="t")])
    assert shown().startswith(
        "the traces part at event 0: trial 0 has ended, trial 1 goes on with note\n  trial 1: {"
    )


def test_another_kind(console: Console, shown: Callable[[], str]) -> None:
    difference(console, [Note(text="t")], [ToolCall(name="x" * 90)])
    assert "the traces part at event 0: note in trial 0, tool_call in trial 1" in shown()
    assert '  trial 1:\n    {\n      "kind": "tool_call",' in shown()
