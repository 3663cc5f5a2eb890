"""The grader `python`: a suite's own functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.graders.python import Python
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.outcome import Outcome, Transcript
from probare.model.verdict import CheckVerdict
from probare.ports.grader import GradingSettings, TrialView

MODULE = """
import asyncio

LIMIT = 3

def polite(text, *, word="please", strict=False):
    return word in (text if strict else text.lower())

async def slow(text):
    await asyncio.sleep(0)
    return 0.7

def case_id(text, trial, *, wanted):
    return trial.case.id == wanted, "saw " + trial.case.id

def nothing(text):
    pass

def breaks(text):
    raise RuntimeError("no such luck")

def picky(text, *, function, trial_id=None):
    return function == text

class Judge:
    def __call__(self, text):
        return len(text) > LIMIT

judge = Judge()
"""


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    name = f"checks_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    settings = GradingSettings(folder=tmp_path)

    def ask(function: str, output: Any = "Please.", **beside: Any) -> CheckVerdict:
        args = {"function": f"{name}:{function}", **beside.pop("args", {})}
        check = Check(grader="python", args=args, threshold=beside.pop("threshold", None))
        transcript = Transcript(case="c", outcome=Outcome(output=output))
        trial = TrialView(case=Case(id="c"), transcript=transcript, settings=settings)
        where = beside.pop("where", "expect")
        return judge(make_ready(check, where, {"python": Python}, settings), trial)

    return ask


def test_arguments_stand_beside_the_function(ask: Any) -> None:
    assert ask("polite").result == "pass"
    assert ask("polite", args={"strict": True}).result == "fail"
    assert ask("polite", args={"strict": True, "word": "Please"}).result == "pass"
    assert ask("polite", args={"word": "$input.word"}).result == "error"
    assert ask("polite", args={"word": "$text", "strict": True}).result == "pass"


def test_arguments_may_stand_inside(ask: Any) -> None:
    assert ask("polite", args={"kwargs": {"strict": True}}).result == "fail"
    assert ask("picky", "f", args={"kwargs": {"function": "f"}}).result == "pass"


def test_an_argument_that_the_function_lacks_is_an_error(ask: Any) -> None:
    verdict = ask("polite", args={"strickt": True})
    assert verdict.result == "error"
    assert "strickt" in verdict.reason


def test_the_trial_is_given_to_who_names_it(ask: Any) -> None:
    verdict = ask("case_id", args={"wanted": "c"})
    assert (verdict.result, verdict.reason) == ("pass", "saw c")


def test_a_score_passes_from_the_threshold_on(ask: Any) -> None:
    assert ask("slow").result == "fail"
    assert ask("slow", threshold=0.7).result == "pass"
    assert ask("slow", threshold=0.8).result == "fail"


def test_an_instance_may_be_called(ask: Any) -> None:
    assert ask("judge").result == "pass"


@pytest.mark.parametrize("where", ["expect", "forbid"])
@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("nothing", "returned nothing (None)"),
        ("breaks", "RuntimeError: no such luck"),
        ("LIMIT", "cannot be called"),
        ("polight", "did you mean 'polite'"),
    ],
)
def test_what_cannot_judge_never_passes(ask: Any, function: str, said: str, where: str) -> None:
    verdict = ask(function, where=where)
    assert verdict.result == "error"
    assert said in verdict.reason


def test_a_module_that_is_not_there_is_an_error() -> None:
    trial = TrialView(
        case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings()
    )
    with pytest.raises(Exception, match="no module 'no_such_module'"):
        Python(function="no_such_module:f").grade("x", trial)


@pytest.mark.parametrize(
    "reference", ["polite", ":polite", "checks:", "", "my checks:polite", "a:b:c"]
)
def test_what_names_no_function_is_refused_at_load(reference: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="module:function"):
        msgspec.convert({"function": reference}, Python)
