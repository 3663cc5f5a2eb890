# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
"""The weather agent in pydantic-ai, instrumented by pydantic-ai itself."""

import os

from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel


def answer(messages, info):
    if any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
        return ModelResponse(parts=[TextPart("It is sunny in Paris.")])
    return ModelResponse(
        parts=[ToolCallPart("get_weather", {"city": "Paris"}, tool_call_id="call_1")]
    )


Agent.instrument_all(InstrumentationSettings(include_content="HIDE" not in os.environ))
agent = Agent(FunctionModel(answer), instructions="Be brief.", name="weather")


@agent.tool_plain
def get_weather(city: str) -> str:
    if "BREAK" in os.environ:
        raise OSError("the station is down")
    return f"sunny in {city}"


async def run(question):
    return (await agent.run(question)).output
