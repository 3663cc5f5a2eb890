"""What is told of a case that did not pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from probare import Case
from probare.testing import CaseResult

Asked = Callable[..., CaseResult]


def echo(input: Any) -> Any:  # noqa: A002
    return input


def told(asked: Asked, output: Any, *expect: Any, **more: Any) -> list[str]:
    case = Case(id="a", input=output, expect=list(expect), **more)
    return asked(case, target=echo).explain().splitlines()


def test_a_passed_case_is_one_line(probare_run: Asked) -> None:
    assert told(probare_run, "hi", {"equals": "hi"}) == ["a: passed"]


def test_values_over_several_lines_are_shown_as_a_diff(probare_run: Asked) -> None:
    lines = told(probare_run, {"b": 2, "a": [1, 3]}, {"equals": {"value": {"a": [1, 2], "b": 2}}})
    start = lines.index("      --- expected")
    assert lines[start : start + 9] == [
        "      --- expected",
        "      +++ replied",
        "      @@ -2,5 +2,5 @@",
        '         "a": [',
        "           1,",
        "      -    2",
        "      +    3",
        "         ],",
        '         "b": 2',
    ]


def test_texts_over_several_lines_are_shown_as_a_diff(probare_run: Asked) -> None:
    lines = told(probare_run, "one\ntwo", {"equals": "one\n2"})
    assert [line.strip() for line in lines if line.strip()[:1] in "-+"] == [
        "--- expected",
        "+++ replied",
        "-2",
        "+two",
    ]


@pytest.mark.parametrize(
    "check",
    [
        {"equals": "two"},
        {"not": {"equals": "one"}},
        {"contains": "two\nthree"},
        {"equals": {"value": "$reference", "ignore_case": True}},
    ],
)
def test_what_stands_on_one_line_or_is_no_value_has_no_diff(
    probare_run: Asked, check: dict[str, Any]
) -> None:
    assert not any(
        "--- expected" in line for line in told(probare_run, "one", check, reference="a\nb")
    )


def test_a_long_reply_is_cut(probare_run: Asked) -> None:
    lines = told(probare_run, "x\n" * 5_000, {"contains": "y"})
    replied = [line for line in lines if line.startswith("    | ")]
    assert len(replied) == 13
    assert replied[-1] == "    | …"
    assert max(map(len, lines)) < 600


def test_a_reply_cannot_steer_the_terminal(probare_run: Asked) -> None:
    text = "\n".join(told(probare_run, "\x1b[2J\u202egone", {"contains": "y"}))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"\x1b[2J" in text


def test_an_optional_check_says_so_and_never_leads(probare_run: Asked) -> None:
    optional = {"contains": {"text": "x", "required": False}}
    lines = told(probare_run, "one", optional, {"contains": "two"})
    assert lines[0].startswith("a: failed: expect contains: two:")
    assert any("fail: expect contains: x (not required): " in line for line in lines)


def test_description_and_label_are_told(probare_run: Asked) -> None:
    check = {"contains": {"text": "two", "label": "says two"}}
    lines = told(probare_run, "one", check, description="It should say two.")
    assert lines[0].startswith("a: failed: expect says two (contains): ")
    assert lines[1] == "  It should say two."


def test_a_case_wide_failure_is_told(probare_run: Asked) -> None:
    count = iter(range(9))
    case = Case(id="a", expect=["identical_traces"])

    def agent(recorder: Any) -> str:
        recorder.note(str(next(count)))
        return "x"

    lines = probare_run(case, target=agent).explain().splitlines()
    assert lines[0].startswith("a: failed (")
    assert "expect identical_traces: " in lines[0]
    assert any(line.startswith("  all trials: fail: expect identical_traces") for line in lines)


def test_many_trials_are_told_in_part(probare_run: Asked) -> None:
    case = Case(id="a", input="x", expect=[{"contains": "y"}])
    lines = probare_run(case, target=echo, trials=8).explain().splitlines()
    assert lines[0].startswith("a: failed (0 of 8 trials passed): ")
    assert sum(line.startswith("  trial ") for line in lines) == 5
    assert lines[-1] == "  … and 3 trials more"


def test_trials_that_did_not_run_are_told(probare_run: Asked) -> None:
    def agent(recorder: Any) -> str:
        recorder.usage(cost_usd=1.0)
        return "x"

    case = Case(id="a", expect=[{"contains": "x"}])
    result = probare_run(case, target=agent, trials=40, limits={"cost": 2.0})
    assert result.status == "errored"
    left = 40 - len(result.trials)
    assert result.explain().endswith(f"  {left} trials did not run")
