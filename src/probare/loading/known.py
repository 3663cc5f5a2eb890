"""What can be known of placeholders before anything runs.

`$input` and `$reference` are in the case: they are followed, and the grader's arguments are
checked with the values found. Others are checked for parts that cannot exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec import UNSET

from probare.errors import GraderError, did_you_mean
from probare.grading import placeholders
from probare.grading.placeholders import KNOWN_AT_LOAD, Placeholder
from probare.grading.ready import COMBINATORS
from probare.grading.turns import Turn
from probare.loading import arguments
from probare.loading.documents import Steps
from probare.loading.explain import Finding
from probare.model.case import Case, Check
from probare.model.outcome import UsageTotal
from probare.ports.grader import Grader

_USAGE = UsageTotal.__struct_fields__
_OF_TURN = Turn.__struct_fields__


def impossible(found: Placeholder) -> tuple[str, str] | None:
    """Return message and hint where a placeholder can name nothing in any trial."""
    if not found.steps:
        return None
    first = found.steps[0]
    if found.root == "text":
        return f"{found.text}: $text is a text, which has no parts", ""
    if found.root == "ended":
        return f"{found.text}: $ended is a word, which has no parts", ""
    if found.root in ("events", "artifacts", "turns") and isinstance(first, str):
        return f"{found.text}: ${found.root} is a list", f"one item is ${found.root}[0]"
    if found.root == "turns" and len(found.steps) > 1 and found.steps[1] not in _OF_TURN:
        hint = did_you_mean(str(found.steps[1]), _OF_TURN) or "there are: " + ", ".join(_OF_TURN)
        return f"{found.text}: a turn has no '{found.steps[1]}'", hint
    if found.root == "usage" and first not in _USAGE:
        hint = did_you_mean(str(first), _USAGE) or "there are: " + ", ".join(_USAGE)
        return f"{found.text}: $usage has no '{first}'", hint
    return None


def is_case_bound(check: Check) -> bool:
    """Whether a check, or one inside it, names the case's input or reference."""
    named = [*placeholders.find(check.args), *placeholders.find(check.look_in)]
    if any(found.root in KNOWN_AT_LOAD for found in named):
        return True
    return any(is_case_bound(inner) for inner in check.checks)


def case_findings(
    check: Check, written: Any, case: Case, graders: Mapping[str, type[Grader]]
) -> Iterator[Finding]:
    """Yield what is wrong with a check once the case is known.

    `written` is the check as it stands in the file, which the findings' steps lead into.
    """
    if check.grader in COMBINATORS:
        for steps, inner, inner_written in inner_checks(check, written):
            for finding in case_findings(inner, inner_written, case, graders):
                yield finding._replace(steps=(*steps, *finding.steps))
    else:
        yield from _own(check, written, case, graders)
    if check.look_in is not None:
        beside = not isinstance(written, dict) or "in" in written
        for message, hint in _absent(check.look_in, case):
            yield Finding(("in",) if beside else (check.grader, "in"), message, hint)


def inner_checks(check: Check, written: Any) -> Iterator[tuple[Steps, Check, Any]]:
    """Yield the checks inside a combinator, each with its steps and as it is written."""
    inside = written[check.grader]
    if not isinstance(inside, list):
        yield (check.grader,), check.checks[0], inside
        return
    for index, (inner, each) in enumerate(
        zip(check.checks, cast("list[Any]", inside), strict=True)
    ):
        yield (check.grader, index), inner, each


def _own(
    check: Check, written: Any, case: Case, graders: Mapping[str, type[Grader]]
) -> Iterator[Finding]:
    mapped = isinstance(written, dict) and isinstance(written[check.grader], dict)
    absent = False
    for name, value in check.args.items():
        for message, hint in _absent(value, case):
            absent = True
            yield Finding((check.grader, name) if mapped else (check.grader,), message, hint)
    roots = {found.root for found in placeholders.find(check.args)}
    if absent or not roots or not roots <= KNOWN_AT_LOAD:
        return
    for fault in arguments.value_faults(graders[check.grader], filled(check.args, case)):
        yield Finding((check.grader,), f"{check.grader}: with this case's values: {fault}")


def _absent(value: Any, case: Case) -> Iterator[tuple[str, str]]:
    """Yield message and hint for each placeholder whose value the case lacks."""
    for found in placeholders.find(value):
        if found.root not in KNOWN_AT_LOAD:
            continue
        try:
            _value(found, case)
        except GraderError as error:
            yield f"{found.text} does not exist: {error.message}", error.hint


def _value(found: Placeholder, case: Case) -> Any:
    if found.root == "input":
        return placeholders.walk(case.input, found)
    if case.reference is UNSET:
        raise GraderError("the case has no reference")
    return placeholders.walk(case.reference, found)


def filled(value: Any, case: Case) -> Any:
    """Return an argument value whose placeholders, all of them the case's, are replaced."""
    if isinstance(value, str):
        found = placeholders.parse(value)
        return arguments.unescaped(value) if found is None else _value(found, case)
    if isinstance(value, dict):
        return {key: filled(item, case) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [filled(item, case) for item in cast("list[Any]", value)]
    return value
