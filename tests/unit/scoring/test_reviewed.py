from __future__ import annotations

import pytest

from probare.scoring.judgechecks import Compared
from probare.scoring.reviewed import beside


def compared(label: str, answer: str, times: int) -> list[Compared]:
    return [
        Compared(example=f"{label} {answer} {n}", label=label, answer=answer)  # type: ignore[arg-type]
        for n in range(times)
    ]


PAIRS = [
    *compared("pass", "pass", 8),
    *compared("pass", "unknown", 2),
    *compared("fail", "pass", 1),
    *compared("fail", "fail", 4),
]


def test_it_is_calibrated_and_its_rate_corrected() -> None:
    found = beside("judge", "tone", PAIRS, drawn=3, rate=(70, 100))
    assert (found.check, found.dimension, found.drawn, found.found.n) == ("judge", "tone", 3, 15)
    assert found.found.sensitivity.value == pytest.approx(0.8)
    assert found.found.specificity.value == pytest.approx(0.8)
    assert found.rate is not None
    assert found.rate.value == pytest.approx((0.7 + 0.8 - 1) / 0.6)
    assert found.rate.interval is not None


def test_the_disagreements_begin_with_passes_of_what_people_fail() -> None:
    found = beside("judge", "", PAIRS, drawn=0, rate=None)
    assert [each.example for each in found.apart] == [
        "fail pass 0",
        "pass unknown 0",
        "pass unknown 1",
    ]
    assert found.rate is None
