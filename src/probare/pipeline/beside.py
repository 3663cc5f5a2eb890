"""Automatic verdicts of a run beside people's, gathered as records stream by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from probare.model.judged import final_replies, tally
from probare.model.record import TrialRecord
from probare.model.review import ItemOutcome, QueuedRecord
from probare.model.rubric import Rubric
from probare.model.statuses import trial_status
from probare.model.verdict import CheckVerdict
from probare.pipeline.people import without_people
from probare.review.outcomes import levels
from probare.scoring.calibration import Answered, Label
from probare.scoring.judgechecks import Compared
from probare.scoring.reviewed import JudgeBeside, beside

_Of = tuple[str, str]
_STATUS: dict[str, Answered] = {
    "passed": "pass",
    "failed": "fail",
    "needs_review": "unknown",
    "errored": "error",
}
_SHOWN = 200


class Beside:
    """Each automatic judgement that people can be compared with, and how often it passes.

    These are all checks of a trial together, and each check that asks a judge: on the dimensions
    that it was asked about, where it was; on the dimension that its label names; else on the whole.
    """

    def __init__(
        self, rubric: Rubric, items: Mapping[str, QueuedRecord], outcomes: Iterable[ItemOutcome]
    ) -> None:
        self._rubric = rubric
        self._items = items
        self._settled = {(each.case, each.trial): each for each in outcomes if each.state == "done"}
        self._names = {
            name.casefold(): each.id for each in rubric.dimensions for name in (each.id, each.name)
        }
        self._compared: dict[_Of, list[Compared]] = {}
        self._drawn: dict[_Of, int] = {}
        self._rates: dict[_Of, list[int]] = {}

    def add(self, record: TrialRecord) -> None:
        """Take one trial: into the pass rates and, where people settled it, what is compared."""
        outcome = self._settled.get((record.case, record.trial))
        for of, answer, dimensions, reason in self._answers(record):
            rate = self._rates.setdefault(of, [0, 0])
            rate[0] += answer == "pass"
            rate[1] += 1
            label = None if outcome is None else self._label(outcome, dimensions)
            if outcome is None or label is None:
                continue
            self._compared.setdefault(of, []).append(
                Compared(
                    example=f"{record.case} trial {record.trial}",
                    label=label,
                    answer=answer,
                    dimension=of[1],
                    reason="; ".join(filter(None, (reason, self._low(outcome, dimensions)))),
                    output=" ".join((record.output_text or "")[:_SHOWN].split()),
                )
            )
            reasons = self._items[outcome.item].reasons
            random = all(each.rule == "sampled" for each in reasons)
            self._drawn[of] = self._drawn.get(of, 0) + random

    def found(self) -> tuple[JudgeBeside, ...]:
        """Return all comparisons that have an item, the whole trial's first."""
        return tuple(
            beside(
                *of,
                compared,
                drawn=self._drawn[of],
                rate=(self._rates[of][0], self._rates[of][1]),
            )
            for of, compared in sorted(self._compared.items())
        )

    def _label(self, outcome: ItemOutcome, dimensions: Iterable[str]) -> Label | None:
        """Return what people said of some dimensions together; null where they are unsure."""
        given = levels(outcome.scores)
        found = {self._rubric.dimension_result(name, given.get(name)) for name in dimensions}
        return "fail" if "fail" in found else None if "unknown" in found else "pass"

    def _low(self, outcome: ItemOutcome, dimensions: Iterable[str]) -> str:
        """Say on which dimensions people fail an item."""
        given = levels(outcome.scores)
        low = [
            f"{name} {given.get(name)}"
            for name in dimensions
            if self._rubric.dimension_result(name, given.get(name)) == "fail"
        ]
        return f"people gave {', '.join(low)}" if low else ""

    def _answers(self, record: TrialRecord) -> Iterator[tuple[_Of, Answered, tuple[str, ...], str]]:
        """Yield each judgement of a trial: of what it is, its answer, on which dimensions, why."""
        own = without_people(record.verdicts)
        whole = tuple(each.id for each in self._rubric.dimensions)
        status = trial_status(record.stop, own)
        if status in _STATUS:
            low = [f"{each.label}: {each.reason}" for each in own if each.result != "pass"]
            yield ("", ""), _STATUS[status], whole, "; ".join(low)[:_SHOWN]
        for verdict in own:
            if verdict.judged:
                yield from self._of_judge(verdict, whole)

    def _of_judge(
        self, verdict: CheckVerdict, whole: tuple[str, ...]
    ) -> Iterator[tuple[_Of, Answered, tuple[str, ...], str]]:
        asked = {reply.asked for reply in verdict.judged}
        parts = tuple(name for name in whole if name in asked)
        named = self._names.get(verdict.label.replace("_", " ").casefold())
        named = named or self._names.get(verdict.label.casefold())
        answer: Answered = "error" if verdict.result == "skipped" else verdict.result
        if named is not None:
            yield (verdict.label, named), answer, (named,), verdict.reason[:_SHOWN]
            return
        yield (verdict.label, ""), answer, parts or whole, verdict.reason[:_SHOWN]
        for name in parts:
            replies = final_replies(verdict.judged, name)
            means = tally([reply.means for reply in replies]).means
            said = ", ".join(reply.answer or reply.problem for reply in replies)
            yield (verdict.label, name), means, (name,), said[:_SHOWN]
