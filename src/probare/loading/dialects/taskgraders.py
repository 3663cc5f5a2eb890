"""The graders that tasks name, as data: what each is in Probare, and what its arguments are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from probare.errors import did_you_mean
from probare.grading import placeholders


class Mapped(NamedTuple):
    """What a task's grader is.

    `seen` are the names of the argument that is looked at, `renamed` those of the others (each
    with its name in Probare), `beside` those that belong to every check. With `any_seen` an
    argument of any other name may be what is looked at, if it is a placeholder. `required` are
    groups of arguments of which one must be there. `defaults` are written where nothing else is.
    """

    grader: str
    seen: tuple[str, ...]
    renamed: Mapping[str, str]
    beside: tuple[str, ...] = ()
    any_seen: bool = False
    forbidden: bool = False
    required: tuple[tuple[str, ...], ...] = ()
    defaults: Mapping[str, Any] = {}


_TEXT = ("text", "output")
_RANGE = {"expected": "equals", "equals": "equals", "min": "min", "max": "max"}
_CONTAINS = Mapped(
    "contains",
    _TEXT,
    {"substring": "text", "ignore_case": "ignore_case"},
    required=(("substring",),),
)

GRADERS: dict[str, Mapped] = {
    "code.equal": Mapped(
        "equals",
        ("actual", "output"),
        {"expected": "value", "ignore_case": "ignore_case"},
        required=(("expected",),),
    ),
    "code.field_present": Mapped(
        "field_present", (), {"path": "path"}, any_seen=True, required=(("path",),)
    ),
    "code.field_equals": Mapped(
        "field_equals",
        (),
        {"path": "path", "expected": "value"},
        any_seen=True,
        required=(("path",), ("expected",)),
    ),
    "code.field_length": Mapped(
        "field_length", (), {"path": "path", **_RANGE}, any_seen=True, required=(("path",),)
    ),
    "code.text_contains": _CONTAINS,
    "code.text_not_contains": _CONTAINS._replace(forbidden=True),
    "code.no_banned_words": Mapped(
        "banned_words",
        _TEXT,
        {"words": "words", "banned": "words", "inflections": "inflections", "allow": "allow"},
        required=(("words", "banned"),),
    ),
    "code.no_jd_plagiarism": Mapped(
        "ngram_overlap",
        _TEXT,
        {
            "jd_text": "source",
            "source": "source",
            "n": "n",
            "at_most": "at_most",
            "allow": "allow",
        },
        required=(("jd_text", "source"),),
    ),
    "code.numbers_in_master": Mapped(
        "numbers_grounded",
        _TEXT,
        {"master": "source", "source": "source"},
        required=(("master", "source"),),
    ),
    "code.json_round_trip": Mapped(
        "round_trips", ("output", "text", "value"), {"extract": "extract"}
    ),
    "model.grade": Mapped(
        "judge",
        _TEXT,
        {"rubric": "rubric"},
        beside=("threshold",),
        required=(("rubric",),),
        defaults={"threshold": 0.7},
    ),
}

_TOOL = {"tool": "name"}
_RENAMED_IN: dict[str, Mapping[str, str]] = {"tool_called": _TOOL, "first_tool": _TOOL}


def find(name: str, known: Mapping[str, Any]) -> Mapped | str | None:
    """Return what a task's grader is: mapped, or the name of one of Probare's own (`code.` may
    stand before it), or None.
    """
    if name in GRADERS:
        return GRADERS[name]
    bare = name.removeprefix("code.")
    return bare if bare in known else None


def nearest(name: str, known: Mapping[str, Any]) -> str:
    """Return the nearest name of a grader, as a hint."""
    near = did_you_mean(name, GRADERS)
    return near or did_you_mean(name.removeprefix("code."), known)


def renamed_in(grader: str) -> Mapping[str, str]:
    """Return the arguments of one of Probare's own graders that tasks name otherwise (`name` is
    the label there).
    """
    return _RENAMED_IN.get(grader, {})


def seen_name(mapped: Mapped, args: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the arguments that are looked at: one, where the task is right."""
    named = [name for name in mapped.seen if name in args]
    if not mapped.any_seen:
        return tuple(named)
    return tuple(
        name
        for name, value in args.items()
        if name not in mapped.renamed
        and name not in mapped.beside
        and placeholders.parse(value) is not None
    )
