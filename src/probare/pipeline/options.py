"""What a user may ask of a run: the options of `probare run` and of `probare.run`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from probare.errors import InputError
from probare.model.case import Split

DEFAULT_CONCURRENCY = 10
DEFAULT_RETRIES = 2


class Selection(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which cases to run. Empty means all; several patterns or tags are alternatives.

    `exactly` names cases by id, without patterns (a resumed run has the planned ones).
    """

    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    split: Split | None = None
    limit: int | None = None
    sample: int | None = None
    failed: str | None = None
    exactly: tuple[str, ...] = ()


class RunOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How to run. None means: as the suite says, else the default.

    `timeout` is in seconds; `max_cost` in US dollars; `runs` is the folder of run directories;
    `judge_model` names the models that judges ask in place of those that the suite names;
    `cache` is a folder of chat models' replies;
    `baseline` a file, by default `baseline.json` beside the suite where there is one.
    """

    target: str | None = None
    select: Selection = Selection()
    trials: int | None = None
    concurrency: int | None = None
    timeout: float | None = None
    retries: int = DEFAULT_RETRIES
    max_cost: float | None = None
    seed: int = 0
    model: str | None = None
    judge_model: tuple[str, ...] = ()
    cache: str | None = None
    fail_fast: bool = False
    retry_errored: bool = False
    runs: str = "runs"
    baseline: str | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that would quietly mean something else."""
        select = self.select
        for name, count in (
            ("trials", self.trials),
            ("concurrency", self.concurrency),
            ("limit", select.limit),
            ("sample", select.sample),
        ):
            if count is not None and count < 1:
                raise InputError(f"{name} should be at least 1, is {count}")
        for name, amount in (("timeout", self.timeout), ("max_cost", self.max_cost)):
            if amount is not None and not amount > 0:
                raise InputError(f"{name} should be above zero, is {amount}")
        if self.retries < 0:
            raise InputError(f"retries should be at least 0, is {self.retries}")

    @property
    def root(self) -> Path:
        """The folder of run directories."""
        return Path(self.runs)
