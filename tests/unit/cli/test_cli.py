"""The command line, called in this process: exit codes, messages, options."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from probare import cli
from probare.cli import main, root
from probare.cli.options import Duration
from probare.errors import (
    Fault,
    HarnessError,
    InputError,
    LoadError,
    MissingExtra,
    Place,
    RunDirectoryError,
)


class Result(NamedTuple):
    code: int
    out: str
    err: str


Call = Callable[..., Result]

SUITE = """
suite: greeter
target: {python: "cli_agent:say"}
defaults: {expect: [{contains: hello}]}
cases:
  - {id: a, input: Ada, tags: [one], category: x}
  - {id: b, input: Bob, tags: [two], category: y, split: carried_over}
"""
AGENT = "def say(input):\n    return f'hello {input}'\n"


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    """Call a command in the test's folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str | Path) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Result(end.value.code, out, err)

    return run


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "suite.yaml").write_text(SUITE)
    (folder / "cli_agent.py").write_text(AGENT)
    return folder


@pytest.fixture
def finished(call: Call, suite: Path, tmp_path: Path) -> Path:
    """A finished run."""
    assert call("run", suite).code == 0
    (run,) = (tmp_path / "runs").iterdir()
    return run


def test_every_command_is_there_and_says_the_same_of_itself() -> None:
    context = click.Context(root)
    formatter = click.HelpFormatter(width=200)
    root.format_commands(context, formatter)
    overview = formatter.getvalue()
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        assert command is not None, name
        assert command.name == name
        assert command.get_short_help_str(200) in overview
    assert root.get_command(context, "nothing") is None


