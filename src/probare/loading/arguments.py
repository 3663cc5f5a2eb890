"""A grader's arguments: by name, and whether its class takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from probare.errors import did_you_mean
from probare.grading import placeholders
from probare.grading.arguments import build, gathered
from probare.loading.checkkeys import BESIDE
from probare.loading.explain import Finding, Skip, explain
from probare.loading.grader_fields import fields, main_name, required_names, takes_null
from probare.ports.grader import Grader


def by_name(kind: type[Grader], written: Any) -> dict[str, Any] | Finding:
    """Return the arguments by name of what stands beside a grader's name.

    A mapping is always arguments. Anything else is the main one; null where no argument may be
    null means that there are none.
    """
    if isinstance(written, dict):
        return cast("dict[str, Any]", written)
    main = main_name(kind)
    if written is None and not takes_null(kind):
        return {}
    if main is None:
        names = ", ".join(f"{name}: …" for name in required_names(kind) or fields(kind))
        hint = f"write {kind.NAME}: {{{names}}}" if names else f"write {kind.NAME} alone"
        return Finding((), f"{kind.NAME} takes no argument without a name", hint)
    return {main: written}


def findings(kind: type[Grader], args: dict[str, Any]) -> list[Finding]:
    """Return what is wrong with arguments by name. Placeholders are taken to fit."""
    literal = not any(True for _ in placeholders.find(args))
    if not literal:
        found = _explained(kind, args, _is_placeholder)
    elif _fits(kind, unescaped(args)):
        return []
    else:
        found = _explained(kind, unescaped(args))
    return _with_main_hint(kind, args, found)


def value_faults(kind: type[Grader], args: dict[str, Any]) -> list[str]:
    """Say why a grader cannot be made of arguments without placeholders; empty where it can."""
    if _fits(kind, args):
        return []
    found = _explained(kind, args)
    return [" ".join([*map(str, finding.steps[-1:]), finding.message]) for finding in found]


def _fits(kind: type[Grader], args: dict[str, Any]) -> bool:
    try:
        build(kind, args)
    except msgspec.ValidationError:
        return False
    return True


def _explained(kind: type[Grader], args: dict[str, Any], skip: Skip | None = None) -> list[Finding]:
    try:
        by_field = gathered(kind, args)
    except msgspec.ValidationError as error:
        return [Finding((), str(error))]
    found = explain(by_field, kind, noun="argument", skip=skip)
    known = (*fields(kind), *BESIDE)
    return [
        finding._replace(hint=did_you_mean(str(finding.steps[-1]), known) or finding.hint)
        if finding.message.startswith("unknown argument")
        else finding
        for finding in found
    ]


def unescaped(value: Any) -> Any:
    """Return an argument value without placeholders as its grader sees it: `$$x` is `$x`."""
    if isinstance(value, str):
        return value[1:] if value.startswith("$$") else value
    if isinstance(value, dict):
        return {key: unescaped(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [unescaped(item) for item in cast("list[Any]", value)]
    return value


def escaped(value: Any) -> Any:
    """Return a value of imported data so that no text in it is a placeholder."""
    if isinstance(value, str):
        stands_for = placeholders.parse(value) is not None
        return f"${value}" if stands_for or value.startswith("$$") else value
    if isinstance(value, dict):
        return {key: escaped(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [escaped(item) for item in cast("list[Any]", value)]
    return value


def _is_placeholder(value: Any) -> bool:
    return placeholders.parse(value) is not None


def _with_main_hint(
    kind: type[Grader], args: dict[str, Any], found: list[Finding]
) -> list[Finding]:
    """Say how a mapping is given as the main argument where that may have been meant."""
    main = main_name(kind)
    if main is None or main in args or not takes_null(kind):
        return found
    return list(_hinted(kind.NAME, main, found))


def _hinted(name: str, main: str, found: list[Finding]) -> Iterator[Finding]:
    for finding in found:
        if finding.message.endswith("is missing"):
            hint = f"a mapping is arguments; as the value write {name}: {{{main}: {{…}}}}"
            yield finding._replace(hint=hint)
        else:
            yield finding
