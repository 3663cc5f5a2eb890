"""The grader: a frozen value whose fields are the check's arguments.

A grader is declared once, as a class: its fields are the arguments with their types and
defaults, its docstring is its page in the catalogue, and `grade` is a pure function of what
it looks at and of the trial. It never raises for a bad answer; what it raises all the same
becomes a verdict `error` at one boundary (`probare.grading.judging`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

from probare.model.case import Case
from probare.model.event import Channel
from probare.model.outcome import Stop, Transcript
from probare.model.suite import JudgeSettings, Trust
from probare.model.verdict import Span, Verdict
from probare.ports.chat import ChatModels

FileKind: TypeAlias = Literal["text", "rubric"]


class TrialView(msgspec.Struct, frozen=True, kw_only=True):
    """What a grader may know of a trial.

    `settings` are the suite's that bear on grading (equivalent languages, the suite's language
    detector, its folder). `workspace` is the trial's folder while it exists. Where the view is of
    one turn of a conversation, `whole` is the trial's own transcript.
    """

    case: Case
    transcript: Transcript
    stop: Stop = "completed"
    trust: Trust = "observed"
    duration_ms: float | None = None
    first_token_ms: float | None = None
    workspace: Path | None = None
    settings: GradingSettings
    whole: Transcript | None = None

    def observes(self, channel: Channel) -> bool:
        """Whether the absence of an event of this channel means something."""
        return channel in self.transcript.observes


class GradingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A suite's settings that bear on grading. `chat` are the models that judges ask, null where
    there are none to be had.
    """

    folder: Path | None = None
    equivalent_languages: tuple[tuple[str, ...], ...] = ()
    language_detector: str | None = None
    judge: JudgeSettings | None = None
    chat: ChatModels | None = None


class Grader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all graders.

    Class attributes: `NAME` as written in suites; `VERSION`, raised when a verdict can change;
    `MAIN`, the field that a bare argument fills, or null; `LOOKS_AT`, the default of `in`, or
    null where `in` has no meaning; `SCOPE`, `trial` or `case` (then `grade_case` is called);
    `BLOCKING`, true where grading may take milliseconds or more and belongs on a thread;
    `EVIDENCE`, the channels the grader reads events of: it answers `unknown` where these are
    only claimed or not observable (`probare.grading.judging` sees to that). `OPEN`, the field
    (a mapping) that takes every argument which is no field, or null where there are none such
    (`probare.grading.arguments` sees to that). `PROHIBITS`, true where the statement is itself a
    prohibition (the text is free of ...), which `forbid` and `not` would turn into a demand:
    loading refuses it there. `SUSPECTS`, true where the grader never says that its statement
    holds, only that it may (`unknown`): outside `forbid` and `not` it could never pass, and
    loading refuses it there. `FILES` names fields that may be written as a file's name beside the
    suite, and what such a file is: loading puts its content in its place, so that the content is
    the check's, and a run keeps it. `SECONDS` is how long an answer may take; null: as long as any.
    """

    NAME: ClassVar[str]
    VERSION: ClassVar[str] = "1"
    MAIN: ClassVar[str | None] = None
    LOOKS_AT: ClassVar[str | None] = "$text"
    SCOPE: ClassVar[Literal["trial", "case"]] = "trial"
    BLOCKING: ClassVar[bool] = False
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ()
    OPEN: ClassVar[str | None] = None
    PROHIBITS: ClassVar[bool] = False
    SUSPECTS: ClassVar[bool] = False
    FILES: ClassVar[Mapping[str, FileKind]] = {}
    SECONDS: ClassVar[float | None] = None

    @classmethod
    def blocks(cls, args: Mapping[str, Any]) -> bool:  # noqa: ARG003
        """Whether a check with these arguments belongs on a thread."""
        return cls.BLOCKING

    @classmethod
    def looks_at(cls, args: Mapping[str, Any]) -> str | None:  # noqa: ARG003
        """What a check with these arguments looks at where it has no `in`."""
        return cls.LOOKS_AT

    @classmethod
    def require(cls, args: Mapping[str, Any]) -> None:
        """Raise InputError where a check with these arguments needs what is not installed.

        Asked once a check before anything runs, never while a suite is only loaded or listed.
        """

    @classmethod
    def require_settings(
        cls, args: Mapping[str, Any], settings: GradingSettings, *, required: bool = True
    ) -> None:
        """Raise InputError where a check with these arguments cannot be asked with these settings
        (a model that is not set, a key that is missing). Asked when `require` is.
        """

    def by_name(self) -> bool:
        """Whether the names of events are enough: what a call was passed, what was queried, may
        be unknown then. Of any other grader, an event of its `EVIDENCE` that came without makes
        the verdict an error.
        """
        return False

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Say whether the grader's statement holds of `seen`. Raises GraderError if it cannot."""
        raise NotImplementedError

    def grade_case(self, trials: Sequence[TrialView]) -> Verdict:
        """Say whether the statement holds over all trials of a case (`SCOPE = "case"`)."""
        raise NotImplementedError


def holds(
    truth: bool, reason: str, *, score: float | None = None, spans: Sequence[Span] = ()
) -> Verdict:
    """Return pass or fail with a score of 1 or 0 unless another is given."""
    value = (1.0 if truth else 0.0) if score is None else score
    return Verdict("pass" if truth else "fail", value, reason, tuple(spans))


def unknown(reason: str) -> Verdict:
    """Return `unknown`: the grader cannot tell; people decide."""
    return Verdict("unknown", None, reason)
