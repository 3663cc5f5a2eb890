"""`probare run`: a suite, an agent, a decision, a run directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

GREETER = """
async def greet(input):
    return "hello " + input

def plain(input):
    return "hello " + input

async def stream(input):
    for piece in ("hel", "lo ", input):
        yield piece

class Agent:
    def __init__(self, config):
        self.word = config.get("word", "hello")
    async def run(self, input):
        return self.word + " " + input

def wrong(input):
    return "goodbye"

def crash(input):
    raise ValueError("broken inside")

def nothing(input):
    pass

def leaves(input):
    raise SystemExit(3)

def talks(input):
    print("noise on stdout")
    return "hello " + input
"""

SUITE = """
suite: greeter
target: {python: "agent:greet"}
targets:
  plain: {python: "agent:plain"}
  stream: {python: "agent:stream"}
  class: {python: "agent:Agent", config: {word: hello}}
  wrong: {python: "agent:wrong"}
  crash: {python: "agent:crash"}
  nothing: {python: "agent:nothing"}
  leaves: {python: "agent:leaves"}
  talks: {python: "agent:talks"}
cases:
  - id: world
    input: world
    tags: [regression]
    category: greetings
    expect:
      - contains: hello world
    forbid:
      - contains: goodbye
  - id: moon
    input: moon
    split: carried_over
    expect:
      - contains_all: [hello, moon]
"""


def test_a_passing_suite(probare: Any, write_suite: Any, only_run: Any) -> None:
    write_suite(SUITE, GREETER)
    result = probare("run", "demo")
    assert result.code == 0, result
    run = only_run()
    names = {path.name for path in run.iterdir()}
    assert {
        "run.json",
        "suite.jsonl",
        "transcripts.jsonl",
        "trials.jsonl",
        "summary.json",
        "report.md",
        "junit.xml",
    } <= names
    summary = json.loads((run / "summary.json").read_bytes())
    assert summary["decision"] == "passed"
    assert summary["exit_code"] == 0
    assert summary["cases"]["passed"] == 2
    assert summary["scores"]["accuracy"]["value"] == 1.0
    assert summary["scores"]["safety"]["method"] == "clopper-pearson"
    assert summary["scores"]["compliance"]["carried_over"]["denominator"] == 1
    assert summary["per_case"]["world"]["pass_rate"] == 1.0
    junit = ElementTree.parse(run / "junit.xml").getroot()
    assert len(list(junit.iter("testcase"))) == 2
    assert "greeter" in (run / "report.md").read_text()


def test_every_shape_of_python_target(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, GREETER)
    for target in ("plain", "stream", "class", "talks"):
        result = probare("run", "demo", "--target", target, "--json")
        assert result.code == 0, (target, result)
        assert result.json["cases"]["passed"] == 2


def test_a_failing_agent_fails(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, GREETER)
    result = probare("run", "demo", "--target", "wrong")
    assert result.code == 1
    assert "hello world" in result.out
    assert "goodbye" in result.out


def test_crashes_are_errors_never_passes_nor_failures(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, GREETER)
    for target, words in (
        ("crash", "broken inside"),
        ("nothing", "nothing"),
        ("leaves", "exit"),
    ):
        result = probare("run", "demo", "--target", target, "--json")
        assert result.code == 3, (target, result)
        summary = result.json
        assert summary["decision"] == "incomplete"
        assert summary["cases"]["errored"] == 2
        assert summary["cases"]["failed"] == summary["cases"]["passed"] == 0
        assert summary["scores"]["accuracy"]["value"] == 0.0
        shown = probare("run", "demo", "--target", target)
        assert words in shown.out, shown.out


def test_trials_make_pass_at_k_and_flaky_cases(probare: Any, write_suite: Any) -> None:
    agent = """
def sometimes(input, trial):
    return "yes" if trial != 1 else "no"
"""
    suite = """
suite: flaky
target: {python: "agent:sometimes"}
cases:
  - {id: a, input: 1, expect: [{equals: "yes"}]}
