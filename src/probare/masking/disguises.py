"""Finding an identifier in a text in whatever dress: the one matching that masking and grading
share, so that what a leak check finds is what gets masked, and a masked transcript regrades truly.

*Folding* (`probare.masking.folding`): width, style, case, marks, look-alikes, digits of any script.

*Matching.* A value of six or more letters and digits is found wherever these stand in a row,
whatever other characters are between them, also backwards. A shorter one must not begin or end
inside a longer word or number; one of four or five may have up to three other characters between
its own, one of less has to be as it is written, but for what separates its words. So the last four
digits are found only where they are planted. One with no letter or digit is found as written.

*Decoding* (`probare.masking.layers`): backslash escapes, URL, HTML, quoted-printable, base64,
hexadecimal, one in another.

`[planted:NAME]`, which stands for a masked identifier, is a hit of that name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from probare.masking.folding import fold, fold_noise, places
from probare.masking.layers import Layer, layers

SHORT = 6
_WITH_GAPS = 4
_DIGIT, _LETTER = r"[0-9]", r"[^\W\d_]"
IN_PARTS = "in several parts"


class Hit(NamedTuple):
    """An identifier, by its name, at `start` to `end` of a text, end excluded. `how` names the
    decodings that show it; empty where it stands there undecoded.
    """

    name: str
    start: int
    end: int
    how: str = ""


def token(name: str) -> str:
    """Return what a masked identifier is written as. It holds no digest: short ones are guessed."""
    return f"[planted:{name}]"


def find(identifier: str, text: str) -> list[tuple[int, int]]:
    """Return where an identifier stands in a text, in whatever dress, as stretches of the text.

    They are in order and do not overlap. A stretch in base64 or another encoding is that of the
    encoded characters.
    """
    return [(hit.start, hit.end) for hit in find_all({"": identifier}, text)]


def find_all(identifiers: Mapping[str, str], text: str) -> list[Hit]:
    """Return where any of the identifiers (by name) stands; longer ones win where two overlap.

    An identifier that is its own token is that of a masked run: only the token is looked for.
    """
    return Needles(identifiers).find(text) if text else []


def find_in(identifiers: Mapping[str, str], value: Any) -> list[Hit]:
    """Return where any of the identifiers stands in a JSON value: in a text, a field's name or a
    number, or in several of its texts and numbers in a row. Each hit is in one of these texts;
    which one is not told.
    """
    return Needles(identifiers).find_in(value)


class Needles:
    """Identifiers, by name, made ready to be found."""

    def __init__(self, identifiers: Mapping[str, str]) -> None:
        self._names = tuple(identifiers)
        self._needles = [
            (name, _Needle(value))
            for name, value in identifiers.items()
            if value and value != token(name)
        ]
        self._least = min((needle.least for _, needle in self._needles), default=len("[planted:"))

    def find(self, text: str) -> list[Hit]:
        """Return the hits in a text: in order, none overlapping another."""
        found: set[Hit] = set()
        for layer in layers(text, self._least):
            found.update(self._tokens(layer))
            found.update(self._in(layer))
        return _apart(found)

    def find_in(self, value: Any) -> list[Hit]:
        """Return the hits in a JSON value; those in several of its parts are told so."""
        if isinstance(value, str):
            return self.find(value)
        parts: list[str] = []
        found = [hit for text in _texts(value, parts) for hit in self.find(text)]
        return found + [hit._replace(how=_joined(hit.how)) for hit in self.find_across(parts)]

    def find_across(self, parts: list[str]) -> list[Hit]:
        """Return the hits that stand in more than one of several texts, in the texts joined by
        line feeds.
        """
        if len(parts) < 2:
            return []
        text = "\n".join(parts)
        return [hit for hit in self.find(text) if "\n" in text[hit.start : hit.end]]

    def _tokens(self, layer: Layer) -> Iterator[Hit]:
        if "[planted:" in layer.text:
            for name in self._names:
                for start, end in _plain(token(name), layer.text):
                    yield Hit(name, *layer.back(start, end), layer.how)

    def _in(self, layer: Layer) -> Iterator[Hit]:
        if not self._needles:
            return
        spaced = (fold_noise if layer.noisy else fold)(layer.text)
        bare = spaced.replace(" ", "")
        at: list[int] | None = None
        for name, needle in self._needles:
            if needle.plain:
                stretches = _plain(needle.plain, layer.text)
            elif needle.pattern is not None:
                stretches = (match.span() for match in needle.pattern.finditer(spaced))
            elif needle.bare in bare or needle.reversed in bare:
                stretches = _anywhere(needle, spaced, bare)
            else:
                continue
            for start, end in stretches:
                if not needle.plain:
                    at = at or places(layer.text, noisy=layer.noisy)
                    start, end = at[start], at[end - 1] + 1
                yield Hit(name, *layer.back(start, end), layer.how)


class _Needle:
    """What finds one identifier: a pattern for the folded text, `bare` for that without spaces,
    or `plain` for the text itself.
    """

    def __init__(self, value: str) -> None:
        spaced = " ".join(fold(value).split())
        self.bare = spaced.replace(" ", "")
        self.reversed = self.bare[::-1]
        self.plain = "" if self.bare else value
        self.least = len(self.bare) or len(value)
        self.pattern: re.Pattern[str] | None = None
        if 0 < len(self.bare) < SHORT:
            if len(self.bare) >= _WITH_GAPS:
                inside = " {0,3}".join(map(re.escape, self.bare))
            else:
                inside = " +".join(map(re.escape, spaced.split()))
            before, after = _kind(spaced[0]), _kind(spaced[-1])
            self.pattern = re.compile(f"(?<!{before}){inside}(?!{after})")


def _kind(char: str) -> str:
    return _DIGIT if char.isdecimal() else _LETTER


def _anywhere(needle: _Needle, spaced: str, bare: str) -> Iterator[tuple[int, int]]:
    """Yield stretches of the folded text in which a needle's characters stand in a row."""
    kept = [at for at, char in enumerate(spaced) if char != " "]
    for form in {needle.bare, needle.reversed}:
        at = bare.find(form)
        while at >= 0:
            yield kept[at], kept[at + len(form) - 1] + 1
            at = bare.find(form, at + 1)


def _plain(value: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(value)
    while at >= 0:
        yield at, at + len(value)
        at = text.find(value, at + 1)


def _apart(found: set[Hit]) -> list[Hit]:
    """Return the hits without those that another covers, and overlapping ones cut apart."""
    kept: list[Hit] = []
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.end, hit.how, hit.name)):
        if kept and hit.start < kept[-1].end:
            if hit.end <= kept[-1].end:
                continue
            hit = hit._replace(start=kept[-1].end)
        kept.append(hit)
    return kept


def _joined(how: str) -> str:
    return f"{IN_PARTS}, {how}" if how else IN_PARTS


def _texts(value: Any, parts: list[str]) -> Iterator[str]:
    """Yield the texts, names and numbers in a JSON value; its texts and numbers are its parts."""
    if isinstance(value, str):
        parts.append(value)
        yield value
    elif isinstance(value, dict):
        for name, item in cast("dict[str, Any]", value).items():
            yield name
            yield from _texts(item, parts)
    elif isinstance(value, list | tuple):
        for item in cast("list[Any]", value):
            yield from _texts(item, parts)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        parts.append(json.dumps(value))
        yield parts[-1]
