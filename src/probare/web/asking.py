"""From a request to a handler and back: who asks and may they, the form's token, the errors.

Handlers are plain functions, called in a worker thread, so that the desk and files never hold up
the loop.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode

import msgspec

from probare.encoding import jsonbytes
from probare.errors import (
    Fault,
    InputError,
    InvalidReview,
    NotAllowed,
    NotFound,
    Outdated,
    Place,
    ProbareError,
)
from probare.model.review import Person
from probare.review.people import Action, allow, may
from probare.web.rendering import rendered
from probare.web.site import Site
from probare.web.visitors import Visitor, form_token_matches, same, visitor_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from probare.review.desk import ReviewDesk
    from probare.web.shelf import Shelf

Needs: TypeAlias = Action | Literal["anybody", "a_form"]
"""What a page asks for: a role that allows the action; nothing; or, where nobody is known yet, that
the form was filled in by the browser that was shown it.
"""

_MOST_FIELDS = 2_000
_TOKEN = "csrf"  # noqa: S105 - the name of a field
_HEADER = "x-csrf-token"


class Ask:
    """One request, with who asks (None where nobody has to be known)."""

    def __init__(self, site: Site, request: Request, visitor: Visitor | None, body: Body) -> None:
        self.site = site
        self.request = request
        self.visitor = visitor
        self.body = body

    @property
    def person(self) -> Person:
        """Who asks."""
        assert self.visitor is not None
        return self.visitor.person

    @property
    def desk(self) -> ReviewDesk:
        """The review desk."""
        return self.site.desk

    @property
    def shelf(self) -> Shelf:
        """The runs."""
        return self.site.shelf

    def path(self, name: str) -> str:
        """Return a part of the address."""
        return str(self.request.path_params[name])

    def query(self, name: str, default: str = "") -> str:
        """Return a parameter of the address."""
        return self.request.query_params.get(name, default)

    def number(self, name: str, default: int, least: int = 0) -> int:
        """Return a whole number of the address; the default where it is none."""
        given = self.query(name)
        plain = given.isascii() and given.isdecimal() and len(given) < 10
        return max(least, int(given)) if plain else default

    def field(self, name: str, default: str = "") -> str:
        """Return a field of the form."""
        return self.body.fields.get(name, default)

    @property
    def wants_json(self) -> bool:
        """Whether a script asks, and reads JSON."""
        return "application/json" in self.request.headers.get("accept", "")

    def may(self, action: Action) -> bool:
        """Whether who asks may do this."""
        return self.visitor is not None and may(self.person.role, action)

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """Return a page, or the part of one that a script asked for."""
        from starlette.responses import HTMLResponse

        return HTMLResponse(rendered(template, self.around() | values), status)

    def around(self) -> dict[str, Any]:
        """Return what every page shows."""
        request = self.request
        return {
            "visitor": self.visitor,
            "accounts": self.site.doors.accounts,
            "may": self.may,
            "csrf": self.visitor.csrf if self.visitor is not None else "",
            "here": _address(request),
            "part": request.headers.get("hx-request") == "true",
            "with_query": self._with_query,
        }

    def _with_query(self, **changed: Any) -> str:
        """Return this address with other parameters; None takes one away."""
        kept = dict(self.request.query_params) | changed
        given = {name: value for name, value in kept.items() if value not in (None, "")}
        return f"{self.request.url.path}?{urlencode(given)}" if given else self.request.url.path


class Body(msgspec.Struct, frozen=True):
    """What a request brought: the fields of a form, or a JSON value."""

    fields: dict[str, str] = {}
    json: Any = None


Handler: TypeAlias = Callable[[Ask], "Response"]


def redirect(address: str) -> Response:
    """Return an answer that sends the browser to another page, by GET."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(address, 303)


def as_json(value: Any, status: int = 200) -> Response:
    """Return a value as JSON."""
    from starlette.responses import Response

    return Response(jsonbytes.encode(value), status, media_type="application/json")


