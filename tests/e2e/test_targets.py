"""The other targets through the command: command, http, replay, and process isolation."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from probare.testing.servers import Reply, serving

CASES = (
    "cases: [{id: a, input: world, expect: [{contains: hello world}], "
    "forbid: [{contains: goodbye}]}]\n"
)


def test_a_command(probare: Any, write_suite: Any) -> None:
    program = (
        "import json, sys\njob = json.load(sys.stdin)\n"
        'print(json.dumps({"event": {"kind": "note", "text": "working"}}))\n'
        'print(json.dumps({"output": "hello " + job["input"]}))\n'
    )
    suite = f"suite: c\ntarget: {{command: [{json.dumps(sys.executable)}, program.py]}}\n" + CASES
    write_suite(suite, program__py=program)
    assert probare("run", "demo").code == 0


def test_a_command_that_fails_is_an_error(probare: Any, write_suite: Any) -> None:
    for program in (
        "raise SystemExit(4)\n",
        "print('hello world'); raise SystemExit(1)\n",
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)\n",
        "import time; time.sleep(60)\n",
        "pass\n",
    ):
        suite = (
            f"suite: c\ntarget: {{command: [{json.dumps(sys.executable)}, program.py]}}\n"
            "timeout: 2s\n" + CASES
        )
        write_suite(suite, program__py=program)
        result = probare("run", "demo", "--json")
        assert result.code == 3, (program, result)
        assert result.json["cases"]["errored"] == 1


def test_a_program_that_is_not_there_is_bad_input(
    probare: Any, write_suite: Any, tmp_path: Path
) -> None:
    write_suite("suite: c\ntarget: {command: [no-such-program-at-all]}\n" + CASES)
    result = probare("run", "demo")
    assert result.code == 2
    assert "no-such-program-at-all" in result.err
    assert not any((tmp_path / "runs").glob("*"))


def test_http(probare: Any, write_suite: Any) -> None:
    with serving(Reply.of({"output": "hello world"})) as server:
        write_suite(f"suite: h\ntarget: {{http: {json.dumps(server.url)}}}\n" + CASES)
        assert probare("run", "demo").code == 0


def test_http_that_is_limited_is_retried(probare: Any, write_suite: Any) -> None:
    limited = Reply.of({"error": "slow down"}, status=429, headers={"Retry-After": "0"})
    with serving(limited, limited, Reply.of({"output": "hello world"})) as server:
        write_suite(f"suite: h\ntarget: {{http: {json.dumps(server.url)}}}\n" + CASES)
        result = probare("run", "demo", "--json")
        assert result.code == 0, result
        assert len(server.requests) == 3


def test_http_that_is_down_is_incomplete(probare: Any, write_suite: Any) -> None:
    write_suite("suite: h\ntarget: {http: 'http://127.0.0.1:9/'}\n" + CASES)
    result = probare("run", "demo", "--retries", "0")
    assert result.code == 3
    assert "infra error" in result.out


def test_a_process_of_its_own(probare: Any, write_suite: Any) -> None:
    agent = (
        "import os, time\n\ndef say(input):\n"
        "    if input == 'die':\n        os._exit(7)\n"
        "    if input == 'hang':\n        time.sleep(600)\n"
        "    return f'hello world {os.getpid()}'\n"
    )
    suite = (
        "suite: p\ntarget: {python: 'agent:say'}\nisolation: process\ntimeout: 5s\n"
        "defaults: {expect: [{contains: hello world}]}\n"
        "cases: [{id: a, input: x}, {id: b, input: die}, {id: c, input: hang, timeout: 2s}]\n"
    )
    write_suite(suite, agent)
    result = probare("run", "demo", "--json")
    assert result.code == 3, result
    statuses = {name: case["status"] for name, case in result.json["per_case"].items()}
    assert statuses == {"a": "passed", "b": "errored", "c": "errored"}


def test_replaying_a_run(probare: Any, write_suite: Any, only_run: Any, tmp_path: Path) -> None:
    agent = "def say(input):\n    return 'hello ' + input\n"
    folder = write_suite("suite: r\ntarget: {python: 'agent:say'}\n" + CASES, agent)
    assert probare("run", "demo").code == 0
    run = only_run()
    text = "suite: r\ntarget: {replay: " + json.dumps(str(run)) + "}\n"
    (folder / "suite.yaml").write_text(text + CASES)
    assert probare("run", "demo", "--runs", "again").code == 0
    (folder / "suite.yaml").write_text(text + CASES.replace("id: a", "id: other"))
    missing = probare("run", "demo", "--runs", "again", "--json")
    assert missing.code == 3
    assert missing.json["cases"]["errored"] == 1
