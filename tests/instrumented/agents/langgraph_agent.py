# pyright: basic, reportMissingImports=false
"""The weather agent in LangGraph, instrumented by OpenInference or by OpenLLMetry."""

import os

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

hidden = "HIDE" in os.environ
if "OPENLLMETRY" in os.environ:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    os.environ["TRACELOOP_TRACE_CONTENT"] = "false" if hidden else "true"
    LangchainInstrumentor().instrument()
else:
    from openinference.instrumentation import TraceConfig
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(config=TraceConfig(hide_inputs=hidden, hide_outputs=hidden))


class Fake(BaseChatModel):
    @property
    def _llm_type(self):
        return "fake"

    def _generate(self, messages, stop=None, run_manager=None, **more):
        if isinstance(messages[-1], ToolMessage):
            used = {
                "input_tokens": 20,
                "output_tokens": 7,
                "total_tokens": 27,
                "input_token_details": {"cache_read": 8},
            }
            said = AIMessage("It is sunny in Paris.", usage_metadata=used)
        else:
            used = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
            call = {"name": "get_weather", "args": {"city": "Paris"}, "id": "call_1"}
            said = AIMessage("", tool_calls=[call], usage_metadata=used)
        return ChatResult(generations=[ChatGeneration(message=said)])


model = Fake()


@tool
def get_weather(city: str) -> str:
    """Tell the weather in a city."""
    if "BREAK" in os.environ:
        raise OSError("the station is down")
    return f"sunny in {city}"


def ask(state):
    return {"messages": [model.invoke([SystemMessage("Be brief."), *state["messages"]])]}


graph = StateGraph(MessagesState)
graph.add_node("model", ask)
graph.add_node("tools", ToolNode([get_weather]))
graph.add_edge(START, "model")
graph.add_conditional_edges("model", tools_condition)
graph.add_edge("tools", "model")
app = graph.compile()


def run(question):
    return app.invoke({"messages": [HumanMessage(question)]})["messages"][-1].content
