"""Checks made ready, and the one boundary at which a grader is asked.

The boundary settles everything that is the same for all graders: placeholders, transform,
threshold, evidence that is only claimed, trials that did not complete, exceptions, polarity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.errors import GraderError, InputError, ProbareError, did_you_mean
from probare.grading import arguments, placeholders, transforms
from probare.grading.placeholders import OVER_EVENTS, Placeholder
from probare.grading.polarity import invert
from probare.model.case import Case, Check
from probare.model.event import (
    Approval,
    Artifact,
    Attempt,
    Channel,
    Decision,
    EventBase,
    Message,
    Retrieval,
    StateChange,
    ToolCall,
    ToolResult,
)
from probare.model.verdict import CheckList, CheckVerdict, Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView, unknown

COMBINATORS = ("not", "any_of", "all_of")
_COMBINATOR_VERSION = "1"

_CHANNEL_OF: dict[type[EventBase], Channel] = {
    Message: "messages",
    ToolCall: "tools",
    ToolResult: "tools",
    Retrieval: "retrievals",
    Decision: "decisions",
    Approval: "approvals",
    Attempt: "attempts",
    Artifact: "artifacts",
    StateChange: "state",
}


class ReadyCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A check whose grader is known and whose literal arguments are already checked.

    `grader` is the finished grader where no argument is a placeholder, else `kind` is built
    anew for each trial from `args`. Combinators have `inner` and neither.
    """

    label: str
    name: str
    version: str
    list: CheckList
    kind: type[Grader] | None
    grader: Grader | None
    args: dict[str, Any]
    look_in: Placeholder | None
    transform: Callable[[Any], Any] | None
    inner: tuple[ReadyCheck, ...]
    weight: float
    required: bool
    threshold: float | None

    @property
    def blocking(self) -> bool:
        """Whether asking may take long, so that it belongs on a thread."""
        own = self.kind is not None and self.kind.blocks(self.args)
        return own or self.transform is not None or any(check.blocking for check in self.inner)

    @property
    def over_events(self) -> bool:
        """Whether the check reads events, state and artifacts only, never the output."""
        if self.inner:
            return all(check.over_events for check in self.inner)
        if self.look_in is None or self.look_in.root not in OVER_EVENTS:
            return False
        allowed = OVER_EVENTS | placeholders.KNOWN_AT_LOAD
        return all(found.root in allowed for found in placeholders.find(self.args))

    @property
    def case_wide(self) -> bool:
        """Whether the check reads all trials of its case."""
        return self.kind is not None and self.kind.SCOPE == "case"


def label_of(check: Check) -> str:
    """Return a check's label: its own, or its grader's name with its short text arguments."""
    if check.label:
        return check.label
    if check.checks:
        inner = ", ".join(label_of(inner) for inner in check.checks)
        return f"{check.grader}({inner})"
    shown = [_short(value) for value in check.args.values()]
    return f"{check.grader}: {', '.join(shown)}" if shown else check.grader


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else jsonbytes.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"


def make_ready(
    check: Check,
    in_list: CheckList,
    graders: Mapping[str, type[Grader]],
    settings: GradingSettings,
    *,
    look_in: str | None = None,
) -> ReadyCheck:
    """Return a check made ready. Raises InputError or msgspec.ValidationError on a bad one,
    which a loaded suite cannot hold.
    """
    own_look = check.look_in or look_in
    kind = None if check.grader in COMBINATORS else _known(check.grader, graders)
    default = kind.LOOKS_AT if kind is not None else None
    look = own_look or default if default is not None or kind is None else None
    has_placeholders = any(True for _ in placeholders.find(check.args))
    grader = None
    if kind is not None and not has_placeholders:
        grader = arguments.build(kind, _unescaped(check.args))
    return ReadyCheck(
        label=label_of(check),
        name=check.grader,
        version=kind.VERSION if kind is not None else _COMBINATOR_VERSION,
        list=in_list,
        kind=kind,
        grader=grader,
        args=check.args,
        look_in=placeholders.parse(look),
        transform=transforms.find(check.transform, settings.folder) if check.transform else None,
        inner=tuple(
            make_ready(inner, in_list, graders, settings, look_in=own_look)
            for inner in check.checks
        ),
        weight=check.weight,
        required=check.required,
        threshold=check.threshold,
    )


