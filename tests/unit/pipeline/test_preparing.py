from __future__ import annotations

import base64
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

import probare
from probare.errors import InputError
from probare.model.record import RunPlan
from probare.model.suite import Suite, TargetSpec
from probare.pipeline.options import RunOptions, Selection
from probare.pipeline.preparing import (
    choose_target,
    for_record,
    git_commit,
    prepare,
    shown_settings,
    trial_seed,
)

CANARY = "zq-canary-7f3a9d2e41"


def test_a_trials_seed_is_the_same_in_every_run() -> None:
    expected = int.from_bytes(hashlib.sha256(b"7/case/2").digest()[:4])
    assert trial_seed(7, "case", 2) == expected
    seeds = {trial_seed(s, c, t) for s in (0, 1) for c in ("a", "b") for t in range(5)}
    assert len(seeds) == 20


def test_trials_are_planned_case_by_case(loaded: Any) -> None:
    suite = (
        "suite: s\ntarget: {python: 'agent:say'}\ntrials: 2\ntimeout: 9s\n"
        "defaults: {expect: [is_json]}\n"
        "cases: [{id: a}, {id: b, trials: 1, timeout: 3s}, {id: c}]\n"
    )
    prepared = prepare(loaded(suite), RunOptions(), {}, least_trials={"b": 2, "c": 1})
    planned = [(t.case.id, t.trial, t.timeout) for t in prepared.trials()]
    assert planned == [
        ("a", 0, 9.0),
        ("a", 1, 9.0),
        ("b", 0, 3.0),
        ("b", 1, 3.0),
        ("c", 0, 9.0),
        ("c", 1, 9.0),
    ]
    done = frozenset({("a", 0), ("c", 1)})
    left = [(t.case.id, t.trial) for t in prepared.trials(done)]
    assert left == [("a", 1), ("b", 0), ("b", 1), ("c", 0)]
    again = prepare(loaded(suite), RunOptions(), {}, least_trials={"b": 2})
    assert [t.seed for t in again.trials()] == [t.seed for t in prepared.trials()]


def test_the_commands_options_win_over_the_suites(loaded: Any) -> None:
    suite = (
        "suite: s\ntarget: {python: 'agent:say'}\ntrials: 2\ntimeout: 9s\nconcurrency: 3\n"
        "defaults: {expect: [is_json]}\ncases: [{id: a, trials: 5}, {id: b}]\n"
    )
    plain = prepare(loaded(suite), RunOptions(), {})
    assert (plain.plan.cases, plain.concurrency) == ({"a": 5, "b": 2}, 3)
    asked = RunOptions(trials=1, timeout=1.0, concurrency=8, select=Selection(cases=("b",)))
    prepared = prepare(loaded(suite), asked, {})
    assert (prepared.plan.cases, prepared.concurrency) == ({"b": 1}, 8)
    assert [case.id for case in prepared.suite.cases] == ["b"]
    assert next(prepared.trials()).timeout == 1.0


class TestChoosingATarget:
    SUITE = Suite(
        name="s",
        target="main",
        targets={
            "main": TargetSpec(name="main", kind="python"),
            "staging": TargetSpec(name="staging", kind="http", missing=("HELP_TOKEN",)),
        },
    )

    def test_the_suites_own_and_one_by_name(self) -> None:
        assert choose_target(self.SUITE, None).name == "main"
        assert choose_target(self.SUITE, "main").name == "main"

    @pytest.mark.parametrize(
        ("suite", "name", "message", "hint"),
        [
            (SUITE, "stagin", "has no target 'stagin'", "'staging'"),
            (SUITE, "zzz", "has no target 'zzz'", "there are: main, staging"),
            (SUITE, "staging", "variables that are not set: HELP_TOKEN", ".env"),
            (Suite(name="s"), None, "has no target", "--target"),
            (Suite(name="s"), "x", "has no target 'x'", "there are: none"),
        ],
    )
    def test_what_cannot_be_chosen(
        self, suite: Suite, name: str | None, message: str, hint: str
    ) -> None:
        with pytest.raises(InputError, match=message) as caught:
            choose_target(suite, name)
        assert hint in caught.value.hint


def test_python_objects_are_written_down_by_name() -> None:
    spec = TargetSpec(name="t", kind="python", settings={"python": Counter, "x": 1})
    assert shown_settings(spec) == {"python": "collections:Counter", "x": 1}
    recorded = for_record(
        Suite(name="s", targets={"t": msgspec.structs.replace(spec, secrets={"A": "b"})})
    )
    assert recorded.targets["t"].secrets == {"A": ""}  # names alone


def test_secrets_are_in_no_file_of_a_run(
    write_suite: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANARY_OF_TEST", CANARY)
    monkeypatch.setenv("SERVICE_PASSWORD", CANARY[::-1])
    suite = (
        "suite: s\ntarget: {python: 'agent:say', config: {t: '${CANARY_OF_TEST}'}}\n"
        "targets: {other: {http: 'http://127.0.0.1:1/${CANARY_OF_TEST}'}}\n"
        "defaults: {expect: [{contains: nothing like it}]}\ncases: [{id: a}, {id: b}]\n"
    )
    agent = (
        "import os\n\ndef say(config, case):\n"
        "    if case.id == 'b':\n        raise ValueError('it is ' + config['t'])\n"
        "    return config['t'] + ' ' + os.environ['SERVICE_PASSWORD']\n"
    )
    run = probare.run(write_suite(suite, agent), runs=tmp_path / "runs")
    forms = [CANARY, CANARY[::-1], base64.b64encode(CANARY.encode()).decode()]
    for file in run.folder.rglob("*"):
        if file.is_file():
            text = file.read_text(errors="replace")
            assert not [form for form in forms if form in text], file.name
    assert "[secret:CANARY_OF_TEST#" in (run.folder / "trials.jsonl").read_text()
    assert "CANARY_OF_TEST" in (run.folder / "suite.jsonl").read_text()


def test_the_plan_says_what_was_run(write_suite: Any, tmp_path: Path) -> None:
    folder = write_suite()
    run = probare.run(folder, runs=tmp_path / "runs", seed=5, trials=2)
    plan = msgspec.json.decode((run.folder / "run.json").read_bytes(), type=RunPlan)
    assert plan.cases == {"a": 2, "b": 2}
    assert (plan.seed, plan.target_kind, plan.trust) == (5, "python", "observed")
    assert plan.target_settings == {"python": "agent:say"}
    assert plan.suite_path == str(folder / "suite.yaml")
    assert plan.run_id == run.folder.name
    assert set(plan.versions) == {"probare", "python"}


def test_outside_a_repository_there_is_no_commit(tmp_path: Path) -> None:
    assert git_commit(tmp_path) is None
