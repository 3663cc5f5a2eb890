"""What every check takes: label, in, transform, weight, required, threshold.

They stand beside the grader's name, or among its arguments where these are a mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, cast

import msgspec
from msgspec import Meta

from probare.errors import did_you_mean
from probare.grading import placeholders, transforms
from probare.grading.ready import COMBINATORS
from probare.loading.explain import Finding, explain
from probare.loading.grader_fields import fields
from probare.ports.grader import Grader

_REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*\Z")


class BesideShape(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that may stand beside a grader's name.

    `look_in` (written `in`) says what is looked at. `weight` counts in the accuracy;
    `required: false` keeps the check out of the case's status. `threshold` is the least score
    with which a scoring grader's statement holds.
    """

    label: Annotated[str, Meta(min_length=1)] | None = None
    look_in: str | None = msgspec.field(default=None, name="in")
    transform: str | None = None
    weight: Annotated[float, Meta(gt=0)] = 1.0
    required: bool = True
    threshold: Annotated[float, Meta(ge=0, le=1)] | None = None


BESIDE: tuple[str, ...] = BesideShape.__struct_encode_fields__


def split_arguments(kind: type[Grader], written: Any) -> tuple[Any, dict[str, Any]]:
    """Return a grader's arguments as written without the keys that every check takes, and
    those. A key that is an argument of the grader's own stays its argument.
    """
    if not isinstance(written, dict):
        return written, {}
    given = cast("dict[str, Any]", written)
    own = fields(kind)
    common = {key: value for key, value in given.items() if key in BESIDE and key not in own}
    return {key: value for key, value in given.items() if key not in common}, common


def beside_findings(name: str, given: dict[str, Any], *, inside: bool) -> Iterator[Finding]:
    """Yield what is wrong with the keys beside a grader. `inside`: within another check."""
    beside = {key: value for key, value in given.items() if key in BESIDE}
    if not beside:
        return
    yield from explain(beside, BesideShape)
    if inside:
        for key in ("weight", "required"):
            if key in given:
                message = f"{key} belongs to the whole check, not to one inside it"
                yield Finding((key,), message, key=True)
    if name in COMBINATORS:
        for key in ("transform", "threshold"):
            if given.get(key) is not None:
                message = f"{name} takes no {key}"
                yield Finding((key,), message, "give it to the checks inside", key=True)
        yield from _look_in(given)
    yield from _transform(given)


def look_in_findings(kind: type[Grader], given: dict[str, Any]) -> Iterator[Finding]:
    """Yield what is wrong with `in` and `transform` for this grader."""
    if kind.LOOKS_AT is None:
        for key in ("in", "transform"):
            if given.get(key) is not None:
                yield Finding((key,), f"{kind.NAME} looks at the whole trial: no {key}", key=True)
        return
    yield from _look_in(given)


def _look_in(given: dict[str, Any]) -> Iterator[Finding]:
    value = given.get("in")
    if not isinstance(value, str):
        return
    if placeholders.parse(value) is None:
        hint = did_you_mean(f"${value}", [f"${root}" for root in placeholders.ROOTS])
        yield Finding(("in",), f"in should be a placeholder, is '{value}'", hint or "such as $text")


def _transform(given: dict[str, Any]) -> Iterator[Finding]:
    """The user's own function is looked up when it is needed: loading imports nothing."""
    value = given.get("transform")
    if not isinstance(value, str) or value in transforms.BUILT_IN or _REFERENCE.match(value):
        return
    hint = did_you_mean(value, transforms.BUILT_IN) or "json, strip_fences or module:function"
    yield Finding(("transform",), f"unknown transform '{value}'", hint)
