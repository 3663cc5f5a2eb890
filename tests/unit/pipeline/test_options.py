from __future__ import annotations

from typing import Any

import msgspec
import pytest

from probare.errors import InputError
from probare.pipeline.options import RunOptions, Selection


def test_options_come_back_from_a_run_as_they_went_in() -> None:
    options = RunOptions(
        target="t",
        select=Selection(cases=("a*",), tags=("x",), split="held_out", sample=3),
        trials=2,
        timeout=1.5,
        seed=7,
        fail_fast=True,
    )
    assert msgspec.convert(msgspec.to_builtins(options), RunOptions) == options
    assert msgspec.to_builtins(RunOptions()) == {}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trials": 0}, "trials should be at least 1, is 0"),
        ({"trials": -3}, "trials"),
        ({"concurrency": 0}, "concurrency"),
        ({"timeout": 0}, "timeout should be above zero"),
        ({"timeout": float("nan")}, "timeout"),
        ({"max_cost": -1.0}, "max_cost"),
        ({"retries": -1}, "retries should be at least 0"),
        ({"select": Selection(limit=0)}, "limit"),
        ({"select": Selection(sample=-1)}, "sample"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RunOptions(**options)
