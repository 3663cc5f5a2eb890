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
from probare.web.assets import address_of

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
    made.filters |= {
        "shown": words.visible,
        "percent": words.percent,
        "rate": words.rate,
        "duration": words.duration,
        "money": words.money,
        "plural": words.plural,
        "status": lambda name: words.STATUS_WORDS.get(name, name),
        "symbol": lambda name: words.SYMBOLS.get(name, ""),
        "value": value_text,
        "quoted": lambda text: quote(text, safe=""),
        "moment": telling.moment,
        "plainly": lambda name: str(name).replace("_", " "),
    }
    made.globals["asset"] = address_of
    return made


def rendered(template: str, values: Mapping[str, Any]) -> str:
    """Return a template filled in."""
    return _environment().get_template(template).render(values)
