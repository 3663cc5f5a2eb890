from __future__ import annotations

from typing import Any

import pytest

from probare.errors import InfraError
from probare.testing.fakes import FakeModels

AGAINST = {"against": "Rome"}


def ask(judged: Any, says: Any, *words: Any, **keys: Any) -> Any:
    answers = [word if isinstance(word, Exception) else says(word) for word in words]
    return judged("judge_pairwise", "Paris", *answers, **AGAINST, **keys)


@pytest.mark.parametrize(
    ("words", "result", "score"),
    [
        (("first", "second"), "pass", 1.0),
        (("second", "first"), "fail", 0.0),
        (("tie", "tie"), "fail", 0.5),
        (("first", "first"), "unknown", None),
        (("second", "second"), "unknown", None),
        (("first", "tie"), "unknown", None),
        (("tie", "first"), "unknown", None),
        (("unknown", "second"), "unknown", None),
        (("first", "unknown"), "unknown", None),
        (("first", "neither"), "error", None),
        (("first", InfraError("503")), "error", None),
        ((InfraError("503"), "second"), "error", None),
    ],
)
def test_both_orders(
    judged: Any, says: Any, words: tuple[Any, ...], result: str, score: float | None
) -> None:
    verdict = ask(judged, says, *words)
    assert (verdict.result, verdict.score) == (result, score)
    turned = ask(judged, says, *words, in_list="forbid")
    opposite = {"pass": "fail", "fail": "pass"}
    assert turned.result == opposite.get(result, result)


def test_a_tie_may_be_good_enough_and_a_disagreement_is_not(judged: Any, says: Any) -> None:
    assert ask(judged, says, "tie", "tie", tie="pass").result == "pass"
    verdict = ask(judged, says, "first", "first", tie="pass")
    assert verdict.result == "unknown"
    assert "changes with the order" in verdict.reason


def test_what_stands_where(judged: Any, says: Any) -> None:
    models = FakeModels(says("first"), says("second"))
    verdict = judged("judge_pairwise", "Paris", models=models, **AGAINST)
    assert verdict.result == "pass"
    one, two = (request.messages[-1].content for request in models.requests)
    assert one.index("Paris") < one.index("Rome")
    assert two.index("Rome") < two.index("Paris")
    assert "reference" not in one
    assert [reply.asked for reply in verdict.judged] == ["answer first", "answer second"]
    assert [reply.means for reply in verdict.judged] == ["pass", "pass"]


def test_the_reference_is_not_given_away(judged: Any, says: Any) -> None:
    models = FakeModels(says("first"), says("second"))
    judged("judge_pairwise", "Paris", models=models, against="$reference", case_reference="Rome")
    assert models.requests[0].messages[-1].content.count("Rome") == 1


def test_votes_are_pairs(judged: Any, says: Any) -> None:
    words = ["first", "first", "second", "second", "second", "second"]
    verdict = ask(judged, says, *words, votes=3)
    assert (verdict.result, verdict.score) == ("pass", 1.0)
    assert len(verdict.judged) == 6
    assert "2 of 3 votes" in verdict.reason


def test_no_other_answer_is_an_error(judged: Any, says: Any) -> None:
    assert judged("judge_pairwise", "Paris", says("first"), against=None).result == "error"
