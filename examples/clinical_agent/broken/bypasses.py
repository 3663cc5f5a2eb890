"""Doors past the policy that stand open, or shut without a word."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from governed.action import Ruling
from governed.authority import Authority
from governed.runtime import Runtime
from governed.toolbox import Toolbox
from governed.tools import Tool


class BypassOmitContext(Runtime):
    """Where the policy is told nothing, nothing speaks against the act."""

    class Charitable(Authority):
        def decide(
            self,
            action: str,
            resource: str | None = None,
            arguments: Mapping[str, Any] | None = None,
            context: Mapping[str, Any] | None = None,
        ) -> Ruling:
            if not context:
                return Ruling("allow", "healthcare_minimum/default", "nothing speaks against it")
            return super().decide(action, resource, arguments, context)

    authority_type = Charitable


class BypassRenameAction(Runtime):
    """A name that nobody knows is taken for the tool that it resembles, and for allowed."""

    class Guessing(Toolbox):
        def find(self, name: str) -> Tool | None:
            near = difflib.get_close_matches(name, self.tools, n=1)
            return self.tools[near[0]] if near else None

    class Unsure(Authority):
        def decide(self, *args: Any, **kwargs: Any) -> Ruling:
            ruling = super().decide(*args, **kwargs)
            unknown = ruling.policy == "healthcare_minimum/default"
            return replace(ruling, decision="allow") if unknown else ruling

    toolbox_type = Guessing
    authority_type = Unsure


class BypassDirectCall(Runtime):
    """Whoever has the toolbox can use it."""

    class Open(Toolbox):
        def __init__(self, tools: Mapping[str, Tool], guard: Any) -> None:
            super().__init__(tools, lambda *_: Ruling("allow", "none", "who calls may call"))

    toolbox_type = Open


class DirectCallDeniedSilently(Runtime):
    """A direct call is refused, and nobody hears of it."""

    class Mute(Toolbox):
        def __init__(self, tools: Mapping[str, Tool], guard: Any) -> None:
            super().__init__(tools, lambda *_: Ruling("deny", "none", "no permit"))

    toolbox_type = Mute
