"""Checks made ready: the grader known, literal arguments checked, placeholders parsed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError, did_you_mean
from probare.grading import arguments, placeholders, transforms
from probare.grading.placeholders import OVER_EVENTS, Placeholder
from probare.model.case import Case, Check
from probare.model.verdict import CheckList
from probare.ports.grader import Grader, GradingSettings

COMBINATORS = ("not", "any_of", "all_of")
_COMBINATOR_VERSION = "1"


class ReadyCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A check whose grader is known and whose literal arguments are already checked.

    `grader` is the finished grader where no argument is a placeholder, else `kind` is built
    anew for each trial from `args`. Combinators have `inner` and neither.
    """

    label: str
    name: str
    version: str
    list: CheckList
    kind: type[Grader] | None
    grader: Grader | None
    args: dict[str, Any]
    look_in: Placeholder | None
    transform: Callable[[Any], Any] | None
    inner: tuple[ReadyCheck, ...]
    weight: float
    required: bool
    threshold: float | None
    turn: int | None = None

    @property
    def blocking(self) -> bool:
        """Whether asking may take long, so that it belongs on a thread."""
        own = self.kind is not None and self.kind.blocks(self.args)
        return own or self.transform is not None or any(check.blocking for check in self.inner)

    @property
    def seconds(self) -> float | None:
        """How long asking may take at most; None where no grader says."""
        own = self.kind.SECONDS if self.kind is not None else None
        said = [own, *(check.seconds for check in self.inner)]
        return max((each for each in said if each is not None), default=None)

    @property
    def over_events(self) -> bool:
        """Whether the check reads events, state and artifacts only, never the output."""
        if self.inner:
            return all(check.over_events for check in self.inner)
        if self.look_in is None or self.look_in.root not in OVER_EVENTS:
            return False
        allowed = OVER_EVENTS | placeholders.KNOWN_AT_LOAD
        return all(found.root in allowed for found in placeholders.find(self.args))

    @property
    def case_wide(self) -> bool:
        """Whether the check reads all trials of its case."""
        return self.kind is not None and self.kind.SCOPE == "case"


def label_of(check: Check) -> str:
    """Return a check's label: its own, or its grader's name with its short text arguments; of a
    check of one turn, behind the turn's number.
    """
    if check.turn is not None:
        return f"turn {check.turn + 1}: {label_of(msgspec.structs.replace(check, turn=None))}"
    if check.label:
        return check.label
    if check.checks:
        inner = ", ".join(label_of(inner) for inner in check.checks)
        return f"{check.grader}({inner})"
    shown = [_short(value) for value in check.args.values()]
    return f"{check.grader}: {', '.join(shown)}" if shown else check.grader


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else jsonbytes.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"


def make_ready(
    check: Check,
    in_list: CheckList,
    graders: Mapping[str, type[Grader]],
    settings: GradingSettings,
    *,
    look_in: str | None = None,
) -> ReadyCheck:
    """Return a check made ready. Raises InputError or msgspec.ValidationError on a bad one,
    which a loaded suite cannot hold.
    """
    own_look = check.look_in or look_in
    kind = None if check.grader in COMBINATORS else _known(check.grader, graders)
    default = kind.looks_at(check.args) if kind is not None else None
    look = own_look or default if default is not None or kind is None else None
    has_placeholders = any(True for _ in placeholders.find(check.args))
    grader = None
    if kind is not None and not has_placeholders:
        grader = arguments.build(kind, _unescaped(check.args))
    return ReadyCheck(
        label=label_of(check),
        name=check.grader,
        version=kind.VERSION if kind is not None else _COMBINATOR_VERSION,
        list=in_list,
        kind=kind,
        grader=grader,
        args=check.args,
        look_in=placeholders.parse(look),
        transform=transforms.find(check.transform, settings.folder) if check.transform else None,
        inner=tuple(
            make_ready(inner, in_list, graders, settings, look_in=own_look)
            for inner in check.checks
        ),
        weight=check.weight,
        required=check.required,
        threshold=check.threshold,
        turn=check.turn,
    )


def _known(name: str, graders: Mapping[str, type[Grader]]) -> type[Grader]:
    if name not in graders:
        raise InputError(
            f"there is no grader '{name}'",
            hint=did_you_mean(name, graders) or "is the plug-in that brings it installed?",
        )
    return graders[name]


def make_all_ready(
    case: Case, graders: Mapping[str, type[Grader]], settings: GradingSettings
) -> tuple[ReadyCheck, ...]:
    """Return all checks of a case, made ready: `expect` first, then `forbid`."""
    return tuple(
        [make_ready(check, "expect", graders, settings) for check in case.expect]
        + [make_ready(check, "forbid", graders, settings) for check in case.forbid]
    )


def _unescaped(args: dict[str, Any]) -> dict[str, Any]:
    """Undo `$$` in literal arguments (a `fill` that needs no trial)."""

    def undo(value: Any) -> Any:
        if isinstance(value, str):
            return value[1:] if value.startswith("$$") else value
        if isinstance(value, dict):
            return {key: undo(item) for key, item in value.items()}  # pyright: ignore
        if isinstance(value, list | tuple):
            return [undo(item) for item in value]  # pyright: ignore
        return value

    return undo(args)
