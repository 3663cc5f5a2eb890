"""HTML from data: every text is escaped here, and only here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from probare.reporting.words import visible


class Ink:
    """Turns data into HTML text: masked, with its control characters written out, escaped."""

    def __init__(self, mask: Callable[[str], str] = str) -> None:
        self._mask = mask

    def text(self, value: str, limit: int = 2000) -> str:
        """Return data as the text of an element or the value of a quoted attribute."""
        masked = self._mask(value)
        shown = masked[:limit] + ("…" if len(masked) > limit else "")
        return escape(visible(shown), quote=True)

    def cell(self, value: str, limit: int = 300) -> str:
        """Return a table's cell of text."""
        return f"<td>{self.text(value, limit)}</td>"

    def item(self, value: str, limit: int = 2000) -> str:
        """Return a list's item of text."""
        return f"<li>{self.text(value, limit)}</li>"


def number(value: str) -> str:
    """Return a table's cell of a number in words that are our own."""
    return f'<td class="n">{escape(value)}</td>'


def head(*columns: tuple[str, str]) -> str:
    """Return a table's head: each column's words and class, both our own."""
    cells = "".join(
        f'<th scope="col"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{words}</th>'
        for words, kind in columns
    )
    return f"<thead><tr>{cells}</tr></thead>"


def section(identity: str, heading: str, body: Iterable[str]) -> str:
    """Return a section of the page under a heading; identity and heading are our own words."""
    inside = "".join(body)
    if not inside:
        return ""
    return (
        f'<section id="{identity}" aria-labelledby="h-{identity}">\n'
        f'<h2 id="h-{identity}">{heading}</h2>\n{inside}</section>\n'
    )
