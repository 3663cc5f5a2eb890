"""Many tests at once: p-values adjusted, and the chance of a false alarm without that."""

from __future__ import annotations

from collections.abc import Sequence


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for the false discovery rate (Benjamini & Hochberg 1995)."""
    m = len(p_values)
    adjusted = [1.0] * m
    lowest = 1.0
    for rank, index in enumerate(sorted(range(m), key=lambda i: -p_values[i])):
        lowest = min(lowest, p_values[index] * m / (m - rank))
        adjusted[index] = lowest
    return adjusted


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for the family-wise error rate (Holm 1979)."""
    m = len(p_values)
    adjusted = [1.0] * m
    highest = 0.0
    for rank, index in enumerate(sorted(range(m), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, p_values[index] * (m - rank)))
        adjusted[index] = highest
    return adjusted


def prob_false_alarm(m: int, alpha: float) -> float:
    """Return the chance of at least one false alarm in m independent tests at α."""
    return 1 - (1 - alpha) ** m
