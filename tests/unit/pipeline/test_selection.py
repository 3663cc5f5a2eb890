from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import RunDirectoryError, SelectionError
from probare.model.case import Case
from probare.pipeline.options import Selection
from probare.pipeline.selection import select

CASES = (
    Case(id="help_en_1", category="help", tags=("en", "regression")),
    Case(id="help_en_2", category="help", tags=("en",), split="carried_over"),
    Case(id="help_id_1", category="help", tags=("id",)),
    Case(id="guard_1", category="guard"),
    Case(id="odd[1]"),
)


def chosen(**wanted: Any) -> list[str]:
    seed = wanted.pop("seed", 0)
    return [case.id for case in select(CASES, Selection(**wanted), seed)]


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({}, [case.id for case in CASES]),
        ({"cases": ("help_*",)}, ["help_en_1", "help_en_2", "help_id_1"]),
        ({"cases": ("*_1",)}, ["help_en_1", "help_id_1", "guard_1"]),
        ({"cases": ("guard_1", "help_en_?")}, ["help_en_1", "help_en_2", "guard_1"]),
        ({"tags": ("en",)}, ["help_en_1", "help_en_2"]),
        ({"tags": ("id", "regression")}, ["help_en_1", "help_id_1"]),
        ({"categories": ("guard",)}, ["guard_1"]),
        ({"split": "carried_over"}, ["help_en_2"]),
        ({"tags": ("en",), "split": "held_out"}, ["help_en_1"]),
        ({"limit": 2}, ["help_en_1", "help_en_2"]),
        ({"limit": 99}, [case.id for case in CASES]),
        ({"exactly": ("odd[1]", "help_id_1")}, ["help_id_1", "odd[1]"]),
    ],
)
def test_what_is_chosen_keeps_the_suites_order(wanted: dict[str, Any], ids: list[str]) -> None:
    assert chosen(**wanted) == ids


@pytest.mark.parametrize(
    ("wanted", "message", "hint"),
    [
        ({"cases": ("help_en_3",)}, "--case help_en_3 matches no case", "help_en"),
        ({"cases": ("help_*", "gard*")}, r"--case gard\* matches no case", ""),
        ({"cases": ("HELP_EN_1",)}, "--case HELP_EN_1 matches no case", ""),
        ({"tags": ("en", "regresion")}, "--tag regresion matches no case", "'regression'"),
        ({"tags": ("zzz",)}, "--tag zzz", "there are: en, id, regression"),
        ({"categories": ("gaurd",)}, "--category gaurd", "'guard'"),
        ({"tags": ("id",), "categories": ("guard",)}, "the selection matches no case", "list"),
    ],
)
def test_what_matches_nothing_is_refused(wanted: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(SelectionError, match=message) as caught:
        chosen(**wanted)
    assert hint in caught.value.hint


def test_a_sample_is_seeded() -> None:
    first = chosen(sample=2, seed=1)
    assert len(first) == 2
    assert first == chosen(sample=2, seed=1)
    assert len({tuple(chosen(sample=2, seed=seed)) for seed in range(20)}) > 1
    assert chosen(sample=99) == [case.id for case in CASES]


def test_a_sample_is_drawn_of_what_the_others_leave() -> None:
    for seed in range(10):
        assert set(chosen(sample=1, seed=seed, tags=("en",))) < {"help_en_1", "help_en_2"}


def suite(agent: Any, cases: int = 4) -> probare.Suite:
    expect = [{"equals": "ok"}]
    return probare.Suite(
        "s",
        target=agent,
        cases=[probare.Case(id=f"c{n}", input=n, expect=expect) for n in range(cases)],
    )


def test_what_did_not_pass_in_a_run(tmp_path: Path) -> None:
    def agent(case: Any) -> str:
        if case.input == 1:
            raise ValueError("down")
        return "no" if case.input == 2 else "ok"

    run = probare.run(suite(agent), runs=tmp_path)
    again = probare.run(suite(agent), runs=tmp_path, failed=run.folder)
    assert again.summary is not None
    assert set(again.summary.per_case) == {"c1", "c2"}


def test_a_case_of_which_trials_are_missing_did_not_pass(tmp_path: Path) -> None:
    run = probare.run(suite(lambda: "no"), runs=tmp_path, fail_fast=True, concurrency=1)
    again = probare.run(suite(lambda: "ok"), runs=tmp_path, failed=run.folder)
    assert again.summary is not None
    assert set(again.summary.per_case) == {"c0", "c1", "c2", "c3"}


def test_nothing_failed_and_no_run(tmp_path: Path) -> None:
    run = probare.run(suite(lambda: "ok"), runs=tmp_path)
    with pytest.raises(SelectionError, match="no case of this suite failed"):
        probare.run(suite(lambda: "ok"), runs=tmp_path, failed=run.folder)
    with pytest.raises(RunDirectoryError, match="is not a run directory"):
        probare.run(suite(lambda: "ok"), runs=tmp_path, failed=tmp_path / "gone")
    assert len(list(tmp_path.iterdir())) == 1
