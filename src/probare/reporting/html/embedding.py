"""JSON inside a page: data that no parser of HTML takes for markup, and no report for a secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec

from probare.encoding import jsonbytes

Mask = Callable[[str], str]


def inert(json_text: str) -> str:
    r"""Return JSON text that means the same and holds no `<`, U+2028 or U+2029.

    Without `<` there is neither `</script` nor `<!--` (WHATWG HTML, 4.12.1.3, restrictions on
    the contents of script elements).

    >>> inert('["</script>"]')
    '["\\u003c/script>"]'
    """
    if "<" in json_text:
        json_text = json_text.replace("<", "\\u003c")
    if "\u2028" in json_text or "\u2029" in json_text:
        json_text = json_text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return json_text


def block(identity: str, json_text: str) -> str:
    """Return a data block of the page; `identity` is ours, never data."""
    return f'<script type="application/json" id="{identity}">{inert(json_text)}</script>\n'


def encoded(value: Any, mask: Mask | None = None) -> str:
    """Return a value as compact JSON, its secrets masked.

    Masking takes the value apart only where the text shows that there is something to mask
    (the forms that the masker knows include those inside JSON).
    """
    text = jsonbytes.encode(value).decode()
    if mask is None or mask(text) == text:
        return text
    return jsonbytes.encode(_masked(msgspec.to_builtins(value), mask)).decode()


def _masked(value: Any, mask: Mask) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {mask(key): _masked(item, mask) for key, item in items}
    if isinstance(value, list | tuple):
        return [_masked(item, mask) for item in cast("list[Any]", value)]
    return value
