"""Cases: from what is written, and the suite's defaults, to the model's values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from probare.encoding.durations import parse_duration
from probare.encoding.narrow import mapping, sequence
from probare.loading import conversations
from probare.loading.checks import CheckReader, Graders
from probare.loading.conversations import NO_TOOL_CALL, Turned
from probare.loading.documents import Origin
from probare.loading.explain import Finding, explain
from probare.loading.faultlist import Faults
from probare.loading.known import case_findings
from probare.loading.prohibitions import reversed_findings
from probare.loading.runners import Runners, findings
from probare.loading.shapes import CaseShape, DefaultsShape, TurnShape
from probare.loading.words import shown
from probare.loading.written import TurnChecks, Written
from probare.model.case import Case, Check
from probare.model.verdict import CheckList

S = TypeVar("S", bound=msgspec.Struct)
V = TypeVar("V")

_MOST_TOLD = 5
_UNNAMED = "\0"


class CaseReader:
    """Reads cases, one after the other, and tells their faults.

    `folder` is where a workspace is looked up. A case with faults is read as far as it goes,
    so that all of them are told, and is left out.
    """

    def __init__(
        self,
        graders: Graders,
        folder: Path,
        faults: Faults,
        defaults: Any,
        origin: Origin,
        runners: Runners | None = None,
    ) -> None:
        self._graders = graders
        self._folder = folder
        self._faults = faults
        self._runners = runners or Runners([])
        self._reader = CheckReader(graders, faults, self._runners.declared_keys, folder)
        self._told: dict[tuple[Origin, str], int] = {}
        self._shared: dict[Any, Any] = {}
        self._workspaces: dict[str, str | None] = {}
        self._seen: dict[str, Origin] = {}
        self._turned = Turned()
        self._shape = salvaged(defaults, DefaultsShape, origin, faults)
        self._timeout = self._seconds(self._shape.timeout, origin)
        self._check_workspace(self._shape.workspace, origin)
        self._expect = self._written(self._shape.expect, origin.below("expect"), "expect")
        self._forbid = self._written(self._shape.forbid, origin.below("forbid"), "forbid")

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each case stands, by its id."""
        return self._seen

    def read(self, value: Any, origin: Origin) -> Case | None:
        """Return the case that a value is; None where it has faults."""
        before = len(self._faults)
        try:
            shape = msgspec.convert(value, CaseShape)
        except (msgspec.ValidationError, UnicodeEncodeError):
            if not isinstance(value, dict):
                message = f"a case should be a mapping, is {shown(value)}"
                self._faults.add(origin.place(), message)
                return None
            shape = salvaged(value, CaseShape, origin, self._faults, {"id": _UNNAMED})
            turns = _salvaged_turns(mapping(value), origin)
            shape = msgspec.structs.replace(shape, turns=turns)
        case = self._case(shape, origin)
        self._check_id(shape.id, origin)
        return case if len(self._faults) == before else None

    def close(self) -> None:
        """Tell how often faults were met that are no longer listed one by one."""
        for (origin, message), count in self._told.items():
            if count > _MOST_TOLD:
                more = f"{message} (and so for {count - _MOST_TOLD} more cases)"
                self._faults.add(origin.place(), more)

    def _case(self, shape: CaseShape, origin: Origin) -> Case:
        defaults = self._shape
        self._check_workspace(shape.workspace, origin)
        conversations.check_shape(shape, origin, self._faults)
        expect = self._written(shape.expect, origin.below("expect"), "expect")
        forbid = self._written(shape.forbid, origin.below("forbid"), "forbid")
        turns = self._turns(shape, origin)
        case = Case(
            id=shape.id,
            input=shape.input,
            expect=_joined(self._expect.checks, expect.checks, turns.expect),
            forbid=_joined(self._forbid.checks, forbid.checks, turns.forbid),
            description=shape.description,
            category=self._one_of(_first(shape.category, defaults.category)),
            tags=self._one_of(tuple(dict.fromkeys([*defaults.tags, *shape.tags]))),
            split=shape.split or defaults.split or "held_out",
            reference=shape.reference,
            cluster=self._one_of(_first(shape.cluster, defaults.cluster)),
            review=shape.review or defaults.review or "flagged",
            trials=_first(shape.trials, defaults.trials),
            timeout=_first(self._seconds(shape.timeout, origin), self._timeout),
            isolation=_first(shape.isolation, defaults.isolation),
            workspace=_first(shape.workspace, defaults.workspace),
            planted={**defaults.planted, **shape.planted} or _NOTHING,
            notes=shape.notes or _NOTHING,
            runner=self._one_of(shape.runner),
            turns=tuple(turn.user for turn in shape.turns),
            simulate=conversations.read_simulation(
                shape.simulate, defaults.simulate, origin.below("simulate"), self._faults
            ),
        )
        if shape.category is not None and not shape.category.strip():
            self._faults.add(origin.place("category"), "the category is blank")
        own = (expect, forbid, *turns.written)
        if case.runner is not None:
            self._follow_runner(case, own, origin)
        for written in own:
            self._follow(written, case)
            self._follow_script(written, case)
        for written in (self._expect, self._forbid):
            self._follow(written, case, default=True)
        return case

    def _written(self, items: Sequence[Any], origin: Origin, under: CheckList) -> Written:
        written = Written(items, origin, self._reader)
        for check, item, where in written.items:
            for finding in reversed_findings(check.check, item, self._graders, under):
                self._tell(finding, where)
        return written

    def _turns(self, shape: CaseShape, origin: Origin) -> TurnChecks:
        """Read the checks of single turns, and tell those that cannot be of one."""
        found = TurnChecks()
        for index, turn in enumerate(shape.turns):
            at = origin.below("turns", index)
            expect = [self._written(turn.expect, at.below("expect"), "expect")]
            if turn.no_tool_call:
                expect.append(Written([NO_TOOL_CALL], at.below("no_tool_call"), self._reader))
            forbid = [self._written(turn.forbid, at.below("forbid"), "forbid")]
            for written in (*expect, *forbid):
                for check, item, where in written.items:
                    for finding in conversations.turn_findings(check.check, item, self._graders):
                        self._tell(finding, where)
            found.add(expect, forbid, self._turned, index)
        return found

    def _follow_script(self, written: Written, case: Case) -> None:
        for check, item, where in written.items if case.turns else ():
            for finding in conversations.script_findings(check.check, item, case):
                self._tell(finding, where)

    def _one_of(self, value: V) -> V:
        """Return the one object that stands for all equal values."""
        return self._shared.setdefault(value, value)

    def _follow(self, written: Written, case: Case, *, default: bool = False) -> None:
        """Check the placeholders that name the case's own values."""
        if not written.some_bound:
            return
        for check, item, origin in written.items:
            if not check.case_bound:
                continue
            for finding in case_findings(check.check, item, case, self._graders):
                if default:
                    self._tell_default(finding, origin, case)
                else:
                    self._tell(finding, origin)

    def _follow_runner(self, case: Case, own: tuple[Written, ...], origin: Origin) -> None:
        """Check the case's runner, and the placeholders that it should answer."""
        self._runners.check(case, origin, self._faults)
        keys = self._runners.keys_of(case)
        if keys is None:
            return
        for written in own:
            for check, item, where in written.items:
                for finding in findings(check.check, item, case, keys):
                    self._tell(finding, where)
        for written in (self._expect, self._forbid):
            for check, item, where in written.items:
                for finding in findings(check.check, item, case, keys):
                    self._tell_default(finding, where, case)

    def _tell_default(self, finding: Finding, origin: Origin, case: Case) -> None:
        """Tell a fault of a default check for the first few cases that it fails in."""
        key = (origin.below(*finding.steps), finding.message)
        self._told[key] = self._told.get(key, 0) + 1
        if self._told[key] <= _MOST_TOLD:
            named = finding._replace(message=f"case '{case.id}': {finding.message}")
            self._tell(named, origin)

    def _tell(self, finding: Finding, origin: Origin) -> None:
        tell(finding, origin, self._faults)

    def _check_id(self, name: str, origin: Origin) -> None:
        if name == _UNNAMED:
            return
        if not name.isprintable() or name != name.strip():
            self._faults.add(
                origin.place("id"),
                f"an id should be printable, without spaces around it, is {name!r}",
            )
            return
        first = self._seen.setdefault(name, origin)
        if first is not origin:
            place = origin.place("id")
            self._faults.add(place, f"duplicate id '{name}'", f"first at {first.place('id')}")

    def _seconds(self, value: float | str | None, origin: Origin) -> float | None:
        return read_seconds(value, origin.below("timeout"), self._faults)

    def _check_workspace(self, name: str | None, origin: Origin) -> None:
        if name is None:
            return
        if name not in self._workspaces:
            self._workspaces[name] = _workspace_fault(self._folder / name)
        fault = self._workspaces[name]
        if fault:
            self._faults.add(origin.place("workspace"), f"workspace '{name}' {fault}")


