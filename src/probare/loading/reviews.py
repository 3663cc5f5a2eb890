"""The `review` block of a suite: which trials people review, and the rubric that they use."""

from __future__ import annotations

from pathlib import Path

from probare.loading.cases import read_seconds
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.files import similar_name
from probare.loading.rubrics import read_rubric
from probare.loading.shapes import ReviewShape
from probare.model.rubric import Rubric
from probare.model.suite import ReviewSettings

_PLAIN = ReviewSettings()


def read_review(
    shape: ReviewShape | None, folder: Path, origin: Origin, faults: Faults
) -> tuple[ReviewSettings | None, Rubric | None]:
    """Return the settings that stand at `origin` with the rubric of the file that they name.

    Each is None where the suite has none, and the rubric where its file has faults.
    """
    if shape is None:
        return None, None
    settings = ReviewSettings(
        rubric=shape.rubric,
        when=shape.when,
        tags=_PLAIN.tags if shape.tags is None else tuple(shape.tags),
        rules=_PLAIN.rules if shape.rules is None else tuple(dict.fromkeys(shape.rules)),
        near=shape.near,
        sample=shape.sample,
        overlap=shape.overlap,
        distance=shape.distance,
        due=read_seconds(shape.due, origin.below("due"), faults),
        priorities=dict(shape.priorities),
    )
    return settings, _rubric(shape.rubric, folder, origin.below("rubric"), faults)


def _rubric(name: str | None, folder: Path, origin: Origin, faults: Faults) -> Rubric | None:
    if name is None:
        return None
    path = folder / name
    if not path.is_file():
        faults.add(origin.place(), f"there is no file '{name}'", similar_name(path))
        return None
    return read_rubric(path, faults, origin.place())
