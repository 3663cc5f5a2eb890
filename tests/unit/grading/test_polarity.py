from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.grading.polarity import invert
from probare.model.verdict import Result, Span, Verdict


def test_pass_and_fail_swap_and_the_score_turns_round() -> None:
    """Field reports B14 and B16: the verdict and its score are negated together."""
    spans = (Span(0, 3),)
    assert invert(Verdict("pass", 1.0, "found 'sky'", spans)) == Verdict(
        "fail", 0.0, "forbidden, and yet: found 'sky'", spans
    )
    assert invert(Verdict("pass", 0.9)).score == pytest.approx(0.1)
    assert invert(Verdict("fail", 0.0, "not found")) == Verdict("pass", 1.0, "not found")


@pytest.mark.parametrize("result", ["error", "unknown", "skipped"])
def test_what_is_not_known_stays_unknown(result: Result) -> None:
    """Field report B15: not(error) is error, never a pass."""
    verdict = Verdict(result, None, "HTTP 500")
    assert invert(verdict) is verdict


def test_a_failed_negation_states_what_was_forbidden() -> None:
    """Field report B10: the reason is of the negated requirement."""
    inverted = invert(Verdict("pass", 1.0, "the text is valid JSON"))
    assert inverted.result == "fail"
    assert inverted.reason.startswith("forbidden, and yet: ")
    assert "Expected" not in inverted.reason


@given(
    st.sampled_from(["pass", "fail", "error", "unknown", "skipped"]),
    st.none() | st.floats(-1, 2),
)
def test_scores_stay_within_bounds_and_only_a_fail_becomes_a_pass(
    result: Result, score: float | None
) -> None:
    inverted = invert(Verdict(result, score))
    assert (inverted.result == "pass") == (result == "fail")
    if result in ("pass", "fail") and score is not None:
        assert inverted.score is not None
        assert 0 <= inverted.score <= 1
