from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from msgspec import UNSET

from probare.errors import InputError
from probare.model.case import Case, Check
from probare.model.event import Usage
from probare.model.outcome import Outcome, Stop, Transcript
from probare.model.record import TranscriptRef, TrialError
from probare.model.suite import JudgeSettings, Suite
from probare.model.verdict import CheckVerdict, Verdict
from probare.pipeline import assessing
from probare.pipeline.assessing import OUTPUT_TEXT_CAP, Assessor, as_record, output_text
from probare.pipeline.catalogue import BuiltCatalogue
from probare.ports.grader import Grader, TrialView, holds
from probare.running.attempts import Ended, PlannedTrial
from probare.running.threads import DaemonThreads
from probare.testing.fakes import FakeModels

RELEASE = threading.Event()


class Where(Grader, frozen=True, kw_only=True):
    """Passes, and says on which thread it was asked."""

    NAME: ClassVar[str] = "where"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        return holds(True, threading.current_thread().name)


class WhereBlocking(Where, frozen=True, kw_only=True):
    """The same, where it may take long."""

    NAME: ClassVar[str] = "where_blocking"
    BLOCKING: ClassVar[bool] = True


class Hangs(Grader, frozen=True, kw_only=True):
    """Does not answer."""

    NAME: ClassVar[str] = "hangs"
    BLOCKING: ClassVar[bool] = True

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        RELEASE.wait(30)
        return holds(True, "at last")


@pytest.fixture
def release() -> Iterator[None]:
    """Let hung graders go at the end of the test."""
    RELEASE.clear()
    yield
    RELEASE.set()


Assess = Callable[..., tuple[tuple[CheckVerdict, ...], tuple[str, ...]]]


def assessor(folder: Path) -> Assessor:
    own: list[type[Grader]] = [Where, WhereBlocking, Hangs]
    return Assessor(Suite(name="s"), folder, BuiltCatalogue(own).graders, "observed")


def ended(
    case: Case, output: Any = "out", *, stop: Stop = "completed", error: TrialError | None = None
) -> Ended:
    return Ended(
        planned=PlannedTrial(case, 3, 1.0, 0),
        transcript=Transcript(
            case=case.id,
            trial=3,
            events=(Usage(input_tokens=2, output_tokens=1),),
            outcome=Outcome(output=output),
        ),
        stop=stop,
        error=error,
        attempts=1,
        started=0.5,
        duration_ms=12.5,
        first_token_ms=None,
    )


@pytest.fixture
def assess(tmp_path: Path) -> Assess:
    """Judge one trial of a case; return the verdicts, and the threads that hang."""

    def call(case: Case) -> tuple[tuple[CheckVerdict, ...], tuple[str, ...]]:
        async def main() -> tuple[tuple[CheckVerdict, ...], tuple[str, ...]]:
            threads = DaemonThreads()
            judge = assessor(tmp_path)
            try:
                verdicts = await judge.verdicts(judge.view(case, ended(case)), threads)
                return verdicts, threads.hung
            finally:
                threads.close()

        return asyncio.run(main())

    return call


def test_a_grader_that_may_take_long_is_asked_on_a_thread(assess: Assess) -> None:
    case = Case(id="c", expect=(Check(grader="where"), Check(grader="where_blocking")))
    verdicts, _ = assess(case)
    names = [verdict.reason for verdict in verdicts]
    assert names[0] == threading.current_thread().name
    assert names[1].startswith("probare-")


@pytest.mark.usefixtures("release")
def test_a_grader_that_hangs_is_an_error_and_its_thread_is_named(
    assess: Assess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assessing, "GRADING_SECONDS", 0.05)
    case = Case(id="c", expect=(Check(grader="where"),), forbid=(Check(grader="hangs"),))
    verdicts, hung = assess(case)
    assert [verdict.result for verdict in verdicts] == ["pass", "error"]
    assert verdicts[1].reason == "the grader did not answer within 0.05 s"
    assert (verdicts[1].grader, verdicts[1].list) == ("hangs", "forbid")
    assert len(hung) == 1


def test_verdicts_stand_in_the_order_of_the_checks(assess: Assess) -> None:
    case = Case(
        id="c",
        expect=(Check(grader="contains", args={"text": "out"}), Check(grader="where_blocking")),
        forbid=(Check(grader="contains", args={"text": "out"}),),
    )
    verdicts, _ = assess(case)
    assert [(v.grader, v.list, v.result) for v in verdicts] == [
        ("contains", "expect", "pass"),
        ("where_blocking", "expect", "pass"),
        ("contains", "forbid", "fail"),
    ]


def test_one_check_under_expect_and_forbid_is_two(assess: Assess) -> None:
    check = Check(grader="contains", args={"text": "out"})
    verdicts, _ = assess(Case(id="c", expect=(check,), forbid=(check,)))
    assert [verdict.result for verdict in verdicts] == ["pass", "fail"]


