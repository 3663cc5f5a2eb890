"""A case's runner: is there one of that name, and does it answer what the checks ask for?

A suite may declare the runners of its target, as a list of names or as a mapping from each name
to the keys of its output. `code` and `model` are always there. Of `code` the output is known:
it stands in the case.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from probare.encoding.narrow import mapping
from probare.errors import did_you_mean
from probare.grading import placeholders
from probare.grading.placeholders import Placeholder
from probare.loading.documents import Origin, Steps
from probare.loading.explain import Finding
from probare.loading.faultlist import Faults
from probare.loading.known import inner_checks
from probare.loading.words import shown
from probare.model.case import Case, Check

CODE, MODEL = "code", "model"
CORE = (CODE, MODEL)
OUTPUT = "__output__"


class Runners:
    """The runners that a suite declares. One that declares none may name any."""

    def __init__(self, written: list[str] | Mapping[str, list[str]]) -> None:
        self._names = tuple(written)
        self._keys: Mapping[str, Collection[str]] = (
            written if isinstance(written, Mapping) else dict[str, list[str]]()
        )

    @property
    def declared_keys(self) -> frozenset[str]:
        """All output keys that any runner is declared to give."""
        return frozenset(key for keys in self._keys.values() for key in keys)

    def check(self, case: Case, origin: Origin, faults: Faults) -> None:
        """Tell of a runner that nobody has, and of a `code` case without an output."""
        name = case.runner
        if name == CODE:
            self._check_code(case, origin, faults)
        elif name is not None and self._names and name not in (*self._names, *CORE):
            known = (*self._names, *CORE)
            hint = did_you_mean(name, known) or f"there are: {', '.join(known)}"
            faults.add(origin.place("runner"), f"unknown runner '{name}'", hint)

    def _check_code(self, case: Case, origin: Origin, faults: Faults) -> None:
        hint = f"write input: {{{OUTPUT}: …}}"
        given = mapping(case.input)
        if OUTPUT not in given:
            message = f"the runner '{CODE}' answers with input.{OUTPUT}, which is missing"
            faults.add(origin.place("input"), message, hint)
        elif given[OUTPUT] is None:
            message = f"input.{OUTPUT} is null, which is no output"
            faults.add(origin.place("input", OUTPUT), message)

    def keys_of(self, case: Case) -> Collection[str] | None:
        """Return the keys of the output that the case's runner gives; None where unknown."""
        if case.runner == CODE:
            return mapping(mapping(case.input).get(OUTPUT))
        return None if case.runner is None else self._keys.get(case.runner)


def findings(check: Check, written: Any, case: Case, keys: Collection[str]) -> Iterator[Finding]:
    """Yield the placeholders of a check that no key of the output answers."""
    for steps, found in named(check, written):
        if found.root in placeholders.ROOTS or found.root in keys:
            continue
        message = f"{found.text}: the runner '{case.runner}' gives no '{found.root}'"
        hint = did_you_mean(found.root, (*keys, *placeholders.ROOTS))
        yield Finding(steps, message, hint or _there_are(keys))


def _there_are(keys: Collection[str]) -> str:
    return f"it gives: {', '.join(keys)}" if keys else "its output has no keys"


def named(check: Check, written: Any) -> Iterator[tuple[Steps, Placeholder]]:
    """Yield each placeholder of a check, with the steps to it in the check as it is written."""
    if check.checks:
        for steps, inner, inner_written in inner_checks(check, written):
            for below, found in named(inner, inner_written):
                yield (*steps, *below), found
    mapped = isinstance(written, dict) and isinstance(written[check.grader], dict)
    for name, value in check.args.items():
        for found in placeholders.find(value):
            yield ((check.grader, name) if mapped else (check.grader,)), found
    beside = not isinstance(written, dict) or "in" in written
    for found in placeholders.find(check.look_in):
        yield (("in",) if beside else (check.grader, "in")), found


def read(written: list[str] | dict[str, list[str]], origin: Origin, faults: Faults) -> Runners:
    """Return the declared runners; a name that is Probare's own is a fault."""
    for index, name in enumerate(written):
        if name in CORE:
            step = name if isinstance(written, dict) else index
            place = origin.place(step, key=True)
            faults.add(place, f"the runner '{name}' is Probare's own", "it is always there")
        elif not name.strip() or not name.isprintable():
            faults.add(origin.place(), f"a runner's name should be printable, is {shown(name)}")
    return Runners(written)