def endpoint(
    site: Site, needs: Needs, handler: Handler
) -> Callable[[Request], Awaitable[Response]]:
    """Return what Starlette calls for a page."""
    from starlette.concurrency import run_in_threadpool

    async def called(request: Request) -> Response:
        try:
            body = await _body(site, request)
        except ProbareError as error:
            return await run_in_threadpool(_failed, Ask(site, request, None, Body()), error)
        return await run_in_threadpool(_answer, site, request, body, needs, handler)

    return called


def _answer(site: Site, request: Request, body: Body, needs: Needs, handler: Handler) -> Response:
    ask = Ask(site, request, None, body)
    try:
        ask.visitor = visitor_of(site, request)
        refused = _refused(ask, needs)
        return handler(ask) if refused is None else refused
    except ProbareError as error:
        return _failed(ask, error)
    except Exception as error:
        traceback.print_exception(error, file=sys.stderr)
        return _told(ask, 500, "Something went wrong in Probare itself.", "the terminal says more")


def _refused(ask: Ask, needs: Needs) -> Response | None:
    changes = ask.request.method == "POST"
    given = ask.field(_TOKEN) or ask.request.headers.get(_HEADER, "")
    if needs == "anybody":
        return None
    if needs == "a_form":
        if changes and not form_token_matches(ask.site, ask.request, given):
            return _told(ask, 403, "This form is too old.", "load the page again", why="form")
        return None
    if ask.visitor is None:
        return _unknown(ask)
    if changes and not same(ask.visitor.csrf, given):
        return _told(ask, 403, "This page is too old.", "load it again", why="form")
    allow(ask.person, needs)
    return None


def _unknown(ask: Ask) -> Response:
    door = "/login" if ask.site.doors.accounts else "/who"
    if ask.wants_json:
        return as_json({"error": "You are not logged in any more.", "why": "login"}, 401)
    back = _address(ask.request) if ask.request.method == "GET" else "/"
    address = f"{door}?next={quote(back, safe='')}"
    if ask.request.headers.get("hx-request") == "true":
        from starlette.responses import Response

        return Response(status_code=401, headers={"hx-redirect": address})
    return redirect(address)


def status_of(error: ProbareError) -> int:
    """Return the HTTP status that says what an error says."""
    if isinstance(error, NotAllowed):
        return 429 if error.retry_after is not None else 403
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, Outdated):
        return 409
    if isinstance(error, InvalidReview):
        return 422
    return 400 if isinstance(error, InputError) else 500


def _failed(ask: Ask, error: ProbareError) -> Response:
    faults = error.faults if isinstance(error, InvalidReview) else ()
    answer = _told(ask, status_of(error), error.message, error.hint, faults)
    if isinstance(error, NotAllowed) and error.retry_after is not None:
        answer.headers["retry-after"] = str(int(error.retry_after) + 1)
    return answer


def _told(
    ask: Ask,
    status: int,
    words: str,
    hint: str = "",
    faults: tuple[Fault, ...] = (),
    why: str = "",
) -> Response:
    if ask.wants_json:
        listed = [
            {"path": each.place.path, "words": each.message, "hint": each.hint} for each in faults
        ]
        said = {"error": words, "hint": hint, "faults": listed, "why": why}
        return as_json(said, status)
    return ask.page("error.html", status, words=words, hint=hint, faults=faults, code=status)


async def _body(site: Site, request: Request) -> Body:
    if request.method != "POST":
        return Body()
    most = site.doors.largest_body
    raw = bytearray()
    async for piece in request.stream():
        raw += piece
        if len(raw) > most:
            raise _invalid(f"at most {most:,} bytes are taken")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return Body(json=_json(bytes(raw)))
    if raw and kind != "application/x-www-form-urlencoded":
        raise _invalid(f"a body of the type '{kind[:60]}' is not read here")
    return Body(fields=_fields(bytes(raw)))


def _json(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _invalid(f"this is no JSON: {error}") from None


def _fields(raw: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise _invalid("this form cannot be read") from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}


def _invalid(words: str) -> InvalidReview:
    return InvalidReview([Fault(words, Place(path="body"))])


def _address(request: Request) -> str:
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path