def test_many_checks_are_judged_rightly_though_few_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assessing, "_CACHED_CHECKS", 2)

    async def main() -> list[str]:
        threads, judge = DaemonThreads(), assessor(tmp_path)
        found: list[str] = []
        for number in [*range(6), *range(6)]:
            check = Check(grader="equals", args={"value": number})
            case = Case(id="c", expect=(check,))
            verdicts = await judge.verdicts(judge.view(case, ended(case, number)), threads)
            found += [verdict.result for verdict in verdicts]
        threads.close()
        return found

    assert asyncio.run(main()) == ["pass"] * 12


def test_the_record_of_a_trial() -> None:
    case = Case(id="c")
    reference = TranscriptRef(5, 6, "ab")
    error = TrialError("Timeout", "too long")
    record = as_record(ended(case, stop="timeout", error=error), (), reference)
    assert (record.case, record.trial, record.stop, record.status) == ("c", 3, "timeout", "errored")
    assert record.started == "1970-01-01T00:00:00.500+00:00"
    assert record.transcript == reference
    assert record.error == error
    assert record.usage is not None
    assert (record.usage.total_tokens, record.usage.cost_usd) == (3, None)
    assert record.output_text == "out"
    salts = {as_record(ended(case), (), reference).salt for _ in range(600)}
    assert len(salts) == 600
    assert all(len(bytes.fromhex(salt)) == 16 for salt in salts)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (UNSET, None),
        (None, None),
        ("", ""),
        (0, "0"),
        (False, "false"),
        ({"text": "a", "b": 1}, "a"),
        ([1], "[1]"),
        ("x" * OUTPUT_TEXT_CAP, "x" * OUTPUT_TEXT_CAP),
        ("x" * (OUTPUT_TEXT_CAP + 5), "x" * OUTPUT_TEXT_CAP + "… [5 more characters]"),
    ],
)
def test_the_output_text_of_a_record(output: Any, text: str | None) -> None:
    """Field report B04: no output is not the text null, and falsy outputs are outputs."""
    assert output_text(Outcome(output=output)) == text


class TestRefusingBeforeAnythingRuns:
    @pytest.mark.parametrize(
        ("check", "message"),
        [
            (Check(grader="gone"), "there is no grader 'gone'"),
            (Check(grader="contains", args={"txt": "a"}), "case 'c', contains: a: .*`txt`"),
            (Check(grader="not", checks=(Check(grader="gone"),)), "there is no grader 'gone'"),
            (Check(grader="where", transform="nowhere_at_all:f"), "no module 'nowhere_at_all'"),
        ],
    )
    def test_what_cannot_be_made_ready(self, check: Check, message: str, tmp_path: Path) -> None:
        for case in (Case(id="c", expect=(check,)), Case(id="c", forbid=(check,))):
            with pytest.raises(InputError, match=message):
                assessor(tmp_path).refuse_unready([case])

    def test_code_only(self, tmp_path: Path) -> None:
        inner = Check(grader="where", transform="nowhere_at_all:f")
        case = Case(id="c", expect=(Check(grader="not", checks=(inner,)),))
        with pytest.raises(InputError, match="no module"):
            assessor(tmp_path).refuse_unready([case], code_only=True)
        assessor(tmp_path).refuse_unready(
            [Case(id="c", expect=(Check(grader="gone"),))], code_only=True
        )


class TakesItsTime(Hangs, frozen=True, kw_only=True):
    """Says how long it may take."""

    NAME: ClassVar[str] = "takes_its_time"
    SECONDS: ClassVar[float | None] = 0.05


def test_a_grader_may_have_a_time_of_its_own(tmp_path: Path, release: None) -> None:
    async def main() -> CheckVerdict:
        graders = BuiltCatalogue([TakesItsTime]).graders
        threads, judge = DaemonThreads(), Assessor(Suite(name="s"), tmp_path, graders, "observed")
        case = Case(id="c", expect=(Check(grader="takes_its_time"),))
        (verdict,) = await judge.verdicts(judge.view(case, ended(case)), threads)
        threads.close()
        return verdict

    verdict = asyncio.run(main())
    assert (verdict.result, "within 0.05 s" in verdict.reason) == ("error", True)


@pytest.mark.parametrize("within", [False, True])
def test_judges_are_made_ready_with_the_suite(tmp_path: Path, within: bool) -> None:
    judge = Check(grader="judge", args={"rubric": "kind?"})
    check = Check(grader="not", checks=(judge,)) if within else judge
    case = Case(id="c", expect=(check,))
    optional = Case(id="c", expect=(msgspec.structs.replace(check, required=False),))
    chat = FakeModels(missing={"fake:away": "FAKE_KEY"})

    def ready(case: Case, settings: JudgeSettings | None, *models: str) -> None:
        suite = Suite(name="s", judge=settings)
        graders = BuiltCatalogue().graders
        made = Assessor(suite, tmp_path, graders, "observed", chat=chat, judge_models=models)
        made.refuse_unready([case])

    with pytest.raises(InputError, match=r"case 'c', judge: kind\?.*none is set"):
        ready(case, None)
    ready(optional, None)
    ready(case, JudgeSettings(models=("fake:here",)))
    ready(case, JudgeSettings(models=("fake:away",)), "fake:here")
    for away in (case, optional):
        with pytest.raises(InputError, match="FAKE_KEY"):
            ready(away, JudgeSettings(models=("fake:here",)), "fake:away")
