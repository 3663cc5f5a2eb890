"""One grader of a task, as a check in the shape of a suite file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from probare.errors import did_you_mean
from probare.grading import placeholders
from probare.loading.checkkeys import BESIDE
from probare.loading.dialects import taskgraders
from probare.loading.dialects.taskgraders import Mapped
from probare.loading.documents import Origin, Steps
from probare.loading.faultlist import Faults
from probare.loading.words import shown
from probare.ports.grader import Grader

_GRADER_KEYS = ("name", "args", "weight", "required")


class TaskGrader:
    """One grader of a task on its way to a check.

    `moves` leads from places in the check to those in the grader as it is written; `forbidden`
    says that the check belongs under `forbid`.
    """

    def __init__(self, graders: Mapping[str, type[Grader]], origin: Origin, faults: Faults) -> None:
        self._graders = graders
        self._origin = origin
        self._faults = faults
        self.forbidden = False
        self._told = 0
        self.moves: dict[Steps, Steps] = {("label",): ("args", "name")}

    def read(self, item: Any) -> dict[str, Any] | None:
        """Return the check that a grader is; None where it has faults."""
        if not isinstance(item, dict):
            self._tell((), f"a grader should be a mapping, is {shown(item)}")
            return None
        given = cast("dict[str, Any]", item)
        for key in given:
            if key not in _GRADER_KEYS:
                hint = did_you_mean(key, _GRADER_KEYS) or "arguments stand inside `args`"
                self._tell((key,), f"unknown key '{key}'", hint, key=True)
        name, args = given.get("name"), given.get("args", {})
        if not isinstance(name, str):
            message = "the grader has no name" if name is None else "a name should be a text"
            self._tell(("name",) if "name" in given else (), message)
            return None
        if not isinstance(args, dict):
            self._tell(("args",), f"should be a mapping, is {shown(args)}")
            return None
        found = taskgraders.find(name, self._graders)
        if found is None:
            hint = taskgraders.nearest(name, self._graders)
            self._tell(("name",), f"unknown grader '{name}'", hint)
            return None
        check = {key: given[key] for key in ("weight", "required") if key in given}
        self.moves |= {(key,): (key,) for key in check}
        arguments = dict(cast("dict[str, Any]", args))
        if "name" in arguments:
            check["label"] = arguments.pop("name")
        made = (
            self._own(found, arguments)
            if isinstance(found, str)
            else self._mapped(name, found, arguments)
        )
        return None if made is None else {**check, **made}

    def _own(self, grader: str, args: dict[str, Any]) -> dict[str, Any]:
        """One of Probare's own graders: its arguments are as they are."""
        renamed = taskgraders.renamed_in(grader)
        own: dict[str, Any] = {}
        for key, value in args.items():
            new = renamed.get(key, key)
            own[new] = value
            self.moves[(grader, new)] = ("args", key)
        self.moves[(grader,)] = ("args",)
        return {grader: own or None}

    def _mapped(self, name: str, mapped: Mapped, args: dict[str, Any]) -> dict[str, Any] | None:
        before = self._told
        self.forbidden = mapped.forbidden
        seen = taskgraders.seen_name(mapped, args)
        self._check_seen(name, mapped, seen, args)
        for group in mapped.required:
            if not any(key in args for key in group):
                self._tell(("args",), f"{name}: argument '{group[0]}' is missing")
        check: dict[str, Any] = dict(mapped.defaults)
        own: dict[str, Any] = {}
        for key, value in args.items():
            if key in seen:
                continue
            if key in mapped.beside:
                check[key] = value
                self.moves[(key,)] = ("args", key)
            elif key not in mapped.renamed:
                self._unknown(name, mapped, key)
            elif mapped.renamed[key] in own:
                message = f"{name}: '{key}' says again what another argument says"
                self._tell(("args", key), message, key=True)
            else:
                own[mapped.renamed[key]] = value
                self.moves[(mapped.grader, mapped.renamed[key])] = ("args", key)
        if self._told > before:
            return None
        self.moves |= {("in",): ("args", seen[0]), (mapped.grader,): ("args",)}
        return {**check, "in": args[seen[0]], mapped.grader: own or None}

    def _check_seen(
        self, name: str, mapped: Mapped, seen: tuple[str, ...], args: dict[str, Any]
    ) -> None:
        if len(seen) > 1:
            self._tell(("args", seen[1]), f"{name} looks at one thing: {' and '.join(seen)}")
        elif not seen:
            what = f"argument '{mapped.seen[0]}' is missing" if mapped.seen else "looks at nothing"
            hint = "name what is looked at, such as " + (
                f"{mapped.seen[0]}: $text" if mapped.seen else "value: $output"
            )
            self._tell(("args",), f"{name}: {what}", hint)
        elif placeholders.parse(args[seen[0]]) is None:
            message = f"{name}: {seen[0]} should be a placeholder, is {shown(args[seen[0]])}"
            self._tell(("args", seen[0]), message, "such as $text, or $output.summary")

    def _unknown(self, name: str, mapped: Mapped, key: str) -> None:
        known = (*mapped.seen, *mapped.renamed, *mapped.beside, "name")
        hint = did_you_mean(key, known)
        if not hint and key in BESIDE:
            hint = "weight and required stand beside args" if key != "in" else ""
        hint = hint or f"there are: {', '.join(known)}"
        self._tell(("args", key), f"{name}: unknown argument '{key}'", hint, key=True)

    def _tell(self, steps: Steps, message: str, hint: str = "", *, key: bool = False) -> None:
        self._told += 1
        self._faults.add(self._origin.place(*steps, key=key), message, hint)
