from __future__ import annotations

from typing import Any

import pytest

from probare.errors import InfraError, InputError
from probare.graders.judges.asking import RAW_CAP
from probare.graders.judges.graded import JudgeRubric
from probare.model.judged import judges_disagree, usage_of
from probare.model.outcome import UsageTotal
from probare.model.suite import JudgeSettings
from probare.ports.grader import GradingSettings
from probare.testing.fakes import FakeModels, Reply

RIGHT = {"rubric": "Is it right?"}


def test_the_record_of_a_reply(judged: Any, writes: Any) -> None:
    text = 'Well.\n```json\n{"reasoning": "it is", "verdict": "pass", "token": "TOKEN",}\n```'
    (reply,) = judged("judge", "x", writes(text), **RIGHT).judged
    assert (reply.model, reply.answered_by) == ("fake:a", "a")
    assert (reply.means, reply.answer, reply.read_from) == ("pass", "pass", "fenced")
    assert reply.repair == "trailing comma dropped"
    assert len(reply.prompt_sha256) == 64
    assert reply.raw is not None
    assert reply.raw.startswith("Well.\n```json")


def test_a_reply_that_cannot_be_read_is_asked_for_again(judged: Any, says: Any) -> None:
    models = FakeModels("It is fine.", says("pass"))
    verdict = judged("judge", "x", models=models, **RIGHT)
    assert verdict.result == "pass"
    assert [reply.attempt for reply in verdict.judged] == [0, 1]
    assert [reply.means for reply in verdict.judged] == ["error", "pass"]
    assert models.requests[0].turn != models.requests[1].turn
    once = JudgeSettings(models=("fake:a",), tries=1)
    verdict = judged("judge", "x", "It is fine.", says("pass"), settings=once, **RIGHT)
    assert verdict.result == "error"
    assert "no verdict" in verdict.reason


def test_it_is_never_asked_more_often_than_it_may_be(judged: Any) -> None:
    models = FakeModels("It is fine.")
    settings = JudgeSettings(models=("fake:a",), tries=3)
    assert judged("judge", "x", models=models, settings=settings, **RIGHT).result == "error"
    assert len(models.requests) == 3


@pytest.mark.parametrize("word", ["fail", "unknown", "pass"])
def test_a_verdict_that_can_be_read_is_taken(judged: Any, says: Any, word: str) -> None:
    models = FakeModels(says(word), says("pass"))
    assert judged("judge", "x", models=models, **RIGHT).result == word
    assert len(models.requests) == 1


def test_a_refusal_goes_to_people_and_is_not_asked_again(judged: Any, says: Any) -> None:
    models = FakeModels(Reply(refusal="I cannot judge that"), says("pass"))
    verdict = judged("judge", "x", models=models, **RIGHT)
    assert (verdict.result, len(models.requests)) == ("unknown", 1)
    assert "refused" in verdict.reason
    assert verdict.judged[0].raw == "I cannot judge that"


def test_a_provider_that_fails_is_an_error_and_recorded(judged: Any, says: Any) -> None:
    for in_list in ("expect", "forbid"):
        verdict = judged("judge", "x", InfraError("503 for good"), in_list=in_list, **RIGHT)
        assert verdict.result == "error"
        assert "503 for good" in verdict.reason
        assert verdict.judged[0].problem.startswith("the provider failed")
    late = judged("judge", "x", "no verdict", InfraError("503"), says("pass"), **RIGHT)
    assert [reply.means for reply in late.judged] == ["error", "error"]


def votes(judged: Any, says: Any, *words: Any, **keys: Any) -> Any:
    answers = [InfraError("503") if word == "error" else says(word) for word in words]
    return judged("judge", "x", *answers, votes=len(words), **RIGHT, **keys)


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (("pass", "pass", "fail"), "pass"),
        (("fail", "pass", "fail"), "fail"),
        (("pass", "fail"), "unknown"),
        (("pass", "fail", "unknown"), "unknown"),
        (("pass", "unknown"), "unknown"),
        (("unknown", "unknown", "pass"), "unknown"),
        (("pass", "pass", "error"), "pass"),
        (("pass", "error"), "error"),
        (("error", "error", "pass"), "error"),
        (("pass", "error", "fail"), "unknown"),
    ],
)
def test_more_than_half_of_all_votes_decide(
    judged: Any, says: Any, words: tuple[str, ...], result: str
) -> None:
    verdict = votes(judged, says, *words)
    assert verdict.result == result
    assert f"{len(words)} votes" in verdict.reason
    assert len(verdict.judged) == len(words)
    parted = {"pass", "fail"} <= set(words)
    assert judges_disagree(verdict.judged) == parted
    assert ("judges disagree" in verdict.reason) == parted


