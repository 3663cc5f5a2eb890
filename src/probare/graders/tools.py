"""Which tools the agent called, with which arguments: tool_called, tool_calls.

A call counts as made whether or not the tool answered. Names compare exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, cast

import msgspec
from msgspec import Meta

from probare.encoding.narrow import mapping
from probare.errors import GraderError, did_you_mean
from probare.graders import argument_rules
from probare.graders.call_matching import (
    ArgsMode,
    ArgumentRules,
    GoldCall,
    MadeCall,
    Mode,
    Rule,
    in_order,
    made,
    matching,
)
from probare.graders.compare import shown
from probare.model.event import Channel, EventBase, ToolCall
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

_MOST_NAMED = 3


def calls_in(seen: Any) -> list[MadeCall]:
    """Return the tool calls among events, in order. Raises GraderError for what is no events."""
    events = cast("Sequence[Any]", seen) if isinstance(seen, list | tuple) else None
    if events is None or not all(isinstance(event, EventBase) for event in events):
        raise GraderError("there are no events to look at", hint="leave `in` out, or $events")
    return [made(event.name, event.arguments) for event in events if isinstance(event, ToolCall)]


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often: at least `min`, at most `max`."""

    min: Annotated[int, Meta(ge=0)] | None = None
    max: Annotated[int, Meta(ge=0)] | None = None

    def __post_init__(self) -> None:
        """Refuse a range that holds of everything, or of nothing."""
        if self.max is None and not self.min:
            raise ValueError("`times` should name `max`, or a `min` above 0")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"`min` {self.min} is more than `max` {self.max}")

    def __str__(self) -> str:
        if self.max is None:
            return f"at least {self.min}"
        if self.min == self.max:
            return f"exactly {self.max}"
        return f"{self.min} to {self.max}" if self.min else f"at most {self.max}"


