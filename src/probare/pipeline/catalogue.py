"""The Catalogue: core graders, targets and criteria, those of installed plug-ins, and a script's
own graders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any, cast

from probare import graders, targets
from probare.encoding.narrow import mapping
from probare.errors import InputError
from probare.loading.dialects.criteria import CORE
from probare.loading.sentences import SIDES, normal
from probare.model.verdict import HUMAN_REVIEW
from probare.ports.grader import Grader
from probare.ports.target import TargetKind

GRADER_GROUP = "probare.graders"
TARGET_GROUP = "probare.targets"
CRITERIA_GROUP = "probare.criteria"


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
        self._criteria = {side: dict(CORE[side]) for side in SIDES}
        for where, found in _plug_ins(CRITERIA_GROUP):
            self._add_criteria(found, where)

    @property
    def graders(self) -> Mapping[str, type[Grader]]:
        """Graders by the name that suites write."""
        return self._graders

    @property
    def targets(self) -> Mapping[str, TargetKind]:
        """Target adapters by kind."""
        return self._targets

    @property
    def criteria(self) -> Mapping[str, Mapping[str, Any]]:
        """Checks by the sentence that scenarios write for them, under `pass` and `fail`."""
        return self._criteria

    def _add_grader(self, kind: Any, where: str) -> None:
        if not (isinstance(kind, type) and issubclass(kind, Grader)):
            raise InputError(f"{where}: {kind!r} is not a grader", hint="make it with @grader")
        if kind.NAME == HUMAN_REVIEW:
            message = f"{where}: '{kind.NAME}' is what verdicts of people are recorded under"
            raise InputError(message, hint="give the grader another name")
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

    def _add_criteria(self, given: Any, where: str) -> None:
        groups = mapping(given)
        if not groups or not all(side in SIDES for side in groups):
            raise InputError(
                f"{where}: {given!r:.80} are no criteria",
                hint='they are {"pass": {sentence: check}, "fail": {sentence: check}}',
            )
        taken = {normal(text) for known in self._criteria.values() for text in known}
        for side, sentences in groups.items():
            for text, check in mapping(sentences).items():
                if normal(text) in taken:
                    raise InputError(f"{where}: there is a criterion '{text}' already")
                if not isinstance(check, str | dict):
                    raise InputError(f"{where}: the criterion '{text}' names no check")
                taken.add(normal(text))
                self._criteria[side][text] = check


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
