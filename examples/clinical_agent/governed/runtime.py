"""The runtime: the parts put together for one request, and the plan carried out step by step.

The plan can stop in the middle, where an approval is waited for, and be taken up again later
from what was kept (`resuming.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar

from governed import knowledge, policy
from governed.action import Ruling
from governed.answer import answer_of, succeeded, summary_of, told
from governed.approval import Approver, Gate, Scripted
from governed.artifacts import ArtifactWriter
from governed.authority import Authority
from governed.budget import Meter
from governed.bypass import STRATEGIES
from governed.flaky import flaky
from governed.gateway import Gateway, Parts, Result
from governed.journal import Journal
from governed.planner import Planner, ScriptedPlanner
from governed.redaction import Redactor
from governed.request import Request, RequestInvalid, Step
from governed.schema import ArgumentCheck
from governed.toolbox import Toolbox
from governed.tools import Clinic, Tool, tools_of

NAME = "clinical-support"
STATE = "state"
ARTIFACTS = "artifacts"


class Runtime:
    """Carries out one request. `workspace` is the folder it may write in, None for nowhere.

    Raises RequestInvalid, PolicyInvalid and PlanInvalid before anything is done.
    """

    redactor_type: ClassVar[type[Redactor]] = Redactor
    authority_type: ClassVar[type[Authority]] = Authority
    toolbox_type: ClassVar[type[Toolbox]] = Toolbox
    gateway_type: ClassVar[type[Gateway]] = Gateway

    def __init__(
        self,
        request: Request,
        journal: Journal,
        workspace: Path | None = None,
        *,
        planner: Planner | None = None,
        approver: Approver | None = None,
    ) -> None:
        self.request = request
        self.journal = journal
        self.workspace = workspace
        self.approver = approver or Scripted(**request.approver)
        self.clinic = Clinic()
        self.redactor = self.redactor_type(request.patient)
        self.meter = Meter(request.cap_micro_usd)
        self.writer = None if workspace is None else ArtifactWriter(workspace / ARTIFACTS)
        self.tries: list[tuple[str, int, bool, str | None]] = []
        self.gateway = self.gateway_type(self.parts())
        self.steps = self.checked((planner or ScriptedPlanner()).plan(request))
        self.position = 0
        self.results: list[Result] = []

    def parts(self) -> Parts:
        """Put the parts together, each watched by the journal."""
        request, journal = self.request, self.journal
        tools = self.tools()
        authority = self.authority_type(
            tools=tools,
            check=ArgumentCheck({name: tool.schema for name, tool in tools.items()}),
            policy=policy.load(request.policy, request.policy_engine),
            meter=self.meter,
            requires_approval=request.requires_approval,
        )
        gate = Gate(
            self.approver,
            approvers=request.approvers,
            folder=None if self.workspace is None else self.workspace / STATE,
            progress=self.progress,
        )
        decide = journal.policy(authority.decide)

        def guard(name: str, arguments: Mapping[str, Any]) -> Ruling:
            context = {"purpose": request.purpose, "gateway": False, "redacted": True}
            return decide(action=name, resource=name, arguments=arguments, context=context)

        return Parts(
            redact=journal.detector(self.redactor.redact),
            is_clean=self.redactor.is_clean,
            decide=decide,
            ask=journal.approver(gate.ask),
            toolbox=self.toolbox_type(tools, guard),
            charge=journal.metered(self.meter.charge),
            write_attempt=journal.attempts(self.write_attempt),
            search=journal.retriever(knowledge.load().search, "retrieve"),
            attempts=request.retries,
            purpose=request.purpose,
        )

    def write_attempt(
        self, operation: str, number: int, ok: bool, error: str | None = None
    ) -> None:
        """Keep a try of an operation."""
        self.tries.append((operation, number, ok, error))

    def tools(self) -> dict[str, Tool]:
        """Return the tools, flaky where the request says so, each watched.

        Raises RequestInvalid where the request counts on a tool or a schema that is not so.
        """
        tools = tools_of(self.clinic, self.writer)
        if self.request.summary is not None and self.writer is None:
            raise RequestInvalid("a summary needs a workspace to be written in")
        for name, schema in self.request.tools.items():
            if name not in tools or schema != tools[name].schema:
                raise RequestInvalid(f"the request counts on another schema of '{name}'")
        for name, fault in self.request.flaky.items():
            if name not in tools:
                raise RequestInvalid(f"there is no tool '{name}' that could be flaky")
            tools[name] = replace(tools[name], function=flaky(tools[name].function, **fault))
        return {
            name: replace(tool, function=self.journal.tool(tool.function, name))
            for name, tool in tools.items()
        }

    def checked(self, steps: list[Step]) -> list[Step]:
        """Return the steps. Raises RequestInvalid for a strategy that nobody knows."""
        for step in steps:
            if step.kind == "bypass" and step.name not in STRATEGIES:
                known = ", ".join(STRATEGIES)
                raise RequestInvalid(f"there is no strategy '{step.name}' (there are {known})")
        return steps

    async def run(self) -> dict[str, Any]:
        """Carry out what is left of the plan; return the answer.

        Raises Paused where an approval is needed and nobody is there to be asked.
        """
        while self.position < len(self.steps):
            result = await self.step(self.steps[self.position])
            self.results.append(result)
            self.position += 1
        return self.finished()

    async def step(self, step: Step) -> Result:
        """Carry out one step."""
        if step.kind == "retrieve":
            return self.gateway.retrieve(str(step.arguments["query"]))
        if step.kind == "bypass":
            with self.journal.tagged(strategy=step.name):
                result = await STRATEGIES[step.name](self.gateway, step.tool or "", step.arguments)
            return {**result, "strategy": step.name}
        if step.kind == "summarise":
            text = summary_of(self.results, self.meter.spent)
            return await self.gateway.act("write_summary", {"path": step.name, "text": text})
        return await self.gateway.act(step.name, step.arguments)

    def finished(self) -> dict[str, Any]:
        """Return the answer, and seal what was written."""
        answer = {
            "text": answer_of(self.results),
            "status": "complete" if all(map(succeeded, self.results)) else "incomplete",
            "acts": [told(result) for result in self.results],
            "tries": len(self.tries),
            "spent_micro_usd": self.meter.spent,
        }
        if self.writer is not None and self.writer.paths:
            self.seal(self.writer)
        return answer

    def seal(self, writer: ArtifactWriter) -> None:
        """Write the manifest: the last thing that is done."""
        writer.finish(self.journal.trace_hash(), NAME)

    def progress(self) -> dict[str, Any]:
        """Return what a later process needs to go on, without identifiers."""
        left = replace(self.request, query="", patient={}, plan=[], strategies=[], bypass={})
        return {
            "request": asdict(left),
            "steps": [self.redactor.redact(asdict(step)).clean for step in self.steps],
            "position": self.position,
            "results": self.results,
            "tries": self.tries,
            "spent": self.meter.spent,
            "written": [] if self.writer is None else self.writer.paths,
        }

    def take_up(self, steps: list[Step], progress: Mapping[str, Any]) -> None:
        """Stand where the kept progress left off."""
        self.steps = self.checked(steps)
        self.position = progress["position"]
        self.results = list(progress["results"])
        self.tries = [tuple(entry) for entry in progress["tries"]]
        self.meter.spent = progress["spent"]
        if self.writer is not None:
            self.writer.paths = list(progress["written"])
