"""What a file of cases may name: graders, sentences, targets, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from probare.errors import Place, did_you_mean
from probare.loading.checks import Graders
from probare.loading.faultlist import Faults
from probare.loading.sentences import Sentences


class Adapters:
    """The targets that scenarios name as their adapter.

    A run has one target. Where the suite has no `target` of its own, it is the one that all its
    scenarios name; `--target` takes the place of either. So an adapter has to be one of the
    suite's targets, the same in all scenarios, and the suite's own where it has one.
    """

    def __init__(self, targets: Sequence[str], own: str | None) -> None:
        self._targets = targets
        self._own = own
        self._first: tuple[str, Place] | None = None

    @property
    def target(self) -> str | None:
        """The suite's own target, or the one that its scenarios name."""
        return self._own or (self._first[0] if self._first else None)

    def take(self, name: str, place: Place, faults: Faults) -> None:
        """Take the adapter that a scenario names at `place`, or tell why it cannot be."""
        if name not in self._targets:
            known = ", ".join(self._targets)
            hint = did_you_mean(name, self._targets) or (
                f"there are: {known}" if known else f"write it under `targets:` as {name}: …"
            )
            faults.add(place, f"the suite has no target '{name}'", hint)
        elif self._own is not None and name != self._own:
            message = f"the scenario is for '{name}', and the suite's target is '{self._own}'"
            hint = "leave `target` out of the suite, and choose another target with --target"
            faults.add(place, message, hint)
        elif self._first is not None and name != self._first[0]:
            other, where = self._first
            message = f"the scenario is for '{name}', and another one is for '{other}'"
            hint = f"{where}; a run has one target, so put them in suites of their own"
            faults.add(place, message, hint)
        elif self._first is None:
            self._first = (name, place)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a file of cases may name.

    `folders` are those in which files that it names are looked up: the suite's, then its own.
    """

    graders: Graders
    sentences: Sentences
    adapters: Adapters
    folders: tuple[Path, ...]
