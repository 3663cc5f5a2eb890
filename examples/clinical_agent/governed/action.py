"""What the agent wants to do, and what is said about that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Word: TypeAlias = Literal["allow", "deny", "require_approval"]

STRICTNESS: dict[Word, int] = {"allow": 0, "require_approval": 1, "deny": 2}


@dataclass(frozen=True)
class Action:
    """An act that has not happened yet.

    `name` is what is done (`retrieve`, or a tool's name), `resource` what it is done with.
    `context` is what the policy may know: for what purpose, through the gateway or not, whether
    the text was redacted.
    """

    name: str
    resource: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    context: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Ruling:
    """A decision on an action: the word, the policy that said it, and why."""

    decision: Word
    policy: str
    reason: str


def strictest(rulings: list[Ruling]) -> Ruling:
    """Return the ruling that counts: a deny before a need of approval before an allow.

    Of several that need approval, the reasons are joined, since one person answers them all.
    """
    worst = max(rulings, key=lambda ruling: STRICTNESS[ruling.decision])
    if worst.decision != "require_approval":
        return worst
    same = [ruling for ruling in rulings if ruling.decision == "require_approval"]
    return Ruling(
        "require_approval",
        " + ".join(ruling.policy for ruling in same),
        "; ".join(ruling.reason for ruling in same),
    )
