"""How much two levels of an ordinal scale agree: 1 where they are the same, 0 at its two ends.

Levels stand by their rank on the scale, so another numbering in the same order changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

Weighting: TypeAlias = Literal["identity", "linear", "quadratic", "ordinal"]
Weights = Sequence[Sequence[float]]


def weights(size: int, weighting: Weighting) -> Weights:
    """Return the weights of a scale of `size` levels (Gwet 2014, section 3.5).

    quadratic: 1 − (k − m)² / (q − 1)², as Cohen 1968; linear: 1 − |k − m| / (q − 1); ordinal:
    1 − C(|k − m| + 1, 2) / C(q, 2); identity: 1 on the diagonal alone.
    """
    if size < 2:
        raise ValueError(f"a scale has at least two levels, not {size}")
    return [[_weight(abs(k - m), size, weighting) for m in range(size)] for k in range(size)]


def _weight(apart: int, size: int, weighting: Weighting) -> float:
    if weighting == "identity":
        return float(apart == 0)
    if weighting == "linear":
        return 1 - apart / (size - 1)
    if weighting == "quadratic":
        return 1 - (apart / (size - 1)) ** 2
    return 1 - math.comb(apart + 1, 2) / math.comb(size, 2)
