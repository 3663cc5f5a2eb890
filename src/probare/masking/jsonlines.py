r"""Masking inside JSON, string by string, so that it stays the JSON that it was.

A secret's bytes may also stand across the marks of a line (`\n` before a word, a number without
quotes), so replacing bytes could break it. Strings are decoded, masked and written again; all
other bytes stay as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import msgspec

from probare.masking.reserved import NUMBERS, STAMPS, WORDS

_TOKEN = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|-?[0-9][0-9.eE+-]*', re.DOTALL)
_STAMP = re.compile(r"[0-9a-f]{8,128}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z-]+")


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


def mask_json(
    line: bytes, mask: Callable[[str, str], str], is_secret: Callable[[str], bool]
) -> bytes:
    """Return valid JSON with each string masked by `mask(field, text)`.

    `field` is the name of the object's field that a string stands under; it is empty for a name
    itself. A number that is a secret becomes a string, save in the harness's own fields.
    """
    field = ""

    def replaced(token: re.Match[bytes]) -> bytes:
        nonlocal field
        if token[1] is None:
            number = token[0].decode()
            whole = field not in NUMBERS and is_secret(number)
            return _encoded(mask(field, number)) if whole else token[0]
        colon = token[2] or b""
        text = _decoded(b'"' + token[1] + b'"')
        masked = text if ours(field, text, colon) else mask("" if colon else field, text)
        if colon:
            field = text
        return token[0] if masked == text else _encoded(masked) + colon

    def ours(field: str, text: str, colon: bytes) -> bool:
        if is_secret(text):
            return False
        return text in WORDS or (not colon and field in STAMPS and bool(_STAMP.fullmatch(text)))

    return _TOKEN.sub(replaced, line)


def _decoded(quoted: bytes) -> str:
    return json.loads(quoted.decode("utf-8", "surrogatepass"), strict=False)


def _encoded(text: str) -> bytes:
    try:
        return msgspec.json.encode(text)
    except UnicodeEncodeError:
        return json.dumps(text).encode()
