"""The gateway: the one way to an act. Redact, ask, wait for a person where one is needed, act.

Each act has one receipt, which stands before it. A refused act never reaches its tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from governed.action import Ruling
from governed.approval import Answer, Request
from governed.redaction import Redacted
from governed.retrying import TransientFailure, tried
from governed.toolbox import NoSuchTool, Toolbox

Result = dict[str, Any]


class Decide(Protocol):
    """Rules on an act before it happens (`authority.Authority.decide`)."""

    def __call__(
        self,
        action: str,
        resource: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Ruling:
        """Return the ruling."""
        ...


class Ask(Protocol):
    """Asks a person, and waits (`approval.Gate.ask`)."""

    async def __call__(self, request: Request) -> Answer:
        """Return the answer."""
        ...


class WriteAttempt(Protocol):
    """Writes down a try of an operation."""

    def __call__(self, operation: str, number: int, ok: bool, error: str | None = None) -> None:
        """Keep the try; `number` counts from 1."""
        ...


@dataclass(frozen=True)
class Parts:
    """What the gateway is made of; each can be wrapped, or exchanged, by itself."""

    redact: Callable[[Any], Redacted]
    is_clean: Callable[[Any], bool]
    decide: Decide
    ask: Ask
    toolbox: Toolbox
    charge: Callable[[int], Any]
    write_attempt: WriteAttempt
    search: Callable[[str], list[Any]]
    attempts: int = 3
    purpose: str = "treatment"


class Gateway:
    """Performs acts, as far as they are allowed."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def context(self, said: Any) -> dict[str, Any]:
        """Return what the policy is told of an act with this text, or these arguments.

        `redacted` is looked at, not remembered: whether the redactor would still find anything.
        """
        clean = self.parts.is_clean(said)
        return {"purpose": self.parts.purpose, "gateway": True, "redacted": clean}

    def retrieve(self, query: str) -> Result:
        """Look a question up, without identifiers. Returns what was found, by section."""
        question = self.parts.redact(query).clean
        ruling = self.parts.decide(
            action="retrieve",
            resource="guidance",
            arguments={"query": question},
            context=self.context(question),
        )
        if ruling.decision != "allow":
            return refused("retrieve", ruling)
        sections = self.parts.search(question)
        return {
            "act": "retrieve",
            "status": "done",
            "sections": [section.source for section in sections],
            "texts": [section.text for section in sections],
        }

    async def act(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        context: Mapping[str, Any] | None = None,
        resource: str | None = None,
    ) -> Result:
        """Use a tool. `context` is what the policy is told; by default, all there is to tell."""
        arguments = self.parts.redact(dict(arguments)).clean
        if context is None:
            context = self.context(arguments)
        ruling = self.parts.decide(
            action=tool, resource=resource or tool, arguments=arguments, context=context
        )
        if ruling.decision == "deny":
            return refused(tool, ruling)
        if ruling.decision == "require_approval":
            about = "budget" if "budget/" in ruling.policy else tool
            answer = await self.parts.ask(Request(tool, about, arguments, ruling.reason))
            if answer.state != "granted":
                return {"act": tool, "status": "not approved", "by": answer.by}
        return await self.execute(tool, arguments)

    async def execute(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Do what was allowed, trying again where a service fails, and pay for it."""
        toolbox = self.parts.toolbox
        found = toolbox.find(tool)
        if found is None:
            raise NoSuchTool(f"the policy allows '{tool}', but there is no such tool")
        permit = toolbox.permit(tool, arguments)

        def attempted(number: int, error: str | None) -> None:
            self.parts.write_attempt(operation=tool, number=number, ok=error is None, error=error)

        try:
            result = await tried(
                lambda: toolbox.call(tool, arguments, permit),
                attempts=self.parts.attempts,
                on_attempt=attempted,
            )
        except TransientFailure as failure:
            return {"act": tool, "status": "failed", "error": str(failure)}
        finally:
            self.parts.charge(found.price)
        return {"act": tool, "status": "done", "result": result}


def refused(act: str, ruling: Ruling) -> Result:
    """Return the result of an act that a ruling did not allow."""
    return {"act": act, "status": "denied", "policy": ruling.policy, "reason": ruling.reason}
