"""A request in the form that pydantic-ai's models take."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from probare.encoding.narrow import mapping
from probare.ports.chat import ChatMessage, ChatRequest, ChatToolCall

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponse, ToolCallPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings
    from pydantic_ai.tools import ToolDefinition

OUTPUT_TOOL = "final_result"


def messages_of(request: ChatRequest) -> list[ModelMessage]:
    """Return the conversation. What stands between two of the assistant's is one request."""
    from pydantic_ai.messages import ModelRequest

    made: list[ModelMessage] = []
    for answered, group in groupby(request.messages, lambda message: message.role == "assistant"):
        if answered:
            made += [_response(message) for message in group]
        else:
            made.append(ModelRequest(parts=_parts(group, request)))
    return made


def settings_of(request: ChatRequest) -> ModelSettings:
    """Return the settings. The clients' own retries are off: waiting is done in one place."""
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(max_retries=0)
    if request.temperature is not None:
        settings["temperature"] = request.temperature
    if request.max_tokens is not None:
        settings["max_tokens"] = request.max_tokens
    if request.seed is not None:
        settings["seed"] = request.seed
    return settings


def parameters_of(request: ChatRequest, way: str) -> ModelRequestParameters:
    """Return tools and, asked for in one `way` (see `structure`), the output's schema."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.parameters or {"type": "object", "properties": {}},
            strict=False,
        )
        for tool in request.tools
    ]
    if request.output is None or way == "json":
        return ModelRequestParameters(function_tools=tools)
    if way == "tool":
        return ModelRequestParameters(
            function_tools=tools,
            output_mode="tool",
            output_tools=[_output_tool(request.output)],
            allow_text_output=False,
        )
    return ModelRequestParameters(
        function_tools=tools,
        output_mode="native" if way == "native" else "prompted",
        output_object=OutputObjectDefinition(json_schema=request.output, name="answer"),
    )


def _output_tool(schema: dict[str, Any]) -> ToolDefinition:
    from pydantic_ai.tools import ToolDefinition

    return ToolDefinition(
        name=OUTPUT_TOOL,
        description="Give the answer.",
        parameters_json_schema=schema,
        kind="output",
    )


def _parts(group: Iterable[ChatMessage], request: ChatRequest) -> list[ModelRequestPart]:
    from pydantic_ai.messages import SystemPromptPart, ToolReturnPart, UserPromptPart

    parts: list[ModelRequestPart] = []
    for message in group:
        if message.role == "system":
            parts.append(SystemPromptPart(message.content))
        elif message.role == "user":
            parts.append(UserPromptPart(message.content))
        else:
            identifier = message.call_id or ""
            name = message.name or _name_of(identifier, request)
            parts.append(ToolReturnPart(name, message.content, tool_call_id=identifier))
    return parts


def _name_of(call_id: str, request: ChatRequest) -> str:
    calls = (call for message in request.messages for call in message.tool_calls)
    return next((call.name for call in calls if call.id == call_id), "tool")


def _response(message: ChatMessage) -> ModelResponse:
    from pydantic_ai.messages import ModelResponse, TextPart

    text = [TextPart(message.content)] if message.content or not message.tool_calls else []
    return ModelResponse(parts=[*text, *map(_call, message.tool_calls)])


def _call(call: ChatToolCall) -> ToolCallPart:
    from pydantic_ai.messages import ToolCallPart

    arguments = call.arguments
    if not isinstance(arguments, str):
        known = isinstance(arguments, dict)
        arguments = mapping(arguments) if known else json.dumps(arguments, ensure_ascii=False)
    return ToolCallPart(call.name, arguments, tool_call_id=call.id)
