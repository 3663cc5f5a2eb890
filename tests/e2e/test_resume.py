"""Interrupted runs: Ctrl-C, kill -9, resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

AGENT = """
import asyncio

async def slow(input):
    await asyncio.sleep(0.01)
    return "hello"
"""


def write(write_suite: Any, cases: int) -> Path:
    lines = "".join(f'{{"id": "c{n}", "input": {n}}}\n' for n in range(cases))
    suite = (
        "suite: slow\ntarget: {python: 'agent:slow'}\ncases: [cases.jsonl]\n"
        "defaults: {expect: [{contains: hello}]}\n"
    )
    return write_suite(suite, AGENT, cases__jsonl=lines)


def start(tmp_path: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "probare", "run", "demo", *more],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_records(tmp_path: Path, count: int) -> Path:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for path in (tmp_path / "runs").glob("*/trials.jsonl"):
            if path.read_bytes().count(b"\n") >= count:
                return path.parent
        time.sleep(0.02)
    raise AssertionError("no records came")


def counted(run: Path) -> Counter[tuple[str, int]]:
    lines = (run / "trials.jsonl").read_bytes().splitlines()
    records = [json.loads(line) for line in lines]
    return Counter((record["case"], record["trial"]) for record in records)


@pytest.mark.parametrize(
    ("cases", "kill_at"), [(300, 60), pytest.param(2000, 900, marks=pytest.mark.slow)]
)
def test_kill_9_loses_nothing_that_ended(
    probare: Any, write_suite: Any, tmp_path: Path, cases: int, kill_at: int
) -> None:
    write(write_suite, cases)
    process = start(tmp_path)
    run = wait_for_records(tmp_path, kill_at)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = counted(run)
    assert kill_at - 1 <= len(kept) < cases
    result = probare("run", "--resume", run, "--json")
    assert result.code == 0, result
    after = counted(run)
    assert len(after) == cases
    assert set(after.values()) == {1}
    assert result.json["trials"]["run"] == cases
    transcripts = (run / "transcripts.jsonl").read_bytes().splitlines()
    assert len(transcripts) == cases


def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(
    probare: Any, write_suite: Any, tmp_path: Path
) -> None:
    write(write_suite, 400)
    process = start(tmp_path)
    run = wait_for_records(tmp_path, 50)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, (out, err)
    assert f"--resume {run.relative_to(tmp_path)}" in out + err
    assert "Traceback" not in err
    assert not (run / "summary.json").exists()
    kept = len(counted(run))
    assert kept < 400
    assert probare("run", "--resume", run).code == 0
    assert set(counted(run).values()) == {1}
    assert len(counted(run)) == 400


def test_resuming_with_a_changed_suite_is_refused(
    probare: Any, write_suite: Any, tmp_path: Path
) -> None:
    folder = write(write_suite, 400)
    process = start(tmp_path)
    run = wait_for_records(tmp_path, 10)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    path = folder / "suite.yaml"
    path.write_text(path.read_text().replace("contains: hello", "contains: bye"))
    result = probare("run", "--resume", run)
    assert result.code == 2
    assert "changed" in result.err


def test_errored_trials_run_again_when_asked(
    probare: Any, write_suite: Any, tmp_path: Path, only_run: Any
) -> None:
    agent = (
        "import os\n\ndef say(input):\n    if os.environ.get('BROKEN') and input == 'b':\n"
        "        raise ValueError('down')\n    return 'hello'\n"
    )
    suite = (
        "suite: s\ntarget: {python: 'agent:say'}\ndefaults: {expect: [{contains: hello}]}\n"
        "cases: [{id: a, input: a}, {id: b, input: b}]\n"
    )
    write_suite(suite, agent)
    assert probare("run", "demo", env={"BROKEN": "1"}).code == 3
    run = only_run()
    sealed = probare("run", "--resume", run, "--retry-errored")
    assert sealed.code == 2
    assert f"probare run SUITE --failed {run}" in sealed.err
    for path in run.glob("manifest.*"):  # as a kill leaves it, between its end and its seal
        path.unlink()
    assert probare("run", "--resume", run, env={"BROKEN": "1"}).code == 3
    for path in run.glob("manifest.*"):
        path.unlink()
    again = probare("run", "--resume", run, "--retry-errored", "--json")
    assert again.code == 0, again
    assert again.json["cases"]["passed"] == 2
    assert counted(run) == Counter({("a", 0): 1, ("b", 0): 1})


def test_two_runs_at_once_in_one_folder_do_not_meet(write_suite: Any, tmp_path: Path) -> None:
    write(write_suite, 50)
    both = [start(tmp_path), start(tmp_path)]
    for process in both:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, (out, err)
    runs = list((tmp_path / "runs").iterdir())
    assert len(runs) == 2
    for run in runs:
        assert len(counted(run)) == 50


def test_two_resumes_at_once_are_refused(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    write(write_suite, 400)
    process = start(tmp_path, "--concurrency", "1")
    run = wait_for_records(tmp_path, 10)
    result = probare("run", "--resume", run)
    assert result.code == 2
    assert "another process" in result.err
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
