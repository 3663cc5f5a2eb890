"""The dialects, in the order in which they are asked: the more particular first."""

from __future__ import annotations

from probare.targets.otel import openinference, openllmetry, pydantic_ai, semconv
from probare.targets.otel.reading import Reading
from probare.targets.otel.spans import Span

_READERS = (openinference.read, pydantic_ai.read, openllmetry.read, semconv.read)

_SHOW_TOOLS = (
    "pydantic-ai",
    "openinference.instrumentation.agno",
    "openinference.instrumentation.autogen",
    "openinference.instrumentation.crewai",
    "openinference.instrumentation.google_adk",
    "openinference.instrumentation.haystack",
    "openinference.instrumentation.langchain",
    "openinference.instrumentation.llama_index",
    "openinference.instrumentation.openai_agents",
    "openinference.instrumentation.smolagents",
    "opentelemetry.instrumentation.agno",
    "opentelemetry.instrumentation.crewai",
    "opentelemetry.instrumentation.haystack",
    "opentelemetry.instrumentation.langchain",
    "opentelemetry.instrumentation.llamaindex",
    "opentelemetry.instrumentation.openai_agents",
)


def read(span: Span) -> Reading | None:
    """Read a span by the first dialect that knows it; None where none does."""
    return next((found for reader in _READERS if (found := reader(span)) is not None), None)


def shows_tools(scope: str) -> bool:
    """Whether an instrumentation is of a framework that runs tools, and makes spans of them: so
    that no such span means no tool.
    """
    return scope in _SHOW_TOOLS
