"""Which call fits which gold call, and who is matched with whom."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.graders.call_matching import (
    ArgsMode,
    GoldCall,
    MadeCall,
    Rule,
    in_order,
    made,
    matching,
)

ORDER = {"order_id": "W1", "amount": 20}


def fits(gold: Any, actual: Any, args: ArgsMode = "exact", *, strict_types: bool = False) -> bool:
    return Rule(args, strict_types).fits(GoldCall("f", gold), made("f", actual))


@pytest.mark.parametrize("actual", [None, "", "  ", "{}", {}])
def test_absent_arguments_are_none(actual: Any) -> None:
    assert fits({}, actual)


@pytest.mark.parametrize("actual", ["not-json", "[]", [], "null", "0", 0, False, '{"a":1,"a":1}'])
@pytest.mark.parametrize("args", ["exact", "subset", "superset"])
def test_malformed_arguments_fit_nothing(actual: Any, args: ArgsMode) -> None:
    assert not fits({}, actual, args)


def test_a_text_that_is_an_object_is_that_object() -> None:
    assert fits({"a": [1]}, '{"a": [1.0]}')


@pytest.mark.parametrize(
    ("gold", "actual", "same"),
    [
        ({"numbers": [12.0, 15.0]}, {"numbers": [12, 15]}, True),
        ({"base": 10}, {"base": 999}, False),
        ({"n": 1}, {"n": True}, False),
        ({"n": 0}, {"n": False}, False),
        ({"n": 12}, {"n": "12"}, False),
        ({"n": None}, {}, False),
    ],
)
def test_values(gold: Any, actual: Any, same: bool) -> None:
    assert fits(gold, actual) is same


def test_types_of_numbers_count_where_asked() -> None:
    assert not fits({"a": [12.0]}, {"a": [12]}, strict_types=True)
    assert fits({"a": [12]}, {"a": [12]}, strict_types=True)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ("exact", [False, False, False, True]),
        ("superset", [False, False, True, True]),
        ("subset", [False, True, False, True]),
        ("ignore", [True, True, True, True]),
    ],
)
def test_gold_keys_drive_the_comparison(args: ArgsMode, expected: list[bool]) -> None:
    calls: list[Any] = [{}, {"order_id": "W1"}, {**ORDER, "note": "x"}, dict(ORDER)]
    assert [fits(ORDER, call, args) for call in calls] == expected


def test_a_wrong_value_fits_in_no_mode_that_looks() -> None:
    for args in LOOKING_MODES:
        assert not fits(ORDER, {**ORDER, "amount": 21}, args)


def test_a_name_alone_leaves_arguments_free() -> None:
    assert fits(None, {"anything": 1})
    assert not Rule().fits(GoldCall("f"), made("g", {}))


def test_the_misfit_names_the_first_difference() -> None:
    rule = Rule()
    wrong = rule.misfit(GoldCall("f", ORDER), made("f", {"order_id": "W2", "amount": 20}))
    assert wrong == "argument 'order_id': expected 'W1', got 'W2'"
    assert "unexpected argument 'x'" in rule.misfit(GoldCall("f", {}), made("f", {"x": 1}))


def test_a_greedy_choice_is_undone() -> None:
    gold = [GoldCall("f", {"a": 1}), GoldCall("f", {"a": 1, "b": 2})]
    calls = [made("f", {"a": 1, "b": 2}), made("f", {"a": 1})]
    assert matching(gold, calls, Rule("superset")) == {0: 1, 1: 0}


ARGS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(st.sampled_from("ab"), st.integers(0, 1))
CALLS: st.SearchStrategy[list[tuple[str, Any]]] = st.lists(
    st.tuples(st.sampled_from("fg"), ARGS), max_size=4
)
ALL_MODES: list[ArgsMode] = ["exact", "subset", "superset", "ignore"]
LOOKING_MODES: list[ArgsMode] = ["exact", "subset", "superset"]
MODES = st.sampled_from(ALL_MODES)


def _split(
    gold: list[tuple[str, Any]], calls: list[tuple[str, Any]]
) -> tuple[list[GoldCall], list[MadeCall]]:
    return [GoldCall(*each) for each in gold], [made(*each) for each in calls]


@settings(max_examples=80, deadline=None)
@given(CALLS, CALLS, MODES)
def test_a_matching_is_largest_fits_and_uses_each_once(
    gold: list[tuple[str, Any]], calls: list[tuple[str, Any]], mode: ArgsMode
) -> None:
    wanted, found = _split(gold, calls)
    rule = Rule(mode)
    pairs = matching(wanted, found, rule)
    assert len(set(pairs.values())) == len(pairs)
    assert all(rule.fits(wanted[i], found[j]) for i, j in pairs.items())
    padded = [*range(len(found)), *([-1] * len(wanted))]
    best = max(
        sum(j >= 0 and rule.fits(wanted[i], found[j]) for i, j in enumerate(order))
        for order in permutations(padded, len(wanted))
    )
    assert len(pairs) == best


@settings(max_examples=60, deadline=None)
@given(CALLS, CALLS, MODES, st.randoms(use_true_random=False))
def test_order_does_not_matter_to_a_matching(
    gold: list[tuple[str, Any]], calls: list[tuple[str, Any]], mode: ArgsMode, random: Any
) -> None:
    wanted, found = _split(gold, calls)
    before = len(matching(wanted, found, Rule(mode)))
    random.shuffle(wanted)
    random.shuffle(found)
    assert len(matching(wanted, found, Rule(mode))) == before


@settings(max_examples=60, deadline=None)
@given(CALLS, CALLS)
def test_in_order_keeps_both_orders(
    gold: list[tuple[str, Any]], calls: list[tuple[str, Any]]
) -> None:
    wanted, found = _split(gold, calls)
    pairs = in_order(wanted, found, Rule())
    assert list(pairs.values()) == sorted(set(pairs.values()))
    assert all(Rule().fits(wanted[i], found[j]) for i, j in pairs.items())
    assert len(in_order(wanted, [made(each.name, each.args) for each in wanted], Rule())) == len(
        wanted
    )
