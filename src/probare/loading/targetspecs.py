"""Targets: from a mapping with an adapter's settings to a TargetSpec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from probare.errors import did_you_mean
from probare.loading.cases import salvaged, tell
from probare.loading.documents import Origin
from probare.loading.explain import Finding, explain
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes, shown_path
from probare.loading.shapes import TargetFields
from probare.loading.variables import Filling
from probare.model.case import Case
from probare.model.suite import TargetSpec
from probare.ports.target import CheckedKind, TargetKind

DEFAULT_NAME = "default"

_COMMON = frozenset(TargetFields.__struct_encode_fields__)
_TEXT_FILE = re.compile(r"\S+\.(md|txt)\Z")


class TargetReader:
    """Reads targets against the kinds of the catalogue, and fills in the environment.

    `written` keeps each target as it stands in the file, with the texts of files that it names:
    the suite's digest is taken over that, since it must not depend on secrets. `folder` is where
    such files are looked up.
    """

    def __init__(
        self,
        kinds: Mapping[str, TargetKind],
        environ: Mapping[str, str],
        faults: Faults,
        folder: Path,
    ) -> None:
        self._kinds = kinds
        self._environ = environ
        self._faults = faults
        self._folder = folder
        self._origins: dict[str, Origin] = {}
        self.written: dict[str, Any] = {}

    def read_all(
        self, target: Any, targets: Mapping[str, Any], origin: Origin
    ) -> tuple[dict[str, TargetSpec], str | None]:
        """Return all targets by name, and the name of the suite's own (None where none is).

        One target alone is the suite's own without being named.
        """
        chosen = self._chosen(target, targets, origin)
        found: dict[str, TargetSpec] = {}
        if isinstance(target, dict):
            inline = cast("dict[str, Any]", target)
            own = self._read(DEFAULT_NAME, inline, origin.below("target"), chosen=True)
            found.update({DEFAULT_NAME: own} if own is not None else {})
        for name, settings in targets.items():
            if not name:
                self._faults.add(origin.place("targets"), "a target has an empty name")
            where = origin.below("targets", name)
            spec = self._read(name, settings, where, chosen=name == chosen)
            found.update({name: spec} if spec is not None else {})
        return found, chosen if chosen in found else None

    def check(self, specs: Iterable[TargetSpec], own: str | None, cases: Iterable[Case]) -> None:
        """Tell what the kinds themselves find wrong: with the settings of any target, and with the
        suite's own for its cases.
        """
        for spec in specs:
            kind = self._kinds.get(spec.kind)
            origin = self._origins.get(spec.name)
            if not isinstance(kind, CheckedKind) or origin is None:
                continue
            settings = msgspec.convert(spec.settings, kind.settings)
            for fault in kind.faults(spec, settings, cases if spec.name == own else ()):
                self._faults.add(origin.place(*fault.steps), fault.message, fault.hint)

    def _chosen(self, target: Any, targets: Mapping[str, Any], origin: Origin) -> str | None:
        if isinstance(target, dict):
            if DEFAULT_NAME in targets:
                message = f"the suite's own target is named '{DEFAULT_NAME}', and so is this one"
                place = origin.place("targets", DEFAULT_NAME, key=True)
                self._faults.add(place, message, "give it another name")
            return DEFAULT_NAME
        if target is None:
            return next(iter(targets)) if len(targets) == 1 else None
        if target not in targets:
            hint = did_you_mean(target, targets)
            if not hint:
                known = ", ".join(targets)
                hint = f"there are: {known}" if known else f'write target: {{python: "{target}"}}'
            self._faults.add(origin.place("target"), f"there is no target '{target}'", hint)
        return str(target)

    def _read(
        self, name: str, settings: dict[str, Any], origin: Origin, *, chosen: bool
    ) -> TargetSpec | None:
        before = len(self._faults)
        kind = self._kind(settings, origin)
        own = kind.settings.__struct_encode_fields__ if kind is not None else ()
        beside = {
            key: value for key, value in settings.items() if key in _COMMON and key not in own
        }
        common = salvaged(beside, TargetFields, origin, self._faults)
        if kind is None:
            return None
        rest = {key: value for key, value in settings.items() if key not in beside}
        self.written[name] = settings
        filling = Filling(self._environ)
        filled = filling.fill(rest)
        config = filling.fill(common.config, ("config",))
        self._tell_variables(filling, origin, name, chosen=chosen)
        for finding in _setting_findings(kind, filled, filling):
            tell(finding, origin, self._faults)
        texts = self._texts(kind, filled, origin)
        if len(self._faults) > before:
            return None
        self.written[name] = {**settings, **texts}
        filled = {**filled, **texts}
        self._origins[name] = origin
        return TargetSpec(
            name=name,
            kind=kind.name,
            settings=filled,
            config=config,
            trust=common.trust,
            isolation=common.isolation,
            secrets=filling.secrets,
            missing=tuple(filling.missing),
        )

    def _texts(
        self, kind: TargetKind, settings: Mapping[str, Any], origin: Origin
    ) -> dict[str, str]:
        """Return the content of the text files that stand in the place of settings."""
        found: dict[str, str] = {}
        for key in kind.text_files if isinstance(kind, CheckedKind) else ():
            name = settings.get(key)
            if not isinstance(name, str) or not _TEXT_FILE.match(name):
                continue
            path = self._folder / name
            data = read_bytes(path, self._faults, origin.place(key))
            text = None if data is None else as_text(data, shown_path(path), self._faults)
            if text is not None and not text.strip():
                self._faults.add(origin.place(key), f"'{name}' is empty")
            elif text is not None:
                found[key] = text
        return found

    def _tell_variables(self, filling: Filling, origin: Origin, name: str, *, chosen: bool) -> None:
        """What the suite's own target lacks is a fault; what another lacks, only if it is run."""
        for finding in filling.findings:
            tell(finding, origin, self._faults)
        for finding in filling.missing_findings() if chosen else ():
            tell(finding, origin, self._faults)
        for variable, steps in filling.empty.items():
            message = f"target '{name}': the environment variable {variable} is empty"
            self._faults.warn(message, origin.place(*steps))

    def _kind(self, settings: dict[str, Any], origin: Origin) -> TargetKind | None:
        named = [self._kinds[key] for key in settings if key in self._kinds]
        if len(named) > 1:
            fitting = [kind for kind in named if _takes_keys(kind, settings)]
            named = fitting if len(fitting) == 1 else named
        if len(named) == 1:
            return named[0]
        if named:
            words = " and ".join(kind.name for kind in named)
            self._faults.add(origin.place(), f"one target is both {words}", "choose one")
            return None
        strange = [key for key in settings if key not in _COMMON]
        known = ", ".join(self._kinds)
        for key in strange[:1]:
            hint = did_you_mean(key, self._kinds) or f"there are: {known}"
            self._faults.add(origin.place(key, key=True), f"unknown target kind '{key}'", hint)
        if not strange:
            self._faults.add(origin.place(), "the target names no adapter", f"one of: {known}")
        return None


def _takes_keys(kind: TargetKind, settings: Mapping[str, Any]) -> bool:
    return settings.keys() <= {*kind.settings.__struct_encode_fields__, *_COMMON}


def _setting_findings(kind: TargetKind, filled: dict[str, Any], filling: Filling) -> list[Finding]:
    try:
        msgspec.convert(filled, kind.settings)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        text = str(error).partition(" - at `")[0]
    else:
        return []
    lacking = tuple(f"${{{name}}}" for name in filling.missing)

    def unset(value: Any) -> bool:
        return isinstance(value, str) and any(name in value for name in lacking)

    found = explain(filled, kind.settings, noun="setting", skip=unset)
    if not found and not lacking:
        found = [Finding((), text)]
    known = (*kind.settings.__struct_encode_fields__, *_COMMON)
    return [
        finding._replace(message=filling.masked(finding.message), hint=_meant(finding, known))
        for finding in found
    ]


def _meant(finding: Finding, known: Iterable[str]) -> str:
    """Return the hint of a finding; for an unknown setting, the nearest of all that there are."""
    if not (finding.key and len(finding.steps) == 1):
        return finding.hint
    return did_you_mean(str(finding.steps[0]), known) or finding.hint
