"""The passages that an agent was given to read, and which of them its answer cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from probare.model.event import Retrieval
from probare.web.plaintext import cut_short, short, text_of_value

_MOST_PASSAGES = 100


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that a retriever gave the agent; `cited` where the answer names it."""

    title: str
    facts: str
    text: str
    cited: bool


def passages_of(event: Retrieval, citations: Sequence[dict[str, Any]]) -> tuple[Passage, ...]:
    """Return the documents of a retrieval as passages; none where they have another form."""
    documents: Any = event.documents
    if not isinstance(documents, list):
        return ()
    listed = cast("list[Any]", documents)[:_MOST_PASSAGES]
    found = [_passage(each, citations) for each in listed]
    return tuple(each for each in found if each is not None) if None not in found else ()


def _passage(given: Any, citations: Sequence[dict[str, Any]]) -> Passage | None:
    if isinstance(given, str):
        return Passage(title="", facts="", text=cut_short(given), cited=False)
    if not isinstance(given, dict):
        return None
    named = cast("dict[str, Any]", given)
    body = next((k for k in ("text", "content", "page_content") if k in named), None)
    if body is None:
        return None
    heading = next((k for k in ("title", "document", "id", "source") if named.get(k)), None)
    title = "" if heading is None else text_of_value(named[heading])
    section = named.get("section")
    facts = [
        f"{name} {text_of_value(value)}"
        for name, value in named.items()
        if name not in (body, heading, "section", "topic", "language") and short(value)
    ]
    return Passage(
        title=f"{title}: {section}" if section else title,
        facts=" · ".join(facts),
        text=text_of_value(named[body]),
        cited=any(_names(each, named) for each in citations),
    )


def citations_of(output: Any) -> list[dict[str, Any]]:
    """Return what an answer says that it rests on."""
    found: Any = cast("dict[str, Any]", output).get("citations") if isinstance(output, dict) else ()
    if not isinstance(found, list):
        return []
    return [each for each in cast("list[Any]", found) if isinstance(each, dict)]


def _names(citation: dict[str, Any], document: dict[str, Any]) -> bool:
    """Whether a citation is of this document: what both say of it is the same."""
    known = [name for name in ("document", "id", "section", "version") if name in citation]
    both = [name for name in known if name in document]
    return bool(both) and all(citation[name] == document[name] for name in both)


def once(passages: Iterator[Passage]) -> list[Passage]:
    """Return each passage once, the cited ones first."""
    found = list(dict.fromkeys(passages))
    return sorted(found, key=lambda each: not each.cited)