def _known(name: str, graders: Mapping[str, type[Grader]]) -> type[Grader]:
    if name not in graders:
        raise InputError(
            f"there is no grader '{name}'",
            hint=did_you_mean(name, graders) or "is the plug-in that brings it installed?",
        )
    return graders[name]


def make_all_ready(
    case: Case, graders: Mapping[str, type[Grader]], settings: GradingSettings
) -> tuple[ReadyCheck, ...]:
    """Return all checks of a case, made ready: `expect` first, then `forbid`."""
    return tuple(
        [make_ready(check, "expect", graders, settings) for check in case.expect]
        + [make_ready(check, "forbid", graders, settings) for check in case.forbid]
    )


def judge(check: ReadyCheck, trial: TrialView) -> CheckVerdict:
    """Ask one check about one trial and return the verdict as it is recorded.

    Where the trial did not complete, checks of the output are skipped; `forbid` checks over
    events, state and artifacts are asked, and only a failure of theirs counts.
    """
    if trial.stop == "completed":
        return record(check, _polar(check, _ask(check, trial)))
    if check.list == "expect" or not check.over_events:
        reason = f"not judged: the trial did not complete ({trial.stop})"
        return record(check, Verdict("skipped", None, reason))
    verdict = _polar(check, _ask(check, trial))
    if verdict.result != "fail":
        reason = f"nothing found before the trial stopped ({trial.stop}), which shows nothing"
        verdict = Verdict("error", None, reason)
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
    )


def _polar(check: ReadyCheck, verdict: Verdict) -> Verdict:
    return invert(verdict) if check.list == "forbid" else verdict


def _ask(check: ReadyCheck, trial: TrialView) -> Verdict:
    """Ask the grader itself, before polarity. Exceptions become verdicts `error`."""
    if check.name in COMBINATORS:
        return _combine(check, [_ask(inner, trial) for inner in check.inner])
    try:
        assert check.kind is not None
        untrusted = _untrusted(check.kind, trial)
        if untrusted is not None:
            return untrusted
        seen: Any = None
        if check.look_in is not None:
            seen = placeholders.look_up(check.look_in, trial)
            if check.transform is not None:
                seen = check.transform(seen)
        return _with_threshold(check, _built(check, trial).grade(seen, trial))
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


def _unescaped(args: dict[str, Any]) -> dict[str, Any]:
    """Undo `$$` in literal arguments (a `fill` that needs no trial)."""

    def undo(value: Any) -> Any:
        if isinstance(value, str):
            return value[1:] if value.startswith("$$") else value
        if isinstance(value, dict):
            return {key: undo(item) for key, item in value.items()}  # pyright: ignore
        if isinstance(value, list | tuple):
            return [undo(item) for item in value]  # pyright: ignore
        return value

    return undo(args)


def _with_threshold(check: ReadyCheck, verdict: Verdict) -> Verdict:
    if check.threshold is None or verdict.score is None:
        return verdict
    if verdict.result not in ("pass", "fail"):
        return verdict
    reached = verdict.score >= check.threshold
    reason = f"{verdict.reason} (score {verdict.score:.3g}, threshold {check.threshold:.3g})"
    return Verdict("pass" if reached else "fail", verdict.score, reason, verdict.spans)


def _untrusted(kind: type[Grader], trial: TrialView) -> Verdict | None:
    """Return `unknown` where the evidence is only claimed, or could not have been seen."""
    if not kind.EVIDENCE or trial.trust == "claimed":
        return None
    for channel in kind.EVIDENCE:
        found = [e for e in trial.transcript.events if _CHANNEL_OF.get(type(e)) == channel]
        if any(event.source == "claimed" for event in found):
            return unknown(
                f"the {channel} are the agent's own claims, not observed "
                "(let the Recorder wrap them, or declare `trust: claimed`)"
            )
        if not found and not trial.observes(channel):
            return unknown(
                f"{channel} are not observable in this trial, so their absence shows nothing "
                "(let the Recorder wrap them)"
            )
    return None


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
    return Verdict(chosen.result, score, reasons, spans)