class ToolCalled(Grader, frozen=True, kw_only=True):
    """A tool was called: at least once, or as often as `times` says (a number, or min and max).

    With `args` only calls count that have each of these arguments with this value; others are
    allowed. Numbers compare as numbers, true is not 1, "12" is not 12.
    """

    NAME: ClassVar[str] = "tool_called"
    MAIN: ClassVar[str | None] = "name"
    LOOKS_AT: ClassVar[str | None] = "$events"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("tools",)

    name: Annotated[str, Meta(min_length=1)]
    args: dict[str, Any] | None = None
    times: Annotated[int, Meta(ge=0)] | Times | None = None

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Count the calls that fit."""
        calls = calls_in(seen)
        gold, rule = GoldCall(self.name, self.args), Rule("superset")
        count = sum(rule.fits(gold, call) for call in calls)
        wanted = self._wanted()
        enough = wanted.min is None or count >= wanted.min
        few = wanted.max is None or count <= wanted.max
        times = "once" if count == 1 else f"{count} times" if count else "never"
        asked = "" if self.times is None else f", wanted {wanted}"
        reason = f"{_call(gold.name, gold.args)} was called {times}{asked}"
        return holds(enough and few, reason if enough else reason + self._why(gold, rule, calls))

    def by_name(self) -> bool:
        """Without `args`, the name is enough."""
        return self.args is None

    def _wanted(self) -> Times:
        if self.times is None:
            return Times(min=1)
        return self.times if isinstance(self.times, Times) else Times(self.times, self.times)

    def _why(self, gold: GoldCall, rule: Rule, calls: list[MadeCall]) -> str:
        of_name = [rule.misfit(gold, call) for call in calls if call.name == self.name]
        wrong = [misfit for misfit in of_name if misfit]
        if wrong:
            return f"; a call to it did not fit: {wrong[0]}"
        names = list(dict.fromkeys(call.name for call in calls))
        hint = did_you_mean(self.name, names)
        called = f"; called: {', '.join(names) or 'nothing'}"
        return f"{called} ({hint})" if hint and not of_name else called


class ToolCalls(Grader, frozen=True, kw_only=True):
    """The agent's tool calls are the gold calls.

    `mode` says how: `strict`, the same calls in the same order; `unordered`, the same calls in
    any order; `subset`, no call but gold ones (some may be missing); `superset`, all gold calls
    (others allowed). Each call answers for one gold call. No gold calls means that no call may
    be made (with `superset` that would hold of everything: refused).

    `args` says when arguments fit: `exact`, the same keys and values; `superset`, all of gold's
    (others allowed); `subset`, none but gold's (some may be missing, but not all); `ignore`,
    the name is enough. A gold call is a name, whose arguments are not compared, or
    {name, args}, where `args: {}` is a call without arguments. Absent arguments are {};
    malformed ones fit nothing. Numbers compare as numbers (12 is 12.0 unless `strict_types`),
    true is not 1, "12" is not 12.

    `rules` hold for single tools, by name: `{pay: {ignore: [note], compare: {city: "m:f"}}}` leaves
    `note` out on both sides, and asks the function `f(gold, made)`, which answers true or false,
    whether two values of `city` agree.

    `only` or `ignore` name the tools whose calls are looked at, or are not. The score is the
    share of calls that match: of the longer side (strict, unordered), of those made (subset),
    of the gold ones (superset).
    """

    NAME: ClassVar[str] = "tool_calls"
    MAIN: ClassVar[str | None] = "calls"
    LOOKS_AT: ClassVar[str | None] = "$events"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("tools",)

    calls: tuple[str | GoldCall, ...]
    mode: Mode = "strict"
    args: ArgsMode = "exact"
    only: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    strict_types: bool = False
    rules: dict[str, ArgumentRules] = msgspec.field(default_factory=dict[str, ArgumentRules])

    @classmethod
    def blocks(cls, args: Mapping[str, Any]) -> bool:
        """The suite's own functions belong on a thread."""
        return any(mapping(rule).get("compare") for rule in mapping(args.get("rules")).values())

    def __post_init__(self) -> None:
        """Refuse what would always or never hold."""
        if self.mode == "superset" and not self.calls:
            raise ValueError("`calls` is empty, so `mode: superset` would hold of everything")
        if self.only is not None and self.ignore:
            raise ValueError("name `only` or `ignore`, not both")
        if self.only is not None and not self.only:
            raise ValueError("`only` is empty, so that no call would be looked at")
        for gold in self._gold():
            if not self._considers(gold.name):
                raise ValueError(f"gold call '{gold.name}' is left out by `only` or `ignore`")

    def by_name(self) -> bool:
        """Where no gold call names arguments, or they are ignored, names are enough."""
        return self.args == "ignore" or all(call.args is None for call in self._gold())

    def _gold(self) -> list[GoldCall]:
        return [GoldCall(call) if isinstance(call, str) else call for call in self.calls]

    def _considers(self, name: str) -> bool:
        return name not in self.ignore if self.only is None else name in self.only

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Match calls with gold calls; a failure names those without a partner."""
        gold = self._gold()
        calls = [call for call in calls_in(seen) if self._considers(call.name)]
        rule = Rule(self.args, self.strict_types, argument_rules.loaded(self.rules, trial))
        match = in_order if self.mode == "strict" else matching
        found = match(gold, calls, rule)
        of = {
            "strict": max(len(gold), len(calls)),
            "unordered": max(len(gold), len(calls)),
            "subset": len(calls),
            "superset": len(gold),
        }[self.mode]
        score = len(found) / of if of else 1.0
        fit = len(found) == of
        reason = f"{len(found)} of {len(gold)} gold calls match the {_count(len(calls))} made"
        if not fit:
            reason += _unmatched(gold, calls, found, rule, self.mode)
        return holds(fit, f"{reason} ({self.mode}, args {self.args})", score=score)


def _unmatched(
    gold: list[GoldCall], calls: list[MadeCall], found: dict[int, int], rule: Rule, mode: Mode
) -> str:
    """Say which gold calls and which calls have no partner, as far as the mode cares."""
    used = set(found.values())
    spare = [call for index, call in enumerate(calls) if index not in used]
    said = ""
    if mode != "subset":
        missing = [
            f"{_call(each.name, each.args)} [{_nearest(each, spare, rule)}]"
            for index, each in enumerate(gold)
            if index not in found
        ]
        said += _listed("missing", missing)
    if mode != "superset":
        said += _listed("not asked for", [_made(call) for call in spare])
    return said


def _nearest(gold: GoldCall, spare: list[MadeCall], rule: Rule) -> str:
    """Say what keeps the nearest unmatched call of that name from fitting."""
    same_name = [call for call in spare if call.name == gold.name]
    if not same_name:
        return "no such call is left"
    wanted = gold.args or {}
    ignoring = Rule("superset", tools=rule.tools)

    def agreeing(call: MadeCall) -> int:
        one = [GoldCall(gold.name, {key: value}) for key, value in wanted.items()]
        return sum(ignoring.fits(each, call) for each in one)

    nearest = max(same_name, key=agreeing)
    return rule.misfit(gold, nearest) or "called in another order"


def _listed(what: str, items: list[str]) -> str:
    if not items:
        return ""
    more = len(items) - _MOST_NAMED
    return f"; {what}: {', '.join(items[:_MOST_NAMED])}" + (f" and {more} more" if more > 0 else "")


def _call(name: str, args: dict[str, Any] | None) -> str:
    return name if args is None else f"{name}({shown(args)})"


def _made(call: MadeCall) -> str:
    return f"{call.name}({shown(call.args if call.args is not None else call.written)})"


def _count(number: int) -> str:
    return "1 call" if number == 1 else f"{number} calls"


GRADERS: tuple[type[Grader], ...] = (ToolCalled, ToolCalls)
