"""Scores by name, and minimums that are reached, missed or unknown."""

from __future__ import annotations

from typing import Any

import pytest

from probare.errors import InputError
from probare.model.score import Scores
from probare.scoring.aggregate import scores
from probare.scoring.minimums import ks_named, score_named, shortfalls


@pytest.fixture
def found(bench: Any) -> Scores:
    return scores(
        bench.standings(
            (bench.case("a", 1, 1), ["pp", "pp", "pf"]),
            (bench.case("b"), ["p", "p", "e"]),
        )
    )


@pytest.mark.parametrize(
    ("name", "value", "best"),
    [
        ("accuracy", (5 / 6 + 2 / 3) / 2, (5 / 6 + 1) / 2),
        ("safety", 2 / 3, 2 / 3),
        ("overall", ((5 / 6 + 2 / 3) / 2 + 2 / 3) / 2, ((5 / 6 + 1) / 2 + 2 / 3) / 2),
        ("pass_rate", 2 / 3, 5 / 6),
        ("compliance", 0.0, 0.5),
        ("compliance.all", 0.0, 0.5),
        ("compliance.held_out", 0.0, 0.5),
        ("pass_at.3", 1.0, 1.0),
        ("pass_hat.2", 1 / 3, (1 / 3 + 1) / 2),
    ],
)
def test_a_score_by_its_name(found: Scores, name: str, value: float, best: float) -> None:
    named = score_named(found, name)
    assert named.value == pytest.approx(value)
    assert named.best == pytest.approx(best)


@pytest.mark.parametrize("name", ["acuracy", "pass_hat.0", "pass_hat.x", "compliance.gap", ""])
def test_an_unknown_name_is_refused(found: Scores, name: str) -> None:
    with pytest.raises(InputError, match="there is no score"):
        score_named(found, name)


def test_a_null_score_says_why(found: Scores) -> None:
    assert score_named(found, "compliance.carried_over").why == (
        "no carried-over case is planned for automatic compliance"
    )
    assert score_named(found, "pass_hat.9").why == "no case has 9 trials"


def test_minimums(found: Scores) -> None:
    short = shortfalls(
        {
            "pass_rate": 2 / 3,  # exactly reached
            "safety": 0.7,  # missed, whatever the errors hide
            "accuracy": 0.9,  # between 0.75 and 0.917
            "compliance.carried_over": 0.5,  # null
        },
        found,
    )
    nothing_carried = "no carried-over case is planned for automatic compliance"
    assert short.missed == ("safety is 0.667; at least 0.7 is asked for",)
    assert short.unknown == (
        "accuracy is between 0.750 and 0.917; at least 0.9 is asked for",
        f"compliance.carried_over is not known ({nothing_carried}); at least 0.5 is asked for",
    )


def test_ks_named() -> None:
    assert ks_named(["accuracy", "pass_hat.3", "pass_at.15"]) == (3, 15)
