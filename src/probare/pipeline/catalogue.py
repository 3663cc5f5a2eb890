"""The Catalogue: core graders and targets, those of installed plug-ins, and a script's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any, cast

from probare import graders, targets
from probare.errors import InputError
from probare.ports.grader import Grader
from probare.ports.target import TargetKind

GRADER_GROUP = "probare.graders"
TARGET_GROUP = "probare.targets"


class BuiltCatalogue:
    """Everything there is to choose from. Names are taken once: a second one is refused."""

    def __init__(self, own_graders: Iterable[type[Grader]] = ()) -> None:
        self._graders: dict[str, type[Grader]] = {kind.NAME: kind for kind in graders.CORE}
        self._targets: dict[str, TargetKind] = {kind.name: kind for kind in targets.CORE}
        for where, found in _plug_ins(GRADER_GROUP):
            for kind in _several(found):
                self._add_grader(kind, where)
        for kind in own_graders:
            self._add_grader(kind, "graders=")
        for where, found in _plug_ins(TARGET_GROUP):
            for kind in _several(found):
                self._add_target(kind, where)

    @property
    def graders(self) -> Mapping[str, type[Grader]]:
        """Graders by the name that suites write."""
        return self._graders

    @property
    def targets(self) -> Mapping[str, TargetKind]:
        """Target adapters by kind."""
        return self._targets

    def _add_grader(self, kind: Any, where: str) -> None:
        if not (isinstance(kind, type) and issubclass(kind, Grader)):
            raise InputError(f"{where}: {kind!r} is not a grader", hint="make it with @grader")
        if self._graders.get(kind.NAME, kind) is not kind:
            raise InputError(f"{where}: there is a grader '{kind.NAME}' already")
        self._graders[kind.NAME] = kind

    def _add_target(self, kind: Any, where: str) -> None:
        name = getattr(kind, "name", None)
        if not isinstance(name, str) or not hasattr(kind, "build"):
            raise InputError(f"{where}: {kind!r} is not a target kind")
        if self._targets.get(name, kind) is not kind:
            raise InputError(f"{where}: there is a target kind '{name}' already")
        self._targets[name] = kind


def _plug_ins(group: str) -> Iterable[tuple[str, Any]]:
    for entry in entry_points(group=group):
        where = f"plug-in {entry.name} ({entry.value})"
        try:
            yield where, entry.load()
        except Exception as error:
            raise InputError(
                f"{where} cannot be loaded: {type(error).__name__}: {error}",
                hint="repair or uninstall the package that brings it",
            ) from error


def _several(found: Any) -> Iterable[Any]:
    return cast("Iterable[Any]", found) if isinstance(found, list | tuple) else (found,)
