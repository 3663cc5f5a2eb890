"""The queue, and one item of it: why it is there, who has it, what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from probare.model.review import ItemState
from probare.review import people
from probare.review.seeing import BLIND
from probare.web.asking import Ask, redirect
from probare.web.reviewing import trial_of
from probare.web.seeing import reasons_shown

if TYPE_CHECKING:
    from starlette.responses import Response

PAGE = 50
_STATES: tuple[ItemState, ...] = ("waiting", "in_review", "adjudication", "done")


def queue(ask: Ask) -> Response:
    """List items, those due first."""
    run, case = ask.query("run") or None, ask.query("case").strip() or None
    state = next((each for each in _STATES if each == ask.query("state")), None)
    chosen: dict[str, Any] = {"state": state, "case": case, "mine": ask.query("mine") == "1"}
    total = ask.desk.count(ask.person, run, **chosen)
    number = min(ask.number("page", 1, 1), max(1, -(-total // PAGE)))
    listed = ask.desk.queue(ask.person, run, **chosen, offset=(number - 1) * PAGE, limit=PAGE)
    rows = [(item, reasons_shown(item, visible=_visible(ask, item.state))) for item in listed]
    return ask.page(
        "queue.html",
        rows=rows,
        runs=ask.desk.runs(),
        states=_STATES,
        chosen=chosen | {"run": run},
        total=total,
        number=number,
        pages=max(1, -(-total // PAGE)),
        progress=ask.desk.progress(ask.person, run),
        users=_users(ask),
    )


def _visible(ask: Ask, state: ItemState) -> bool:
    """Whether what rules found of a listed item may be told; who unblinded one sees it there."""
    return state not in BLIND or not people.may(ask.person.role, "review")


def item(ask: Ask) -> Response:
    """Show an item, and its reviews side by side as far as they may be seen."""
    found = ask.desk.item(ask.person, ask.path("item"))
    visible = ask.desk.visible_to(ask.person, found.id)
    reviews = ask.desk.reviews(ask.person, found.id)
    standing = {each.supersedes for each in reviews}
    run = ask.shelf.by_id(found.run)
    return ask.page(
        "item.html",
        item=found,
        visible=visible,
        reasons=reasons_shown(found, visible=visible),
        rubric=ask.desk.rubric(found.rubric),
        reviews=[each for each in reviews if each.id not in standing],
        superseded=[each for each in reviews if each.id in standing],
        outcome=ask.desk.outcome(ask.person, found.id) if visible else None,
        told=trial_of(ask, found),
        run=run.name if run is not None else None,
        mine=any(each.person == ask.person.name and not each.submitted for each in found.assigned),
        users=_users(ask),
    )


def _users(ask: Ask) -> list[str]:
    """Return whom an item can be assigned to."""
    if not ask.may("assign"):
        return []
    return [
        each.name
        for each in ask.desk.accounts.users()
        if not each.disabled and people.may(each.role, "review")
    ]


def assign(ask: Ask) -> Response:
    """Assign an item to somebody."""
    name = ask.path("item")
    purpose = "adjudicated" if ask.field("purpose") == "adjudicated" else "reviewed"
    ask.desk.assign(ask.person, name, ask.field("name"), purpose)
    return redirect(f"/items/{name}")


def release(ask: Ask) -> Response:
    """Give a place back."""
    name = ask.path("item")
    ask.desk.release(ask.person, name, ask.field("name") or None)
    return redirect(f"/items/{name}")


def unblind(ask: Ask) -> Response:
    """Look at an item before its reviews are in, and review it no more."""
    name = ask.path("item")
    ask.desk.unblind(ask.person, name, why=ask.field("why"))
    return redirect(f"/items/{name}")
