"""Adjusted p-values: never below the raw ones, in order, at most 1."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from probare.scoring.multiplicity import benjamini_hochberg, holm, prob_false_alarm


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), max_size=20))
def test_adjusted_values_keep_the_order(p_values: list[float]) -> None:
    for adjust in (benjamini_hochberg, holm):
        found = adjust(p_values)
        assert len(found) == len(p_values)
        assert all(p - 1e-12 <= q <= 1 for p, q in zip(p_values, found, strict=True))
        by_raw = [found[i] for i in sorted(range(len(found)), key=lambda i: p_values[i])]
        assert by_raw == sorted(by_raw)


def test_holm_is_the_stricter() -> None:
    p_values = [0.01, 0.02, 0.03]
    pairs = zip(holm(p_values), benjamini_hochberg(p_values), strict=True)
    assert all(a >= b for a, b in pairs)


def test_no_test_no_alarm() -> None:
    assert prob_false_alarm(0, 0.05) == 0.0
