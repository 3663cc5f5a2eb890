r"""Masking inside JSON, string by string, so that it stays the JSON that it was.

What is to be masked may also stand across the marks of a line (`\n` before a word, a number without
quotes), so replacing bytes could break it. Strings are decoded, masked and written again; all
other bytes stay as they are.

The harness's own words, digests and times are left alone, so that records stay readable; inside
what came from an agent or a suite (`CONTENT`) nothing is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from probare.masking.reserved import ALONE, CONTENT, NUMBERS, STAMPS, WORDS

_TOKEN = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|-?[0-9][0-9.eE+-]*|[\[\]{}]', re.DOTALL)
_STAMP = re.compile(r"[0-9a-f]{8,128}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z-]+")


class Rules(Protocol):
    """What to mask in JSON. `field` is the name of the field that a text stands under; it is
    empty for a name itself.
    """

    def text(self, field: str, text: str) -> str:
        """Return the text masked."""
        ...

    def number(self, text: str) -> bool:
        """Whether a number, as it is written, is to be masked."""
        ...

    def whole(self, text: str) -> bool:
        """Whether the whole text is to be masked, though it were a word of the format."""
        ...

    def pieces(self, texts: list[str]) -> list[str]:
        """Return pieces of one text, with what stands across their ends masked."""
        ...

    def parts(self, texts: list[str]) -> list[str]:
        """Return the texts and numbers of one value, with what stands in several masked."""
        ...


@dataclass(slots=True)
class _Part:
    """A string or a number of a line, and where it stands."""

    start: int
    end: int
    text: str
    field: str
    colon: bytes
    is_string: bool
    inside: bool
    stream: str
    value: int
    masked: str | None = None

    @property
    def shown(self) -> str:
        """The text, as far as it is masked already."""
        return self.text if self.masked is None else self.masked


def is_json(line: bytes) -> bool:
    """Return whether the bytes are one JSON value, be it one that msgspec cannot hold."""
    try:
        msgspec.json.decode(line)
    except RecursionError:
        return True
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _is_odd_json(line)
    return True


def _is_odd_json(line: bytes) -> bool:
    """Whether it is JSON with lone surrogates or numbers out of range."""
    try:
        json.loads(line)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def mask_json(line: bytes, rules: Rules) -> bytes:
    """Return valid JSON with each string masked by the rules.

    A number that they mask becomes a string, save in the harness's own fields. The strings and
    numbers of one value in `CONTENT` are its parts. Strings under one field of successive events,
    or in one list, are pieces of one text.
    """
    parts = list(_parts(line))
    _mask_together([part for part in parts if part.value], "value", rules.parts)
    _mask_together([part for part in parts if part.stream], "stream", rules.pieces)
    out: list[bytes] = []
    at = 0
    for part in parts:
        replaced = _replaced(part, rules)
        if replaced is not None:
            out += (line[at : part.start], replaced)
            at = part.end
    return b"".join((*out, line[at:])) if out else line


def _parts(line: bytes) -> Iterator[_Part]:
    field, kind = "", ""
    values = 0
    around: list[str] = []  # the fields of the arrays and objects that are open
    content: int | None = None  # the depth at which an agent's or a suite's own value began
    for token in _TOKEN.finditer(line):
        mark = token[0]
        if mark in b"[{":
            if content is None and field in CONTENT:
                content = len(around)
                values += 1
            around.append(field)
        elif mark in b"]}":
            field = around.pop()
            if content is not None and len(around) <= content:
                content = None
        elif token[1] is None:
            inside = content is not None
            text = mark.decode()
            value = values if inside else 0
            yield _Part(token.start(), token.end(), text, field, b"", False, inside, "", value)
        else:
            text = _decoded(b'"' + token[1] + b'"')
            colon = token[2] or b""
            inside = content is not None
            under = "" if colon else field
            stream = "" if colon or (not inside and field in ALONE) else f"{kind} {field}"
            value = values if inside and not colon else 0
            yield _Part(token.start(), token.end(), text, under, colon, True, inside, stream, value)
            if colon:
                field = text
            elif field == "kind" and not inside:
                kind = text


def _mask_together(parts: list[_Part], key: str, mask: Callable[[list[str]], list[str]]) -> None:
    """Mask the parts that belong together, by an attribute of theirs."""
    groups: dict[Any, list[_Part]] = {}
    for part in parts:
        groups.setdefault(getattr(part, key), []).append(part)
    for group in groups.values():
        if len(group) > 1:
            masked = mask([part.shown for part in group])
            for part, text in zip(group, masked, strict=True):
                if text != part.shown:
                    part.masked = text


def _replaced(part: _Part, rules: Rules) -> bytes | None:
    """Return what to write for a part; None where it stays as it is."""
    text = part.shown
    if not part.is_string and part.masked is None:
        if (not part.inside and part.field in NUMBERS) or not rules.number(text):
            return None
        return _encoded(rules.text(part.field, text))
    masked = text if _ours(part, text, rules) else rules.text(part.field, text)
    return None if masked == part.text else _encoded(masked) + part.colon


def _ours(part: _Part, text: str, rules: Rules) -> bool:
    if part.inside and not part.colon:
        return False
    if rules.whole(text):
        return False
    if text in WORDS:
        return True
    stamped = part.field in STAMPS and not part.colon and not part.stream.startswith("artifact ")
    return stamped and bool(_STAMP.fullmatch(text))


def _decoded(quoted: bytes) -> str:
    return json.loads(quoted.decode("utf-8", "surrogatepass"), strict=False)


def _encoded(text: str) -> bytes:
    try:
        return msgspec.json.encode(text)
    except UnicodeEncodeError:
        return json.dumps(text).encode()
