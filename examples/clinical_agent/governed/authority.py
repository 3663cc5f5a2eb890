"""The authority: the one place that is asked before an act. Its answer is the receipt."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from governed.action import Action, Ruling, strictest
from governed.budget import Meter
from governed.policy import Policy
from governed.schema import ArgumentCheck
from governed.tools import Tool


class Authority:
    """Asks the tool's schema, the policy and the budget, and lets the strictest speak.

    `requires_approval` are acts that the request itself wants approved; it can make the policy
    stricter, never laxer. Arguments that break their schema are denied before anything else is
    asked, since nothing is known of a call that cannot be.
    """

    def __init__(
        self,
        *,
        tools: Mapping[str, Tool],
        check: ArgumentCheck,
        policy: Policy,
        meter: Meter,
        requires_approval: Collection[str] = (),
    ) -> None:
        self._tools = tools
        self._check = check
        self._policy = policy
        self._meter = meter
        self._requires_approval = frozenset(requires_approval)

    def decide(
        self,
        action: str,
        resource: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Ruling:
        """Return the ruling on an act that has not happened yet."""
        asked = Action(action, resource, arguments or {}, context or {})
        fit = self._check.rule(asked)
        if fit.decision == "deny":
            return fit
        rulings = [self._policy.decide(asked)]
        tool = self._tools.get(action)
        if tool is not None and self._meter.cap is not None:
            rulings.append(self._meter.rule(asked, tool.price))
        if action in self._requires_approval:
            reason = f"the request wants a person to approve '{action}'"
            rulings.append(Ruling("require_approval", "request/requires-approval", reason))
        return strictest(rulings)
