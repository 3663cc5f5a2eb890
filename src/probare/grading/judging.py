"""The one boundary at which a grader is asked.

The boundary settles everything that is the same for all graders: placeholders, transform,
threshold, evidence that is only claimed, trials that did not complete, exceptions, polarity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from probare.errors import GraderError, ProbareError
from probare.grading import arguments, placeholders
from probare.grading.evidence import unseen, untrusted
from probare.grading.polarity import invert
from probare.grading.ready import COMBINATORS, ReadyCheck
from probare.grading.turns import of_turn
from probare.model.verdict import CheckVerdict, Verdict
from probare.ports.grader import Grader, TrialView


def judge(check: ReadyCheck, trial: TrialView) -> CheckVerdict:
    """Ask one check about one trial and return the verdict as it is recorded.

    Where the trial did not complete, checks of the output are skipped; `forbid` checks over
    events, state and artifacts are asked, and only a failure of theirs counts. A check of one turn
    sees that turn alone; where the turn was never reached, it is an error.
    """
    if check.turn is not None:
        try:
            trial = of_turn(trial, check.turn)
        except GraderError as error:
            return record(check, _failure(error))
    if trial.stop == "completed":
        return record(check, _polar(check, _ask(check, trial)))
    if check.list == "expect" or not check.over_events:
        reason = f"not judged: the trial did not complete ({trial.stop})"
        return record(check, Verdict("skipped", None, reason))
    verdict = _polar(check, _ask(check, trial))
    if verdict.result == "unknown":
        reason = f"{verdict.reason} (before the trial stopped: {trial.stop})"
        verdict = Verdict("error", None, reason, judged=verdict.judged)
    elif verdict.result != "fail":
        reason = f"nothing found before the trial stopped ({trial.stop}), which shows nothing"
        verdict = Verdict("error", None, reason, judged=verdict.judged)
    return record(check, verdict)


def judge_case(check: ReadyCheck, trials: Sequence[TrialView]) -> CheckVerdict:
    """Ask one case-wide check about all trials of its case.

    With fewer than two completed trials there is nothing to compare: error.
    """
    completed = [trial for trial in trials if trial.stop == "completed"]
    if len(completed) < 2:
        reason = f"needs at least two completed trials, has {len(completed)}"
        return record(check, Verdict("error", None, reason))
    try:
        verdict = _with_threshold(check, _built(check, completed[0]).grade_case(completed))
    except Exception as error:
        verdict = _failure(error)
    return record(check, _polar(check, verdict))


def record(check: ReadyCheck, verdict: Verdict) -> CheckVerdict:
    """Stamp a verdict (after polarity) with its check's identity."""
    return CheckVerdict(
        label=check.label,
        grader=check.name,
        grader_version=check.version,
        list=check.list,
        result=verdict.result,
        score=verdict.score,
        reason=verdict.reason,
        spans=verdict.spans,
        weight=check.weight,
        required=check.required,
        judged=verdict.judged,
    )


def _polar(check: ReadyCheck, verdict: Verdict) -> Verdict:
    return invert(verdict) if check.list == "forbid" else verdict


def _ask(check: ReadyCheck, trial: TrialView) -> Verdict:
    """Ask the grader itself, before polarity. Exceptions become verdicts `error`."""
    if check.name in COMBINATORS:
        return _combine(check, [_ask(inner, trial) for inner in check.inner])
    try:
        assert check.kind is not None
        doubt = untrusted(check.kind, trial)
        if doubt is not None:
            return doubt
        grader = _built(check, trial)
        blind = unseen(grader, trial)
        if blind is not None:
            return blind
        seen: Any = None
        if check.look_in is not None:
            seen = placeholders.look_up(check.look_in, trial)
            if check.transform is not None:
                seen = check.transform(seen)
        return _with_threshold(check, grader.grade(seen, trial))
    except Exception as error:
        return _failure(error)


def _built(check: ReadyCheck, trial: TrialView) -> Grader:
    if check.grader is not None:
        return check.grader
    assert check.kind is not None
    try:
        return arguments.build(check.kind, placeholders.fill(check.args, trial))
    except msgspec.ValidationError as error:
        raise GraderError(f"argument of the wrong type: {error}") from None


def _with_threshold(check: ReadyCheck, verdict: Verdict) -> Verdict:
    if check.threshold is None or verdict.score is None:
        return verdict
    if verdict.result not in ("pass", "fail"):
        return verdict
    reached = verdict.score >= check.threshold
    reason = f"{verdict.reason} (score {verdict.score:.3g}, threshold {check.threshold:.3g})"
    return msgspec.structs.replace(verdict, result="pass" if reached else "fail", reason=reason)


def _failure(error: Exception) -> Verdict:
    if isinstance(error, ProbareError):
        return Verdict("error", None, str(error))
    return Verdict("error", None, f"the grader raised {type(error).__name__}: {error}")


def _combine(check: ReadyCheck, verdicts: list[Verdict]) -> Verdict:
    """Three-valued logic: a definite answer decides; else error, then unknown, then skipped."""
    if check.name == "not":
        return invert(verdicts[0])
    decisive = "pass" if check.name == "any_of" else "fail"
    order = (decisive, "error", "unknown", "skipped")
    chosen = next((v for word in order for v in verdicts if v.result == word), None)
    if chosen is None:
        chosen = verdicts[0]
    scores = [verdict.score for verdict in verdicts]
    known = [score for score in scores if score is not None]
    score = None
    if chosen.result in ("pass", "fail") and len(known) == len(scores):
        score = max(known) if check.name == "any_of" else min(known)
    reasons = "; ".join(v.reason for v in verdicts if v.result == chosen.result and v.reason)
    spans = tuple(span for v in verdicts if v.result == chosen.result for span in v.spans)
    judged = tuple(reply for verdict in verdicts for reply in verdict.judged)
    return Verdict(chosen.result, score, reasons, spans, judged)
