from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError
from probare.grading.judging import judge, judge_case
from probare.grading.ready import label_of, make_ready
from probare.model.case import Case, Check
from probare.model.event import Artifact, Message, StateChange, ToolCall
from probare.model.verdict import Result
from probare.ports.grader import GradingSettings

STOPS = ("timeout", "limit", "target_error", "infra_error")
CALL = ToolCall(name="delete", source="observed")
CLAIM = ToolCall(name="delete", source="claimed")


def says(result: Result, score: float | None = None, **more: Any) -> Check:
    return Check(grader="says", args={"result": result, "score": score}, **more)


class TestRecord:
    def test_a_verdict_is_stamped_with_its_check(self, ready: Any, view: Any) -> None:
        check = says("pass", 1.0, label="told", weight=2.5, required=False)
        verdict = judge(ready(check, "forbid"), view("x"))
        assert verdict.label == "told"
        assert (verdict.grader, verdict.grader_version) == ("says", "7")
        assert (verdict.list, verdict.weight, verdict.required) == ("forbid", 2.5, False)
        assert (verdict.result, verdict.score) == ("fail", 0.0)
        assert [(span.start, span.end) for span in verdict.spans] == [(0, 1)]

    @pytest.mark.parametrize(
        ("check", "label"),
        [
            (Check(grader="contains", args={"text": "hi"}), "contains: hi"),
            (Check(grader="is_json"), "is_json"),
            (Check(grader="tool_called", args={"name": "a", "times": 2}), "tool_called: a, 2"),
            (Check(grader="x", args={"y": "z" * 80}), "x: " + "z" * 57 + "…"),
            (Check(grader="x", args={"y": ["\ud800"]}), 'x: ["\\\\ud800"]'),
            (Check(grader="x", label="mine"), "mine"),
            (
                Check(grader="not", checks=(Check(grader="contains", args={"text": "a"}),)),
                "not(contains: a)",
            ),
        ],
    )
    def test_labels(self, check: Check, label: str) -> None:
        assert label_of(check) == label


class TestPlaceholders:
    def test_arguments_and_in_are_filled(self, ready: Any, view: Any) -> None:
        case = Case(id="c", input={"n": 5, "t": "5"})
        check = Check(grader="is", args={"value": "$input.n"}, look_in="$output.a[0]")
        assert judge(ready(check), view({"a": [5]}, case=case)).result == "pass"
        assert judge(ready(check), view({"a": ["5"]}, case=case)).result == "fail"

    def test_escaped_dollars_in_literal_arguments(self, ready: Any, view: Any) -> None:
        check = Check(grader="is", args={"value": ["$$x", {"k": "$$$y"}, "$5"]})
        assert judge(ready(check), view(["$x", {"k": "$$y"}, "$5"])).result == "pass"

    def test_a_mixture_of_escaped_and_filled(self, ready: Any, view: Any) -> None:
        check = Check(grader="is", args={"value": ["$input.n", "$$x"]})
        assert judge(ready(check), view([1, "$x"])).result == "pass"

    def test_the_output_cannot_smuggle_a_placeholder_in(self, ready: Any, view: Any) -> None:
        """Field report B88."""
        check = Check(grader="is", args={"value": "$output"})
        assert judge(ready(check), view("$input.n")).result == "pass"

    @pytest.mark.parametrize("in_list", ["expect", "forbid"])
    @pytest.mark.parametrize(
        ("check", "reason"),
        [
            (Check(grader="is", args={"value": "$input.gone"}), "has no key 'gone'"),
            (Check(grader="is", args={"value": 1}, look_in="$state"), "$state does not exist"),
            (Check(grader="text", args={"text": "$input.n"}), "argument of the wrong type"),
            (Check(grader="is", args={"value": "$nothing"}), "$nothing does not exist"),
        ],
    )
    def test_an_absent_value_is_an_error_on_either_side(
        self, check: Check, reason: str, in_list: Any, ready: Any, view: Any
    ) -> None:
        verdict = judge(ready(check, in_list), view("x"))
        assert verdict.result == "error"
        assert reason in verdict.reason

    @pytest.mark.parametrize("in_list", ["expect", "forbid"])
    def test_no_output_is_an_error_on_either_side(
        self, in_list: Any, ready: Any, view: Any
    ) -> None:
        """Field report B13: a "must not" does not pass for want of an output."""
        check = Check(grader="text", args={"text": "sorry"})
        for trial in (view(), view(None)):
            verdict = judge(ready(check, in_list), trial)
            assert (verdict.result, verdict.reason) == ("error", "the trial has no output")

    @pytest.mark.parametrize("output", [False, 0, 0.0, "", [], {}])
    def test_falsy_outputs_are_judged(self, output: Any, ready: Any, view: Any) -> None:
        """Field report B04."""
        assert judge(ready(Check(grader="is", args={"value": output})), view(output)).result == (
            "pass"
        )
        assert judge(ready(Check(grader="is", args={"value": "x"})), view(output)).result == "fail"


