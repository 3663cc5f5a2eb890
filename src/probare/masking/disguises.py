"""Finding an identifier in a text in whatever dress: the one matching that masking and grading
share, so that what a leak check finds is what gets masked.

Both sides are folded: NFKC, case-folded, stripped to letters and digits. The text is also read
with its escapes, its URL and HTML encoding and its base64 undone (`probare.masking.layers`).

An identifier under `SHORT` letters and digits would be found in half of all texts that way. So it
must not begin or end inside a longer word or number, and no more than one other character may
stand between two of its own. One with no letter or digit at all is found as it is written.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple, cast

from probare.masking.layers import Layer, layers

SHORT = 6

_SEPARATORS = re.compile(r"[\W_\u115f\u1160\u3164\uffa0]+")
_IN_NOISE = re.compile(r"[^\w\0]+|[_\u115f\u1160\u3164\uffa0]+")
_NOISE = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


def token(name: str) -> str:
    """Return what a masked identifier is written as. It holds no digest: short ones are guessed."""
    return f"[planted:{name}]"


class Hit(NamedTuple):
    """An identifier, by its name, at `start` to `end` of a text, end excluded."""

    name: str
    start: int
    end: int


def fold(text: str) -> str:
    """Return the letters and digits of a text, after NFKC and case folding.

    >>> fold("Ｊａｎｅ O'Brien-Doe")
    'janeobriendoe'
    """
    return _SEPARATORS.sub("", _caseless(text))


def find(identifier: str, text: str) -> list[tuple[int, int]]:
    """Return where an identifier stands in a text, in whatever dress, as stretches of the text.

    They are in order and do not overlap. A stretch in base64 or another encoding is that of the
    encoded characters.
    """
    return [(hit.start, hit.end) for hit in find_all({"": identifier}, text)]


def find_all(identifiers: Mapping[str, str], text: str) -> list[Hit]:
    """Return where any of the identifiers (by name) stands; longer ones win where two overlap.

    Where a name's token stands, it was masked there: that is a hit too. An identifier that is its
    own token is that of a masked run.
    """
    if not text or not identifiers:
        return []
    found = set(_tokens(identifiers, text))
    given = {name: value for name, value in identifiers.items() if value != token(name)}
    needles = {name: fold(value) for name, value in given.items() if value}
    if not needles:
        return _apart(found)
    least = min(len(needle) or len(identifiers[name]) for name, needle in needles.items())
    for layer in layers(text, least):
        folded = _folded(layer)
        plain = ""
        for name, needle in needles.items():
            if needle:
                if needle in folded:
                    found.update(_stripped_hits(name, needle, layer))
            else:
                plain = plain or _caseless(layer.text)
                if _caseless(identifiers[name]) in plain:
                    found.update(_plain_hits(name, identifiers[name], layer))
    return _apart(found)


def find_in(identifiers: Mapping[str, str], value: Any) -> list[Hit]:
    """Return where any of the identifiers stands in a JSON value, as masking would find it there.

    Looked into are texts, names of fields and numbers, each alone, and texts that succeed one
    another under one field as pieces of one: to read several events as one stream, give a list of
    their values. Each hit is in one of these texts, whose place is not told.
    """
    streams: dict[str, list[str]] = {}
    found = [hit for text in _texts(value, "", streams) for hit in find_all(identifiers, text)]
    for texts in streams.values():
        if len(texts) > 1:
            found += find_all(identifiers, "".join(texts))
    return found


def _texts(value: Any, field: str, streams: dict[str, list[str]]) -> Iterator[str]:
    if isinstance(value, str):
        streams.setdefault(field, []).append(value)
        yield value
    elif isinstance(value, dict):
        for name, item in cast("dict[str, Any]", value).items():
            yield name
            yield from _texts(item, name, streams)
    elif isinstance(value, list | tuple):
        for item in cast("list[Any]", value):
            yield from _texts(item, field, streams)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield json.dumps(value)


def _tokens(names: Iterable[str], text: str) -> Iterator[Hit]:
    if "[planted:" not in text:
        return
    for name in names:
        for match in re.finditer(re.escape(token(name)), text):
            yield Hit(name, match.start(), match.end())


def _apart(found: set[Hit]) -> list[Hit]:
    """Return the hits without those that another covers, and overlapping ones cut apart."""
    kept: list[Hit] = []
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.end, hit.name)):
        if kept and hit.start < kept[-1].end:
            if hit.end <= kept[-1].end:
                continue
            hit = hit._replace(start=kept[-1].end)
        kept.append(hit)
    return kept


def _caseless(text: str) -> str:
    if text.isascii():
        return text.lower()
    once = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", once)


def _folded(layer: Layer) -> str:
    if not layer.noisy:
        return fold(layer.text)
    return _IN_NOISE.sub("", _caseless(_NOISE.sub("\0", layer.text)))


def _stripped_hits(name: str, needle: str, layer: Layer) -> Iterator[Hit]:
    folded, places = _with_places(layer)
    at = folded.find(needle)
    while at >= 0:
        end = at + len(needle)
        if len(needle) >= SHORT or _stands_alone(layer.text, places[at:end]):
            start, stop = layer.back(places[at][0], places[end - 1][1])
            yield Hit(name, start, stop)
        at = folded.find(needle, at + 1)


def _plain_hits(name: str, identifier: str, layer: Layer) -> Iterator[Hit]:
    """Find an identifier without letters or digits as it is written."""
    at = layer.text.find(identifier)
    while at >= 0:
        yield Hit(name, *layer.back(at, at + len(identifier)))
        at = layer.text.find(identifier, at + 1)


def _with_places(layer: Layer) -> tuple[str, list[tuple[int, int]]]:
    """Return the folded text, and for each of its characters the stretch it was folded from.

    NFKC joins a character with the marks after it, so it is done cluster by cluster.
    """
    text = _NOISE.sub("\0", layer.text) if layer.noisy else layer.text
    drop = _IN_NOISE if layer.noisy else _SEPARATORS
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and _continues(text[end]):
            end += 1
        part = drop.sub("", _caseless(text[at:end]))
        parts.append(part)
        places.extend([(at, end)] * len(part))
        at = end
    return "".join(parts), places


def _continues(char: str) -> bool:
    """Whether NFKC may join `char` to what stands before it."""
    if char < "\u0300":
        return False
    return (
        unicodedata.category(char)[0] == "M"
        or "\u1160" <= char <= "\u11ff"
        or "\uff9e" <= char <= "\uffdc"
    )


def _stands_alone(text: str, places: list[tuple[int, int]]) -> bool:
    """Whether a short identifier is a word or number of its own, its characters close together."""
    start, end = places[0][0], places[-1][1]
    if start and _alike(text[start - 1], text[start]):
        return False
    if end < len(text) and _alike(text[end - 1], text[end]):
        return False
    return all(after[0] - before[1] <= 1 for before, after in pairwise(places))


def _alike(one: str, other: str) -> bool:
    return (one.isdigit() and other.isdigit()) or (one.isalpha() and other.isalpha())
