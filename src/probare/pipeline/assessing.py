"""Grading ended trials: ready checks, verdicts, status, record."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import UNSET

from probare.errors import InputError, Place
from probare.grading.judging import judge, judge_case, record
from probare.grading.placeholders import text_of
from probare.grading.ready import ReadyCheck, label_of, make_ready
from probare.model.case import Case, Check
from probare.model.outcome import Outcome, Transcript, total_usage
from probare.model.record import CaseRecord, TranscriptRef, TrialRecord
from probare.model.statuses import trial_status
from probare.model.suite import JudgeSettings, Suite, Trust
from probare.model.verdict import CheckList, CheckVerdict, Verdict
from probare.ports.chat import ChatModels
from probare.ports.grader import Grader, GradingSettings, TrialView
from probare.ports.target import Executor
from probare.running.attempts import Ended
from probare.stores import salts

GRADING_SECONDS = 120.0
OUTPUT_TEXT_CAP = 4000
_CACHED_CHECKS = 4096


class Assessor:
    """Judges trials with a suite's checks. Checks that stand in many cases are readied once.

    `chat` are the models that judges ask; `judge_models` those of `--judge-model`, which are asked
    in place of all that checks and suite name.
    """

    def __init__(
        self,
        suite: Suite,
        folder: Path,
        graders: Mapping[str, type[Grader]],
        trust: Trust,
        *,
        chat: ChatModels | None = None,
        judge_models: Sequence[str] = (),
    ) -> None:
        self._graders = graders
        self._trust: Trust = trust
        self._settings = GradingSettings(
            folder=folder,
            equivalent_languages=suite.equivalent_languages,
            language_detector=suite.language_detector,
            judge=_overridden(suite.judge, judge_models),
            chat=chat,
        )
        self._ready: dict[tuple[int, CheckList], tuple[Check, ReadyCheck, bool, bool]] = {}
        self._lists: dict[tuple[int, int], tuple[Case, list[tuple[ReadyCheck, bool]]]] = {}

    def view(self, case: Case, ended: Ended) -> TrialView:
        """Return what graders may know of an ended trial."""
        return TrialView(
            case=case,
            transcript=ended.transcript,
            stop=ended.stop,
            trust=self._trust,
            duration_ms=ended.duration_ms,
            first_token_ms=ended.first_token_ms,
            workspace=ended.workspace,
            settings=self._settings,
        )

    def stored_view(self, case: Case, trial: TrialRecord, transcript: Transcript) -> TrialView:
        """Return what graders may know of a trial read back from disk."""
        return TrialView(
            case=case,
            transcript=transcript,
            stop=trial.stop,
            trust=self._trust,
            duration_ms=trial.duration_ms,
            first_token_ms=trial.first_token_ms,
            settings=self._settings,
        )

    def has_case_wide(self, case: Case) -> bool:
        """Whether any check of the case reads all its trials."""
        return any(self._is_case_wide(check) for check in case.expect + case.forbid)

    async def verdicts(self, trial: TrialView, threads: Executor) -> tuple[CheckVerdict, ...]:
        """Judge one trial with the checks of its case, each in its turn.

        A check that may take long is asked on a thread; one that does not answer in its grader's
        own time, or in `GRADING_SECONDS`, is an error.
        """
        answers: list[CheckVerdict] = []
        for check, blocking in self._checks(trial.case):
            if not blocking:
                answers.append(judge(check, trial))
                continue
            seconds = check.seconds or GRADING_SECONDS
            try:
                async with asyncio.timeout(seconds):
                    answers.append(await threads.call(lambda check=check: judge(check, trial)))
            except TimeoutError:
                reason = f"the grader did not answer within {seconds:g} s"
                answers.append(record(check, Verdict("error", None, reason)))
        return tuple(answers)

    def case_verdicts(self, case: Case, trials: Sequence[TrialView]) -> CaseRecord:
        """Judge all trials of a case with its case-wide checks."""
        verdicts = [
            judge_case(self._readied(check, in_list)[1], trials)
            for in_list, check in _listed(case)
            if self._is_case_wide(check)
        ]
        return CaseRecord(case=case.id, verdicts=tuple(verdicts))

    def refuse_unready(self, cases: Iterable[Case], *, code_only: bool = False) -> None:
        """Make ready every check, so that what cannot be had is known before anything runs.

        With `code_only`, only checks that name the suite's own code in a `transform`. Raises
        InputError on a grader that is not installed, arguments that it does not take, code that
        cannot be imported; and, whatever `code_only` says, on a package or a model that a grader
        needs.
        """
        asked: dict[int, Check] = {}  # held, so that no id is taken again
        for case in cases:
            for in_list, check in _listed(case):
                if id(check) not in asked:
                    self._require(check, case, required=check.required)
                    asked[id(check)] = check
                if code_only and not _names_code(check):
                    continue
                try:
                    self._readied(check, in_list)
                except msgspec.ValidationError as error:
                    raise InputError(
                        f"case '{case.id}', {label_of(check)}: {error}",
                        hint="is another version of the grader installed?",
                    ) from error

    def _require(self, check: Check, case: Case, *, required: bool) -> None:
        kind = self._graders.get(check.grader)
        if kind is not None:
            try:
                kind.require(check.args)
                kind.require_settings(check.args, self._settings, required=required)
            except InputError as error:
                error.place = Place(path=f"case '{case.id}', {label_of(check)}")
                raise
        for inner in check.checks:
            self._require(inner, case, required=required)

    def _is_case_wide(self, check: Check) -> bool:
        kind = self._graders.get(check.grader)
        return kind is not None and kind.SCOPE == "case"

    def _checks(self, case: Case) -> list[tuple[ReadyCheck, bool]]:
        key = (id(case.expect), id(case.forbid))
        kept = self._lists.get(key)
        if kept is not None:
            return kept[1]
        readied = [self._readied(check, in_list) for in_list, check in _listed(case)]
        found = [(ready, blocking) for _, ready, blocking, wide in readied if not wide]
        if len(self._lists) >= _CACHED_CHECKS:
            self._lists.pop(next(iter(self._lists)))
        self._lists[key] = (case, found)
        return found

    def _readied(self, check: Check, in_list: CheckList) -> tuple[Check, ReadyCheck, bool, bool]:
        key = (id(check), in_list)
        found = self._ready.get(key)
        if found is None:
            ready = make_ready(check, in_list, self._graders, self._settings)
            found = (check, ready, ready.blocking, ready.case_wide)
            if len(self._ready) >= _CACHED_CHECKS:
                self._ready.pop(next(iter(self._ready)))
            self._ready[key] = found
        return found


def _overridden(judge: JudgeSettings | None, models: Sequence[str]) -> JudgeSettings | None:
    if not models:
        return judge
    return msgspec.structs.replace(judge or JudgeSettings(), override=tuple(models))


def _names_code(check: Check) -> bool:
    own = check.transform is not None and ":" in check.transform
    return own or any(_names_code(inner) for inner in check.checks)


def _listed(case: Case) -> list[tuple[CheckList, Check]]:
    expect: list[tuple[CheckList, Check]] = [("expect", check) for check in case.expect]
    return expect + [("forbid", check) for check in case.forbid]


def as_record(
    ended: Ended, verdicts: tuple[CheckVerdict, ...], transcript: TranscriptRef
) -> TrialRecord:
    """Return the record of a judged trial."""
    return TrialRecord(
        case=ended.planned.case.id,
        trial=ended.planned.trial,
        stop=ended.stop,
        status=trial_status(ended.stop, verdicts),
        error=ended.error,
        attempts=ended.attempts,
        verdicts=verdicts,
        started=datetime.fromtimestamp(ended.started, UTC).isoformat(timespec="milliseconds"),
        duration_ms=ended.duration_ms,
        first_token_ms=ended.first_token_ms,
        usage=total_usage(ended.transcript.events),
        output_text=output_text(ended.transcript.outcome),
        transcript=transcript,
        salt=salts.fresh(),
    )


def output_text(outcome: Outcome) -> str | None:
    """Return the output's text for a record: capped, with a mark where it was cut; None where
    there is no output.
    """
    if outcome.output is UNSET or outcome.output is None:
        return None
    text: str = text_of(outcome.output)
    if len(text) > OUTPUT_TEXT_CAP:
        text = f"{text[:OUTPUT_TEXT_CAP]}… [{len(text) - OUTPUT_TEXT_CAP} more characters]"
    return text