class TestExceptions:
    @pytest.mark.parametrize("in_list", ["expect", "forbid"])
    def test_they_become_errors_never_verdicts(self, in_list: Any, ready: Any, view: Any) -> None:
        """Field report B15."""
        plain = judge(ready(Check(grader="raises"), in_list), view("x"))
        assert (plain.result, plain.reason) == ("error", "the grader raised ValueError: broken")
        own = judge(ready(Check(grader="raises", args={"kind": "GraderError"}), in_list), view("x"))
        assert (own.result, own.reason) == ("error", "cannot tell (ask a person)")

    def test_a_transform_that_raises(self, tmp_path: Path, ready: Any, view: Any) -> None:
        (tmp_path / "jt_broken.py").write_text("def f(x):\n    return x['no']\n")
        check = Check(grader="is", args={"value": 1}, transform="jt_broken:f")
        verdict = judge(ready(check), view({"a": 1}))
        assert verdict.result == "error"
        assert "KeyError" in verdict.reason


class TestTransform:
    def test_it_is_applied_to_what_is_looked_at_only(self, ready: Any, view: Any) -> None:
        check = Check(grader="is", args={"value": "$output"}, transform="json")
        assert judge(ready(check), view('{"a": 1}')).result == "fail"
        check = Check(grader="is", args={"value": {"a": 1}}, transform="json")
        assert judge(ready(check), view('{"a": 1}')).result == "pass"
        verdict = judge(ready(check), view("no json"))
        assert verdict.result == "error"
        assert "not JSON" in verdict.reason

    def test_a_check_with_one_belongs_on_a_thread(self, ready: Any) -> None:
        inner = Check(grader="says", transform="json")
        assert ready(inner).blocking
        assert ready(Check(grader="not", checks=(inner,))).blocking
        assert not ready(Check(grader="says")).blocking


class TestThreshold:
    @pytest.mark.parametrize(
        ("result", "score", "threshold", "expected"),
        [
            ("fail", 0.8, 0.8, "pass"),
            ("fail", 0.79, 0.8, "fail"),
            ("pass", 0.5, 0.8, "fail"),
            ("pass", 1.0, 0.0, "pass"),
            ("pass", None, 0.8, "pass"),
            ("error", 0.9, 0.8, "error"),
            ("unknown", 0.9, 0.8, "unknown"),
            ("pass", float("nan"), 0.0, "fail"),
        ],
    )
    def test_the_score_decides(
        self, result: Any, score: Any, threshold: float, expected: str, ready: Any, view: Any
    ) -> None:
        verdict = judge(ready(says(result, score, threshold=threshold)), view("x"))
        assert verdict.result == expected

    def test_it_comes_before_polarity(self, ready: Any, view: Any) -> None:
        verdict = judge(ready(says("fail", 0.9, threshold=0.8), "forbid"), view("x"))
        assert verdict.result == "fail"
        assert verdict.score == pytest.approx(0.1)
        assert "threshold 0.8" in verdict.reason


