"""Ways to ask for an answer that keeps to a JSON Schema, the strongest first.

`native`: the provider's own field for a schema. `json`: the field of llama.cpp's servers, which
know a schema under `json_object`. `tool`: a call of a tool whose arguments are the answer.
`prompted`: the schema stands in the instructions, and nothing holds the model to it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from probare.encoding.jsonbytes import decode_strict, encode_sorted

if TYPE_CHECKING:
    from pydantic_ai.models import Model

WAYS = ("native", "json", "tool", "prompted")
_OWN_SERVERS = ("openai", "openai-compatible")


def ways_of(model: Model[Any], provider: str, url: str | None) -> tuple[str, ...]:
    """Return the ways that a model may know, the strongest first."""
    profile = model.profile
    ways = {
        "native": bool(profile.get("supports_json_schema_output")),
        "json": provider in _OWN_SERVERS and url is not None,
        "tool": bool(profile.get("supports_tools", True)),
        "prompted": True,
    }
    return tuple(way for way in WAYS if ways[way])


def json_body(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what the way `json` adds to a request's body."""
    return {"response_format": {"type": "json_object", "schema": schema}}


def conforms(text: str, schema: dict[str, Any] | None) -> bool:
    """Return whether the text is one JSON value that keeps to the schema."""
    if schema is None:
        return False
    try:
        value = decode_strict(text)
    except (ValueError, RecursionError):
        return False
    return bool(_validator(encode_sorted(schema)).is_valid(value))


@lru_cache(maxsize=64)
def _validator(schema: bytes) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(decode_strict(schema))
