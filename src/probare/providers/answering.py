"""A model's response as a ChatReply: what was said, what was asked for, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from probare.encoding.jsonbytes import decode_strict
from probare.encoding.narrow import mapping
from probare.ports.chat import ChatReply, ChatRequest, ChatToolCall, Finish
from probare.providers.asking import OUTPUT_TOOL
from probare.providers.endpoints import Endpoint
from probare.providers.spending import usage_of
from probare.providers.structure import conforms

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse, ToolCallPart

_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_call": "tool_calls",
    "content_filter": "content_filter",
}


def reply_of(
    response: ModelResponse,
    request: ChatRequest,
    endpoint: Endpoint,
    *,
    way: str,
    first_token_ms: float | None,
) -> ChatReply:
    """Return the reply. `way` is how the output's schema was asked for (see `structure`)."""
    from pydantic_ai.messages import TextPart

    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    answers = [part for part in response.tool_calls if part.tool_name == OUTPUT_TOOL]
    calls = [_call(part) for part in response.tool_calls]
    if way == "tool" and answers:
        texts = [answers[-1].args_as_json_str()]
        calls = [call for call in calls if call.name != OUTPUT_TOOL]
    finish, refusal = _ending(response)
    if way == "tool" and answers and not calls and finish == "tool_calls":
        finish = "stop"
    text = "".join(texts) if texts else None
    if text is None and not calls and finish not in ("refused", "content_filter"):
        text = ""
    held = way in ("native", "json") or (way == "tool" and bool(answers))
    return ChatReply(
        text=text,
        model=response.model_name or endpoint.model,
        finish=finish,
        tool_calls=tuple(calls),
        refusal=refusal,
        structured=held and text is not None and conforms(text, request.output),
        usage=usage_of(response, endpoint, said=bool(text or calls)),
        first_token_ms=first_token_ms,
    )


def unfinished(response: ModelResponse) -> bool:
    """Return whether the provider never said how the response ended: its stream was cut."""
    said = mapping(response.provider_details).get("finish_reason")
    return response.finish_reason is None and not said


def _ending(response: ModelResponse) -> tuple[Finish, str | None]:
    """Return how it ended, and the refusal's words where it is one."""
    details = mapping(response.provider_details)
    raw = details.get("finish_reason")
    refusal = details.get("refusal")
    if refusal or raw == "refusal":
        return "refused", str(refusal or raw)
    if response.finish_reason == "stop" and not raw:
        return "unknown", None  # the layer's own guess
    return _FINISHES.get(response.finish_reason or "", "unknown"), None


def _call(part: ToolCallPart) -> ChatToolCall:
    return ChatToolCall(id=part.tool_call_id, name=part.tool_name, arguments=_arguments(part.args))


def _arguments(value: Any) -> Any:
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        return decode_strict(value)
    except (ValueError, RecursionError):
        return value
