"""`probare prove`: does a suite catch broken agents?"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

AGENT = """
import pathlib
import time

class Greeter:
    def __init__(self, config):
        self.fault = config.get("fault")

    def run(self, input):
        if self.fault == "crashes":
            raise ValueError("down")
        if self.fault == "slow":
            pathlib.Path("began").touch()
            time.sleep(30)
        if self.fault == "forgets":
            return "hello"
        return f"hello {input}"

def null():
    return ""
"""

SUITE = """
suite: greeter
target: {python: "agent:Greeter"}
targets:
  oracle: {python: "agent:Greeter"}
  nothing: {python: "agent:null"}
prove:
  oracle: oracle
  "null": nothing
  defects:
    - {name: forgets, config: {fault: forgets}, must_fail: [a, b]}
cases:
  - {id: a, input: Ada, expect: [{contains: $input}]}
  - {id: b, input: Bob, expect: [{contains: $input}]}
  - {id: c, input: Cyd, expect: [{contains: hello}]}
"""
MORE = "    - {name: more, config: {fault: FAULT}, must_fail: [c]}\ncases:"


def test_a_suite_that_catches_its_defects(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    write_suite(SUITE, AGENT)
    result = probare("prove", "demo")
    assert result.code == 0, result
    assert "forgets  caught 2/2  ✗✗" in result.out
    assert "defects caught: 1 of 1 (100.0 %, 95 % interval 2.5–100.0)" in result.out
    assert "PASSED  greeter: 4 runs, 12 trials" in result.out
    assert "It says nothing of faults that nobody named" in " ".join(result.out.split())
    assert "4 of 4: defect forgets: passes 1 of 3 cases" in result.err
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("prove-greeter-")
    assert result.out.splitlines()[-1] == f"runs/{folder.name}/prove.md"
    assert json.loads((folder / "prove.json").read_text())["exit_code"] == 0
    assert not (tmp_path / "demo" / "baseline.json").exists()


def test_each_run_of_a_proof_is_a_run(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    write_suite(SUITE, AGENT)
    probare("prove", "demo")
    (run,) = (tmp_path / "runs").glob("*/defect-forgets-*")
    assert probare("report", run).out.startswith("# greeter: FAILED")
    assert "--target defect:forgets" in (run / "report.md").read_text()
    again = probare("run", "demo", "--target", "defect:forgets", "--no-table")
    assert again.code == 1


def test_a_defect_that_survives(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE.replace("cases:", MORE.replace("FAULT", "none"), 1), AGENT)
    result = probare("prove", "demo")
    assert result.code == 1
    assert "missed by c: passed" in result.out
    assert "1 of 2 defects survived: more" in result.out


def test_a_defect_that_only_crashes(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE.replace("cases:", MORE.replace("FAULT", "crashes"), 1), AGENT)
    result = probare("prove", "demo", "--json")
    assert result.code == 3
    assert result.json["decision"] == "incomplete"
    assert result.json["defects"][1]["result"] == "unproven"


def test_an_oracle_that_fails_and_a_null_target_that_passes(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE.replace("oracle: oracle", "oracle: nothing").replace(
        '"null": nothing', '"null": oracle'), AGENT)  # fmt: skip
    result = probare("prove", "demo")
    assert result.code == 1
    assert "the oracle does not pass 3 of 3 cases: a, b, c" in result.out
    assert "these are weak: a, b, c" in " ".join(result.out.split())


def test_several_suites_and_the_worst_exit_code(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, AGENT)
    write_suite(SUITE.replace("cases:", MORE.replace("FAULT", "crashes"), 1), AGENT, name="other")
    result = probare("prove", "demo", "other", "--json", "--fast", "--runs", "elsewhere")
    assert result.code == 3
    assert [json.loads(line)["exit_code"] for line in result.out.splitlines()] == [0, 3]


def test_faults_of_the_block_are_told_by_check_and_by_prove(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE.replace("[a, b]", "[a, bb]").replace("expect: [{", "expct: [{", 1), AGENT)
    for command in ("check", "prove", "run"):
        result = probare(command, "demo")
        assert result.code == 2
        assert "there is no case 'bb'" in result.err
        assert "unknown key 'expct'" in result.err


def test_what_cannot_be_proved_says_what_to_do(
    probare: Any, write_suite: Any, tmp_path: Path
) -> None:
    write_suite(SUITE, AGENT)
    bare = SUITE.partition("prove:")[0] + "cases: [{id: a}]"
    write_suite(bare, AGENT, name="bare")
    result = probare("prove", "demo", "bare")
    assert result.code == 2
    assert "suite 'greeter' has no `prove` block" in result.err
    assert "must_fail: [greets_by_name]" in result.err
    assert probare("prove").code == 2
    assert "did you mean 'forgets'?" in probare("prove", "demo", "--defect", "forget").err
    assert probare("prove", "demo", "--case", "zzz").code == 2
    assert not (tmp_path / "runs").exists()


def test_marks_in_ascii(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, AGENT)
    result = probare("prove", "demo", "--ascii")
    assert "forgets  caught 2/2  XX" in result.out


def test_an_interruption_keeps_what_ended(write_suite: Any, tmp_path: Path) -> None:
    write_suite(SUITE.replace("cases:", MORE.replace("FAULT", "slow"), 1), AGENT)
    going = subprocess.Popen(
        [sys.executable, "-m", "probare", "prove", "demo"],
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while not (tmp_path / "began").exists() and going.poll() is None:
            time.sleep(0.05)
        going.send_signal(signal.SIGINT)
        _, said = going.communicate(timeout=60)
    finally:
        going.kill()
        going.wait()
    assert going.returncode == 130, said
    assert "interrupted: what ended is kept in runs/prove-greeter-" in said
    (folder,) = (tmp_path / "runs").iterdir()
    assert len(list(folder.glob("*/summary.json"))) == 4
    assert not (folder / "prove.json").exists()
