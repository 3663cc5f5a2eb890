"""A suite's `cases`: those in the suite, and those of the files that it names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from probare.errors import Place
from probare.loading import casefiles
from probare.loading.documents import Origin, Steps
from probare.loading.faultlist import Faults
from probare.loading.files import shown_path
from probare.loading.vocabulary import Vocabulary
from probare.loading.words import shown


def written_cases(
    listed: Any, origin: Origin, around: Vocabulary, faults: Faults
) -> Iterator[tuple[Any, Origin]]:
    """Yield each case as it is written, with its origin. A file is read once.

    `listed` is a list of cases and of names or patterns of files, or one such name.
    """
    if isinstance(listed, str):
        listed, origin = [listed], Origin(_Single(origin))
    before = len(faults)
    if listed is not None and not isinstance(listed, list):
        message = f"should be a list of cases and of files, is {shown(listed)}"
        faults.add(origin.place(), message)
    found = False
    seen: set[Path] = set()
    for index, item in enumerate(cast("list[Any]", listed) if isinstance(listed, list) else ()):
        where = origin.below(index)
        if not isinstance(item, str):
            found = True
            yield item, where
            continue
        place = where.place()
        for path in casefiles.find(item, around.folders[0], place, faults):
            if path.resolve() not in seen:
                seen.add(path.resolve())
                found = True
                yield from _of_file(path, around, faults, place)
    if not found and len(faults) == before:
        faults.add(origin.place(), "the suite has no cases", "write some under `cases:`")


def _of_file(
    path: Path, around: Vocabulary, faults: Faults, named_at: Place
) -> Iterator[tuple[Any, Origin]]:
    before = len(faults)
    found = False
    for pair in casefiles.read(path, around, faults, named_at):
        found = True
        yield pair
    if not found and len(faults) == before:
        faults.add(Place(shown_path(path)), "holds no cases")


class _Single:
    """A list of one that is written without its list: the item stands where the list would."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    def place(self, steps: Steps, *, key: bool = False) -> Place:
        return self._origin.place(*steps[1:], key=key)