"""
    write_suite(suite, agent)
    result = probare("run", "demo", "--trials", "4", "--json")
    assert result.code == 1
    case = result.json["per_case"]["a"]
    assert case["status"] == "flaky"
    assert case["pass_rate"] == 0.75
    assert case["pass_at"]["2"] == 1.0
    assert case["pass_hat"]["2"] == 0.5
    assert case["pass_hat"]["4"] == 0.0


def test_selections(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, GREETER)
    one = probare("run", "demo", "--case", "w*", "--json").json
    assert list(one["per_case"]) == ["world"]
    assert list(probare("run", "demo", "--tag", "regression", "--json").json["per_case"]) == [
        "world"
    ]
    assert list(probare("run", "demo", "--split", "carried_over", "--json").json["per_case"]) == [
        "moon"
    ]
    assert len(probare("run", "demo", "--sample", "1", "--json").json["per_case"]) == 1
    for arguments in (["--case", "x*"], ["--tag", "regresion"], ["--category", "none"]):
        nothing = probare("run", "demo", *arguments)
        assert nothing.code == 2
        assert "matches no case" in nothing.err


def test_failed_runs_only_what_failed(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    agent = "def half(input):\n    return 'hello' if input == 'a' else 'no'\n"
    suite = (
        "suite: half\ntarget: {python: 'agent:half'}\n"
        "defaults: {expect: [{contains: hello}]}\n"
        "cases: [{id: a, input: a}, {id: b, input: b}]\n"
    )
    write_suite(suite, agent)
    assert probare("run", "demo").code == 1
    run = next((tmp_path / "runs").iterdir())
    again = probare("run", "demo", "--failed", run, "--json")
    assert list(again.json["per_case"]) == ["b"]


def test_fail_fast_stops_and_says_so(probare: Any, write_suite: Any) -> None:
    agent = "def bad(input):\n    return 'no'\n"
    cases = ", ".join(f"{{id: c{n}, input: 1}}" for n in range(20))
    suite = (
        "suite: bad\ntarget: {python: 'agent:bad'}\n"
        f"defaults: {{expect: [{{contains: hello}}]}}\ncases: [{cases}]\n"
    )
    write_suite(suite, agent)
    result = probare("run", "demo", "--fail-fast", "--concurrency", "1", "--json")
    assert result.code == 1
    assert result.json["trials"]["run"] == 1
    assert result.json["trials"]["planned"] == 20
    assert any("fail-fast" in why for why in result.json["why"] + result.json["notes"])


def test_json_is_alone_on_stdout(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, GREETER)
    result = probare("run", "demo", "--target", "talks", "--json")
    assert result.json["suite"] == "greeter"


def test_no_table_prints_the_summary_alone(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, GREETER)
    brief = probare("run", "demo", "--no-table").out
    assert "PASSED" in brief.upper()
    assert len(brief.splitlines()) < len(probare("run", "demo").out.splitlines())


def test_two_suites_may_each_have_an_agent_module(probare: Any, write_suite: Any) -> None:
    for name in ("one", "two"):
        write_suite(
            f"suite: {name}\ntarget: {{python: 'agent:say'}}\n"
            f"cases: [{{id: a, input: x, expect: [{{equals: {name}}}]}}]\n",
            "import helper\n\ndef say(input):\n    return helper.WORD\n",
            name=name,
            helper__py=f"WORD = {name!r}\n",
        )
    result = probare("run", "one", "two", "--json")
    assert result.code == 0, result
    assert [json.loads(line)["suite"] for line in result.out.splitlines()] == ["one", "two"]


def test_all_suites_are_checked_before_any_runs(
    probare: Any, write_suite: Any, tmp_path: Path
) -> None:
    write_suite(SUITE, GREETER, name="good")
    write_suite("suite: bad\ncases: []\n", name="bad")
    result = probare("run", "good", "bad")
    assert result.code == 2
    assert not (tmp_path / "runs").exists()


def test_a_dotenv_beside_the_suite_fills_what_is_not_set(
    probare: Any, write_suite: Any, only_run: Any
) -> None:
    agent = "import os\n\ndef tell(input):\n    return os.environ['PLACE']\n"
    suite = (
        "suite: env\ntarget: {python: 'agent:tell'}\n"
        "cases: [{id: a, input: 1, expect: [{equals: venus}]}]\n"
    )
    folder = write_suite(suite, agent)
    (folder / ".env").write_text("PLACE=venus\nAPI_TOKEN=canary-in-dotenv-file\n")
    assert probare("run", "demo").code == 0
    for path in only_run().rglob("*"):
        assert b"canary-in-dotenv-file" not in (path.read_bytes() if path.is_file() else b"")
    assert probare("run", "demo", "--runs", "r2", env={"PLACE": "mars"}).code == 1


def test_secrets_of_target_settings_are_masked_everywhere(
    probare: Any, write_suite: Any, only_run: Any
) -> None:
    agent = "def tell(input, config):\n    return 'the token is ' + config['token']\n"
    suite = (
        "suite: leak\ntarget:\n  python: 'agent:tell'\n  config: {token: '${HELP_TOKEN}'}\n"
        "cases: [{id: a, input: 1, expect: [{equals: nothing like it}]}]\n"
    )
    write_suite(suite, agent)
    result = probare("run", "demo", env={"HELP_TOKEN": "canary-4711-abcdef"})
    assert result.code == 1
    assert "canary-4711-abcdef" not in result.out + result.err
    for path in only_run().rglob("*"):
        if path.is_file():
            assert b"canary-4711-abcdef" not in path.read_bytes(), path.name


def test_help_and_version(probare: Any) -> None:
    assert "Run suites" in probare("--help").out
    assert probare("--version").code == 0
    unknown = probare("rnu")
    assert unknown.code == 2
    assert "Did you mean 'run'" in unknown.err


def test_a_secret_in_an_input_stays_out_of_the_report(
    probare: Any, write_suite: Any, only_run: Any
) -> None:
    suite = (
        "suite: ask\ntarget: {python: 'agent:greet'}\n"
        "cases: [{id: a, input: 'is canary-0815-secret fine?', review: always}]\n"
    )
    write_suite(suite, GREETER)
    result = probare("run", "demo", env={"SOME_API_KEY": "canary-0815-secret"})
    assert result.code == 3, result  # nothing was judged
    assert "[secret:SOME_API_KEY#" in (only_run() / "report.md").read_text()
    for path in only_run().rglob("*"):
        assert b"canary-0815-secret" not in path.read_bytes(), path.name
