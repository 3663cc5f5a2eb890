"""Runs, cases, seals, comparisons, pages of pages."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from probare.model.record import RunPlan
from probare.model.score import Summary

Guest = Callable[..., Any]


def test_a_run_with_its_cases_and_their_verdicts(guest: Guest, run_name: str) -> None:
    who = guest().named("Ann")
    assert "decision-failed" in who.text("/")
    page = who.text(f"/runs/{run_name}")
    assert "5 of 5 cases" in page
    assert "1 of 5 cases" in who.text(f"/runs/{run_name}?status=errored")
    assert "1 of 5 cases" in who.text(f"/runs/{run_name}?category=x&tag=sensitive")
    assert "0 of 5 cases" in who.text(f"/runs/{run_name}?text=nothing")
    case = who.text(f"/runs/{run_name}/case?id=told")
    assert '<mark class="bad">secret-word</mark>' in case
    assert "target error: " in who.text(f"/runs/{run_name}/case?id=crash")
    for wrong in ("?id=none", "?id=told&trial=7", ""):
        assert who.get(f"/runs/{run_name}/case{wrong}").status_code == 404
    assert who.get("/runs/none").status_code == 404


def test_a_seal_is_examined_and_a_broken_one_told(guest: Guest, runs: Path, run_name: str) -> None:
    who = guest().named("Ann")
    assert "verified" in who.text(f"/runs/{run_name}/seal")
    path = runs / run_name / "trials.jsonl"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b'"failed"', b'"passed"'))
    page = who.text(f"/runs/{run_name}/seal")
    assert "not intact" in page
    assert "trials.jsonl" in page


def test_two_runs_compared(guest: Guest, runs: Path, run_name: str) -> None:
    who = guest().named("Ann")
    shutil.copytree(runs / run_name, runs / "later")
    path = runs / "later" / "summary.json"
    path.chmod(0o644)
    summary = msgspec.json.decode(path.read_bytes(), type=Summary)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(summary, suite="other")))
    page = who.text(f"/compare?before={run_name}&after={run_name}")
    assert 'class="tag big' in page
    assert "runs of two suites" in who.text(f"/compare?before={run_name}&after=later")
    assert who.get(f"/compare?before={run_name}&after=none").status_code == 404


def test_a_broken_run_is_told_and_hides_no_other(guest: Guest, runs: Path, run_name: str) -> None:
    (runs / "broken").mkdir()
    (runs / "broken" / "run.json").write_text("{")
    page = guest().named("Ann").text("/")
    assert "is corrupt" in page
    assert run_name in page


def test_ten_thousand_cases_are_read_by_the_hundred(
    guest: Guest, runs: Path, run_name: str
) -> None:
    folder = runs / run_name
    plan = msgspec.json.decode((folder / "run.json").read_bytes(), type=RunPlan)
    summary = msgspec.json.decode((folder / "summary.json").read_bytes(), type=Summary)
    names = [f"case-{number:05d}" for number in range(10_000)]
    plan = msgspec.structs.replace(plan, cases=dict.fromkeys(names, 1))
    per_case = dict.fromkeys(names, summary.per_case["leave"])
    for name, value in (
        ("run.json", plan),
        ("summary.json", msgspec.structs.replace(summary, per_case=per_case)),
    ):
        (folder / name).chmod(0o644)
        (folder / name).write_bytes(msgspec.json.encode(value))
    who = guest().named("Ann")
    page = who.text(f"/runs/{run_name}")
    assert page.count("<tr><td>") == 100
    assert "Page 1 of 100" in page
    assert "case-09999" in who.text(f"/runs/{run_name}?page=100")
    assert "Page 100 of 100" in who.text(f"/runs/{run_name}?page=999999")
    assert "Page 1 of 100" in who.text(f"/runs/{run_name}?page=-1")
