"""Checks: from what is written to a grader's name and its arguments by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

import msgspec

from probare.errors import Place, did_you_mean
from probare.grading import placeholders
from probare.grading.placeholders import Placeholder
from probare.grading.ready import COMBINATORS
from probare.loading import arguments
from probare.loading.checkfiles import WithFiles, with_files
from probare.loading.checkkeys import (
    BESIDE,
    beside_findings,
    look_in_findings,
    split_arguments,
)
from probare.loading.documents import Origin
from probare.loading.explain import Finding
from probare.loading.faultlist import Faults
from probare.loading.grader_fields import fields
from probare.loading.known import impossible, is_case_bound
from probare.loading.words import shown
from probare.model.case import Check
from probare.ports.grader import Grader

Graders: TypeAlias = Mapping[str, type[Grader]]

MOST_NESTED = 20
_MOST_KEPT = 4096


class ReadCheck(NamedTuple):
    """A check without faults of its own. `case_bound` says that it names input or reference."""

    check: Check
    case_bound: bool


class CheckReader:
    """Reads checks and tells their faults. Equal checks are one object.

    `output_keys` are those that the suite declares for its runners. `folder` is where files are
    looked up that arguments name; without one they are not.
    """

    def __init__(
        self,
        graders: Graders,
        faults: Faults,
        output_keys: Collection[str] = (),
        folder: Path | None = None,
    ) -> None:
        self._graders = graders
        self._folder = folder
        self._output_keys = output_keys
        self._faults = faults
        self._kept: dict[bytes, ReadCheck] = {}

    def read(self, written: Any, origin: Origin) -> ReadCheck | None:
        """Return the check that is written at `origin`; None where it has faults."""
        key = _key(written)
        kept = self._kept.get(key) if key is not None else None
        if kept is not None:
            return kept
        before = len(self._faults)
        check = self._check(written, origin, 0)
        if check is None or len(self._faults) > before:
            return None
        read = ReadCheck(check, is_case_bound(check))
        if key is not None and len(self._kept) < _MOST_KEPT:
            self._kept[key] = read
        return read

    def _check(self, written: Any, origin: Origin, depth: int) -> Check | None:
        if isinstance(written, str):
            written = self._alone(written, origin)
            if written is None:
                return None
        elif not isinstance(written, dict):
            message = f"a check should be a grader's name or a mapping, is {shown(written)}"
            self._faults.add(origin.place(), message)
            return None
        given = cast("dict[str, Any]", written)
        name = self._grader_name(given, origin)
        if name is None:
            return None
        before = len(self._faults)
        args: dict[str, Any] = {}
        inner: tuple[Check, ...] = ()
        if name in COMBINATORS:
            self._beside(name, given, (), origin, depth)
            inner = self._inner(name, given[name], origin.below(name), depth)
        else:
            written, common = split_arguments(self._graders[name], given[name])
            for key in common.keys() & given.keys():
                message = f"{key} stands beside {name} and inside it"
                self._faults.add(origin.place(name, key, key=True), message, "keep one of them")
            given = {**given, **common, name: written}
            self._beside(name, given, common, origin, depth)
            args = self._args(name, given, common, origin, depth) or {}
        if len(self._faults) > before:
            return None
        found = self._with_files(name, args, given, origin)
        if len(self._faults) > before:
            return None
        named = f"{name}: {', '.join(found.files)}" if found.files else None
        return Check(
            grader=name,
            args=found.args,
            checks=inner,
            label=given.get("label") or named,
            look_in=given.get("in"),
            transform=given.get("transform"),
            weight=float(given.get("weight", 1.0)),
            required=given.get("required", True),
            threshold=None if given.get("threshold") is None else float(given["threshold"]),
        )

    def _beside(
        self,
        name: str,
        given: dict[str, Any],
        common: Collection[str],
        origin: Origin,
        depth: int,
    ) -> None:
        """Check what every check takes; `common` are those that stand among the arguments."""
        found = [*beside_findings(name, given, inside=depth > 0)]
        if name in self._graders:
            found += look_in_findings(self._graders[name], given)
        for finding in found:
            within = finding.steps[0] in common
            self._tell(finding, origin.below(name) if within else origin)

    def _alone(self, name: str, origin: Origin) -> dict[str, Any] | None:
        """Return a check that is only a name, as a mapping."""
        if name in self._graders or name in COMBINATORS:
            return {name: None}
        head, colon, _ = name.partition(":")
        if colon and (head in self._graders or head in COMBINATORS):
            hint = f"write it without quotes around the whole, and a space after {head}:"
        else:
            hint = self._meant(name)
        self._faults.add(origin.place(), f"unknown grader '{name}'", hint)
        return None

    def _grader_name(self, given: dict[str, Any], origin: Origin) -> str | None:
        known = [key for key in given if key in self._graders or key in COMBINATORS]
        strange = [key for key in given if key not in known and key not in BESIDE]
        for key in strange:
            place = origin.place(key, key=True)
            self._faults.add(place, *self._strange(key, known))
        if len(known) > 1:
            both = " and ".join(known)
            place = origin.place(known[1], key=True)
            self._faults.add(place, f"one check names {both}", "give each its own `- `")
        elif not known and not strange:
            self._faults.add(origin.place(), "the check names no grader")
        return known[0] if len(known) == 1 else None

    def _strange(self, key: str, known: list[str]) -> tuple[str, str]:
        """Return message and hint for a key that is neither a grader nor any check's."""
        if not known:
            near = did_you_mean(key, BESIDE)
            if near and not did_you_mean(key, self._graders):
                return f"unknown key '{key}'", near
            return f"unknown grader '{key}'", self._meant(key)
        kind = self._graders.get(known[0])
        if kind is not None and key in fields(kind):
            hint = f"it is an argument of {known[0]}: write it inside, {known[0]}: {{{key}: …}}"
            return f"'{key}' does not stand beside a grader", hint
        return f"unknown key '{key}'", did_you_mean(key, [*BESIDE, *self._graders])

    def _meant(self, name: str) -> str:
        for prefix in ("not_", "not-"):
            rest = name.removeprefix(prefix).replace("-", "_")
            if rest != name and rest in self._graders:
                return f"write {rest} under forbid, or as not: {{{rest}: …}}"
        known = [*self._graders, *COMBINATORS]
        return did_you_mean(name.replace("-", "_").lower(), known)

    def _inner(self, name: str, written: Any, origin: Origin, depth: int) -> tuple[Check, ...]:
        if depth >= MOST_NESTED:
            self._faults.add(origin.place(), f"checks are nested more than {MOST_NESTED} deep")
            return ()
        fault = _inner_fault(name, written)
        if fault is not None:
            self._tell(fault, origin)
            return ()
        if not isinstance(written, list):
            return tuple(filter(None, [self._check(written, origin, depth + 1)]))
        items = cast("list[Any]", written)
        found = [
            self._check(item, origin.below(index), depth + 1) for index, item in enumerate(items)
        ]
        return tuple(filter(None, found))

    def _args(
        self,
        name: str,
        given: dict[str, Any],
        common: Collection[str],
        origin: Origin,
        depth: int,
    ) -> dict[str, Any] | None:
        kind = self._graders[name]
        if kind.SCOPE == "case" and depth > 0:
            message = f"{name} looks at all trials of a case and cannot stand inside another check"
            self._faults.add(origin.place(name, key=True), message)
        args = arguments.by_name(kind, given[name])
        if isinstance(args, Finding):
            self._tell(args, origin.below(name))
            return None
        bare = not isinstance(given[name], dict)
        for finding in arguments.findings(kind, args):
            steps = finding.steps[1:] if bare else finding.steps
            said = finding._replace(steps=steps, message=_named(name, finding))
            self._tell(said, origin.below(name))
        look_in = placeholders.find(given.get("in"))
        for found, place in [
            *((found, origin.place(name)) for found in placeholders.find(args)),
            *(
                (found, origin.place(*((name,) if "in" in common else ()), "in"))
                for found in look_in
            ),
        ]:
            self._placeholder(found, place)
        return args

    def _with_files(
        self, name: str, args: dict[str, Any], given: dict[str, Any], origin: Origin
    ) -> WithFiles:
        kind = self._graders.get(name)
        if self._folder is None or kind is None or not kind.FILES:
            return WithFiles(args)
        bare = not isinstance(given[name], dict)
        return with_files(kind, args, self._folder, origin.below(name), self._faults, bare=bare)

    def _placeholder(self, found: Placeholder, place: Place) -> None:
        fault = impossible(found)
        if fault is not None:
            self._faults.add(place, *fault)
        elif found.root not in (*placeholders.ROOTS, *self._output_keys):
            near = did_you_mean(found.root, placeholders.ROOTS)
            if near:
                self._faults.warn(f"{found.text} is read as a key of the output ({near})", place)

    def _tell(self, finding: Finding, origin: Origin) -> None:
        place = origin.place(*finding.steps, key=finding.key)
        self._faults.add(place, finding.message, finding.hint)


def _inner_fault(name: str, written: Any) -> Finding | None:
    count = len(cast("list[Any]", written)) if isinstance(written, list) else None
    if name == "not":
        if count not in (None, 1):
            return Finding((), f"not takes exactly one check, has {count}")
        if written is None:
            return Finding((), "not takes a check")
    elif count is None:
        return Finding((), f"{name} takes a list of checks, has {shown(written)}")
    elif count == 0:
        return Finding((), f"{name} has no checks")
    return None


def _named(name: str, finding: Finding) -> str:
    if finding.message.startswith(("unknown argument", "argument '")):
        return f"{name}: {finding.message}"
    last = finding.steps[-1] if finding.steps else None
    return (
        f"{name}: {last} {finding.message}"
        if isinstance(last, str)
        else (f"{name}: {finding.message}")
    )


def _key(written: Any) -> bytes | None:
    try:
        return msgspec.json.encode(written)
    except (TypeError, ValueError):
        return None
