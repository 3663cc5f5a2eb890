"""Student's tests at their edges."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from probare.scoring.paired import one_sided_t, paired_t, unpaired_t

stats: Any = importlib.import_module("scipy.stats")


def test_against_scipy() -> None:
    first, second = [1.0, 0.7, 0.3, 0.9], [0.4, 0.6, 0.5, 0.1]
    assert paired_t(first, second).p == pytest.approx(float(stats.ttest_rel(first, second).pvalue))
    assert unpaired_t(first, second).p == pytest.approx(
        float(stats.ttest_ind(first, second).pvalue)
    )
    theirs = float(stats.ttest_rel(first, second, alternative="greater").pvalue)
    assert one_sided_t([a - b for a, b in zip(first, second, strict=True)]) == pytest.approx(theirs)


def test_where_nothing_varies_there_is_no_p() -> None:
    assert paired_t([1.0, 1.0], [0.5, 0.5]) == (0.5, 0.0, None, None)
    assert paired_t([1.0], [0.5]) == (0.5, None, None, None)
    assert unpaired_t([1.0], [0.5]) == (0.5, None, None, None)


def test_one_sided_limits() -> None:
    assert one_sided_t([0.5] * 30) == 0.0
    assert one_sided_t([0.0] * 30) == 1.0
    assert one_sided_t([0.5]) == 1.0


def test_a_test_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        paired_t([], [])
