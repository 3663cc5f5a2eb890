"""The toolbox: no tool works without a permit, and only the gateway makes permits.

A permit is for one call of one tool with one set of arguments. Whoever gets hold of the toolbox
itself still does not get past the policy: a call without a permit is put before it, as one that
does not come through the gateway.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from governed.action import Ruling
from governed.tools import Tool

Guard = Callable[[str, Mapping[str, Any]], Ruling]


class NotPermitted(PermissionError):
    """A tool was called without a permit for this very call, and that is not allowed."""


class NoSuchTool(LookupError):
    """There is no tool of this name."""


@dataclass(frozen=True)
class Permit:
    """A right to one call. `mark` cannot be guessed and is never recorded."""

    mark: str
    tool: str
    arguments: str


class Toolbox:
    """The tools, as they are really called. `guard` rules on calls without a permit."""

    def __init__(self, tools: Mapping[str, Tool], guard: Guard) -> None:
        self.tools = dict(tools)
        self._guard = guard
        self._open: set[Permit] = set()

    def find(self, name: str) -> Tool | None:
        """Return the tool of exactly this name, or None."""
        return self.tools.get(name)

    def permit(self, name: str, arguments: Mapping[str, Any]) -> Permit:
        """Make a permit for one call. The gateway's own business."""
        made = Permit(secrets.token_hex(16), name, _written(arguments))
        self._open.add(made)
        return made

    def call(self, name: str, arguments: Mapping[str, Any], permit: Permit | None = None) -> Any:
        """Call a tool; return its result.

        Raises NoSuchTool, and NotPermitted where the guard does not allow a call without an open
        permit for exactly this. A permit stays open while the tool fails, so that the same call
        can be tried again.
        """
        tool = self.find(name)
        if tool is None:
            raise NoSuchTool(f"there is no tool '{name}'")
        asked = (name, _written(arguments))
        if permit not in self._open or (permit.tool, permit.arguments) != asked:
            ruling = self._guard(name, arguments)
            if ruling.decision != "allow":
                raise NotPermitted(f"called without a permit: {ruling.reason}")
        result = tool.function(**arguments)
        if permit is not None:
            self._open.discard(permit)
        return result


def _written(arguments: Mapping[str, Any]) -> str:
    return json.dumps(dict(arguments), sort_keys=True, default=repr)
