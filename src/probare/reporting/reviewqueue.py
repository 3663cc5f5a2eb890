"""The review queue in the terminal: what is to be reviewed, why, by when and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from probare.model.incident import Incident
from probare.model.review import QueueItem
from probare.reporting.printing import print_data
from probare.reporting.words import one_line, plural

_NAME = 120
_WHY = 300
_ROWS = 200
_STATES = {
    "waiting": ("waiting", "dim"),
    "in_review": ("in review", "default"),
    "adjudication": ("to adjudicate", "yellow"),
    "done": ("done", "green"),
}


def render_queue(console: Console, items: Sequence[QueueItem]) -> None:
    """Print a row an item, at most two hundred."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    grid.add_column("item", no_wrap=True)
    grid.add_column("case", overflow="fold")
    grid.add_column("prio", justify="right")
    grid.add_column("due", overflow="fold")
    grid.add_column("in", justify="right")
    grid.add_column("state", overflow="fold")
    grid.add_column("assigned", overflow="fold")
    grid.add_column("why", overflow="fold")
    for item in items[:_ROWS]:
        word, style = _STATES[item.state]
        trial = f" #{item.trial}" if item.trial else ""
        grid.add_row(
            item.id,
            Text(one_line(item.case, _NAME) + trial),
            str(item.priority),
            "–" if item.due is None else item.due[:16].replace("T", " "),
            f"{item.reviews_in}/{item.overlap}",
            Text(word, style),
            Text(one_line(", ".join(_assigned(item)) or "–", _NAME)),
            Text(one_line("; ".join(each.words for each in item.reasons), _WHY)),
        )
    console.print(grid)
    if len(items) > _ROWS:
        print_data(console, f"… and {plural(len(items) - _ROWS, 'item')} more (--json has all)")


def _assigned(item: QueueItem) -> Iterator[str]:
    for each in item.assigned:
        done = " ✓" if each.submitted else ""
        yield f"{each.person}{' (adjudicates)' if each.purpose == 'adjudicated' else ''}{done}"


def render_incidents(console: Console, incidents: Iterable[Incident]) -> None:
    """Print two lines an incident: what it is and where it stands, what happened."""
    for each in incidents:
        standing = "open" if each.open else f"closed by {each.closed_by}"
        holds = ", holds the gate" if each.open and each.holds_gate else ""
        style = "red" if each.open and each.holds_gate else "default"
        head = f"{each.id}  {each.route}  {each.severity}  {standing}{holds}"
        print_data(console, one_line(head, _NAME), 0, style)
        owner = f", owner {each.owner}" if each.owner else ""
        where = f"{each.case} trial {each.trial}{owner}: {each.happened}"
        print_data(console, one_line(where, _WHY), 4)
