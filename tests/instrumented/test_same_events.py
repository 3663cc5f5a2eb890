"""Real agents of three frameworks: the same conversation gives the same events."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import pytest

from probare.model.event import Event, Note, ToolCall, ToolResult, Usage

pytestmark = pytest.mark.slow

# the framework's module, the agent, what it is told, whether its spans carry the ids of calls
AGENTS = [
    pytest.param("pydantic_ai", "pydantic_agent", {}, True, id="pydantic-ai"),
    pytest.param("agents", "openai_agent", {}, False, id="OpenAI Agents, OpenInference"),
    pytest.param("langgraph", "langgraph_agent", {}, True, id="LangGraph, OpenInference"),
    pytest.param(
        "langgraph", "langgraph_agent", {"OPENLLMETRY": "1"}, True, id="LangGraph, OpenLLMetry"
    ),
]
NEEDED = {
    "agents": "openinference.instrumentation.openai_agents",
    "langgraph": "openinference.instrumentation.langchain",
}
each_agent = pytest.mark.parametrize(("module", "agent", "told", "ids"), AGENTS)

EXPECTED: list[dict[str, Any]] = [
    {"kind": "message", "role": "system", "content": "Be brief."},
    {"kind": "message", "role": "user", "content": "What is the weather in Paris?"},
    {"kind": "usage"},
    {"kind": "tool_call", "name": "get_weather", "arguments": {"city": "Paris"}},
    {"kind": "tool_result", "name": "get_weather", "result": "sunny in Paris"},
    {"kind": "message", "role": "assistant", "content": "It is sunny in Paris."},
    {"kind": "usage"},
]

CHECKS: list[Any] = [
    {"tool_called": {"name": "get_weather", "label": "by name"}},
    {"tool_called": {"name": "get_weather", "args": {"city": "Paris"}, "label": "with arguments"}},
]
FORBIDDEN: list[Any] = [{"tool_called": {"name": "delete_all", "label": "never"}}]


def _target(agent: str, **more: Any) -> dict[str, Any]:
    return {"python": f"{agent}:run", "capture": "otel", "trust": "claimed", **more}


def _require(module: str, told: dict[str, str]) -> None:
    pytest.importorskip("opentelemetry.sdk.trace")
    pytest.importorskip(module)
    if "OPENLLMETRY" in told:
        pytest.importorskip("opentelemetry.instrumentation.langchain")
    elif module in NEEDED:
        pytest.importorskip(NEEDED[module])


def _plain(event: Event) -> dict[str, Any]:
    """Return what happened: no clocks, no numbers of tokens, no ids, no model's name."""
    if isinstance(event, Usage):
        return {"kind": "usage"}
    fields = msgspec.to_builtins(event)
    for clock in ("at_ms", "duration_ms", "seq", "call_id"):
        fields.pop(clock, None)
    return fields


def _acts(events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if not isinstance(event, Note)]


@each_agent
def test_the_same_conversation_gives_the_same_events(
    run_suite: Any, module: str, agent: str, told: dict[str, str], ids: bool
) -> None:
    _require(module, told)
    ran = run_suite(_target(agent), expect=CHECKS, forbid=FORBIDDEN, **told)
    acts = _acts(ran.events)
    assert [_plain(event) for event in acts] == EXPECTED
    assert {event.source for event in acts} == {"claimed"}
    calls = [event.call_id for event in acts if isinstance(event, ToolCall | ToolResult)]
    assert calls == (["call_1", "call_1"] if ids else [None, None])
    used = [event for event in acts if isinstance(event, Usage)]
    assert all(usage.input_tokens and usage.output_tokens for usage in used)
    assert [ran.result(label) for label in ("by name", "with arguments", "never")] == ["pass"] * 3
    assert "trust: claimed" in ran.said


@each_agent
def test_what_is_not_captured_is_said(
    run_suite: Any, module: str, agent: str, told: dict[str, str], ids: bool
) -> None:
    _require(module, told)
    ran = run_suite(_target(agent), expect=CHECKS, forbid=FORBIDDEN, HIDE="1", **told)
    acts = _acts(ran.events)
    (call,) = [event for event in acts if isinstance(event, ToolCall)]
    assert (call.name, call.arguments) == ("get_weather", None)
    assert call.attributes == {"not_observable": ["arguments"]}
    (result,) = [event for event in acts if isinstance(event, ToolResult)]
    assert result.attributes == {"not_observable": ["result"]}
    assert ran.result("by name") == "pass"
    assert ran.result("with arguments") == "error"
    assert ran.result("never") == "pass"


@each_agent
def test_a_tool_that_fails_is_an_error_of_the_tool(
    run_suite: Any, module: str, agent: str, told: dict[str, str], ids: bool
) -> None:
    _require(module, told)
    ran = run_suite(_target(agent), BREAK="1", **told)
    (result,) = [event for event in ran.events if isinstance(event, ToolResult)]
    assert "the station is down" in (result.error or "")
    assert (result.result, result.attributes) == (None, {})


def test_claims_are_no_evidence_unless_they_are_trusted(run_suite: Any) -> None:
    _require("pydantic_ai", {})
    target = _target("pydantic_agent", trust="observed")
    ran = run_suite(target, expect=CHECKS, forbid=FORBIDDEN)
    assert [ran.result(label) for label in ("by name", "with arguments", "never")] == [
        "unknown"
    ] * 3


def test_in_a_process_of_its_own(run_suite: Any) -> None:
    _require("pydantic_ai", {})
    ran = run_suite(_target("pydantic_agent", isolation="process"))
    assert [_plain(event) for event in _acts(ran.events)] == EXPECTED


def test_a_program_that_exports_its_spans(run_suite: Any) -> None:
    _require("pydantic_ai", {})
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    target = {"command": [sys.executable, "program.py"], "capture": "otel", "trust": "claimed"}
    ran = run_suite(target, expect=CHECKS, forbid=FORBIDDEN)
    assert [_plain(event) for event in _acts(ran.events)] == EXPECTED
    assert [ran.result(label) for label in ("by name", "with arguments", "never")] == ["pass"] * 3


def test_a_server_that_exports_its_spans(run_suite: Any, served: Any) -> None:
    _require("pydantic_ai", {})
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    with served() as (address, port):
        target = {"http": address, "body": "$input", "otlp": {"port": port, "grace": "20s"}}
        ran = run_suite({**target, "trust": "claimed"}, expect=CHECKS, forbid=FORBIDDEN)
    assert [_plain(event) for event in _acts(ran.events)] == EXPECTED
