"""Criteria as plain sentences: each stands for a check, as a pass or as a fail criterion.

Sentences are the core's, those of plug-ins (both from the catalogue), and the suite's own under
`criteria:`. They compare without regard to case, spaces and a full stop at the end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

from probare.loading.checks import CheckReader, Graders
from probare.loading.documents import Origin
from probare.loading.explain import Finding
from probare.loading.faultlist import Faults
from probare.loading.prohibitions import reversed_findings
from probare.loading.words import shown
from probare.model.verdict import CheckList

Side: TypeAlias = Literal["pass", "fail"]
SIDES: tuple[Side, ...] = get_args(Side)
LISTS: Mapping[Side, CheckList] = {"pass": "expect", "fail": "forbid"}


def normal(sentence: str) -> str:
    """Return a sentence in the form in which sentences compare."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", sentence).casefold())
    return re.sub(r"\s+", " ", folded).strip().rstrip(". ")


class Sentence(NamedTuple):
    """A registered sentence: as it was registered, its side, and the check that it stands for,
    as a suite would write it; null where that check has faults, which have been told.
    """

    text: str
    side: Side
    check: dict[str, Any] | None


class Sentences:
    """The sentences that scenarios may use."""

    def __init__(self, criteria: Mapping[str, Mapping[str, Any]]) -> None:
        """`criteria` are the catalogue's: checks by sentence, under `pass` and `fail`."""
        self._known: dict[str, Sentence] = {}
        for side in SIDES:
            for text, check in criteria.get(side, {}).items():
                self._known[normal(text)] = Sentence(text, side, _labelled(text, check))

    def add(self, written: Any, origin: Origin, graders: Graders, faults: Faults) -> None:
        """Take a suite's own `criteria`, which stand at `origin`, and tell their faults."""
        if not isinstance(written, dict):
            message = f"should be a mapping of pass and fail, is {shown(written)}"
            faults.add(origin.place(), message)
            return
        for side, sentences in cast("dict[str, Any]", written).items():
            where = origin.below(side)
            if side not in SIDES:
                place = origin.place(side, key=True)
                faults.add(place, f"unknown key '{side}'", "there are: pass, fail")
            elif not isinstance(sentences, dict):
                message = f"should map sentences to checks, is {shown(sentences)}"
                faults.add(where.place(), message)
            else:
                reader = CheckReader(graders, faults)
                for text, check in cast("dict[str, Any]", sentences).items():
                    self._add(side, text, check, where, reader, graders, faults)

    def _add(
        self,
        side: Side,
        text: str,
        check: Any,
        where: Origin,
        reader: CheckReader,
        graders: Graders,
        faults: Faults,
    ) -> None:
        key = normal(text)
        place = where.place(text, key=True)
        if not key:
            faults.add(place, "a criterion has an empty sentence")
            return
        if key in self._known:
            first = self._known[key]
            message = f"the sentence '{first.text}' is registered already"
            faults.add(place, message, "give yours other words")
            return
        before = len(faults)
        if isinstance(check, dict) and "label" in check:
            place = where.place(text, "label", key=True)
            faults.add(place, "a criterion's label is its sentence", "leave the label out")
        read = reader.read(check, where.below(text))
        if read is not None:
            for finding in reversed_findings(read.check, check, graders, LISTS[side]):
                place = where.place(text, *finding.steps, key=finding.key)
                faults.add(place, finding.message, finding.hint)
        good = len(faults) == before
        self._known[key] = Sentence(text, side, _labelled(text, check) if good else None)

    def find(self, written: str, side: Side) -> Sentence | Finding:
        """Return the sentence that is meant, or what is wrong with it on this side."""
        found = self._known.get(normal(written))
        if found is None:
            return Finding((), f"unknown criterion '{written}'", self._meant(written, side))
        if found.side != side:
            message = f"'{found.text}' is a {found.side} criterion"
            return Finding((), message, f"write it under {found.side}_criteria")
        return found

    def _meant(self, written: str, side: Side) -> str:
        """Return the nearest sentence as a hint, those of the same side first."""
        for one in sorted(SIDES, key=lambda each: each != side):
            near = get_close_matches(normal(written), list(self._keys(one)), n=1)
            if near:
                where = "" if one == side else f", a {one} criterion"
                return f"did you mean '{self._known[near[0]].text}'{where}?"
        return "a suite registers sentences of its own under `criteria:`"

    def _keys(self, side: Side) -> Iterator[str]:
        return (key for key, sentence in self._known.items() if sentence.side == side)


def _labelled(text: str, check: Any) -> dict[str, Any]:
    """Return a check whose label is its sentence."""
    if isinstance(check, str):
        return {check: None, "label": text}
    return {**cast("dict[str, Any]", check), "label": text}