class TestEvidence:
    CHECK = Check(grader="calls", args={"name": "delete"})

    @pytest.mark.parametrize(
        ("events", "observes", "trust", "expect", "forbid"),
        [
            ((CALL,), (), "observed", "pass", "fail"),
            ((), ("tools",), "observed", "fail", "pass"),
            ((), (), "observed", "unknown", "unknown"),
            ((), ("messages",), "observed", "unknown", "unknown"),
            ((CLAIM,), (), "observed", "unknown", "unknown"),
            ((CLAIM,), ("tools",), "observed", "unknown", "unknown"),
            ((CALL, CLAIM), ("tools",), "observed", "unknown", "unknown"),
            ((CLAIM,), (), "claimed", "pass", "fail"),
            ((), (), "claimed", "fail", "pass"),
            ((ToolCall(name="delete", source="replayed"),), (), "observed", "pass", "fail"),
            ((Message(role="user", content="x"),), ("tools",), "observed", "fail", "pass"),
        ],
    )
    def test_only_what_was_seen_counts(
        self,
        events: Any,
        observes: Any,
        trust: Any,
        expect: str,
        forbid: str,
        ready: Any,
        view: Any,
    ) -> None:
        trial = view("x", events=events, observes=observes, trust=trust)
        assert judge(ready(self.CHECK), trial).result == expect
        assert judge(ready(self.CHECK, "forbid"), trial).result == forbid

    def test_the_reason_says_what_to_do(self, ready: Any, view: Any) -> None:
        claimed = judge(ready(self.CHECK), view("x", events=(CLAIM,)))
        assert "own claims" in claimed.reason
        assert "trust: claimed" in claimed.reason
        unseen = judge(ready(self.CHECK), view("x"))
        assert "not observable" in unseen.reason

    def test_graders_of_the_output_need_no_evidence(self, ready: Any, view: Any) -> None:
        check = Check(grader="text", args={"text": "x"})
        assert judge(ready(check), view("x", events=(CLAIM,))).result == "pass"


class TestIncompleteTrials:
    @pytest.mark.parametrize("stop", STOPS)
    @pytest.mark.parametrize("in_list", ["expect", "forbid"])
    def test_checks_of_the_output_are_skipped(
        self, stop: Any, in_list: Any, ready: Any, view: Any
    ) -> None:
        for check in (
            Check(grader="text", args={"text": "x"}),
            Check(grader="says"),
            Check(grader="text", args={"text": "$output"}, look_in="$state"),
        ):
            verdict = judge(ready(check, in_list), view("x", stop=stop))
            assert (verdict.result, verdict.score) == ("skipped", None)
            assert stop in verdict.reason

    @pytest.mark.parametrize("stop", STOPS)
    @pytest.mark.parametrize(
        ("events", "observes", "trust", "result"),
        [
            ((CALL,), (), "observed", "fail"),
            ((), ("tools",), "observed", "error"),
            ((), (), "observed", "error"),
            ((CLAIM,), (), "observed", "error"),
            ((CLAIM,), (), "claimed", "fail"),
        ],
    )
    def test_forbidden_events_may_only_fail_or_err(
        self, stop: Any, events: Any, observes: Any, trust: Any, result: str, ready: Any, view: Any
    ) -> None:
        trial = view(events=events, observes=observes, trust=trust, stop=stop)
        check = Check(grader="calls", args={"name": "delete"})
        assert judge(ready(check, "forbid"), trial).result == result
        assert judge(ready(check, "expect"), trial).result == "skipped"

    def test_state_and_artifacts_are_looked_at_too(self, ready: Any, view: Any) -> None:
        events = (StateChange(state={"sent": True}), Artifact(path="leak.txt"))
        trial = view(events=events, stop="timeout", state={"sent": True}, artifacts=("leak.txt",))
        state = Check(grader="is", args={"value": True}, look_in="$state.sent")
        artifact = Check(grader="is", args={"value": "leak.txt"}, look_in="$artifacts[0]")
        assert judge(ready(state, "forbid"), trial).result == "fail"
        assert judge(ready(artifact, "forbid"), trial).result == "fail"

    def test_combinations_over_events_alone(self, ready: Any, view: Any) -> None:
        calls = Check(grader="calls", args={"name": "delete"})
        over_output = Check(grader="text", args={"text": "x"})
        trial = view("x", events=(CALL,), stop="timeout")
        both = Check(grader="any_of", checks=(calls, calls))
        assert judge(ready(both, "forbid"), trial).result == "fail"
        mixed = Check(grader="any_of", checks=(calls, over_output))
        assert judge(ready(mixed, "forbid"), trial).result == "skipped"

    @pytest.mark.parametrize("stop", STOPS)
    def test_nothing_of_an_incomplete_trial_ever_passes(
        self, stop: Any, ready: Any, view: Any
    ) -> None:
        for result, in_list in itertools.product(("pass", "fail", "error"), ("expect", "forbid")):
            for look_in in ("$output", "$events", "$state"):
                check = says(result, 1.0, look_in=look_in)
                trial = view("x", events=(CALL,), state={}, stop=stop)
                assert judge(ready(check, in_list), trial).result != "pass"


