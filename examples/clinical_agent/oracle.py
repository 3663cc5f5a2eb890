"""The two ends of the scale: an agent that must pass every scenario, and one that does nothing.

The oracle shares no code with the agent. It knows what a tester knows (the planted identifiers,
the script of the approver) and does by hand what each scenario asks for; a scenario that it fails
contradicts itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator

from probare.model.case import Case

Given = Mapping[str, Any]
CHANNELS = ("tools", "retrievals", "decisions", "approvals", "attempts", "artifacts")


class OracleTarget:
    """Does what a request asks for, and shows it."""

    def run(
        self,
        input: Given,  # noqa: A002 - the name that a target is called with
        case: Case,
        recorder: Any,
        workspace: Path,
    ) -> dict[str, Any]:
        """Return an answer."""
        for channel in CHANNELS:
            recorder.observe(channel)
        hand = _Hand(input, recorder)
        if "query" in input:
            recorder.detector(lambda query: list(case.planted.values()))(input["query"])
            hand.allow("retrieve", {"query": "the clinical question"})
            recorder.retriever(lambda query: ["what the guidance says"], "retrieve")(
                "the clinical question"
            )
        for step in input.get("plan", ()):
            hand.act(step["tool"], step["arguments"])
        for strategy in input.get("strategies", ()):
            hand.refuse_bypass(strategy, input["bypass"])
        if "summary" in input:
            _leave(workspace / "artifacts", input["summary"], recorder.trace_hash())
        return {"text": "What was asked for and allowed is done.", "failed": hand.failed}


class _Hand:
    """Acts, as a scenario's own script allows."""

    def __init__(self, given: Given, recorder: Any) -> None:
        self.given = given
        self.recorder = recorder
        self.spent = 0
        self.failed: list[str] = []
        self.decide = recorder.policy(self._decided)
        self.ask = recorder.approver(self._answered)
        self.write = recorder.attempts(self._written)
        self.pay = recorder.metered(self._paid)

    def allow(self, action: str, arguments: Given) -> None:
        self.decide(action=action, arguments=arguments, decision="allow", reason="fits")

    def act(self, tool: str, arguments: Given) -> None:
        """Do one step of the plan, or show why not."""
        if not self._fits(tool, arguments):
            self.decide(action=tool, arguments=arguments, decision="deny", reason="breaks schema")
            return
        price, cap = self._price(), self.given.get("cap_micro_usd")
        over = cap is not None and self.spent + price > cap
        if over or tool in self.given.get("requires_approval", ()):
            asked = {
                "action": tool,
                "resource": "budget" if over else tool,
                "arguments": arguments,
                "reason": "the cap would be passed" if over else "a person has to approve it",
            }
            self.decide(**asked, decision="require_approval")
            if not self.ask(**asked)["granted"]:
                return
        else:
            self.allow(tool, arguments)
        self._done(tool, arguments)
        self.spent += price
        self.pay(price)

    def refuse_bypass(self, strategy: str, call: Given) -> None:
        """Refuse a way around the policy."""
        name = call["tool"]
        with self.recorder.tagged(strategy=strategy):
            self.decide(
                action=f"{name}-renamed" if strategy == "rename_action" else name,
                resource=name,
                arguments=call["arguments"],
                context={} if strategy == "omit_context" else {"purpose": "treatment"},
                decision="deny",
                reason=f"{strategy} is no way in",
            )

    def _done(self, tool: str, arguments: Given) -> None:
        """Call a tool as often as it fails, three times at most, on the record."""
        fault = self.given.get("flaky", {}).get(tool, {"failures": 0, "error": ""})

        def work(failing: bool) -> Callable[..., str]:
            def done(**_arguments: Any) -> str:
                if failing:
                    raise ConnectionError(fault["error"])
                return "done"

            return cast("Callable[..., str]", self.recorder.tool(done, tool))

        for number in range(1, self.given.get("retries", 3) + 1):
            failing = number <= fault["failures"]
            error = None
            try:
                work(failing)(**arguments)
            except ConnectionError as failure:
                error = str(failure)
            self.write(operation=tool, number=number, ok=error is None, error=error)
            if error is None:
                return
        self.failed.append(tool)

    def _fits(self, tool: str, arguments: Given) -> bool:
        schema = self.given.get("tools", {}).get(tool, {})
        return Draft202012Validator(schema).is_valid(arguments)

    def _price(self) -> int:
        """Return a price at which the last act of the plan is the first to pass the cap."""
        return self.given.get("cap_micro_usd", 1000) // max(len(self.given["plan"]) - 1, 1)

    @staticmethod
    def _decided(**asked: Any) -> dict[str, Any]:
        return {"policy": "by hand", "decision": asked["decision"], "reason": asked["reason"]}

    def _answered(self, action: str, **_asked: Any) -> dict[str, Any]:
        script = self.given["approver"]
        word = script.get("answers", {}).get(action, script["answer"])
        return {"granted": word == "grant", "by": script["by"]}

    @staticmethod
    def _written(**_attempt: Any) -> None:
        """Keep nothing: the recorder has it."""

    @staticmethod
    def _paid(price: int) -> dict[str, int]:
        return {"cost_micro_usd": price}


class NullTarget:
    """Answers, and does nothing at all; what it does not do is observed."""

    def run(self, recorder: Any) -> dict[str, str]:
        """Return an answer."""
        for channel in CHANNELS:
            recorder.observe(channel)
        return {"text": "I shall look into it."}


def _leave(folder: Path, name: str, trace_hash: str) -> None:
    """Write a summary, and a manifest over it."""
    folder.mkdir()
    data = b"# Visit summary\n\nA question was looked up, and an order was made.\n"
    (folder / name).write_bytes(data)
    entry = {"path": name, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    manifest = {"artifacts": [entry], "provenance": {"trace_hash": trace_hash}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
