"""Which target a suite of scenarios is run on."""

from __future__ import annotations

from probare.errors import Place
from probare.loading.faultlist import Faults
from probare.loading.vocabulary import Adapters

HERE, THERE = Place("a.json", 1, 2), Place("b.json", 3, 4)


def taken(adapters: Adapters, *names: str) -> list[str]:
    faults = Faults()
    for name, place in zip(names, (HERE, THERE), strict=False):
        adapters.take(name, place, faults)
    return [str(fault) for fault in faults]


def test_the_scenarios_choose_where_the_suite_does_not() -> None:
    adapters = Adapters(["mock", "http"], None)
    assert adapters.target is None
    assert taken(adapters, "mock", "mock") == []
    assert adapters.target == "mock"


def test_a_suite_that_chooses_has_to_agree() -> None:
    adapters = Adapters(["mock", "http"], "http")
    assert taken(adapters, "http") == []
    assert taken(adapters, "mock") == [
        (
            "a.json:1:2: the scenario is for 'mock', and the suite's target is 'http' (leave "
            "`target` out of the suite, and choose another target with --target)"
        )
    ]
    assert adapters.target == "http"


def test_one_run_has_one_target() -> None:
    adapters = Adapters(["mock", "http"], None)
    assert taken(adapters, "mock", "http") == [
        (
            "b.json:3:4: the scenario is for 'http', and another one is for 'mock' (a.json:1:2; a "
            "run has one target, so put them in suites of their own)"
        )
    ]
    assert adapters.target == "mock"


def test_unknown_targets() -> None:
    assert taken(Adapters(["mock"], "mock"), "mok")[0].endswith("(did you mean 'mock'?)")
    assert taken(Adapters(["mock"], "mock"), "zzz")[0].endswith("(there are: mock)")
    assert taken(Adapters([], None), "zzz")[0].endswith("(write it under `targets:` as zzz: …)")
