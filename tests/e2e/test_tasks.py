"""A suite of tasks: one file a task, a runner each, folders by category."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SUITE = """
suite: pipeline
target: {python: "agent:Pipeline"}
targets:
  oracle: {python: "agent:oracle"}
  nothing: {python: "agent:nothing"}
runners: {parser: [master, text], writer: [text]}
cases: [tasks/**/*.yaml]
"""
AGENT = """
import os

class Pipeline:
    def run(self, case, input):
        return getattr(self, case.runner)(input)

    def parser(self, input):
        return {"master": {"name": input["name"]}, "text": input["name"]}

    def writer(self, input):
        text = "Leveraged 50% more" if os.environ.get("WORSE") else "Saved 40 percent"
        return {"text": text}

def oracle(case):
    return case.reference

def nothing():
    return {}
"""
PARSER = """
task:
  id: parser_{number}
  desc: The name comes out
  category: parser
  type: parser
  tags: [regression]
  input: {{name: Ada}}
  graders:
    - name: code.field_present
      args: {{name: there, resume: $master, path: name}}
    - name: code.text_contains
      weight: 0.5
      required: false
      args: {{text: $text, substring: ADA}}
  reference_solution: ada.json
  tracked_metrics: [duration_ms]
"""
WRITER = """
task:
  id: writer_1
  desc: Nothing is invented
  category: writer
  type: writer
  tags: [capability, regression]
  input: {source: saved 40%}
  graders:
    - {name: code.text_contains, args: {text: $text, substring: saved}}
    - {name: code.numbers_in_master, args: {name: grounded, text: $text, source: $input.source}}
    - {name: code.no_banned_words, args: {text: $text, words: [leverage], inflections: true}}
    - {name: code.text_not_contains, args: {text: $text, substring: TODO}}
    - {name: model.grade, required: false, args: {name: tone, text: $text, rubric: "Kind?"}}
  reference_solution: {text: "Saved 40%"}
"""


@pytest.fixture
def tasks(write_suite: Any) -> Path:
    folder: Path = write_suite(SUITE, AGENT)
    for name, text in {
        "tasks/parser/a.yaml": PARSER.format(number=1),
        "tasks/parser/deep/b.yaml": PARSER.format(number=2),
        "tasks/writer/a.yaml": WRITER,
        "references/ada.json": '{"master": {"name": "Ada"}, "text": "Ada"}',
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_all_tasks_run(probare: Any, tasks: Path) -> None:
    run = probare("run", tasks, "--json")
    assert run.code == 0
    assert run.json["cases"]["passed"] == 3
    assert run.json["optional_checks"]["tone"]["other"] == 1
    writer = run.json["per_case"]["writer_1"]
    assert (writer["accuracy"], writer["safety"], writer["pass_rate"]) == (0.8, 1.0, 1.0)


def test_one_category_three_times(probare: Any, tasks: Path) -> None:
    run = probare("run", tasks, "--category", "parser", "--trials", "3", "--json").json
    assert (run["cases"]["planned"], run["trials"]["planned"]) == (2, 6)
    case = run["per_case"]["parser_1"]
    assert (case["pass_rate"], case["pass_hat"]["3"], case["pass_at"]["3"]) == (1.0, 1.0, 1.0)
    assert case["avg_duration_ms"] > 0
    assert list(run["by_category"]) == ["parser"]


def test_the_oracle_answers_with_the_references_and_nothing_fails_them(
    probare: Any, tasks: Path
) -> None:
    assert probare("run", tasks, "--target", "oracle").code == 0
    assert probare("run", tasks, "--target", "nothing", "--json").json["cases"]["passed"] == 0


def test_tags_before_and_after(probare: Any, tasks: Path, tmp_path: Path) -> None:
    probare("run", tasks, "--runs", "before")
    worse = probare("run", tasks, "--runs", "after", env={"WORSE": "1"})
    assert worse.code == 1
    (before,) = (tmp_path / "before").iterdir()
    (after,) = (tmp_path / "after").iterdir()
    said = probare("diff", before, after)
    assert "#capability: 100 % → 0 %" in said.out
    assert "#regression: 100 % → 66.7 %" in said.out


def test_bad_tasks_are_told_all_at_once_and_nothing_runs(
    probare: Any, tasks: Path, tmp_path: Path
) -> None:
    bad = tasks / "tasks" / "writer" / "a.yaml"
    bad.write_text(
        WRITER.replace("type: writer", "type: writr").replace("$text, words", "$txt, words")
    )
    (tasks / "tasks" / "parser" / "c.yaml").write_text(PARSER.format(number=1))
    (tasks / "tasks" / "d.yaml").write_text("tsak: {id: d, graders: []}")
    run = probare("run", tasks)
    assert run.code == 2
    assert "unknown runner 'writr' (did you mean 'writer'?)" in run.err
    assert "duplicate id 'parser_1'" in run.err
    assert "tasks/d.yaml:1:1: tsak: this file is not a task" in run.err
    assert not (tmp_path / "runs").exists()
    bad.write_text(WRITER.replace("$text, words", "$txt, words"))
    said = probare("check", tasks).err
    assert "$txt: the runner 'writer' gives no 'txt' (did you mean 'text'?)" in said


def test_a_deterministic_trial_sees_no_model_and_the_others_keep_theirs(
    probare: Any, write_suite: Any
) -> None:
    agent = (
        "import os\n\n"
        "def say(input, model):\n"
        "    return [os.environ.get('MODEL'), os.environ.get('DRAFT_MODEL'), model]\n"
    )
    suite = (
        "suite: d\ntarget: {python: 'agent:say'}\nisolation: process\n"
        "cases:\n"
        "  - {id: hidden, input: {deterministic: true}, expect: [{equals: [null, null, null]}]}\n"
        "  - {id: seen, input: {deterministic: false}, expect: [{equals: [m1, m2, m3]}]}\n"
    )
    write_suite(suite, agent)
    env = {"MODEL": "m1", "DRAFT_MODEL": "m2"}
    result = probare("run", "demo", "--model", "m3", env=env)
    assert result.code == 0, result
