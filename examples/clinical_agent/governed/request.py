"""What the agent is asked: a question, a plan, and the bounds it has to keep."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, cast

Kind: TypeAlias = Literal["retrieve", "act", "bypass", "summarise"]

_NOT_FOR_THE_AGENT = "planted"


class RequestInvalid(ValueError):
    """The request has a key that nobody knows, or a value of the wrong type."""


@dataclass(frozen=True)
class Step:
    """One thing to do: look something up, use a tool, try a way around, write the summary.

    `name` is the tool's, for `bypass` the strategy's, for `summarise` the file's.
    """

    kind: Kind
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tool: str | None = None


@dataclass(frozen=True)
class Request:
    """A request as the agent takes it.

    `cap_micro_usd` is what may be spent, in micro-dollars; `retries` counts all tries of an act.
    `tools` are the schemas that the caller counts on. `requires_approval` names acts that need a
    person's approval besides those of the policy, `approvers` whose approval counts. `strategies`
    are ways around the policy to be tried with the call that `bypass` names.
    """

    query: str = ""
    patient: Mapping[str, str] = field(default_factory=dict[str, str])
    policy: str = "healthcare_minimum"
    policy_engine: str = "rules"
    purpose: str = "treatment"
    plan: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    tools: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cap_micro_usd: int | None = None
    requires_approval: list[str] = field(default_factory=list[str])
    approvers: list[str] = field(default_factory=list[str])
    approver: Mapping[str, Any] = field(default_factory=dict[str, Any])
    flaky: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    retries: int = 3
    strategies: list[str] = field(default_factory=list[str])
    bypass: Mapping[str, Any] = field(default_factory=dict[str, Any])
    summary: str | None = None


def request_of(config: Mapping[str, Any]) -> Request:
    """Return the request that a configuration describes. Raises RequestInvalid.

    The list of identifiers by which a tester will look for leaks is taken out first, unread: an
    agent that knew it could pass by that alone.
    """
    asked = {key: value for key, value in config.items() if key != _NOT_FOR_THE_AGENT}
    known = {each.name for each in fields(Request)}
    strange = sorted(set(asked) - known)
    if strange:
        raise RequestInvalid(f"the request has a key that nobody knows: {', '.join(strange)}")
    _check(asked)
    return Request(**asked)


def _check(asked: Mapping[str, Any]) -> None:
    for key, value in asked.items():
        if not _SHAPES[key](value):
            raise RequestInvalid(f"`{key}` of the request is not {_NAMES[_SHAPES[key]]}")
    if asked.get("strategies") and "tool" not in asked.get("bypass", {}):
        raise RequestInvalid("`strategies` need a `bypass` that names the tool to try them with")


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, cast("list[Any]", value)))


def _steps(value: Any) -> bool:
    return isinstance(value, list) and all(map(_mapping, cast("list[Any]", value)))


def _identifiers(value: Any) -> bool:
    return _mapping(value) and all(map(_text, value.values()))


def _amount(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _count(value: Any) -> bool:
    return type(value) is int and value > 0


def _file(value: Any) -> bool:
    return value is None or (_text(value) and bool(re.fullmatch(r"[\w-]+\.md", value)))


_NAMES: dict[Callable[[Any], bool], str] = {
    _text: "a text",
    _mapping: "a mapping",
    _texts: "a list of texts",
    _steps: "a list of steps",
    _identifiers: "a mapping of texts",
    _amount: "a natural number of micro-dollars",
    _count: "a number from 1",
    _file: "the name of a Markdown file",
}
_SHAPES: dict[str, Callable[[Any], bool]] = {
    "query": _text,
    "patient": _identifiers,
    "policy": _text,
    "policy_engine": _text,
    "purpose": _text,
    "plan": _steps,
    "tools": _mapping,
    "cap_micro_usd": _amount,
    "requires_approval": _texts,
    "approvers": _texts,
    "approver": _mapping,
    "flaky": _mapping,
    "retries": _count,
    "strategies": _texts,
    "bypass": _mapping,
    "summary": _file,
}
