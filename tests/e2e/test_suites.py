"""`check`, `list`, `new`, `graders`, `schema`, `import`, `baseline`, `diff`, `gate`, `regrade`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"

AGENT = """
import os

def say(input):
    return os.environ.get("WORD", "hello") if input == "b" else "hello"
"""
SUITE = """
suite: s
target: {python: "agent:say"}
defaults: {expect: [{contains: hello}]}
cases: [{id: a, input: a, tags: [x]}, {id: b, input: b}]
"""


CORE = {
    *("equals", "contains", "starts_with", "ends_with", "contains_any", "contains_all", "regex"),
    *("similar", "word_count", "number", "language", "is_json", "json_schema", "field_present"),
    *("field_equals", "field_length", "max_latency", "max_first_token", "max_cost", "max_tokens"),
    *("tool_called", "tool_calls", "python", "banned_words", "ngram_overlap", "numbers_grounded"),
    *("round_trips", "no_repeated_calls", "max_tool_calls", "first_tool", "state_equals", "judge"),
}


def newest(tmp_path: Path) -> Path:
    return max((tmp_path / "runs").iterdir(), key=lambda path: path.stat().st_mtime_ns)


def test_new_makes_a_suite_that_runs_at_once(probare: Any) -> None:
    assert probare("new", "fresh").code == 0
    assert probare("check", "fresh").code == 0
    assert probare("run", "fresh").code == 0
    assert probare("new", "fresh").code == 2


def test_check_and_list(probare: Any, write_suite: Any) -> None:
    write_suite(SUITE, AGENT)
    assert "2 cases" in probare("check", "demo").out
    listed = probare("list", "demo", "--tag", "x")
    assert listed.out.startswith("a ")
    assert [
        json.loads(line)["id"] for line in probare("list", "demo", "--json").out.split("\n")[:-1]
    ] == ["a", "b"]


def test_graders_and_schema(probare: Any) -> None:
    names = probare("graders").out
    for name in ("equals", "contains_any", "language", "tool_calls", "json_schema", "python"):
        assert name in names
    page = probare("graders", "number")
    assert "tolerance" in page.out
    assert probare("graders", "nubmer").code == 2
    found = {page["name"] for page in probare("graders", "--json").json}
    assert found >= CORE
    schema = probare("schema").json
    assert schema["$schema"].endswith("2020-12/schema")


def test_a_baseline_is_used_by_itself(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    write_suite(SUITE, AGENT)
    first = probare("run", "demo")
    assert "no baseline" in first.out
    assert probare("baseline", "set", newest(tmp_path)).code == 0
    assert (tmp_path / "demo" / "baseline.json").exists()
    assert probare("run", "demo").code == 0
    worse = probare("run", "demo", "--json", env={"WORD": "bye"})
    assert worse.code == 1
    assert [regression["what"] for regression in worse.json["regressions"]]
    assert json.loads(probare("baseline", "show", "demo").out)["suite"] == "s"
    assert probare("baseline", "clear", "demo").code == 0
    assert probare("baseline", "clear", "demo").code == 2


def test_diff_and_gate(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    folder = write_suite(SUITE, AGENT)
    probare("run", "demo")
    before = newest(tmp_path)
    probare("run", "demo", env={"WORD": "bye"})
    after = newest(tmp_path)
    told = probare("diff", before, after)
    assert told.code == 0, told
    assert "b" in told.out
    assert "inconclusive" in told.out
    assert probare("gate", before).code == 0
    assert probare("gate", after).code == 1
    (folder / "suite.yaml").write_text(SUITE.replace("input: a,", "input: other,"))
    probare("run", "demo")
    changed = probare("diff", before, newest(tmp_path), "--json")
    assert changed.json["changed"] == ["a"]


def test_regrade_uses_todays_checks_on_stored_transcripts(
    probare: Any, write_suite: Any, tmp_path: Path
) -> None:
    folder = write_suite(SUITE, AGENT)
    probare("run", "demo", env={"WORD": "bye"})
    old = newest(tmp_path)
    before = {path.name: path.read_bytes() for path in old.iterdir() if path.is_file()}
    same = probare("regrade", old, "--json")
    assert same.code == 1
    assert same.json["cases"]["failed"] == 1
    (folder / "suite.yaml").write_text(SUITE.replace("contains: hello", "contains: e"))
    easier = probare("regrade", old, "--suite", "demo", "--json")
    assert easier.code == 0, easier
    new = newest(tmp_path)
    assert json.loads((new / "run.json").read_bytes())["parent"] == old.name
    assert before == {path.name: path.read_bytes() for path in old.iterdir() if path.is_file()}


def test_reports_of_a_finished_run(probare: Any, write_suite: Any, tmp_path: Path) -> None:
    write_suite(SUITE, AGENT)
    probare("run", "demo")
    run = newest(tmp_path)
    for name in ("md", "junit", "json"):
        assert probare("report", run, "--format", name, "--out", f"out.{name}").code == 0
        assert (tmp_path / f"out.{name}").stat().st_size > 0
    assert probare("report", run, "--format", "md").out.startswith("#")


@pytest.mark.skipif(not DATA.exists(), reason="the recorded data is not here")
def test_the_published_figures_of_tau_bench(probare: Any) -> None:
    source = DATA / "tau_bench_airline" / "gpt-4o-airline.json"
    assert probare("import", "tau_bench", source, "--out", "tau").code == 0
    result = probare("run", "tau", "--json")
    assert result.code == 1
    summary = result.json
    assert summary["trials"]["graded"] == 200
    figures = [round(summary["scores"]["pass_hat"][k]["value"], 3) for k in "1234"]
    assert figures == [0.42, 0.273, 0.22, 0.2]
    gold = summary["optional_checks"]["gold actions"]
    assert gold["agree"] + gold["disagree"] == 200


@pytest.mark.skipif(not DATA.exists(), reason="the recorded data is not here")
@pytest.mark.parametrize("log", sorted((DATA / "inspect_logs").glob("*")) if DATA.exists() else [])
def test_inspect_logs_are_imported_and_replayed(probare: Any, log: Path) -> None:
    assert probare("import", "inspect", log, "--out", "log").code == 0
    assert probare("check", "log").code == 0
    result = probare("run", "log", "--json")
    assert result.code in (0, 1, 3)
    assert result.json["cases"]["planned"] >= 1


def test_chats_are_imported(probare: Any, tmp_path: Path) -> None:
    line = {
        "id": "one",
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "hello"},
        ],
        "reward": 1,
    }
    (tmp_path / "chat.jsonl").write_text(json.dumps(line) + "\n")
    assert probare("import", "chat", "chat.jsonl", "--out", "chat").code == 0
    assert probare("run", "chat").code == 0
    (tmp_path / "bad.jsonl").write_text("[]\n")
    bad = probare("import", "chat", "bad.jsonl", "--out", "bad")
    assert bad.code == 2
    assert "bad.jsonl:1" in bad.err
    assert probare("import", "caht", "chat.jsonl", "--out", "x").code == 2
