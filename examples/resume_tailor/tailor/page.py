"""Job postings in web pages: schema.org's JobPosting where there is one, else readable text."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup, Tag

from tailor.posting import Posting

_NEVER_READ = (
    *("script", "style", "noscript", "template", "svg", "nav", "header", "footer", "aside"),
    *("form", "iframe", "button"),
)
_BLOCKS = (
    *("p", "div", "section", "article", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("tr", "table", "dt", "dd", "pre", "blockquote"),
)
_PLACES = ("addressLocality", "addressRegion", "addressCountry")
_MORE = (
    ("What you will do", "responsibilities"),
    ("Requirements", "qualifications"),
    ("Requirements", "experienceRequirements"),
    ("Requirements", "skills"),
)
_WRAPPING = re.compile(r"^\s*(?:<!--|//<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\]\]>|\]\]>)\s*$")
_MARKUP = re.compile(r"<\w+[^>]*>")


def posting_in(page: str, url: str = "") -> Posting:
    """Return the posting that a page holds; one without mark-up is the page's readable text."""
    soup = BeautifulSoup(page, "html.parser")
    for found in _job_postings(soup):
        posting = _marked_up(found, url)
        if posting.text:
            return posting
    heading = soup.find("h1")
    title = heading.get_text(" ", strip=True) if heading else ""
    return Posting(text=_readable(soup), title=title, url=url, source="page")


def readable(markup: str) -> str:
    """Return the text of HTML: a heading or paragraph a line, list items behind `- `."""
    if not _MARKUP.search(markup):
        markup = html.unescape(markup)
    return _readable(BeautifulSoup(markup, "html.parser"))


def _readable(soup: BeautifulSoup) -> str:
    for unread in soup(_NEVER_READ):
        unread.decompose()
    body = soup.find("main") or soup.find("article") or soup.body or soup
    assert isinstance(body, Tag)
    for line_break in body.find_all("br"):
        line_break.replace_with("\n")
    for item in body.find_all("li"):
        item.insert(0, "\n- ")
        item.append("\n")
    for block in body.find_all(_BLOCKS):
        # Inside an item, "- " and its text stay on one line.
        if block.find_parent("li") is None:
            block.insert(0, "\n")
            block.append("\n")
    lines = (" ".join(line.split()) for line in body.get_text("").splitlines())
    return "\n".join(line for line in lines if line.strip("- "))


def _job_postings(soup: BeautifulSoup) -> Iterator[dict[str, Any]]:
    """Yield the JobPosting objects of a page; blocks that are not JSON are passed over."""
    for script in soup.find_all("script", type=re.compile(r"^application/ld\+json", re.IGNORECASE)):
        try:
            value = json.loads(_WRAPPING.sub("", script.get_text()), strict=False)
            yield from _of_type(value, "JobPosting")
        except (ValueError, RecursionError):
            continue


def _of_type(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a type in lists, in `@graph`, and inside other objects."""
    if isinstance(value, list):
        for item in value:
            yield from _of_type(item, name)
    elif isinstance(value, dict):
        kinds = value.get("@type")
        named = [str(kind).rpartition("/")[2] for kind in _listed(kinds)]
        if name in named:
            yield value
        else:
            for item in value.values():
                yield from _of_type(item, name)


def _marked_up(job: dict[str, Any], url: str) -> Posting:
    parts = [readable(_text(job.get("description")))]
    for heading, key in _MORE:
        items = [
            item.strip()
            for value in _listed(job.get(key))
            for item in re.split(r"[;\n]", readable(_text(value)))
        ]
        if any(items):
            parts += [heading, *(f"- {item.removeprefix('- ')}" for item in items if item)]
    return Posting(
        text="\n".join(part for part in parts if part),
        title=_text(job.get("title")),
        company=_text(job.get("hiringOrganization")),
        location=_location(job.get("jobLocation")),
        url=url,
        source="json-ld",
    )


def _location(value: Any) -> str:
    for place in _listed(value):
        address = place.get("address") if isinstance(place, dict) else place
        if isinstance(address, dict):
            address = ", ".join(filter(None, (_text(address.get(part)) for part in _PLACES)))
        if isinstance(address, str) and address:
            return address
    return ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any) -> str:
    """Return a text, or the name or description of the object that stands in its place."""
    if isinstance(value, dict):
        value = value.get("name") or value.get("description")
    return value.strip() if isinstance(value, str) else ""
