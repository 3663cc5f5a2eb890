"""Agreement: the values of shared/vectors/agreement.json, properties, intervals."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.scoring.agreement import (
    Agreement,
    agreement,
    gwet_ac2,
    ordinal_alpha,
    raw_agreement,
    weighted_kappa,
)
from probare.scoring.calibration import cohen_kappa, kappa_error
from probare.scoring.distributions import normal_quantile
from probare.scoring.weights import weights

SCALE = [1, 2, 3, 4]
THREE = [
    [4, 2, 3, None, 2, 4, 3, 1, 2, 2, 2, 4],
    [4, 3, 4, 4, 3, 4, 4, 1, 1, 3, None, 4],
    [4, 3, 3, 4, 3, 4, 4, None, 2, 2, 1, 3],
]
TWO = [[4, 4, 3, 2, 1, 3, 4, 2, 4, 3], [4, 3, 3, 2, 2, 3, 4, 1, 4, 4]]
ALL_FOUR = [[4] * 8, [4] * 8]
PARADOX = [[3, 3, *[4] * 38], [4, 4, 3, 3, *[4] * 36]]


def table(raters: Sequence[Sequence[int | None]]) -> list[dict[str, int]]:
    """Turn a row a rater into a mapping an item."""
    return [
        {f"r{number}": score for number, score in enumerate(scores) if score is not None}
        for scores in zip(*raters, strict=True)
    ]


VECTORS = json.loads(Path(__file__).with_name("agreement.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_reference_values(vector: dict[str, Any]) -> None:
    raters, levels = vector["input"]["raters"], vector["input"]["categories"]
    found = {
        "krippendorff_alpha_ordinal": lambda: ordinal_alpha(table(raters), levels),
        "cohen_kappa_quadratic": lambda: weighted_kappa(
            list(zip(*raters, strict=True)), levels, "quadratic"
        ),
        "gwet_ac2_quadratic": lambda: gwet_ac2(table(raters), levels, "quadratic"),
    }[vector["name"]]()
    if vector["value"] is None:
        assert found.value is None
        assert found.why
    else:
        assert found.value == pytest.approx(vector["value"], abs=1e-5)


def test_one_level_only_leaves_alpha_and_kappa_undefined_and_says_so() -> None:
    found = agreement(table(ALL_FOUR), SCALE)
    assert (found.alpha.value, found.kappa.value) == (None, None)
    assert "no variation" in found.alpha.why
    assert "one and the same level" in found.kappa.why
    assert found.raw.value == 1
    assert found.ac2.value == pytest.approx(1)


def test_the_prevalence_paradox_shows_beside_alpha() -> None:
    found = agreement(table(PARADOX), SCALE)
    assert found.raw.value == pytest.approx(0.9)
    assert found.alpha.value is not None
    assert found.alpha.value < 0
    assert found.ac2.value is not None
    assert found.ac2.value > 0.98


def test_counts_are_always_there() -> None:
    found = agreement([*table(THREE), {"r0": 2}, {}], SCALE, unsure=3)
    assert (found.n, found.items, found.scores, found.raters, found.unsure) == (12, 13, 34, 3, 3)
    assert [(pair.raters, pair.n) for pair in found.pairs] == [
        (("r0", "r1"), 10),
        (("r0", "r2"), 10),
        (("r1", "r2"), 10),
    ]


@pytest.mark.parametrize("items", [[], [{}], [{"a": 4}], [{"a": 4}, {"b": 2}]])
def test_without_two_scores_of_one_item_everything_is_null(items: list[dict[str, int]]) -> None:
    found = agreement(items, SCALE)
    for each in (found.raw, found.alpha, found.kappa, found.ac2):
        assert each.value is None
        assert each.why == "no item has two scores"
    assert found.n == 0


def test_raw_agreement_of_three_raters_is_the_mean_over_items() -> None:
    items = [{"a": 4, "b": 4, "c": 4}, {"a": 4, "b": 4, "c": 1}]
    found = raw_agreement(items)
    assert found.value == pytest.approx((1 + 1 / 3) / 2)
    assert found.interval is None
    assert "independent" in found.why


def test_raw_agreement_of_two_raters_has_wilsons_interval() -> None:
    found = raw_agreement(table(TWO))
    assert found.value == pytest.approx(0.6)
    assert found.interval == pytest.approx((0.31267, 0.83182), abs=1e-4)


def test_identity_weights_are_cohens_kappa_with_its_error() -> None:
    pairs = list(zip(*TWO, strict=True))
    square = [[pairs.count((a, b)) for b in SCALE] for a in SCALE]
    found = weighted_kappa(pairs, SCALE, "identity")
    error = kappa_error(square)
    assert found.value == pytest.approx(cohen_kappa(square))
    assert found.interval is not None
    assert error is not None
    assert found.interval[0] == pytest.approx((found.value or 0) - normal_quantile(0.975) * error)


def test_identity_weights_are_gwets_ac1() -> None:
    """Gwet 2008, table 1, with p_e = 2 π (1 − π) for two levels."""
    items = table([[1] * 118 + [1] * 5 + [2] * 2, [1] * 118 + [2] * 5 + [1] * 2])
    prevalence = (118 + 3.5) / 125
    chance = 2 * prevalence * (1 - prevalence)
    found = gwet_ac2(items, [1, 2], "identity")
    assert found.value == pytest.approx((118 / 125 - chance) / (1 - chance))
    assert found.value == pytest.approx(0.9408, abs=1e-4)


def test_weights() -> None:
    assert weights(4, "quadratic")[0] == pytest.approx([1, 1 - 1 / 9, 1 - 4 / 9, 0])
    assert weights(4, "linear")[0] == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert weights(4, "ordinal")[0] == pytest.approx([1, 1 - 1 / 6, 1 - 3 / 6, 0])
    assert weights(3, "identity") == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    with pytest.raises(ValueError, match="two levels"):
        weights(1, "identity")


def test_a_score_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="5, which is no level"):
        agreement([{"a": 5, "b": 4}], SCALE)


def test_perfect_agreement_with_variation_is_one_everywhere() -> None:
    found = agreement([{"a": level, "b": level} for level in (1, 2, 3, 4, 4)], SCALE)
    for each in (found.raw, found.alpha, found.kappa, found.ac2):
        assert each.value == pytest.approx(1)


SCORES = st.lists(
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from(SCALE), max_size=4), max_size=12
)


def values(found: Agreement) -> list[float | None]:
    return [each.value for each in (found.raw, found.alpha, found.kappa, found.ac2)]


def same(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    return all(
        (a is None and b is None)
        or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9))
        for a, b in zip(one, other, strict=True)
    )


@settings(max_examples=60)
@given(SCORES, st.permutations("abcd"), st.randoms(use_true_random=False))
def test_the_order_of_items_and_the_names_of_raters_play_no_part(
    items: list[dict[str, int]], names: list[str], random: object
) -> None:
    renamed = dict(zip("abcd", names, strict=True))
    shuffled = [{renamed[name]: level for name, level in item.items()} for item in items[::-1]]
    assert same(values(agreement(items, SCALE)), values(agreement(shuffled, SCALE)))


@settings(max_examples=60)
@given(SCORES)
def test_levels_numbered_otherwise_in_the_same_order_change_nothing(
    items: list[dict[str, int]],
) -> None:
    anew = {1: -5, 2: 0, 3: 7, 4: 100}
    again = [{name: anew[level] for name, level in item.items()} for item in items]
    assert same(values(agreement(items, SCALE)), values(agreement(again, list(anew.values()))))


@settings(max_examples=60)
@given(SCORES)
def test_no_coefficient_is_above_one_and_intervals_hold_their_value(
    items: list[dict[str, int]],
) -> None:
    found = agreement(items, SCALE)
    for each in (found.raw, found.alpha, found.kappa, found.ac2):
        assert (each.value is None) <= bool(each.why)
        if each.value is not None:
            assert each.value <= 1 + 1e-9
        if each.interval is not None:
            assert each.value is not None
            assert each.interval[0] - 1e-9 <= each.value <= each.interval[1] + 1e-9
