"""The command that makes a run again."""

from __future__ import annotations

import shlex
from typing import Any

from probare.encoding.narrow import mapping, sequence
from probare.model.record import RunPlan

_REPEATED = {"cases": "--case", "tags": "--tag", "categories": "--category"}
_SELECT = {
    "split": "--split",
    "limit": "--limit",
    "sample": "--sample",
    "failed": "--failed",
}
_VALUES = {
    "target": "--target",
    "trials": "--trials",
    "model": "--model",
    "concurrency": "--concurrency",
    "timeout": "--timeout",
    "retries": "--retries",
    "max_cost": "--max-cost",
    "baseline": "--baseline",
}


def command(plan: RunPlan) -> str | None:
    """Return the command line, quoted for a shell; None where a run was started from Python."""
    if plan.parent is not None and plan.parent_reason == "regrade":
        return shlex.join(["probare", "regrade", plan.parent])
    if plan.parent is not None and plan.parent_reason == "review":
        return shlex.join(["probare", "review", "apply", plan.parent])
    if plan.suite_path is None:
        return None
    words = ["probare", "run", plan.suite_path]
    select = mapping(plan.options.get("select"))
    for key, flag in _REPEATED.items():
        for value in sequence(select.get(key)):
            words += [flag, str(value)]
    words += _given(select, _SELECT)
    words += _given(plan.options, _VALUES)
    if plan.options.get("fail_fast"):
        words.append("--fail-fast")
    words += ["--seed", str(plan.seed)]
    return shlex.join(words)


def _given(options: dict[str, Any], flags: dict[str, str]) -> list[str]:
    words: list[str] = []
    for key, flag in flags.items():
        value = options.get(key)
        if value is not None:
            shown = repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
            words += [flag, f"{shown}s" if flag == "--timeout" else shown]
    return words
