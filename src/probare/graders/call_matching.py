"""Tool calls against gold calls: when one fits another, and who is matched with whom.

Gold keys drive the comparison, so that a call without arguments, or with some of them, is not
taken for one that has them all. Values compare as JSON (`probare.graders.compare`). Each call
answers for one gold call at most: a maximum matching, which does not depend on the order in
which calls or gold calls stand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

import msgspec

from probare.encoding import jsonbytes
from probare.graders.compare import difference, same, shown

Mode: TypeAlias = Literal["strict", "unordered", "subset", "superset"]
ArgsMode: TypeAlias = Literal["exact", "subset", "superset", "ignore"]


class GoldCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that is wanted. Without `args`, or with null, its arguments are not compared."""

    name: str
    args: dict[str, Any] | None = None


class MadeCall(msgspec.Struct, frozen=True):
    """A call that was made. `args` is null where its arguments are no JSON object."""

    name: str
    args: dict[str, Any] | None
    written: Any


def made(name: str, arguments: Any) -> MadeCall:
    """Return a call with its arguments read: absent ones (null, a blank text) are none, and a
    text that is a JSON object is that object. Any other text, or a list, is malformed.
    """
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return MadeCall(name, {}, arguments)
    value = arguments
    if isinstance(value, str):
        try:
            value = jsonbytes.decode_strict(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, Mapping):
        return MadeCall(name, None, arguments)
    return MadeCall(name, dict(cast("Mapping[str, Any]", value)), arguments)


class ArgumentRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one tool's arguments are compared: `ignore` those, `compare` these by a function
    (`module:function`), the others as JSON.
    """

    ignore: tuple[str, ...] = ()
    compare: dict[str, str] = {}

    def __post_init__(self) -> None:
        """Refuse rules that say nothing, or two things at once."""
        if not self.ignore and not self.compare:
            raise ValueError("a rule should name arguments to `ignore` or to `compare`")
        for name, reference in self.compare.items():
            if name in self.ignore:
                raise ValueError(f"argument '{name}' is both ignored and compared")
            module, _, function = reference.partition(":")
            if not all(part.isidentifier() for part in [*module.split("."), *function.split(".")]):
                raise ValueError(f"'{reference}' is not of the form module:function")


Comparison: TypeAlias = Callable[[Any, Any], bool]


class ToolRule(msgspec.Struct, frozen=True):
    """One tool's rules, with their functions at hand."""

    ignore: frozenset[str]
    compare: dict[str, Comparison]

    def without_ignored(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments without those that are ignored."""
        return {key: value for key, value in args.items() if key not in self.ignore}


class Rule(msgspec.Struct, frozen=True):
    """When a call fits a gold call.

    `exact`: the same keys, the same values. `superset`: all gold keys with the gold values,
    others allowed. `subset`: no keys but gold ones, with the gold values, and at least one
    where gold has any. `ignore`: the name is enough. With `strict_types` 12 is not 12.0.
    `tools` are the rules of single tools, by name.
    """

    args: ArgsMode = "exact"
    strict_types: bool = False
    tools: Mapping[str, ToolRule] = {}

    def fits(self, gold: GoldCall, call: MadeCall) -> bool:
        """Whether a call fits a gold call."""
        return not self.misfit(gold, call)

    def misfit(self, gold: GoldCall, call: MadeCall) -> str:
        """Say why a call does not fit a gold call; empty where it does."""
        if gold.name != call.name:
            return f"is {call.name}, not {gold.name}"
        if self.args == "ignore" or gold.args is None:
            return ""
        if call.args is None:
            return f"its arguments are no JSON object: {shown(call.written)}"
        rule = self.tools.get(gold.name)
        if rule is None:
            return self._in_arguments(gold.args, call.args, {})
        wanted, args = rule.without_ignored(gold.args), rule.without_ignored(call.args)
        return self._in_arguments(wanted, args, rule.compare)

    def _in_arguments(
        self,
        gold: Mapping[str, Any],
        args: Mapping[str, Any],
        compare: Mapping[str, Comparison],
    ) -> str:
        for key, value in gold.items():
            if key not in args:
                if self.args == "subset":
                    continue
                return f"argument '{key}' ({shown(value)}) is missing"
            if key in compare:
                if not compare[key](value, args[key]):
                    both = f"{shown(value)} and {shown(args[key])}"
                    return f"argument '{key}': its function says that {both} differ"
                continue
            if not same(value, args[key]):
                return f"argument '{key}': {difference(value, args[key])}"
            if self.strict_types and not same_types(value, args[key]):
                return f"argument '{key}': {shown(value)} and {shown(args[key])} differ in type"
        extra = [key for key in args if key not in gold]
        if extra and self.args != "superset":
            return f"unexpected argument '{extra[0]}' ({shown(args[extra[0]])})"
        if gold and not args:
            return "it has no arguments at all"
        return ""


def same_types(a: Any, b: Any) -> bool:
    """Whether two equal JSON values also agree in which numbers are whole ones by type."""
    if isinstance(a, Mapping):
        other = cast("Mapping[str, Any]", b)
        items = cast("Mapping[str, Any]", a).items()
        return all(same_types(value, other[key]) for key, value in items)
    if isinstance(a, list | tuple):
        pairs = zip(cast("list[Any]", a), cast("list[Any]", b), strict=True)
        return all(same_types(x, y) for x, y in pairs)
    return isinstance(a, float) == isinstance(b, float)


def matching(gold: Sequence[GoldCall], calls: Sequence[MadeCall], rule: Rule) -> dict[int, int]:
    """Return a largest assignment of calls to gold calls, {gold index: call index}.

    Each is used once. By augmenting paths (Berge 1957, in the form of Kuhn's algorithm), each
    found by a breadth-first search.
    """
    fitting = [[j for j, call in enumerate(calls) if rule.fits(each, call)] for each in gold]
    owner: dict[int, int] = {}
    for index in range(len(gold)):
        _augment(index, fitting, owner)
    return {gold_index: call_index for call_index, gold_index in owner.items()}


def _augment(index: int, fitting: list[list[int]], owner: dict[int, int]) -> None:
    """Find the gold call `index` a call, moving others where that makes room."""
    came_from: dict[int, int] = {}
    waiting = deque([index])
    while waiting:
        current = waiting.popleft()
        for call in fitting[current]:
            if call in came_from:
                continue
            came_from[call] = current
            if call in owner:
                waiting.append(owner[call])
                continue
            free: int | None = call
            while free is not None:
                taker = came_from[free]
                given_up = next((c for c, g in owner.items() if g == taker), None)
                owner[free] = taker
                if given_up is not None:
                    del owner[given_up]
                free = given_up
            return


def in_order(gold: Sequence[GoldCall], calls: Sequence[MadeCall], rule: Rule) -> dict[int, int]:
    """Return a longest assignment that keeps both orders (a longest common subsequence)."""
    rows, columns = len(gold), len(calls)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    fits = [[rule.fits(each, call) for call in calls] for each in gold]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            skipping = max(best[i + 1][j], best[i][j + 1])
            best[i][j] = max(skipping, best[i + 1][j + 1] + 1) if fits[i][j] else skipping
    found: dict[int, int] = {}
    i = j = 0
    while i < rows and j < columns:
        if fits[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            found[i] = j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return found