def test_an_unknown_command_is_suggested(call: Call) -> None:
    result = call("rnu")
    assert result.code == 2
    assert "There is no command 'rnu'. Did you mean 'run'?" in result.err


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (InputError("bad", hint="do that"), 2, ["error: bad", "hint: do that"]),
        (InputError("bad", place=Place("f.yaml", 3, 4)), 2, ["error: f.yaml:3:4: bad"]),
        (
            LoadError([Fault("one", Place("f", 1)), Fault("two", Place("f", 2), "try x")]),
            2,
            ["f:1: one", "f:2: two (try x)", "2 faults"],
        ),
        (RunDirectoryError("gone"), 2, ["error: gone"]),
        (MissingExtra("openai", "models"), 2, ["pip install 'probare[models]'"]),
        (HarnessError("ours"), 3, ["Traceback", "a fault of Probare itself"]),
        (RuntimeError("ours"), 3, ["Traceback", "RuntimeError: ours"]),
        (KeyboardInterrupt(), 130, ["interrupted"]),
        (click.Abort(), 130, ["interrupted"]),
    ],
)
def test_how_a_command_ends(
    error: BaseException,
    code: int,
    words: list[str],
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @click.command()
    def broken() -> None:
        raise error

    def get_command(context: click.Context, name: str) -> click.Command:
        return broken

    monkeypatch.setattr(cli.root, "get_command", get_command)
    result = call("run")
    assert result.code == code
    assert result.out == ""
    for word in words:
        assert word in result.err
    assert ("Traceback" in result.err) == (code == 3)


def test_secrets_are_masked_in_messages_too(
    call: Call, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_PASSWORD", "zq-canary-of-cli")
    result = call("run", suite, "--target", "zq-canary-of-cli")
    assert result.code == 2
    assert "zq-canary-of-cli" not in result.err
    assert "[secret:SOME_PASSWORD#" in result.err


@pytest.mark.parametrize(
    ("text", "seconds"), [("60", 60.0), ("2.5", 2.5), ("2m", 120.0), ("500ms", 0.5)]
)
def test_times(text: str, seconds: float) -> None:
    assert Duration().convert(text, None, None) == seconds


@pytest.mark.parametrize("text", ["0", "-1", "soon", "", "1e3", "nan", "1..2", "٣"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(click.BadParameter, match="duration"):
        Duration().convert(text, None, None)


class TestRun:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "no suite given"),
            (("demo", "--retry-errored"), "--retry-errored goes with --resume RUN"),
            (("demo", "--trials", "0"), "--trials"),
            (("demo", "--tag", "onee"), "--tag onee matches no case"),
            (("demo", "--target", "x"), "has no target 'x'"),
            (("demo", "gone"), "gone"),
        ],
    )
    def test_bad_input(
        self, arguments: tuple[str, ...], message: str, call: Call, suite: Path, tmp_path: Path
    ) -> None:
        result = call("run", *arguments)
        assert result.code == 2
        assert message in result.err
        assert not (tmp_path / "runs").exists()

    def test_resume_takes_nothing_that_was_settled_before(
        self, call: Call, suite: Path, finished: Path
    ) -> None:
        for more in (("demo",), ("--trials", "3"), ("--tag", "one"), ("--seed", "4")):
            result = call("run", "--resume", finished, *more)
            assert result.code == 2
            assert "--resume" in result.err
        for path in finished.glob("manifest.*"):  # as a kill leaves it, before its seal
            path.unlink()
        assert call("run", "--resume", finished, "--retry-errored", "--no-table").code == 0

    def test_the_worst_of_several_suites_counts(self, call: Call, suite: Path) -> None:
        other = suite.parent / "other"
        other.mkdir()
        (other / "suite.yaml").write_text(SUITE.replace("contains: hello", "contains: bye"))
        (other / "cli_agent.py").write_text(AGENT)
        result = call("run", suite, other, "--json")
        assert result.code == 1
        decisions = [json.loads(line)["decision"] for line in result.out.splitlines()]
        assert decisions == ["passed", "failed"]


class TestFinishedRuns:
    def test_report(self, call: Call, finished: Path, tmp_path: Path) -> None:
        printed = call("report", finished)
        assert printed.out == (finished / "report.md").read_text()
        assert call("report", finished, "--format", "junit", "--out", "j.xml").code == 0
        assert (tmp_path / "j.xml").read_bytes() == (finished / "junit.xml").read_bytes()
        assert "no report format 'mdx'" in call("report", finished, "--format", "mdx").err
        result = call("report", finished, "--out", "no/such/file.md")
        assert (result.code, "cannot be written" in result.err) == (2, True)

    def test_gate(self, call: Call, finished: Path) -> None:
        told = call("gate", finished)
        assert (told.code, told.out.startswith("PASSED: ")) == (0, True)
        assert json.loads(call("gate", finished, "--json").out)["decision"] == "passed"

    def test_diff(self, call: Call, finished: Path) -> None:
        found = json.loads(call("diff", finished, finished, "--json").out)
        assert (found["pairs"], found["fell"]) == (2, [])
        assert call("diff", finished, finished).code == 0

    def test_baseline(self, call: Call, suite: Path, finished: Path) -> None:
        assert "has no baseline" in call("baseline", "show", suite).err
        assert "2 cases of run" in call("baseline", "set", finished).out
        assert json.loads(call("baseline", "show", suite).out)["run_id"] == finished.name
        assert call("baseline", "clear", suite).code == 0
        assert not (suite / "baseline.json").exists()
        assert call("baseline", "clear", suite).code == 2

    def test_regrade(self, call: Call, finished: Path, tmp_path: Path) -> None:
        result = call("regrade", finished, "--json", "--runs", "again")
        assert result.code == 0
        assert json.loads(result.out)["decision"] == "passed"
        assert len(list((tmp_path / "again").iterdir())) == 1

    def test_no_run(self, call: Call, suite: Path) -> None:
        for command in (("report",), ("gate",), ("regrade",), ("baseline", "set")):
            result = call(*command, suite)
            assert result.code == 2
            assert "is not a run directory" in result.err


class TestSuites:
    def test_list(self, call: Call, suite: Path) -> None:
        told = call("list", suite)
        assert "2 cases: x 1, y 1" in told.out
        assert "#one" in told.out
        lines = call("list", suite, "--tag", "two", "--json").out.splitlines()
        assert [json.loads(line)["id"] for line in lines] == ["b"]
        assert call("list", suite, "--split", "carried_over").out.startswith("b ")
        assert call("list", suite, "--case", "zzz").code == 2

    def test_check_tells_of_every_suite(self, call: Call, suite: Path) -> None:
        bad = suite.parent / "bad"
        bad.mkdir()
        (bad / "suite.yaml").write_text("suite: s\ncases: [{id: a, expect: [contians: x]}]\n")
        result = call("check", bad, suite)
        assert result.code == 2
        assert "demo: ok: 2 cases, 2 checks" in result.out
        assert "contians" in result.err

    def test_new_then_run(self, call: Call, tmp_path: Path) -> None:
        assert call("new", "fresh").code == 0
        assert call("run", "fresh").code == 0
        assert call("new", "fresh").code == 2

    def test_graders_and_schema(self, call: Call) -> None:
        names = {page["name"] for page in json.loads(call("graders", "--json").out)}
        assert {"contains", "tool_calls", "language"} <= names
        assert all(f"{name} " in call("graders").out for name in names)
        assert "required" in call("graders", "number").out
        assert "did you mean 'number'?" in call("graders", "numbr").err
        assert "properties" in json.loads(call("schema").out) or "$defs" in json.loads(
            call("schema").out
        )

    def test_import(self, call: Call, tmp_path: Path) -> None:
        talk: list[dict[str, Any]] = [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "hello"},
        ]
        line = {"messages": talk, "reward": 1}
        (tmp_path / "talk.jsonl").write_text(json.dumps(line) + "\n")
        told = call("import", "chat", "talk.jsonl", "--out", "replayed")
        assert "1 cases, 1 recorded trials" in told.out
        assert call("run", "replayed").code == 0
        assert "did you mean 'chat'" in call("import", "chatt", "talk.jsonl", "--out", "x").err
