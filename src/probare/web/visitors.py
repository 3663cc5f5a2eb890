"""Who asks: a session where people log in, else a name that was said once.

A token goes into every form and is checked with every request that changes anything.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

import msgspec

from probare.errors import InvalidReview
from probare.model.review import Person
from probare.review import people
from probare.web.site import Site

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_SESSION = "probare_session"
_NAME = "probare_name"
_FORM = "probare_form"
_YEAR = 365 * 86_400


class Visitor(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, the token of their forms, and the session's own token where there is one."""

    person: Person
    csrf: str
    session: str | None = None


def visitor_of(site: Site, request: Request) -> Visitor | None:
    """Return who asks; None for whoever has to log in, or to say a name, first."""
    if site.doors.accounts:
        token = request.cookies.get(_cookie(site, _SESSION), "")
        session = site.desk.accounts.session(token) if token else None
        if session is None:
            return None
        return Visitor(person=session.person, csrf=session.csrf, session=token)
    kept = request.cookies.get(_cookie(site, _NAME), "")
    nonce, _, coded = kept.partition(".")
    try:
        name = base64.urlsafe_b64decode(coded.encode()).decode()
        who = people.person(name, "lead")
    except (ValueError, binascii.Error, InvalidReview):
        return None
    return Visitor(person=who, csrf=_token(site, nonce)) if len(nonce) >= 16 else None


def remember_name(site: Site, response: Response, name: str) -> None:
    """Have the browser keep a name, for a year."""
    coded = base64.urlsafe_b64encode(name.encode()).decode()
    _set(site, response, _NAME, f"{secrets.token_hex(16)}.{coded}", _YEAR)


def remember_session(site: Site, response: Response, token: str) -> None:
    """Have the browser keep a session until it is closed; the server ends it sooner."""
    _set(site, response, _SESSION, token, None)


def forget(site: Site, response: Response) -> None:
    """Have the browser forget who asks."""
    for name in (_SESSION, _NAME, _FORM):
        response.delete_cookie(
            _cookie(site, name),
            path="/",
            httponly=True,
            secure=site.doors.https,
            samesite="strict",
        )


def form_token(site: Site, request: Request) -> tuple[str, str]:
    """Return (nonce, token) for a form that is filled in before anybody is known."""
    nonce = request.cookies.get(_cookie(site, _FORM), "")
    if len(nonce) != 32:
        nonce = secrets.token_hex(16)
    return nonce, _token(site, f"form {nonce}")


def remember_form(site: Site, response: Response, nonce: str) -> None:
    """Have the browser keep what the form's token is checked against."""
    _set(site, response, _FORM, nonce, 86_400)


def form_token_matches(site: Site, request: Request, given: str) -> bool:
    """Whether a form's token is the one that this browser was given."""
    nonce = request.cookies.get(_cookie(site, _FORM), "")
    return bool(nonce) and same(_token(site, f"form {nonce}"), given)


def same(known: str, given: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(known.encode(), given.encode("utf-8", "replace"))


def _token(site: Site, nonce: str) -> str:
    return hmac.new(site.key, nonce.encode(), hashlib.sha256).hexdigest()


def _cookie(site: Site, name: str) -> str:
    """Return a cookie's name; `__Host-` binds it to this host and to TLS."""
    return f"__Host-{name}" if site.doors.https else name


def _set(site: Site, response: Response, name: str, value: str, lasts: int | None) -> None:
    response.set_cookie(
        _cookie(site, name),
        value,
        max_age=lasts,
        path="/",
        httponly=True,
        secure=site.doors.https,
        samesite="strict",
    )