class TestCombinators:
    RESULTS: tuple[Result, ...] = ("pass", "fail", "error", "unknown", "skipped")

    @staticmethod
    def kleene_or(results: tuple[Result, ...]) -> Result:
        if "pass" in results:
            return "pass"
        for word in ("error", "unknown", "skipped"):
            if word in results:
                return word
        return "fail"

    @staticmethod
    def opposite(result: Result) -> Result:
        turned: dict[Result, Result] = {"pass": "fail", "fail": "pass"}
        return turned.get(result, result)

    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_kleene_logic_exhaustively(self, count: int, ready: Any, view: Any) -> None:
        for results in itertools.product(self.RESULTS, repeat=count):
            checks = tuple(says(result) for result in results)
            any_of = judge(ready(Check(grader="any_of", checks=checks)), view("x")).result
            all_of = judge(ready(Check(grader="all_of", checks=checks)), view("x")).result
            assert any_of == self.kleene_or(results), results
            turned: tuple[Result, ...] = tuple(self.opposite(result) for result in results)
            assert all_of == self.opposite(self.kleene_or(turned)), results

    @pytest.mark.parametrize("result", RESULTS)
    def test_not_and_forbid_and_both(self, result: Result, ready: Any, view: Any) -> None:
        inner = says(result, 0.9 if result in ("pass", "fail") else None)
        negated = Check(grader="not", checks=(inner,))
        assert judge(ready(negated), view("x")).result == self.opposite(result)
        assert judge(ready(inner, "forbid"), view("x")).result == self.opposite(result)
        assert judge(ready(negated, "forbid"), view("x")).result == result

    def test_scores(self, ready: Any, view: Any) -> None:
        two = (says("pass", 0.9), says("fail", 0.2))
        assert judge(ready(Check(grader="any_of", checks=two)), view("x")).score == 0.9
        assert judge(ready(Check(grader="all_of", checks=two)), view("x")).score == 0.2
        partly = (says("pass", 0.9), says("error"))
        assert judge(ready(Check(grader="any_of", checks=partly)), view("x")).score is None

    def test_in_is_handed_down_unless_the_inner_check_has_its_own(
        self, ready: Any, view: Any
    ) -> None:
        trial = view({"a": 1, "b": 2})
        inner = (Check(grader="is", args={"value": 1}),)
        own = (Check(grader="is", args={"value": 2}, look_in="$output.b"),)
        assert judge(ready(Check(grader="not", checks=inner, look_in="$a")), trial).result == "fail"
        assert judge(ready(Check(grader="not", checks=own, look_in="$a")), trial).result == "fail"

    def test_an_exception_inside_is_an_error_of_the_inner_check(
        self, ready: Any, view: Any
    ) -> None:
        checks = (Check(grader="raises"), says("pass", 1.0))
        assert judge(ready(Check(grader="any_of", checks=checks)), view("x")).result == "pass"
        assert judge(ready(Check(grader="all_of", checks=checks)), view("x")).result == "error"
        alone = Check(grader="not", checks=(Check(grader="raises"),))
        assert judge(ready(alone), view("x")).result == "error"


class TestCaseWide:
    def test_it_reads_all_completed_trials(self, ready: Any, view: Any) -> None:
        check = ready(Check(grader="same"))
        assert check.case_wide
        assert judge_case(check, [view("a"), view("a")]).result == "pass"
        assert judge_case(check, [view("a"), view("b")]).result == "fail"
        assert judge_case(ready(Check(grader="same"), "forbid"), [view("a"), view("a")]).result == (
            "fail"
        )

    def test_fewer_than_two_completed_trials_are_an_error(self, ready: Any, view: Any) -> None:
        for in_list in ("expect", "forbid"):
            for trials in ([], [view("a")], [view("a"), view("a", stop="timeout")]):
                verdict = judge_case(ready(Check(grader="same"), in_list), trials)
                assert verdict.result == "error"
                assert "at least two" in verdict.reason

    def test_the_threshold_counts_there_too(self, ready: Any, view: Any) -> None:
        trials = [view("a"), view("a"), view("a"), view("b")]
        assert judge_case(ready(Check(grader="same", threshold=0.7)), trials).result == "pass"
        assert judge_case(ready(Check(grader="same", threshold=0.8)), trials).result == "fail"

    def test_an_exception_is_an_error(self, ready: Any, view: Any) -> None:
        trials = [view(["unhashable"]), view("a")]
        assert judge_case(ready(Check(grader="same"), "forbid"), trials).result == "error"


def test_a_grader_that_is_not_installed_is_an_input_error() -> None:
    with pytest.raises(InputError, match="there is no grader 'contian'") as caught:
        make_ready(Check(grader="contian"), "expect", {}, GradingSettings())
    assert "plug-in" in caught.value.hint
