"""Who are you: a login, or a name that is said once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from probare.errors import InvalidReview, NotAllowed
from probare.review import people
from probare.web import visitors
from probare.web.asking import Ask, as_json, redirect, status_of

if TYPE_CHECKING:
    from starlette.responses import Response

_LOCAL = re.compile(r"/(?![/\\])[^\x00-\x20\\]*\Z")


def ask_login(ask: Ask) -> Response:
    """Show the form for name and password."""
    return _form(ask, "login.html") if ask.site.doors.accounts else redirect("/who")


def login(ask: Ask) -> Response:
    """Open a session."""
    if not ask.site.doors.accounts:
        return redirect("/who")
    client = ask.request.client
    try:
        session = ask.desk.accounts.login(
            ask.field("name"), ask.field("password"), origin=client.host if client else ""
        )
    except NotAllowed as error:
        answer = _form(ask, "login.html", error.message, status_of(error))
        if error.retry_after is not None:
            answer.headers["retry-after"] = str(int(error.retry_after) + 1)
        return answer
    answer = redirect(_next(ask))
    visitors.remember_session(ask.site, answer, session.token)
    return answer


def ask_name(ask: Ask) -> Response:
    """Show the form for a name, where there are no accounts."""
    return redirect("/login") if ask.site.doors.accounts else _form(ask, "who.html")


def say_name(ask: Ask) -> Response:
    """Keep the name that was said."""
    if ask.site.doors.accounts:
        return redirect("/login")
    try:
        who = people.person(ask.field("name"), "lead")
    except InvalidReview as error:
        return _form(ask, "who.html", error.faults[0].message, 422)
    answer = redirect(_next(ask))
    visitors.remember_name(ask.site, answer, who.name)
    return answer


def logout(ask: Ask) -> Response:
    """End the session, or forget the name."""
    visitor = ask.visitor
    if visitor is not None and visitor.session is not None:
        ask.desk.accounts.logout(visitor.session)
    answer = redirect("/login" if ask.site.doors.accounts else "/who")
    visitors.forget(ask.site, answer)
    answer.headers["clear-site-data"] = '"storage"'
    return answer


def token(ask: Ask) -> Response:
    """Answer with the token of forms, for a page that outlived its session or the server."""
    assert ask.visitor is not None
    return as_json({"csrf": ask.visitor.csrf, "name": ask.person.name})


def _form(ask: Ask, template: str, error: str = "", status: int = 200) -> Response:
    nonce, form = visitors.form_token(ask.site, ask.request)
    answer = ask.page(
        template, status, form=form, error=error, back=_next(ask), name=ask.field("name")
    )
    visitors.remember_form(ask.site, answer, nonce)
    return answer


def _next(ask: Ask) -> str:
    """Return where to go on: an address of this site, whatever was given."""
    given = ask.field("next") or ask.query("next") or "/"
    return given if _LOCAL.match(given) else "/"