def test_a_score_of_several_votes_is_the_lower_median(judged: Any, says: Any) -> None:
    keys = {"scale": "1..5", "at_least": 3}
    verdict = votes(judged, says, 5, 2, 4, **keys)
    assert (verdict.result, verdict.score) == ("pass", 0.75)
    assert votes(judged, says, 5, 4, 4, 1, **keys).score == 0.75
    assert votes(judged, says, 5, 2, **keys).score is None


def test_several_models_vote(judged: Any, says: Any) -> None:
    models = FakeModels(
        by_model={"fake:a": [says("pass")], "fake:b": [says("fail")], "fake:c": [says("pass")]}
    )
    settings = JudgeSettings(models=("fake:a", "fake:b"))
    parted = judged("judge", "x", models=models, settings=settings, **RIGHT)
    assert parted.result == "unknown"
    assert [reply.model for reply in parted.judged] == ["fake:a", "fake:b"]
    agreed = judged("judge", "x", models=models, settings=settings, model="fake:c", **RIGHT)
    assert agreed.result == "pass"
    override = JudgeSettings(models=("fake:a",), override=("fake:b",))
    assert judged("judge", "x", models=models, settings=override, **RIGHT).result == "fail"
    own = judged("judge", "x", models=models, settings=override, model="fake:a", **RIGHT)
    assert own.result == "fail"


def test_what_a_request_says(judged: Any, says: Any) -> None:
    models = FakeModels(says("pass"))
    settings = JudgeSettings(
        models=("fake:a",), temperature=None, max_tokens=77, timeout=3.0, votes=2
    )
    judged("judge", "x", models=models, settings=settings, **RIGHT)
    first, second = models.requests
    assert (first.purpose, first.case, first.trial) == ("judge", "c", 0)
    assert (first.temperature, first.max_tokens, first.timeout) == (None, 77, 3.0)
    assert first.turn != second.turn
    assert first.output is not None
    assert first.output["properties"]["token"]["enum"] != second.output


def test_a_long_reply_is_cut_between_words(judged: Any, writes: Any) -> None:
    text = "word " * 5000 + '{"reasoning": "r", "verdict": "fail", "token": "TOKEN"}'
    (reply,) = judged("judge", "x", writes(text), **RIGHT).judged
    assert reply.answer == "fail"
    assert reply.raw is not None
    assert len(reply.raw) < RAW_CAP + 100
    assert "more characters]" in reply.raw
    solid = "k" * 20_000
    raw = judged("judge", "x", writes(solid), **RIGHT).judged[0].raw
    assert raw == "… [20000 more characters]"


def test_what_judges_used_is_added_up_and_unknown_stays_unknown(judged: Any, says: Any) -> None:
    verdict = judged("judge", "x", "nothing", says("pass"), **RIGHT)
    used = usage_of(verdict.judged)
    assert used is not None
    assert (used.input_tokens, used.output_tokens) == (20, 10)
    assert used.cost_usd == pytest.approx(0.002)
    lost = judged("judge", "x", InfraError("503"), **RIGHT)
    assert usage_of(lost.judged) == UsageTotal()
    assert usage_of(()) is None


@pytest.mark.parametrize(
    ("settings", "args", "message"),
    [
        (GradingSettings(chat=FakeModels()), {}, "none is set"),
        (GradingSettings(judge=JudgeSettings(models=("fake:a",))), {}, "none to be had"),
        (GradingSettings(chat=FakeModels(missing={"a:b": "A_KEY"})), {"model": "a:b"}, "A_KEY"),
        (
            GradingSettings(
                chat=FakeModels(missing={"a:b": "A_KEY"}),
                judge=JudgeSettings(models=("a:c",), override=("a:b",)),
            ),
            {"model": "a:c"},
            "A_KEY",
        ),
    ],
)
def test_what_is_missing_is_told_before_anything_runs(
    settings: GradingSettings, args: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        JudgeRubric.require_settings({"rubric": "x", **args}, settings)


def test_what_is_there_is_no_fault() -> None:
    settings = GradingSettings(chat=FakeModels(missing={"a:b": "A_KEY"}))
    for args in ({"model": "a:c"}, {"models": ["a:c", "a:d"]}, {"model": "$input.model"}):
        JudgeRubric.require_settings({"rubric": "x", **args}, settings)


def test_without_a_model_nobody_judges(judged: Any) -> None:
    for in_list in ("expect", "forbid"):
        verdict = judged("judge", "x", settings=JudgeSettings(), in_list=in_list, **RIGHT)
        assert (verdict.result, verdict.judged) == ("unknown", ())
        assert "no model is set" in verdict.reason
    assert judged("judge", None, settings=JudgeSettings(), **RIGHT).result == "error"


def test_an_optional_check_may_do_without_a_model_but_not_without_its_key() -> None:
    JudgeRubric.require_settings({"rubric": "x"}, GradingSettings(), required=False)
    settings = GradingSettings(chat=FakeModels(missing={"a:b": "A_KEY"}))
    with pytest.raises(InputError, match="A_KEY"):
        JudgeRubric.require_settings({"rubric": "x", "model": "a:b"}, settings, required=False)
