"""What of a run a person may see: the trials that are still blind to them."""

from __future__ import annotations

import msgspec

from probare.model.review import Person, QueueItem, Reason
from probare.review.desk import ReviewDesk
from probare.review.reasons import SAID_BY_PEOPLE
from probare.web.shelf import Shelf, StoredRun

_NEUTRAL = Reason("sampled", "chosen by an automatic rule; which one is shown after the reviews")


class Blind(msgspec.Struct, frozen=True):
    """The trials of a run whose verdicts and scores a person may not see yet."""

    trials: frozenset[tuple[str, int]]

    @property
    def cases(self) -> frozenset[str]:
        """The cases with such a trial."""
        return frozenset(case for case, _ in self.trials)


def blind_in(desk: ReviewDesk, shelf: Shelf, person: Person, run: StoredRun) -> Blind:
    """Return what is blind to a person in a run.

    A run that was made from another (regraded, or with reviews graded in) holds the same
    transcripts, so what is blind in one of the family is so in all.
    """
    found: set[tuple[str, int]] = set()
    queued = set(desk.runs())
    for name in shelf.family(run):
        if name in queued:
            found |= desk.hidden_trials(person, name)
    return Blind(frozenset(found))


def reasons_shown(item: QueueItem, *, visible: bool) -> tuple[Reason, ...]:
    """Return why an item is queued. What a rule found tells of verdicts, and so does whether one
    found anything; while an item is blind only what people wrote into the suite is told.
    """
    if visible:
        return item.reasons
    told = tuple(each for each in item.reasons if each.rule in SAID_BY_PEOPLE)
    return told or (_NEUTRAL,)
