"""Planted identifiers that could not be told: tokens, and under `privacy: {mask: true}` those that
stand in names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.masking.disguises import Needles, token
from probare.masking.reserved import WORDS
from probare.model.case import Case


def check_planted(cases: Iterable[Case], origins: Mapping[str, Origin], faults: Faults) -> None:
    """Refuse identifiers that are what a masked one is written as: only a masked run has such,
    and nothing would ever be found.
    """
    for case in cases:
        origin = origins.get(case.id)
        if origin is None:  # the id itself is a fault
            continue
        for name, value in case.planted.items():
            if value == token(name):
                message = f"'{value}' is the mark of a masked identifier, not one"
                hint = "write the identifier itself; `privacy: {mask: true}` masks it"
                faults.add(origin.place("planted", name), message, hint)


def check_masked(cases: Iterable[Case], origins: Mapping[str, Origin], faults: Faults) -> None:
    """Refuse planted identifiers in a case's id, category, tags, cluster or own names, and those
    that are words of the record format.
    """
    for case in cases:
        origin = origins.get(case.id)
        if origin is None:  # the id itself is a fault
            continue
        for name, value in case.planted.items():
            if value in WORDS:
                message = f"'{value}' is a word of the record format and cannot be masked"
                faults.add(origin.place("planted", name), message, "plant something else")
        needles = Needles(case.planted)
        names = list(_names(case))
        if not needles.find("\n".join(text for _, text in names)):
            continue
        for key, text in names:
            for hit in needles.find(text):
                message = f"the planted identifier '{hit.name}' stands in the case's {key}"
                hint = "it is written in every file of a run and is not masked: choose another"
                faults.add(origin.place(key), message, hint)


def _names(case: Case) -> Iterator[tuple[str, str]]:
    yield "id", case.id
    if case.category is not None:
        yield "category", case.category
    if case.cluster is not None:
        yield "cluster", case.cluster
    for tag in case.tags:
        yield "tags", tag
    for name in case.planted:
        yield "planted", name
