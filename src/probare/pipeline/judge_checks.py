"""A judge held against people: its check is asked about labelled examples."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec

from probare.encoding.narrow import sequence
from probare.errors import InputError, Place, did_you_mean
from probare.graders.judges.asking import models_of, shortened
from probare.graders.judges.judging import Judge
from probare.grading.judging import judge
from probare.grading.placeholders import text_of
from probare.grading.ready import ReadyCheck, make_ready
from probare.model.case import Case, Check
from probare.model.judged import final_replies, judges_disagree, tally, usage_of
from probare.model.labelled import Example
from probare.model.outcome import Outcome, Transcript
from probare.model.suite import Suite
from probare.model.verdict import CheckList, CheckVerdict
from probare.pipeline.judge_labels import JudgeUse, Labels, PassFrom
from probare.ports.grader import Grader, GradingSettings, TrialView
from probare.running.loops import run_to_end
from probare.running.threads import DaemonThreads
from probare.scoring.calibration import Label
from probare.scoring.judgechecks import (
    Compared,
    JudgeCheck,
    Minimums,
    corrected_elsewhere,
    decided,
    disagreements,
    of_comparisons,
)
from probare.stores.reader import RunReader

_OUTPUT_SHOWN = 200


def judge_uses(suite: Suite, graders: Mapping[str, type[Grader]]) -> list[JudgeUse]:
    """Return the checks of a suite that ask a judge, each once. One inside another check stands
    for itself, as what must hold.
    """
    found: dict[tuple[bytes, CheckList], JudgeUse] = {}
    for case in suite.cases:
        lists: tuple[tuple[CheckList, tuple[Check, ...]], ...] = (
            ("expect", case.expect),
            ("forbid", case.forbid),
        )
        for in_list, checks in lists:
            for check in checks:
                for use in _uses(check, in_list, graders):
                    key = (msgspec.json.encode(use.check), use.in_list)
                    found.setdefault(key, use)
    return list(found.values())


def _uses(
    check: Check, in_list: CheckList, graders: Mapping[str, type[Grader]]
) -> Iterator[JudgeUse]:
    if is_judge(check, graders):
        yield JudgeUse(msgspec.structs.replace(check, turn=None), in_list)
    for inner in check.checks:
        yield from _uses(inner, "expect", graders)


def is_judge(check: Check, graders: Mapping[str, type[Grader]]) -> bool:
    """Whether a check asks a judge."""
    kind = graders.get(check.grader)
    return kind is not None and issubclass(kind, Judge)


def chosen_use(uses: Sequence[JudgeUse], label: str | None) -> JudgeUse:
    """Return the use of that label, or the only one. Raises InputError where there is none."""
    labels = list(dict.fromkeys(use.label for use in uses))
    if not uses:
        raise InputError("no check of the suite asks a judge")
    if label is None:
        if len(uses) == 1:
            return uses[0]
        listed = "; ".join(labels)
        raise InputError(
            f"the suite has {len(uses)} checks that ask a judge", hint=f"--check: {listed}"
        )
    named = [use for use in uses if use.label == label]
    if not named:
        hint = did_you_mean(label, labels) or f"there are: {'; '.join(labels)}"
        raise InputError(f"no check that asks a judge has the label '{label}'", hint=hint)
    if len(named) > 1:
        raise InputError(f"{len(named)} different checks have the label '{label}'")
    return named[0]


def check_judge(
    use: JudgeUse,
    examples: Sequence[Example],
    graders: Mapping[str, type[Grader]],
    settings: GradingSettings,
    *,
    minimums: Minimums,
    pass_from: PassFrom | None = None,
    rate: tuple[int, int] | None = None,
    concurrency: int = 8,
    told: Callable[[int], None] = lambda _: None,
) -> JudgeCheck:
    """Ask the check about every example and compare it with people.

    `rate` are the judge's passes elsewhere, as (passes, of how many), which are corrected. `told`
    is called with the number of examples that are done. Raises InputError where the judge cannot
    be asked, or where no label can be had of the examples.
    """
    kind = cast("type[Judge]", graders[use.check.grader])
    try:
        kind.require(use.check.args)
        kind.require_settings(use.check.args, settings)
        ready = make_ready(use.check, use.in_list, graders, settings)
    except InputError as error:
        error.place = Place(path=use.label)
        raise
    labels = Labels(use, pass_from)
    labels.refuse_bad_scores(examples)
    verdicts = run_to_end(lambda: _ask_all(ready, examples, settings, concurrency, told))
    compared: list[Compared] = []
    unlabelled = 0
    for example, verdict in zip(examples, verdicts, strict=True):
        for dimension, label in labels.of(example).items():
            if label is None:
                unlabelled += 1
                continue
            compared.append(_compared(example, verdict, dimension, label))
    whole, dimensions = of_comparisons(compared)
    exit_code, why = decided(whole, dimensions, minimums)
    own = [use.check.args.get("model"), *sequence(use.check.args.get("models"))]
    return JudgeCheck(
        check=use.label,
        grader=use.check.grader,
        models=models_of(settings, [name for name in own if isinstance(name, str)]),
        examples=len(examples),
        unlabelled=unlabelled,
        whole=whole,
        dimensions=dimensions,
        disagreements=disagreements(compared),
        split_votes=sum(judges_disagree(verdict.judged) for verdict in verdicts),
        rate=corrected_elsewhere(whole, rate),
        usage=usage_of(reply for verdict in verdicts for reply in verdict.judged),
        exit_code=exit_code,
        why=why,
    )


async def _ask_all(
    ready: ReadyCheck,
    examples: Sequence[Example],
    settings: GradingSettings,
    concurrency: int,
    told: Callable[[int], None],
) -> list[CheckVerdict]:
    threads, places, done = DaemonThreads(), asyncio.Semaphore(concurrency), 0

    async def ask(example: Example) -> CheckVerdict:
        nonlocal done
        async with places:
            verdict = await threads.call(lambda: judge(ready, _view(example, settings)))
        done += 1
        told(done)
        return verdict

    try:
        return list(await asyncio.gather(*(ask(example) for example in examples)))
    finally:
        threads.close()


def _view(example: Example, settings: GradingSettings) -> TrialView:
    case = Case(id=example.id, input=example.input, reference=example.reference)
    outcome = Outcome(output=example.output)
    return TrialView(
        case=case, transcript=Transcript(case=case.id, outcome=outcome), settings=settings
    )


def _compared(example: Example, verdict: CheckVerdict, dimension: str, label: Label) -> Compared:
    replies = final_replies(verdict.judged, dimension) if dimension else []
    if dimension:
        answer = tally([reply.means for reply in replies]).means if replies else "error"
    else:
        answer = "error" if verdict.result == "skipped" else verdict.result
    levels = ", ".join(reply.answer or reply.problem for reply in replies)
    return Compared(
        example=example.id,
        label=label,
        answer=answer,
        dimension=dimension,
        reason=f"{dimension}: {levels}" if dimension else verdict.reason,
        output=shortened(_text(example.output), _OUTPUT_SHOWN),
    )


def _text(output: Any) -> str:
    return str(text_of(output))


def rate_of_run(run: RunReader, label: str) -> tuple[int, int]:
    """Return the passes of a check in a run, and of how many verdicts. What could not be decided
    is no pass. Raises InputError where the run has no such check.
    """
    passes = total = 0
    for record in run.records():
        for verdict in record.verdicts:
            if verdict.label == label and verdict.result != "skipped":
                total += 1
                passes += verdict.result == "pass"
    if not total:
        raise InputError(f"{run.folder} has no verdict of the check '{label}'")
    return passes, total
