"""Posteriors: symmetry and refusals."""

from __future__ import annotations

import pytest

from probare.scoring.posterior import posterior_greater, posterior_pass_hat


def test_equal_counts_are_even() -> None:
    assert posterior_greater((7, 20), (7, 20)) == pytest.approx(0.5)


def test_both_ways_sum_to_one() -> None:
    assert posterior_greater((3, 9), (8, 11)) + posterior_greater((8, 11), (3, 9)) == pytest.approx(
        1.0
    )


def test_without_data_the_prior_speaks() -> None:
    assert posterior_pass_hat(0, 0, 1) == 0.5
    assert posterior_pass_hat(0, 0, 3) == 0.25
    assert posterior_pass_hat(4, 4, 0) == 1.0


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="impossible counts"):
        posterior_pass_hat(5, 4, 1)
