"""Planners: from a request to the steps that answer it. What is planned still has to be allowed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from governed.request import Request, Step
from governed.tools import Tool

Complete = Callable[[list[dict[str, str]]], str]


class PlanInvalid(ValueError):
    """What came from the planner is no plan."""


class Planner(Protocol):
    """Makes plans."""

    def plan(self, request: Request) -> list[Step]:
        """Return the steps, in order."""
        ...


class ScriptedPlanner:
    """Takes the plan from the request: first the question, then the acts, last the summary."""

    def plan(self, request: Request) -> list[Step]:
        """Return the steps. Raises PlanInvalid where the request's plan is none."""
        steps = [_looked_up(request.query)] if request.query else []
        steps += [_act(entry) for entry in request.plan]
        steps += _bypasses(request)
        return steps + _summary(request)


class ModelPlanner:
    """Asks a chat model which acts to take; the question, the ways around and the summary stay
    the request's. `complete` takes messages and returns the model's reply.
    """

    def __init__(
        self, complete: Complete, tools: Mapping[str, Tool], redact: Callable[[str], str]
    ) -> None:
        self._complete = complete
        self._tools = tools
        self._redact = redact

    def plan(self, request: Request) -> list[Step]:
        """Return the model's steps. Raises PlanInvalid where its reply is no JSON list of them.

        The model sees the question without identifiers, and nothing of the patient.
        """
        schemas = {name: tool.schema for name, tool in self._tools.items()}
        system = (
            "Plan the acts that answer a clinician's question. Reply with a JSON list of "
            '{"tool": name, "arguments": object}, nothing else; an empty list if none is needed. '
            f"The tools and their JSON Schemas: {json.dumps(schemas)}"
        )
        reply = self._complete(
            [
                {"role": "system", "content": system},
                {"role": "user", "content": self._redact(request.query)},
            ]
        )
        try:
            entries = json.loads(reply)
        except ValueError as error:
            raise PlanInvalid(f"the model's plan is not JSON: {error}") from error
        if not isinstance(entries, list):
            raise PlanInvalid("the model's plan is not a list")
        acts = [_act(entry) for entry in cast("list[Any]", entries)]
        asked = [_looked_up(request.query)] if request.query else []
        return asked + acts + _bypasses(request) + _summary(request)


def _looked_up(query: str) -> Step:
    return Step("retrieve", "retrieve", {"query": query})


def _act(entry: Any) -> Step:
    if not isinstance(entry, dict) or set(cast("dict[str, Any]", entry)) - {"tool", "arguments"}:
        raise PlanInvalid("a step of the plan is not {tool, arguments}")
    said = cast("dict[str, Any]", entry)
    if not isinstance(said.get("tool"), str):
        raise PlanInvalid("a step of the plan names no tool")
    arguments = said.get("arguments", {})
    if not isinstance(arguments, dict):
        raise PlanInvalid(f"the arguments for '{said['tool']}' are no object")
    return Step("act", said["tool"], cast("dict[str, Any]", arguments))


def _bypasses(request: Request) -> list[Step]:
    bypass = request.bypass
    return [
        Step("bypass", strategy, bypass.get("arguments", {}), bypass["tool"])
        for strategy in request.strategies
    ]


def _summary(request: Request) -> list[Step]:
    return [Step("summarise", request.summary)] if request.summary else []
