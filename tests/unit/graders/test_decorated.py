"""@grader: functions made into graders."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest

from probare.graders import CORE
from probare.graders.catalogue_page import catalogue_rows
from probare.graders.decorated import grader
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.outcome import Outcome, Transcript
from probare.model.verdict import CheckVerdict, Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView

SETTINGS = GradingSettings()


@grader
def polite(text: str, *, words: list[str] = ["please"], strict: bool = False) -> bool:  # noqa: B006
    """The text asks politely.

    One of the words is enough.
    """
    return any(word in (text if strict else text.lower()) for word in words)


@grader("as_long_as", version="3", looks_at="$output", blocking=False)
def measured(seen: Any, at_least: int, *, unit: Literal["chars", "words"] = "chars") -> Any:
    size = len(seen if unit == "chars" else seen.split())
    return min(1.0, size / at_least), f"{size} {unit}"


@grader("quick", blocking=False)
async def in_time(trial: TrialView, *, limit_ms: float = 100.0) -> Verdict:
    assert trial.duration_ms is not None
    return Verdict("pass" if trial.duration_ms <= limit_ms else "fail")


@grader
def plain(text: str) -> bool:
    return text.isascii()


def asked(kind: type[Grader], output: Any, args: dict[str, Any], **beside: Any) -> CheckVerdict:
    check = Check(grader=kind.NAME, args=args, **beside)
    trial = TrialView(
        case=Case(id="c"),
        transcript=Transcript(case="c", outcome=Outcome(output=output)),
        duration_ms=50.0,
        settings=SETTINGS,
    )
    return judge(make_ready(check, "expect", {kind.NAME: kind}, SETTINGS), trial)


def test_the_function_becomes_a_grader_class() -> None:
    assert issubclass(polite, Grader)
    assert (polite.NAME, polite.VERSION, polite.MAIN) == ("polite", "1", "words")
    assert (polite.LOOKS_AT, polite.BLOCKING, polite.SCOPE) == ("$text", True, "trial")
    assert (polite.__module__, polite.__name__) == (__name__, "polite")
    assert polite.NAME not in {kind.NAME for kind in CORE}


def test_the_function_itself_stays_at_hand() -> None:
    assert polite.FUNCTION("Please") is True  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_it_judges() -> None:
    assert asked(polite, "Please go", {}).result == "pass"
    assert asked(polite, "Please go", {"strict": True}).result == "fail"
    assert asked(polite, "bitte", {"words": ["bitte"]}).result == "pass"


def test_scores_reasons_and_thresholds() -> None:
    verdict = asked(measured, "ab", {"at_least": 4})
    assert (verdict.result, verdict.score, verdict.reason) == ("fail", 0.5, "2 chars")
    assert asked(measured, "ab", {"at_least": 4}, threshold=0.5).result == "pass"
    assert verdict.grader_version == "3"


def test_one_that_names_the_trial_first_looks_at_it_alone() -> None:
    assert in_time.LOOKS_AT is None
    assert in_time.BLOCKING
    assert asked(in_time, "x", {}).result == "pass"
    assert asked(in_time, "x", {"limit_ms": 10}).result == "fail"


def test_the_trial_may_be_asked_for_besides() -> None:
    @grader
    def about(text: str, trial: TrialView, *, wanted: str) -> bool:
        return trial.case.id == wanted

    assert about.MAIN == "wanted"
    assert asked(about, "x", {"wanted": "c"}).result == "pass"


def test_one_without_arguments_takes_none() -> None:
    assert plain.MAIN is None
    assert plain.BLOCKING
    assert asked(plain, "naïve", {}).result == "fail"


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        (polite, {"strict": "yes"}),
        (polite, {"strickt": True}),
        (polite, {"words": "please"}),
        (measured, {}),
        (measured, {"at_least": 1, "unit": "lines"}),
    ],
)
def test_arguments_are_checked_by_their_types(kind: type[Grader], args: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(args, kind)


def test_mutable_defaults_are_not_shared() -> None:
    first: Any = msgspec.convert({}, polite)
    first.words.append("bitte")
    assert msgspec.convert({}, polite) != first
    assert asked(polite, "bitte", {}).result == "fail"


def test_its_docstring_is_its_page() -> None:
    page, other = catalogue_rows({"polite": polite, "plain": plain})
    assert page.summary == "The text asks politely."
    assert page.text.endswith("One of the words is enough.")
    assert [argument.default for argument in page.arguments] == ['["please"]', "false"]
    assert other.summary == "The function plain says whether it holds."


def variadic(text: str, *words: str) -> bool:
    return text in words


def open_ended(text: str, **words: str) -> bool:
    return text in words


def no_parameter() -> bool:
    return True


def by_name_only(*, text: str) -> bool:
    return bool(text)


def shadowing(text: str, *, grade: int) -> bool:
    return bool(text)


def untyped(text: str, *, wanted: NoSuchType) -> bool:  # type: ignore[name-defined]  # noqa: F821 # pyright: ignore
    return bool(text)


REFUSED: list[tuple[Any, str]] = [
    (variadic, r"no \*words"),
    (open_ended, r"no \*words"),
    (no_parameter, "takes no parameter"),
    (by_name_only, "by position"),
    (shadowing, "cannot be named 'grade'"),
    (untyped, "type cannot be found"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED)
def test_functions_that_cannot_be_graders(function: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        grader(function)


@pytest.mark.parametrize("name", ["not", "any_of", "label", "in", "threshold", "Polite", "a b", ""])
def test_names_that_cannot_be_written_in_a_check(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        grader(name)(no_parameter)


def test_what_it_looks_at_is_a_placeholder() -> None:
    with pytest.raises(ValueError, match="looks_at"):
        grader("fine", looks_at="output")(variadic)


def test_only_the_types_of_arguments_are_looked_up() -> None:
    def sees(text: str, trial: TrialView, *, least: int = 1) -> bool:
        return len(text) >= least

    sees.__annotations__.update(trial="OnlyForTypeCheckers", **{"return": "NotThereEither"})
    made = grader(sees)
    with pytest.raises(msgspec.ValidationError, match="Expected `int`"):
        msgspec.convert({"least": "1"}, made)
