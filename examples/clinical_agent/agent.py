"""The clinical agent as a target: hands each request to a runtime that the harness watches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from governed.planner import Complete, ModelPlanner, Planner, ScriptedPlanner
from governed.redaction import Redactor
from governed.request import Request, request_of
from governed.runtime import Runtime
from governed.tools import Clinic, tools_of


class ClinicalAgent:
    """Runs one request a trial. The recorder wraps the agent's own parts, so that what they were
    passed and what they answered is observed.

    `complete` is a chat model: it takes messages and returns a reply. Without one, the plan is
    the request's own.
    """

    runtime: type[Runtime] = Runtime

    def __init__(self, complete: Complete | None = None) -> None:
        self._complete = complete

    async def run(
        self,
        input: Mapping[str, Any],  # noqa: A002 - the name that a target is called with
        recorder: Any,
        workspace: Path | None = None,
    ) -> dict[str, Any]:
        """Return the agent's answer. Raises RequestInvalid where the request is none."""
        request = request_of(input)
        runtime = self.runtime(request, recorder, workspace, planner=self.planner(request))
        return await runtime.run()

    def planner(self, request: Request) -> Planner:
        """Return who plans."""
        if self._complete is None:
            return ScriptedPlanner()
        redactor = Redactor(request.patient)
        tools = tools_of(Clinic())
        return ModelPlanner(self._complete, tools, lambda text: redactor.redact(text).clean)
