"""What people said of a run: its review log, read on its own, and verdicts that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from probare.errors import RunDirectoryError
from probare.model.basis import Basis
from probare.model.incident import Incident
from probare.model.record import TrialRecord
from probare.model.review import ItemOutcome, ItemResult
from probare.model.rubric import Rubric
from probare.model.statuses import trial_status
from probare.model.verdict import HUMAN_REVIEW, CheckVerdict, Result, people_verdict
from probare.review.outcomes import levels
from probare.review.replay import Replay, replay
from probare.stores import layout

REASON = "review"

_RESULTS: dict[ItemResult, Result] = {"passed": "pass", "failed": "fail", "unsure": "unknown"}


class People:
    """The reviews of a run, as its log tells them. `lines` are the log's, without line feeds."""

    def __init__(self, lines: Sequence[bytes], run: str | None = None) -> None:
        self.lines = tuple(lines)
        self.replayed: Replay = replay(self.lines, run)

    @cached_property
    def outcomes(self) -> dict[tuple[str, int], ItemOutcome]:
        """What the reviews come to, by case and trial."""
        return {(each.case, each.trial): each for each in self.replayed.outcomes}

    @property
    def reviewed(self) -> tuple[str, ...]:
        """The cases that people have judged: each of their trials that was asked for."""
        waiting = set(self.waiting)
        return tuple(sorted({each.case for each in self.replayed.outcomes} - waiting))

    @property
    def waiting(self) -> tuple[str, ...]:
        """The cases with a trial that waits for people."""
        found = {each.case for each in self.replayed.outcomes if each.state != "done"}
        return tuple(sorted(found))

    @property
    def open_incidents(self) -> tuple[str, ...]:
        """The incidents that hold the gate."""
        return tuple(map(shown, self.replayed.open_incidents))

    def verdict(self, record: TrialRecord) -> CheckVerdict | None:
        """Return what people said of a trial; None where they have not, or it is not settled.

        Raises RunDirectoryError where they said it of another transcript.
        """
        found = self.outcomes.get((record.case, record.trial))
        if found is None or found.result == "incomplete":
            return None
        item = self.replayed.items[found.item]
        if item.transcript != record.transcript.sha256:
            raise RunDirectoryError(
                f"people reviewed another transcript of case {record.case} trial {record.trial}",
                hint="is the review log of this run?",
            )
        return verdict_of(found, self.replayed.rubrics[item.rubric])

    def graded_in(self, record: TrialRecord) -> TrialRecord:
        """Return a trial with what people said among its verdicts, and its status anew."""
        own = without_people(record.verdicts)
        said = self.verdict(record)
        verdicts = own if said is None else (*own, said)
        status = trial_status(record.stop, verdicts)
        return msgspec.structs.replace(record, verdicts=verdicts, status=status)

    def on(self, basis: Basis) -> Basis:
        """Return what a decision rests on, with what people said."""
        return msgspec.structs.replace(
            basis,
            reviewed=self.reviewed,
            waiting=self.waiting,
            open_incidents=self.open_incidents,
        )


def shown(incident: Incident) -> str:
    """Return an incident as reasons name it."""
    return f"{incident.id} ({incident.route}, case {incident.case})"


def without_people(verdicts: Sequence[CheckVerdict]) -> tuple[CheckVerdict, ...]:
    """Return the verdicts of checks alone."""
    return tuple(verdicts[:-1] if people_verdict(verdicts) is not None else verdicts)


def verdict_of(found: ItemOutcome, rubric: Rubric) -> CheckVerdict:
    """Return what a settled outcome says as a verdict: its result is the rubric's pass rule, its
    score the mean over dimensions of (level − lowest) / (highest − lowest), null where a
    dimension is unsure.
    """
    given = levels(found.scores)
    shares = [
        each.share(level) for each in rubric.dimensions if (level := given.get(each.id)) is not None
    ]
    sure = len(shares) == len(rubric.dimensions)
    return CheckVerdict(
        label=rubric.id,
        grader=HUMAN_REVIEW,
        grader_version=rubric.version,
        list="expect",
        result=_RESULTS[found.result],
        score=sum(shares) / len(shares) if sure else None,
        reason="; ".join(_reasons(found, rubric, given)),
    )


def _reasons(found: ItemOutcome, rubric: Rubric, given: dict[str, int | None]) -> Iterable[str]:
    count = "1 reviewer" if found.needed == 1 else f"{found.needed} reviewers"
    yield f"{count} and an adjudicator" if found.decided_by == "adjudicated" else count
    low, unsure = list[str](), list[str]()
    for each in rubric.dimensions:
        result = rubric.dimension_result(each.id, given.get(each.id))
        if result == "fail":
            low.append(f"{each.id} {given[each.id]} (at least {rubric.pass_rule.least(each.id)})")
        elif result == "unknown":
            unsure.append(each.id)
    if low:
        yield f"too low: {', '.join(low)}"
    if unsure:
        yield f"unsure: {', '.join(unsure)}"
    scores = [f"{name} {score}" for name, score in found.scores.items()]
    yield f"scores: {', '.join(scores)}"
    yield f"rubric {rubric.id} version {rubric.version} ({rubric.digest[:12]})"


def people_in(folder: Path) -> People | None:
    """Return what the review log in a run directory tells; None where there is none.

    Raises RunDirectoryError where it cannot be read.
    """
    path = folder / layout.REVIEWS
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunDirectoryError(f"{path} cannot be read: {error.strerror}") from error
    lines = data.split(b"\n")
    return People(lines[:-1] if lines[-1] == b"" else lines)
