"""A trial's trace in the terminal: its steps as a tree, and where two traces part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from probare.grading.traces import Difference
from probare.model.event import Artifact, Event
from probare.reporting.events import source_mark, told, value_text
from probare.reporting.printing import print_data
from probare.reporting.words import one_line

_VALUE = 160
_OUTSIDE = "–"


class Step:
    """An event with its position in the trace (null for an artifact, which stands outside), and
    the events of the same call that belong below it.
    """

    def __init__(self, event: Event, position: int | None) -> None:
        self.event = event
        self.position = position
        self.below: list[Step] = []


def steps(events: Sequence[Event]) -> list[Step]:
    """Return events as steps: what names a call stands below that call, wherever it came, the
    rest in order. A call stands where the first event that names it came.
    """
    heads: dict[str, Step] = {}
    for event, position in _numbered(events):
        call_id = _call_id(event)
        if call_id is not None and (call_id not in heads or _leads(event, heads[call_id])):
            heads[call_id] = Step(event, position)
    found: list[Step] = []
    placed: set[str] = set()
    for event, position in _numbered(events):
        call_id = _call_id(event)
        if call_id is None:
            found.append(Step(event, position))
            continue
        head = heads[call_id]
        if call_id not in placed:
            placed.add(call_id)
            found.append(head)
        if head.event is not event:
            head.below.append(Step(event, position))
    return found


def render_steps(console: Console, events: Sequence[Event]) -> None:
    """Print a trace's steps: a tree on a terminal, plain indented lines elsewhere."""
    found = steps(events)
    if not found:
        print_data(console, "no events", 0, "dim")
    elif console.is_terminal:
        for step in found:
            tree = Tree(_line(step), guide_style="dim")
            for text in _values(step):
                tree.add(Text(text, "dim"))
            for inner in step.below:
                branch = tree.add(_line(inner))
                for text in _values(inner):
                    branch.add(Text(text, "dim"))
            console.print(tree)
    else:
        for step in found:
            _plain(console, step, 0)


def render_difference(console: Console, found: Difference, one: str, two: str) -> None:
    """Print where two traces part. `one` and `two` name them."""
    first, second = found.kinds
    at = f"the traces part at event {found.position}"
    if not first or not second:
        longer, kind, value = (one, first, found.one) if first else (two, second, found.two)
        shorter = two if first else one
        print_data(console, f"{at}: {shorter} has ended, {longer} goes on with {kind}", 0, "bold")
        _side(console, longer, value)
        return
    if not found.path:
        print_data(console, f"{at}: {first} in {one}, {second} in {two}", 0, "bold")
    else:
        print_data(console, f"{at} ({first}), in {found.path}", 0, "bold")
    for name, value, only in ((one, found.one, "two"), (two, found.two, "one")):
        if found.only == only:
            print_data(console, f"{name}: nothing", 2)
        else:
            _side(console, name, value)


def _side(console: Console, name: str, value: Any) -> None:
    text = value_text(value)
    if "\n" in text or len(text) > console.width - len(name) - 4:
        print_data(console, f"{name}:", 2)
        print_data(console, text, 4)
    else:
        print_data(console, f"{name}: {text}", 2)


def _numbered(events: Sequence[Event]) -> Iterator[tuple[Event, int | None]]:
    position = 0
    for event in events:
        if isinstance(event, Artifact):
            yield event, None
        else:
            yield event, position
            position += 1


def _call_id(event: Event) -> str | None:
    return getattr(event, "call_id", None)


def _leads(event: Event, head: Step) -> bool:
    """Whether the call itself has come, after something else that names it."""
    return event.kind == "tool_call" and head.event.kind != "tool_call"


def _line(step: Step) -> Text:
    found = told(step.event)
    position = _OUTSIDE if step.position is None else str(step.position)
    line = Text.assemble((f"{position:>3}  ", "dim"))
    line.append(found.title, found.style)
    line.append(source_mark(step.event), "yellow")
    return line


def _values(step: Step) -> list[str]:
    found = told(step.event)
    return [
        one_line(f"{name}: {value_text(value)}" if name else value_text(value), _VALUE)
        for name, value in found.parts
    ]


def _plain(console: Console, step: Step, left: int) -> None:
    print_data(console, _line(step).plain, left)
    for text in _values(step):
        print_data(console, text, left + 7)
    for inner in step.below:
        _plain(console, inner, left + 5)
