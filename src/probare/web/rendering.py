"""Templates. Whatever is put into one is text, never markup."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from probare.errors import MissingExtra
from probare.reporting import words
from probare.reporting.events import value_text
from probare.web import telling
from probare.web.packaged import address_of

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment() -> Environment:
    try:
        import jinja2
    except ImportError as error:
        raise MissingExtra("jinja2", "web") from error
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("probare.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(_FILTERS)  # pyright: ignore[reportUnknownMemberType]
    made.globals["asset"] = address_of  # pyright: ignore[reportUnknownMemberType]
    return made


def _status(name: str) -> str:
    return words.STATUS_WORDS.get(name, name)


def _symbol(name: str) -> str:
    return words.SYMBOLS.get(name, "")


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _plainly(name: str) -> str:
    return name.replace("_", " ")


_FILTERS: dict[str, Any] = {
    "shown": words.visible,
    "percent": words.percent,
    "rate": words.rate,
    "duration": words.duration,
    "money": words.money,
    "plural": words.plural,
    "status": _status,
    "symbol": _symbol,
    "value": value_text,
    "quoted": _quoted,
    "moment": telling.moment,
    "plainly": _plainly,
}


def rendered(template: str, values: Mapping[str, Any]) -> str:
    """Return a template filled in."""
    return _environment().get_template(template).render(values)