_NOTHING: dict[str, str] = {}


def _salvaged_turns(case: Mapping[str, Any], origin: Origin) -> list[TurnShape]:
    """Return what can be read of the turns of a case whose faults are told already."""
    told = Faults()
    return [
        salvaged(turn, TurnShape, origin.below("turns", index), told, {"user": "-"})
        for index, turn in enumerate(sequence(case.get("turns")))
    ]


def _joined(*lists: tuple[Check, ...]) -> tuple[Check, ...]:
    some = [each for each in lists if each]
    return some[0] if len(some) == 1 else tuple(check for each in some for check in each)


def _first(own: V | None, default: V | None) -> V | None:
    return default if own is None else own


def _workspace_fault(path: Path) -> str | None:
    if not path.exists():
        return "does not exist beside the suite"
    return None if path.is_dir() else "is not a folder"


def read_seconds(value: float | str | None, origin: Origin, faults: Faults) -> float | None:
    """Return a duration in seconds; where it is none, a fault and None."""
    if value is None:
        return None
    try:
        return parse_duration(value)
    except ValueError as error:
        faults.add(origin.place(), str(error))
        return None


def tell(finding: Finding, origin: Origin, faults: Faults) -> None:
    """Add a finding to the faults, with its place."""
    faults.add(origin.place(*finding.steps, key=finding.key), finding.message, finding.hint)


def salvaged(
    value: Any,
    shape: type[S],
    origin: Origin,
    faults: Faults,
    stand_in: Mapping[str, Any] | None = None,
) -> S:
    """Return a mapping as a shape. Its faults are told, and what has faults is left out.

    `stand_in` holds values for keys that the shape cannot do without.
    """
    given = cast("dict[str, Any]", value if isinstance(value, dict) else {})
    findings = explain(value, shape)
    for finding in findings:
        tell(finding, origin, faults)
    bad = {finding.steps[0] for finding in findings if finding.steps}
    good = {key: item for key, item in given.items() if key not in bad}
    return msgspec.convert({**(stand_in or {}), **good}, shape)
