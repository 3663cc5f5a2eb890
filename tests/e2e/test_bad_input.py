"""Bad input: a clear error with a hint, nothing runs, exit code 2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

AGENT = "def say(input):\n    return 'hello'\n"
UNSET_VARIABLE = (
    "suite: bad\ntarget: {http: 'http://127.0.0.1:1', headers: {A: '${NOPE_X}'}}\n"
    "cases: [{id: a}]\n"
)
HEAD = "suite: bad\ntarget: {python: 'agent:say'}\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "cases: [{id: a, asserts: [{contains: x}]}]\n", ["asserts", "3:"]),
        (HEAD + "cases: [{id: a, expcet: [{contains: x}]}]\n", ["expcet", "expect"]),
        (HEAD + "cases: [{id: a, expect: [{contain: x}]}]\n", ["contain", "contains"]),
        (HEAD + "cases: [{id: a, expect: [{regex: '('}]}]\n", ["regex"]),
        (HEAD + "cases: [{id: a}, {id: a}]\n", ["a", "duplicate"]),
        (HEAD + "cases: []\n", ["case"]),
        (HEAD + "cases: [missing/*.yaml]\n", ["missing/*.yaml"]),
        (HEAD + "trials: 0\ncases: [{id: a}]\n", ["trials"]),
        ("suite: bad\nsuite: two\ncases: [{id: a}]\n", ["duplicate", "suite"]),
        (HEAD + "cases: [{id: a, input: {x: 1}, expect: [{equals: $input.y}]}]\n", ["$input.y"]),
        (HEAD + "cases: [\n", ["suite.yaml"]),
        ("suite: bad\ntarget: {pyhton: 'agent:say'}\ncases: [{id: a}]\n", ["pyhton", "python"]),
        (UNSET_VARIABLE, ["NOPE_X"]),
    ],
)
def test_a_bad_suite_is_refused_with_place_and_hint(
    probare: Any, write_suite: Any, tmp_path: Path, text: str, words: list[str]
) -> None:
    write_suite(text, AGENT)
    for command in ("check", "run"):
        result = probare(command, "demo")
        assert result.code == 2, result
        for word in words:
            assert word in result.err, result.err
    assert "suite.yaml:" in result.err
    assert not (tmp_path / "runs").exists()


def test_all_faults_are_told_at_once(probare: Any, write_suite: Any) -> None:
    text = (
        HEAD
        + "trials: none\ncases:\n"
        + "  - {id: a, tpyo: 1}\n  - {id: a}\n  - {id: b, expect: [{wrong: 1}]}\n"
    )
    write_suite(text, AGENT)
    result = probare("check", "demo")
    for word in ("trials", "tpyo", "wrong", "'a'"):
        assert word in result.err, result.err
    assert "4 faults" in result.err


def test_no_such_suite(probare: Any) -> None:
    result = probare("run", "nowhere")
    assert result.code == 2
    assert "nowhere" in result.err


def test_no_suite_given(probare: Any) -> None:
    assert probare("run").code == 2


@pytest.mark.parametrize(
    ("agent", "reference", "words"),
    [
        ("", "agent:say", "no module 'agent'"),
        ("def other(): pass\n", "agent:say", "no 'say'"),
        ("import not_there_at_all\n", "agent:say", "not_there_at_all"),
        ("1 / 0\n", "agent:say", "ZeroDivisionError"),
        ("def say(:\n", "agent:say", "SyntaxError"),
    ],
)
def test_a_target_that_cannot_be_imported(
    probare: Any, write_suite: Any, agent: str, reference: str, words: str
) -> None:
    suite = f"suite: bad\ntarget: {{python: '{reference}'}}\ncases: [{{id: a, input: 1}}]\n"
    write_suite(suite, agent)
    result = probare("run", "demo")
    assert result.code == 2, result
    assert words in result.err


def test_an_unknown_target(probare: Any, write_suite: Any) -> None:
    write_suite(HEAD + "targets: {staging: {python: 'agent:say'}}\ncases: [{id: a}]\n", AGENT)
    result = probare("run", "demo", "--target", "stagin")
    assert result.code == 2
    assert "did you mean 'staging'" in result.err


def test_a_read_only_place_for_runs(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    write_suite(HEAD + "cases: [{id: a, input: 1, expect: [{contains: hello}]}]\n", AGENT)
    (tmp_path / "blocked").write_text("a file, not a folder")
    result = probare("run", "demo", "--runs", "blocked")
    assert result.code == 2
    assert "--runs" in result.err


def test_a_case_without_a_check_is_never_passed(probare: Any, write_suite: Any) -> None:
    write_suite(HEAD + "cases: [{id: a, input: 1}]\n", AGENT)
    result = probare("run", "demo", "--json")
    assert result.code == 3
    assert result.json["cases"]["ungraded"] == 1
    assert result.json["cases"]["passed"] == 0


def test_a_hanging_agent_is_a_timeout_and_the_run_ends(probare: Any, write_suite: Any) -> None:
    agent = (
        "import time\n\ndef say(input):\n    time.sleep(600 if input == 'hang' else 0)\n"
        "    return 'hello'\n"
    )
    cases = "cases: [{id: a, input: hang}, {id: b, input: x}]\n"
    write_suite(HEAD + "defaults: {expect: [{contains: hello}]}\n" + cases, agent)
    result = probare("run", "demo", "--timeout", "300ms", "--json")
    assert result.code == 3
    assert result.json["per_case"]["a"]["status"] == "errored"
    assert result.json["per_case"]["b"]["status"] == "passed"
    assert any("hung" in note or "abandoned" in note for note in result.json["notes"])


def test_an_agent_that_blocks_the_loop_does_not_hold_up_the_run(
    probare: Any, write_suite: Any
) -> None:
    agent = (
        "import time\n\nasync def say(input):\n"
        "    if input == 'sleep':\n        time.sleep(600)\n"
        "    while input == 'spin':\n        pass\n    return 'hello'\n"
    )
    cases = "cases: [{id: a, input: sleep}, {id: b, input: spin}, {id: c, input: x}]\n"
    write_suite(HEAD + "defaults: {expect: [{contains: hello}]}\n" + cases, agent)
    result = probare("run", "demo", "--timeout", "500ms", "--concurrency", "1", "--json")
    assert result.code == 3, result
    statuses = {name: case["status"] for name, case in result.json["per_case"].items()}
    assert statuses == {"a": "errored", "b": "errored", "c": "passed"}


def test_a_flood_of_output_is_cut_with_a_mark(probare: Any, write_suite: Any) -> None:
    agent = "def say(input):\n    return 'hello ' * 2_000_000\n"
    write_suite(HEAD + "cases: [{id: a, input: x, expect: [{contains: hello}]}]\n", agent)
    result = probare("run", "demo", "--json")
    assert result.code == 3
    assert result.json["per_case"]["a"]["status"] == "errored"


def test_a_corrupt_run_directory(probare: Any, write_suite: Any, only_run: Any) -> None:
    write_suite(HEAD + "cases: [{id: a, input: 1, expect: [{contains: hello}]}]\n", AGENT)
    assert probare("run", "demo").code == 0
    run = only_run()
    (run / "trials.jsonl").write_text("{not json\n")
    assert probare("verify", run).code == 1
    for path in run.glob("manifest.*"):
        path.unlink()
    for command in (["regrade", run], ["gate", run], ["run", "--resume", run]):
        result = probare(*command)
        assert result.code == 2, result
        assert "trials.jsonl:1" in result.err
    assert probare("diff", run, "elsewhere").code == 2


def test_a_stream_that_cannot_show_a_character(probare: Any, write_suite: Any) -> None:
    agent = "def say(input):\n    raise ValueError('could not parse \\u2705')\n"
    write_suite(HEAD + "cases: [{id: a, input: 1, expect: [{contains: hello}]}]\n", agent)
    result = probare("run", "demo", env={"PYTHONIOENCODING": "cp950"})
    assert result.code == 3
    assert "could not parse" in result.out


def test_relative_paths_outside_are_no_workspace(probare: Any, write_suite: Any) -> None:
    text = HEAD + "cases: [{id: a, input: 1, workspace: nowhere}]\n"
    write_suite(text, AGENT)
    assert probare("check", "demo").code == 2


def test_a_target_whose_variable_is_not_set(probare: Any, write_suite: Any) -> None:
    text = HEAD + (
        "targets: {staging: {http: 'http://127.0.0.1:1', headers: {A: 'Bearer ${NOPE_X}'}}}\n"
        "cases: [{id: a, input: 1, expect: [{contains: hello}]}]\n"
    )
    write_suite(text, AGENT)
    assert probare("run", "demo").code == 0
    result = probare("run", "demo", "--target", "staging")
    assert result.code == 2
    assert "NOPE_X" in result.err
