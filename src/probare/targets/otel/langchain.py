"""LangChain's own serialisations of a tool's message and call, which stand in spans of several
instrumentations.

`{"type": "tool", "data": {"content": …, "tool_call_id": …}}` (a message), `{"lc": 1, "type":
"constructor", "kwargs": {…}}` (its constructor), and callbacks' `{"output": …}` around either.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from probare.encoding.narrow import mapping
from probare.targets.otel import messages
from probare.targets.otel.attributes import structured


def tool_message(value: Any) -> tuple[Any, str | None]:
    """Return a tool's result and its call's id, taken out of a message if it stands in one."""
    whole = structured(value)
    fields = mapping(whole)
    if "output" in fields and set(fields) <= {"output", "kwargs"}:
        whole = structured(fields["output"])
        fields = mapping(whole)
    inner = mapping(fields.get("data")) if fields.get("type") == "tool" else {}
    if fields.get("type") == "constructor" and "lc" in fields:
        inner = mapping(fields.get("kwargs"))
    if "content" not in inner or not ("tool_call_id" in inner or inner.get("type") == "tool"):
        return whole, None
    call_id = inner.get("tool_call_id")
    said = messages.content(inner["content"])
    return structured(said), call_id if isinstance(call_id, str) else None


def tool_inputs(value: Any) -> Any:
    """Return a tool's arguments out of a callback's `{"input_str": …, "inputs": {…}}`; UNSET
    where the value is none such.
    """
    fields = mapping(structured(value))
    if "inputs" in fields and isinstance(fields["inputs"], dict):
        return mapping(fields["inputs"])
    return UNSET
