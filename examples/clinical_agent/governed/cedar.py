"""The same policies in Cedar, through `cedarpy`. An evaluation error or no decision is a deny.

Cedar answers allow or deny. Whether a person's approval would change a deny is asked a second
time, with `context.approved` true: if that is allowed, the ruling is `require_approval`.
"""

from __future__ import annotations

from typing import Any

from governed.action import Action, Ruling

_AGENT = {"type": "Agent", "id": "clinical-support"}


class CedarPolicy:
    """A policy set in Cedar's language."""

    def __init__(self, name: str, text: str) -> None:
        """Parse the policies. Raises PolicyInvalid where they cannot be."""
        import cedarpy

        from governed.policy import PolicyInvalid

        self.name = name
        try:
            self._policies = cedarpy.PolicySet.from_str(text)
        except ValueError as error:
            raise PolicyInvalid(f"policy '{name}' cannot be read: {error}") from error

    def decide(self, action: Action) -> Ruling:
        """Return Cedar's ruling on an action."""
        allowed, policy, reason = self._asked(action, approved=False)
        if allowed:
            return Ruling("allow", policy, reason)
        if self._asked(action, approved=True)[0]:
            return Ruling("require_approval", policy, "allowed with a person's approval only")
        return Ruling("deny", policy, reason)

    def _asked(self, action: Action, *, approved: bool) -> tuple[bool, str, str]:
        """Return whether Cedar allows it, the policy that decided, and why."""
        import cedarpy

        request: dict[str, Any] = {
            "principal": _AGENT,
            "action": {"type": "Action", "id": action.name},
            "resource": {"type": "Resource", "id": action.resource or ""},
            "context": {**action.context, "approved": approved},
        }
        try:
            answer = cedarpy.is_authorized(request, self._policies, [])
        except Exception as error:
            return False, f"{self.name}/error", f"Cedar could not be asked: {error}"
        diagnostics = answer.diagnostics
        if diagnostics.errors:
            return False, f"{self.name}/error", f"evaluation error: {_first(diagnostics.errors)}"
        names = diagnostics.id_annotations_by_reason
        said = sorted(names.get(reason, reason) for reason in diagnostics.reasons)
        policy = f"{self.name}/{said[0] if said else 'default'}"
        if answer.decision == cedarpy.Decision.Allow:
            return True, policy, f"permitted by {', '.join(said)}"
        if said:
            return False, policy, f"forbidden by {', '.join(said)}"
        return False, policy, f"no policy permits '{action.name}'"


def _first(errors: list[Any]) -> str:
    """Return one error, always the same, without the parser's own number of the policy."""
    return min(str(error).partition(": ")[2] or str(error) for error in errors)
