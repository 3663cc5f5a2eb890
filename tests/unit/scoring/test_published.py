"""Published figures, from the trials behind them: τ-bench airline, GPT-4o, 50 tasks × 4."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probare.model.score import Summary

DATA = Path(__file__).parents[4] / "shared/data/tau_bench_airline/gpt-4o-airline.json"


@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not beside the repository")
def test_pass_hat_of_tau_bench(bench: Any) -> None:
    tasks: dict[int, list[str]] = {}
    for entry in json.loads(DATA.read_bytes()):
        tasks.setdefault(entry["task_id"], []).append("p" if entry["reward"] == 1.0 else "f")
    runs = [(bench.case(f"task-{number}"), trials) for number, trials in tasks.items()]
    summary: Summary = bench.summary(*runs)
    assert summary.trials.graded == 200
    found = {k: round(rate.value or 0, 3) for k, rate in summary.scores.pass_hat.items()}
    assert found == {"1": 0.42, "2": 0.273, "3": 0.22, "4": 0.2}
