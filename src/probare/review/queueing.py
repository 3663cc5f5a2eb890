"""Which trials of a run are sent to people, and why: rules over its records, and nothing else."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

from probare.grading.ready import label_of
from probare.model.case import Case, Check
from probare.model.judged import judges_disagree
from probare.model.record import TrialRecord
from probare.model.review import Reason, Rule, Wanted
from probare.model.suite import ReviewSettings, Suite
from probare.model.verdict import CheckVerdict

# how early an item of each rule comes; 1 is first
PRIORITIES: dict[Rule, int] = {
    "suspected_phi": 1,
    "asked": 2,
    "tagged": 2,
    "failed": 2,
    "undecided": 2,
    "judge_unknown": 2,
    "judges_disagree": 2,
    "errored": 3,
    "near_threshold": 3,
    "sampled": 4,
}
_SHOWN = 3
_SLACK = 1e-9


def wanted(
    suite: Suite,
    settings: ReviewSettings,
    records: Iterable[TrialRecord],
    *,
    seed: int,
    now: datetime,
    case_wide: Mapping[str, Iterable[CheckVerdict]] | None = None,
) -> list[Wanted]:
    """Return the trials that go into the queue, in the order of the suite's cases.

    A case that says `review: never` is never queued; one that says `always` always is; the others
    where one of the settings' rules finds them. Among the passes that none found, a share is
    drawn, the same for the same seed. `case_wide` are the verdicts over all trials, by case.
    Records are read once, and only what is queued, or could be drawn, is kept.
    """
    rules = _Rules(suite, settings, case_wide or {})
    due = None
    if settings.due is not None:
        due = (now.astimezone(UTC) + timedelta(seconds=settings.due)).isoformat(timespec="seconds")
    found: dict[tuple[str, int], Wanted] = {}
    passes: dict[tuple[str, int], str] = {}
    for record in records:
        case = rules.cases.get(record.case)
        if case is None or not rules.may_queue(case):
            continue
        reasons = tuple(rules.reasons(case, record))
        key = (record.case, record.trial)
        if reasons:
            found[key] = _wanted(key, record.transcript.sha256, reasons, settings, due)
        elif record.status == "passed":
            passes[key] = record.transcript.sha256
    if "sampled" in settings.rules and settings.when != "never":
        for key in drawn(passes, settings.sample, seed):
            words = f"drawn for calibration, {settings.sample:.0%} of the passes (seed {seed})"
            reasons = (Reason("sampled", words),)
            found[key] = _wanted(key, passes[key], reasons, settings, due)
    order = {name: number for number, name in enumerate(rules.cases)}
    return sorted(found.values(), key=lambda each: (order[each.case], each.trial))


def drawn(keys: Iterable[tuple[str, int]], share: float, seed: int) -> list[tuple[str, int]]:
    """Draw a share of trials, rounded up, by the order of a hash of the seed and their names: it
    does not depend on the order in which they ended.
    """
    ranked = sorted(
        keys, key=lambda key: hashlib.sha256(f"{seed}\n{key[1]}\n{key[0]}".encode()).digest()
    )
    return ranked[: math.ceil(len(ranked) * share - _SLACK)]


def _wanted(
    key: tuple[str, int],
    transcript: str,
    reasons: tuple[Reason, ...],
    settings: ReviewSettings,
    due: str | None,
) -> Wanted:
    priorities = {**PRIORITIES, **settings.priorities}
    return Wanted(
        case=key[0],
        trial=key[1],
        transcript=transcript,
        reasons=reasons,
        priority=min(priorities[reason.rule] for reason in reasons),
        due=due,
        overlap=settings.overlap,
        distance=settings.distance,
    )


class _Rules:
    def __init__(
        self,
        suite: Suite,
        settings: ReviewSettings,
        case_wide: Mapping[str, Iterable[CheckVerdict]],
    ) -> None:
        self.cases = {case.id: case for case in suite.cases}
        self._settings = settings
        self._wide = {name: tuple(verdicts) for name, verdicts in case_wide.items()}

    def may_queue(self, case: Case) -> bool:
        if case.review == "flagged":
            return self._settings.when != "never"
        return case.review == "always"

    def reasons(self, case: Case, record: TrialRecord) -> Iterator[Reason]:
        """Yield why a trial is for people, by the rules that are on.

        That a case asks for it holds whatever the rules are.
        """
        if case.review == "always":
            yield Reason("asked", "the case asks for it (review: always)")
        elif self._settings.when == "always":
            yield Reason("asked", "the suite sends every trial (when: always)")
        for reason in self._flags(case, record):
            if reason.rule in self._settings.rules:
                yield reason

    def _flags(self, case: Case, record: TrialRecord) -> Iterator[Reason]:
        tags = [tag for tag in case.tags if tag in self._settings.tags]
        if tags:
            yield Reason("tagged", f"tagged {', '.join(tags)}")
        verdicts = (*record.verdicts, *self._wide.get(case.id, ()))
        yield from _of_status(record, verdicts)
        yield from _of_verdicts(verdicts)
        near = [*_near(case, record.verdicts, self._settings.near)]
        if near:
            yield Reason("near_threshold", f"near a threshold: {_listed(near)}")


def _of_status(record: TrialRecord, verdicts: Iterable[CheckVerdict]) -> Iterator[Reason]:
    required = [verdict for verdict in verdicts if verdict.required]
    failed = [verdict.label for verdict in required if verdict.result == "fail"]
    if failed or record.status == "failed":
        yield Reason("failed", f"failed: {_listed(failed)}" if failed else "failed")
    odd = [verdict.label for verdict in required if verdict.result in ("error", "skipped")]
    if record.stop != "completed":
        yield Reason("errored", f"stopped by {record.stop.replace('_', ' ')}")
    elif odd or record.status == "errored":
        yield Reason("errored", f"could not be judged: {_listed(odd)}" if odd else "errored")
    if record.status == "ungraded":
        yield Reason("undecided", "no required check judges it")


def _of_verdicts(verdicts: Iterable[CheckVerdict]) -> Iterator[Reason]:
    labels: dict[Rule, list[str]] = {}
    for verdict in verdicts:
        if verdict.result == "unknown":
            labels.setdefault(_unknown_rule(verdict), []).append(verdict.label)
        if judges_disagree(verdict.judged):
            labels.setdefault("judges_disagree", []).append(verdict.label)
    words: dict[Rule, str] = {
        "suspected_phi": "looks like PHI",
        "judge_unknown": "a judge is unsure",
        "undecided": "unknown",
        "judges_disagree": "judges disagree",
    }
    for rule, text in words.items():
        if rule in labels:
            yield Reason(rule, f"{text}: {_listed(labels[rule])}")


def _unknown_rule(verdict: CheckVerdict) -> Rule:
    if verdict.grader == "suspected_phi":
        return "suspected_phi"
    return "judge_unknown" if verdict.judged else "undecided"


def _near(case: Case, verdicts: Iterable[CheckVerdict], margin: float) -> Iterator[str]:
    """Yield the checks whose score is no further from their threshold than the margin, whichever
    side it is on. Scores of `forbid` are turned round, so its thresholds are too.
    """
    thresholds: dict[tuple[str, str], list[float]] = {}
    for which, checks in (("expect", case.expect), ("forbid", case.forbid)):
        for check in checks:
            threshold = threshold_of(check)
            if threshold is not None:
                turned = threshold if which == "expect" else 1 - threshold
                thresholds.setdefault((which, label_of(check)), []).append(turned)
    for verdict in verdicts:
        for threshold in thresholds.get((verdict.list, verdict.label), []):
            score = verdict.score
            if score is not None and abs(score - threshold) <= margin + _SLACK:
                yield f"{verdict.label} ({score:.3g}, threshold {threshold:.3g})"
                break


def threshold_of(check: Check) -> float | None:
    """Return the least score with which a check holds; None where it has no such number."""
    if check.threshold is not None:
        return check.threshold
    value = check.args.get("at_least") if check.grader == "similar" else None
    return float(value) if isinstance(value, int | float) else None


def _listed(labels: list[str]) -> str:
    shown = "; ".join(labels[:_SHOWN])
    more = len(labels) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
