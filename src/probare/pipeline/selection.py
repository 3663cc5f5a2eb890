"""Choosing cases: by pattern, tag, category, split; a limit; a seeded sample; what failed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from probare.errors import SelectionError, did_you_mean
from probare.model.case import Case
from probare.pipeline.options import Selection
from probare.stores.reader import RunReader


def select(cases: Sequence[Case], wanted: Selection, seed: int) -> tuple[Case, ...]:
    """Return the wanted cases, in the suite's order.

    Raises SelectionError where nothing is left, or where a pattern, tag or category matches
    nothing by itself (a misspelt one would silently narrow a run).
    """
    if wanted.exactly:
        ids = frozenset(wanted.exactly)
        return tuple(case for case in cases if case.id in ids)
    _refuse_unmatched(cases, wanted)
    chosen: Iterable[Case] = cases
    if wanted.failed is not None:
        failed = _not_passed(Path(wanted.failed))
        chosen = [case for case in chosen if case.id in failed]
        if not chosen:
            raise SelectionError(f"no case of this suite failed in {wanted.failed}")
    left = [case for case in chosen if _matches(case, wanted)]
    if wanted.sample is not None and wanted.sample < len(left):
        drawn = set(random.Random(seed).sample(range(len(left)), wanted.sample))  # noqa: S311
        left = [case for number, case in enumerate(left) if number in drawn]
    if wanted.limit is not None:
        left = left[: wanted.limit]
    if not left:
        raise SelectionError("the selection matches no case", hint="see them with: probare list")
    return tuple(left)


def _matches(case: Case, wanted: Selection) -> bool:
    return (
        (not wanted.cases or any(fnmatchcase(case.id, pattern) for pattern in wanted.cases))
        and (not wanted.tags or not set(wanted.tags).isdisjoint(case.tags))
        and (not wanted.categories or case.category in wanted.categories)
        and (wanted.split is None or case.split == wanted.split)
    )


def _refuse_unmatched(cases: Sequence[Case], wanted: Selection) -> None:
    for pattern in wanted.cases:
        if not any(fnmatchcase(case.id, pattern) for case in cases):
            hint = did_you_mean(pattern, [case.id for case in cases])
            raise SelectionError(f"--case {pattern} matches no case", hint=hint)
    tags = {tag for case in cases for tag in case.tags}
    categories = {case.category for case in cases if case.category is not None}
    for option, asked, known in (
        ("--tag", wanted.tags, tags),
        ("--category", wanted.categories, categories),
    ):
        for word in asked:
            if word not in known:
                names = ", ".join(sorted(known)) or "none"
                hint = did_you_mean(word, known) or f"there are: {names}"
                raise SelectionError(f"{option} {word} matches no case", hint=hint)


def _not_passed(folder: Path) -> set[str]:
    """Ids of the cases that have a failed or errored trial, or a trial missing, in a run."""
    reader = RunReader(folder)
    bad: set[str] = set()
    seen: dict[str, int] = {}
    for record in reader.records():
        seen[record.case] = seen.get(record.case, 0) + 1
        if record.status in ("failed", "errored"):
            bad.add(record.case)
    for record in reader.case_records():
        if any(v.required and v.result in ("fail", "error") for v in record.verdicts):
            bad.add(record.case)
    return bad | {case for case, n in reader.plan.cases.items() if seen.get(case, 0) < n}
