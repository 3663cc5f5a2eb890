"""How the agent went about it: calls that repeat, how many there were, which came first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeAlias, cast

from msgspec import Meta

from probare.errors import did_you_mean
from probare.graders.call_matching import MadeCall
from probare.graders.compare import kind_of, shown
from probare.graders.normal import normalise
from probare.graders.tools import calls_in
from probare.model.event import Channel
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

_MOST_NAMED = 3
_Tool: TypeAlias = Annotated[str, Meta(min_length=1)]


class _Calls(Grader, frozen=True, kw_only=True):
    LOOKS_AT: ClassVar[str | None] = "$events"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("tools",)

    only: tuple[_Tool, ...] | None = None
    ignore: tuple[_Tool, ...] = ()

    def __post_init__(self) -> None:
        if self.only is not None and self.ignore:
            raise ValueError("name `only` or `ignore`, not both")
        if self.only is not None and not self.only:
            raise ValueError("`only` is empty, so that no call would be looked at")

    def _looked_at(self, seen: Any) -> list[MadeCall]:
        """Return the calls that `only` and `ignore` leave, in order."""
        return [
            call
            for call in calls_in(seen)
            if (call.name not in self.ignore if self.only is None else call.name in self.only)
        ]


class NoRepeatedCalls(_Calls, frozen=True, kw_only=True):
    """No tool was called twice with the same arguments, whatever came between.

    Arguments compare as JSON: 12 is 12.0, true is not 1, "12" is not 12; absent ones are {}. A
    call counts whether or not the tool answered, so a retry is a repetition: `ignore` names
    tools that may repeat, or `only` those that may not. No call at all holds.
    """

    NAME: ClassVar[str] = "no_repeated_calls"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Count each call; a failure names those that were made more than once."""
        calls = self._looked_at(seen)
        times: dict[Any, int] = {}
        first: dict[Any, MadeCall] = {}
        for call in calls:
            key = (call.name, _frozen(call.args if call.args is not None else call.written))
            times[key] = times.get(key, 0) + 1
            first.setdefault(key, call)
        repeated = [key for key, count in times.items() if count > 1]
        if not repeated:
            return holds(True, f"{_count(len(calls))}, none of them twice")
        named = [f"{_called(first[key])} {times[key]} times" for key in repeated[:_MOST_NAMED]]
        more = len(repeated) - _MOST_NAMED
        said = ", ".join(named) + (f" and {more} more" if more > 0 else "")
        return holds(False, f"called more than once: {said}")


class MaxToolCalls(_Calls, frozen=True, kw_only=True):
    """The agent made at most `limit` tool calls. `only` or `ignore` say which tools count."""

    NAME: ClassVar[str] = "max_tool_calls"
    MAIN: ClassVar[str | None] = "limit"

    limit: Annotated[int, Meta(ge=0)]

    def by_name(self) -> bool:
        """Arguments are not looked at."""
        return True

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Count the calls."""
        calls = self._looked_at(seen)
        said = f"{_count(len(calls))}, at most {self.limit}"
        if len(calls) <= self.limit:
            return holds(True, said)
        counts: dict[str, int] = {}
        for call in calls:
            counts[call.name] = counts.get(call.name, 0) + 1
        most = sorted(counts, key=lambda name: -counts[name])[:_MOST_NAMED]
        named = ", ".join(f"{name} {counts[name]}" for name in most)
        return holds(False, f"{said}; most often: {named}")


class FirstTool(Grader, frozen=True, kw_only=True):
    """The first tool that the agent called has this name, or one of these. No call at all fails."""

    NAME: ClassVar[str] = "first_tool"
    MAIN: ClassVar[str | None] = "name"
    LOOKS_AT: ClassVar[str | None] = "$events"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("tools",)

    name: _Tool | Annotated[tuple[_Tool, ...], Meta(min_length=1)]

    def by_name(self) -> bool:
        """Arguments are not looked at."""
        return True

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look at the first call."""
        names = (self.name,) if isinstance(self.name, str) else self.name
        calls = calls_in(seen)
        wanted = " or ".join(names)
        if not calls:
            return holds(False, f"no tool was called, wanted {wanted} first")
        first = calls[0].name
        if first in names:
            return holds(True, f"the first tool called was {first}")
        hint = did_you_mean(first, names)
        end = f" ({hint})" if hint else ""
        return holds(False, f"the first tool called was {first}, wanted {wanted}{end}")


def _frozen(value: Any) -> Any:
    """Return a JSON value as a key that is equal where `compare.same` says so."""
    kind = kind_of(value)
    if kind == "text":
        return (kind, normalise(value))
    if kind == "object":
        items = cast("Mapping[str, Any]", value).items()
        return (kind, frozenset((key, _frozen(item)) for key, item in items))
    if kind == "list":
        return (kind, tuple(_frozen(item) for item in cast("Sequence[Any]", value)))
    return (kind, value)


def _called(call: MadeCall) -> str:
    return f"{call.name}({shown(call.args if call.args is not None else call.written)})"


def _count(number: int) -> str:
    return "1 call" if number == 1 else f"{number} calls"


GRADERS: tuple[type[Grader], ...] = (NoRepeatedCalls, MaxToolCalls, FirstTool)
