from typing import Any

import msgspec
import pytest

from probare.graders.numbers import Number
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.verdict import Verdict
from probare.ports.grader import GradingSettings, TrialView

TRIAL = TrialView(case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings())


def grade(seen: Any, equals: float | str, **args: Any) -> Verdict:
    return msgspec.convert({"equals": equals, **args}, Number).grade(seen, TRIAL)


def result(seen: Any, equals: float | str, **args: Any) -> str:
    return grade(seen, equals, **args).result


@pytest.mark.parametrize(
    ("target", "output", "verdict"),
    [
        (5, "The answer is 25", "fail"),
        (-5, "5", "fail"),
        (5, "-5", "fail"),
        (3.14, "33.14", "fail"),
        ("1e3", "1000", "pass"),
        (1000, "1e3", "pass"),
        (10, "You have 2100 points", "fail"),
        ("1,000", "total is 1,000", "pass"),
        (460, "\\$400 + \\$60 = \\$460\nANSWER: \\$460", "pass"),
        ("\\$460", "ANSWER: $460", "pass"),
        (42, "The answer is 42!", "pass"),
        (42, "(42).", "pass"),
        (42, "[42]", "pass"),
        (42, "42abc", "fail"),
        (42, "", "fail"),
        (0.1, "it is 0.10", "pass"),
        (-5, "\u22125", "pass"),
        (20, "20mg", "pass"),
    ],
)
def test_reported_cases(target: float | str, output: str, verdict: str) -> None:
    assert result(output, target) == verdict


PERCENT = "20% of 100 ... The answer is 20%"


def test_a_percentage_is_taken_only_where_the_unit_says_so() -> None:
    assert result(PERCENT, 20, unit="percent") == "pass"
    assert result(PERCENT, 0.2, unit="fraction") == "pass"
    assert result(PERCENT, 20, unit="fraction") == "fail"
    assert result(PERCENT, 0.2, unit="percent") == "fail"
    verdict = grade(PERCENT, 20)
    assert verdict.result == "fail"
    assert "'20%', a percentage (say `unit: percent`" in verdict.reason


@pytest.mark.parametrize("unit", ["raw", "percent", "fraction"])
def test_an_earlier_number_never_stands_in_for_the_last(unit: str) -> None:
    assert result(PERCENT, 100, unit=unit) == "fail"
    assert result("It was 40. Now: 42abc", 40, unit=unit) == "fail"


def test_bare_numbers_are_in_the_unit_already() -> None:
    assert result("20", 20, unit="percent") == "pass"
    assert result("0.2", 0.2, unit="fraction") == "pass"
    assert result("7%", 0.07, unit="fraction") == "pass"
    assert result("0.7%", 0.007, unit="fraction") == "pass"


def test_a_target_may_be_a_percentage_with_a_unit() -> None:
    assert result("0.2", "20%", unit="fraction") == "pass"
    with pytest.raises(msgspec.ValidationError, match="is a percentage"):
        msgspec.convert({"equals": "20%"}, Number)


@pytest.mark.parametrize(
    "equals", ["", "many", "1 and 2", "42abc", float("nan"), float("inf"), True, None]
)
def test_a_target_that_is_no_number_is_a_load_error(equals: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"equals": equals}, Number)


def test_tolerance_is_absolute_and_relative() -> None:
    assert result("10.3", 10, tolerance=0.3) == "pass"
    assert result("10.31", 10, tolerance=0.3) == "fail"
    assert result("103", 100, relative=0.03) == "pass"
    assert result("104", 100, relative=0.03) == "fail"
    assert result("-103", -100, relative=0.03) == "pass"
    assert result("0.3", 0.1, tolerance=0.2) == "pass"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"equals": 1, "tolerance": -1}, Number)


def test_which_number() -> None:
    text = "First 1, then 2, last 3."
    assert [result(text, n, which="first") for n in (1, 2, 3)] == ["pass", "fail", "fail"]
    assert [result(text, n) for n in (1, 2, 3)] == ["fail", "fail", "pass"]
    assert [result(text, n, which="any") for n in (1, 2, 3, 4)] == ["pass", "pass", "pass", "fail"]
    assert result(text, 3, which="only") == "fail"
    assert result("Just 3.", 3, which="only") == "pass"
    assert result("3 or 42abc", 3, which="only") == "fail"


def test_dates_and_names_are_passed_over() -> None:
    assert result("The answer is 42 (GPT-4, 2024-05-20, v1.2.3)", 42) == "pass"
    assert result("The answer is 42 (GPT-4, 2024-05-20, v1.2.3)", 42, which="only") == "pass"


@pytest.mark.parametrize(
    ("seen", "verdict"),
    [
        (12, "pass"),
        (12.0, "pass"),
        (True, "fail"),
        (1, "fail"),
        ([1, 12], "pass"),
        ({"a": "12"}, "pass"),
        ([12, False, None], "pass"),
    ],
)
def test_json_values(seen: Any, verdict: str) -> None:
    assert result(seen, 12) == verdict


def test_true_is_not_one() -> None:
    assert result(True, 1) == "fail"
    assert result({"a": True}, 1) == "fail"


def test_reasons_label_expected_and_got() -> None:
    assert grade("The answer is 25", 5).reason == "expected 5, got the last number '25'"
    assert (
        grade("about 1,234", 5).reason == "expected 5, got the last number '1,234' (read as 1234)"
    )
    assert grade("none", 5).reason == "expected 5, got no number in 'none'"
    assert grade("1 or 2", 5, which="any", tolerance=1).reason == (
        "expected 5 (± 1) among the numbers, got 1, 2"
    )
    assert grade("42abc", 42).reason == (
        "expected 42, got the last number '42abc', which cannot be read as one number"
    )
    assert grade("it is 1,000", 1000).reason == (
        "the last number '1,000' (read as 1000) equals 1000"
    )


def test_spans_point_at_the_number_in_the_original_text() -> None:
    text = "co\u00adst: \u22121\u00a0000 EUR"
    (span,) = grade(text, -1000).spans
    assert text[span.start : span.end] == "\u22121\u00a0000 EUR"
