"""The gateway: the one way to an act. Redact, ask, wait for a person where one is needed, act.

Each act has one receipt, which stands before it. A refused act never reaches its tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

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

    redact: Callable[[str], Redacted]
    is_clean: Callable[[str], bool]
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

    def context(self, *texts: str) -> dict[str, Any]:
        """Return what the policy is told of an act with these texts.

        `redacted` is looked at, not remembered: whether the redactor would still find anything.
        """
        clean = all(self.parts.is_clean(text) for text in texts)
        return {"purpose": self.parts.purpose, "gateway": True, "redacted": clean}

    def retrieve(self, query: str) -> Result:
        """Look a question up, without identifiers. Returns what was found, by section."""
        question = self.parts.redact(query).text
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
        arguments = cleaned(arguments, lambda text: self.parts.redact(text).text)
        if context is None:
            context = self.context(*texts_in(arguments))
        ruling = self.parts.decide(
            action=tool, resource=resource or tool, arguments=arguments, context=context
        )
        if ruling.decision == "deny":
            return refused(tool, ruling)
        if ruling.decision == "require_approval":
            answer = await self.parts.ask(Request(tool, tool, arguments, ruling.reason))
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


def cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    """Return a value with every text in it cleaned, keys too."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value).items()
        return {clean(key): cleaned(item, clean) for key, item in entries}
    if isinstance(value, list):
        return [cleaned(item, clean) for item in cast("list[Any]", value)]
    return value


def texts_in(value: Any) -> list[str]:
    """Return every text in a value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        items = [*entries, *entries.values()]
    elif isinstance(value, list):
        items = cast("list[Any]", value)
    else:
        return []
    return [text for item in items for text in texts_in(item)]
