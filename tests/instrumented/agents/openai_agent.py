# pyright: basic, reportMissingImports=false
"""The weather agent in OpenAI's Agents SDK, instrumented by OpenInference; its model is served."""

import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool
from openai import AsyncOpenAI
from openinference.instrumentation import TraceConfig
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

hidden = "HIDE" in os.environ
OpenAIAgentsInstrumentor().instrument(config=TraceConfig(hide_inputs=hidden, hide_outputs=hidden))


@function_tool(failure_error_function=None)
def get_weather(city: str) -> str:
    if "BREAK" in os.environ:
        raise OSError("the station is down")
    return f"sunny in {city}"


async def run(question):
    async with AsyncOpenAI(
        base_url=os.environ["MODEL_URL"], api_key="none", max_retries=0
    ) as client:
        model = OpenAIChatCompletionsModel("small", client)
        agent = Agent(name="weather", instructions="Be brief.", tools=[get_weather], model=model)
        return (await Runner.run(agent, question)).final_output
