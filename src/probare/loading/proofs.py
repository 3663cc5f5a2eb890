"""The `prove` block: its targets, its defects and its cases are there, and can show something.

Its shape is checked with the suite's (`shapes.ProveShape`); here is what a shape cannot say. So
each value is looked at only where it has its shape, and nothing is told twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from probare.encoding.narrow import mapping, sequence
from probare.errors import did_you_mean
from probare.loading.cases import tell
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.shapes import DefectShape, ProveShape
from probare.loading.variables import Filling
from probare.model.case import Case
from probare.model.proof import Defect, Proof, needs_an_act
from probare.model.suite import TargetSpec

_SHOWN = 12
_HOW_TO_LIST = "see them with: probare list"


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What a proof may name. `specs` and `cases` hold what has no faults of its own, the names
    beside them all that is written. `own` is the name of the suite's own target, null where that
    has faults or `has_own` is false. With `some_lost`, a file of cases could not be read.
    """

    specs: Mapping[str, TargetSpec]
    target_names: Collection[str]
    own: str | None
    has_own: bool
    cases: Mapping[str, Case]
    case_names: Collection[str]
    some_lost: bool = False


def variant_name(defect: str) -> str:
    """Return the name of the target that a defect with a `config` becomes."""
    return f"defect:{defect}"


class ProofReader:
    """Reads one `prove` block and tells its faults."""

    def __init__(
        self, around: Surroundings, environ: Mapping[str, str], origin: Origin, faults: Faults
    ) -> None:
        self._around = around
        self._environ = environ
        self._origin = origin
        self._faults = faults

    def read(
        self, written: Any, shape: ProveShape | None
    ) -> tuple[Proof | None, dict[str, TargetSpec]]:
        """Return the proof, null where it has faults, and the targets that its defects add.

        `shape` is what is written, null where that has another shape.
        """
        before = len(self._faults)
        self._ends(mapping(written))
        self._null_may_pass(sequence(mapping(written).get("null_may_pass")))
        names: dict[str, Origin] = {}
        for index, item in enumerate(sequence(mapping(written).get("defects"))):
            if isinstance(item, dict):
                self._defect(mapping(item), self._origin.below("defects", index), names)
        if shape is None or shape.null is None or len(self._faults) > before:
            return None, {}
        made = [
            self._made(each, self._origin.below("defects", index))
            for index, each in enumerate(shape.defects)
        ]
        proof = Proof(
            oracle=shape.oracle,
            null=shape.null,
            null_may_pass=tuple(shape.null_may_pass),
            defects=tuple(defect for defect, _ in made),
        )
        return proof, {spec.name: spec for _, spec in made if spec is not None}

    def _ends(self, written: Mapping[str, Any]) -> None:
        for end in ("oracle", "null"):
            self._target(written.get(end), self._origin.below(end))
        if "null" in written and written["null"] is None:
            message = "names no target: null is no text"
            self._faults.add(self._origin.place("null"), message, 'in quotes it is one: "null"')
        elif isinstance(written.get("null"), str) and written["null"] == written.get("oracle"):
            message = "the oracle and the null target are one"
            self._faults.add(self._origin.place("null"), message)

    def _null_may_pass(self, listed: list[Any]) -> None:
        for case, where in self._cases(listed, self._origin.below("null_may_pass")):
            if not needs_an_act(case):
                message = f"case '{case.id}' demands nothing (no required `expect` check), so that"
                self._faults.warn(f"{message} the null target may pass it anyway", where.place())

    def _defect(self, written: dict[str, Any], origin: Origin, names: dict[str, Origin]) -> None:
        name = written.get("name")
        if isinstance(name, str) and name:
            self._name(name, origin.below("name"), names)
        self._target(written.get("target"), origin.below("target"))
        if not written.get("target") and not written.get("config"):
            message = "the defect has neither a target nor a config, so that nothing is broken"
            self._faults.add(origin.place(), message, "name a target that has the fault")
        elif "target" not in written and not self._around.has_own:
            message = "the suite has no target of its own that could be given this config"
            hint = "name the target that is to be given it, with `target`"
            self._faults.add(origin.place("config", key=True), message, hint)
        for case, where in self._cases(
            sequence(written.get("must_fail")), origin.below("must_fail")
        ):
            self._can_fail(case, where)

    def _name(self, name: str, origin: Origin, names: dict[str, Origin]) -> None:
        if not name.isprintable() or name != name.strip():
            message = f"a name should be printable, without spaces around it, is {name!r}"
            self._faults.add(origin.place(), message)
            return
        first = names.setdefault(name, origin)
        if first is not origin:
            hint = f"first at {first.place()}"
            self._faults.add(origin.place(), f"duplicate defect '{name}'", hint)
        if variant_name(name) in self._around.target_names:
            message = f"a target of the suite bears the name '{variant_name(name)}' already"
            self._faults.add(origin.place(), message, "give one of them another name")

    def _target(self, name: Any, origin: Origin) -> None:
        known = self._around.target_names
        if not isinstance(name, str) or not name or name in known:
            return
        hint = did_you_mean(name, known) or f"there are: {_some(known)}"
        self._faults.add(origin.place(), f"there is no target '{name}'", hint)

    def _cases(self, listed: list[Any], origin: Origin) -> Iterator[tuple[Case, Origin]]:
        """Yield the cases that a list names, each with its place. Tell of the others."""
        seen: set[str] = set()
        for index, name in enumerate(listed):
            where = origin.below(index)
            if not isinstance(name, str) or not name:
                continue
            if name in seen:
                self._faults.add(where.place(), f"case '{name}' is named twice")
            elif name in self._around.cases:
                yield self._around.cases[name], where
            elif name not in self._around.case_names and not self._around.some_lost:
                hint = did_you_mean(name, self._around.case_names) or _HOW_TO_LIST
                self._faults.add(where.place(), f"there is no case '{name}'", hint)
            seen.add(name)

    def _can_fail(self, case: Case, origin: Origin) -> None:
        if case.review == "always":
            message = f"case '{case.id}' is judged by people (review: always)"
            hint = "name a case that fails by its own checks"
            self._faults.add(origin.place(), message, hint)
        elif not case.automatic:
            message = f"case '{case.id}' has no required check, so that it cannot fail"
            self._faults.add(origin.place(), message)

    def _made(self, shape: DefectShape, origin: Origin) -> tuple[Defect, TargetSpec | None]:
        """Return a defect and, where it has a config, the target that it adds."""
        target = shape.target or self._around.own or ""
        base = self._around.specs.get(target)
        added = None
        if shape.config and base is not None:
            target = variant_name(shape.name)
            added = self._variant(base, target, shape.config, origin)
        return Defect(name=shape.name, target=target, must_fail=tuple(shape.must_fail)), added

    def _variant(
        self, base: TargetSpec, name: str, config: dict[str, Any], origin: Origin
    ) -> TargetSpec:
        filling = Filling(self._environ)
        filled = filling.fill(config, ("config",))
        for finding in filling.findings:
            tell(finding, origin, self._faults)
        return msgspec.structs.replace(
            base,
            name=name,
            config=merged(base.config, filled),
            secrets={**base.secrets, **filling.secrets},
            missing=tuple(dict.fromkeys([*base.missing, *filling.missing])),
        )


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return a config with another laid over it: mappings inside are merged key by key, every
    other value (lists too) takes the place of what was there.
    """
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(mapping(result[key]), mapping(value)) if both else value
    return result


def _some(names: Collection[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return ", ".join(listed[:_SHOWN]) + more if listed else "none"
