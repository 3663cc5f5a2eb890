"""The task dialect, with the graders that there are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from probare.errors import LoadError
from probare.loading import load
from probare.model.case import Case, Check
from probare.pipeline.catalogue import BuiltCatalogue

SUITE = """
suite: pipeline
target: {python: "agent:run"}
cases: [tasks/**/*.yaml]
"""
SAMPLE = """
task:
  id: parser_contact_001
  desc: Contact fields come out of the sample file
  category: parser
  type: parser                 # the runner
  tags: [capability, regression]
  input:
    tex_path: sample.tex
  graders:
    - name: code.field_present
      args: {name: contact.name_present, resume: $master, path: contact.name}
    - name: code.field_length
      args: {name: two_jobs, resume: $master, path: experience, expected: 2}
    - name: code.text_contains
      weight: 0.5
      required: false
      args: {name: has_kubernetes, text: $text, substring: kubernetes}
  reference_solution: references/parser_contact_001.json
  tracked_metrics: [duration_ms]
"""
WriteTask = Callable[..., None]


class Tasks:
    """A suite of tasks in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("suite.yaml", SUITE)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def task(self, *graders: dict[str, Any], **keys: Any) -> Tasks:
        task: dict[str, Any] = {"id": "a", "type": "parser", "graders": list(graders), **keys}
        given = {key: item for key, item in task.items() if item is not ...}
        self.write("tasks/a.yaml", yaml.safe_dump({"task": given}, sort_keys=False))
        return self

    @property
    def cases(self) -> tuple[Case, ...]:
        return load(self.folder, BuiltCatalogue(), {}).suite.cases

    @property
    def case(self) -> Case:
        (case,) = self.cases
        return case

    @property
    def faults(self) -> list[str]:
        with pytest.raises(LoadError) as caught:
            load(self.folder, BuiltCatalogue(), {})
        return [str(fault).replace(f"{self.folder}/", "") for fault in caught.value.faults]


@pytest.fixture
def tasks(tmp_path: Path) -> Tasks:
    return Tasks(tmp_path)


def grader(name: str, /, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def test_the_sample_loads_unchanged(tasks: Tasks) -> None:
    tasks.write("tasks/parser/contact.yaml", SAMPLE)
    tasks.write("references/parser_contact_001.json", '{"master": {"contact": {"name": "Ada"}}}')
    case = tasks.case
    assert case == Case(
        id="parser_contact_001",
        description="Contact fields come out of the sample file",
        category="parser",
        runner="parser",
        tags=("capability", "regression"),
        input={"tex_path": "sample.tex"},
        reference={"master": {"contact": {"name": "Ada"}}},
        expect=(
            Check(
                grader="field_present",
                args={"path": "contact.name"},
                look_in="$master",
                label="contact.name_present",
            ),
            Check(
                grader="field_length",
                args={"path": "experience", "equals": 2},
                look_in="$master",
                label="two_jobs",
            ),
            Check(
                grader="contains",
                args={"text": "kubernetes"},
                look_in="$text",
                label="has_kubernetes",
                weight=0.5,
                required=False,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("written", "check"),
    [
        (
            grader("code.equal", actual="$output.n", expected=2),
            Check(grader="equals", args={"value": 2}, look_in="$output.n"),
        ),
        (
            grader("code.equal", actual="$output.n", expected="$input.n"),
            Check(grader="equals", args={"value": "$input.n"}, look_in="$output.n"),
        ),
        (
            grader("code.field_length", value="$jobs[0]", path="bullets", min=1, max=3),
            Check(
                grader="field_length",
                args={"path": "bullets", "min": 1, "max": 3},
                look_in="$jobs[0]",
            ),
        ),
        (
            grader("code.text_contains", text="$text", substring="x", ignore_case=False),
            Check(grader="contains", args={"text": "x", "ignore_case": False}, look_in="$text"),
        ),
        (
            grader("code.no_banned_words", text="$text", words=["art"], inflections=True),
            Check(
                grader="banned_words",
                args={"words": ["art"], "inflections": True},
                look_in="$text",
            ),
        ),
        (
            grader("code.no_jd_plagiarism", text="$text", jd_text="$jd_text", n=6, allow=["SRE"]),
            Check(
                grader="ngram_overlap",
                args={"source": "$jd_text", "n": 6, "allow": ["SRE"]},
                look_in="$text",
            ),
        ),
        (
            grader("code.numbers_in_master", text="$text", master="$master"),
            Check(grader="numbers_grounded", args={"source": "$master"}, look_in="$text"),
        ),
        (
            grader("code.numbers_in_master", text="$text", source="40%"),
            Check(grader="numbers_grounded", args={"source": "40%"}, look_in="$text"),
        ),
        (
            grader("code.json_round_trip", output="$tailored"),
            Check(grader="round_trips", look_in="$tailored"),
        ),
        (
            grader("model.grade", name="tone", rubric="Is it kind?", output="$text"),
            Check(
                grader="judge",
                args={"rubric": "Is it kind?"},
                look_in="$text",
                threshold=0.7,
                label="tone",
            ),
        ),
        (
            grader("model.grade", rubric="Is it kind?", output="$text", threshold=0.9),
            Check(grader="judge", args={"rubric": "Is it kind?"}, look_in="$text", threshold=0.9),
        ),
        (
            grader("code.no_repeated_calls", name="no repeats"),
            Check(grader="no_repeated_calls", label="no repeats"),
        ),
        (
            grader("first_tool", name="starts right", tool="parse"),
            Check(grader="first_tool", args={"name": "parse"}, label="starts right"),
        ),
        (
            grader("max_tool_calls", limit=5, ignore=["read"]),
            Check(grader="max_tool_calls", args={"limit": 5, "ignore": ["read"]}),
        ),
    ],
)
def test_graders_by_their_own_names(tasks: Tasks, written: dict[str, Any], check: Check) -> None:
    case = tasks.task(written, input={"n": 2}).case
    assert (case.expect, case.forbid) == ((check,), ())


def test_what_must_not_be_in_a_text_is_forbidden(tasks: Tasks) -> None:
    absent = grader("code.text_not_contains", text="$text", substring="secret")
    case = tasks.task(absent).case
    assert case.expect == ()
    assert case.forbid == (Check(grader="contains", args={"text": "secret"}, look_in="$text"),)


def test_a_case_takes_its_other_keys_too(tasks: Tasks) -> None:
    case = tasks.task(trials=3, timeout="2s", cluster="k", split="carried_over").case
    assert (case.trials, case.timeout, case.cluster, case.split) == (3, 2.0, "k", "carried_over")


@pytest.mark.parametrize("where", ["", "tasks/", "references/", "tasks/references/"])
def test_a_reference_is_found_in_the_suite_or_beside_the_task(tasks: Tasks, where: str) -> None:
    tasks.write(f"{where}refs/a.json", '{"master": "$text"}')
    assert tasks.task(reference_solution="refs/a.json").case.reference == {"master": "$text"}


@pytest.mark.parametrize("value", [{"master": 1}, [1], 0, False, "", "plain words", "a.json\nb"])
def test_any_other_reference_is_the_solution_itself(tasks: Tasks, value: Any) -> None:
    assert tasks.task(reference_solution=value).case.reference == value


def test_a_text_file_is_a_reference_as_it_stands(tasks: Tasks) -> None:
    tasks.write("references/a.md", "# Ada\n")
    assert tasks.task(reference_solution="a.md").case.reference == "# Ada\n"


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"type": ...}, "tasks/a.yaml:2:3: task: the task has no type (it names the runner)"),
        ({"type": ""}, "tasks/a.yaml:3:9: task.type: should not be empty"),
        ({"id": ...}, "tasks/a.yaml:2:3: task: key 'id' is missing"),
        ({"category": ""}, "tasks/a.yaml:5:13: task.category: should not be empty"),
        ({"category": " "}, "tasks/a.yaml:5:13: task.category: the category is blank"),
        ({"desc": 3}, "tasks/a.yaml:5:9: task.desc: should be a text, is 3"),
        ({"tagz": []}, "tasks/a.yaml:5:3: task.tagz: unknown key 'tagz' (did you mean 'tags'?)"),
        ({"expect": []}, "tasks/a.yaml:5:3: task.expect: unknown key 'expect'"),
        (
            {"reference_solution": "gone.json"},
            "tasks/a.yaml:5:23: task.reference_solution: there is no file 'gone.json'",
        ),
        (
            {"reference_solution": None},
            "tasks/a.yaml:5:23: task.reference_solution: the reference solution is null",
        ),
        (
            {"tracked_metrics": ["duration"]},
            (
                "tasks/a.yaml:6:5: task.tracked_metrics[0]: unknown metric 'duration'"
                " (did you mean 'duration_ms'?)"
            ),
        ),
        ({"graders": {}}, "tasks/a.yaml:4:12: task.graders: should be a list of graders"),
    ],
)
def test_faults_of_a_task_have_their_place(tasks: Tasks, keys: Any, fault: str) -> None:
    (found,) = tasks.task(**keys).faults
    assert found.startswith(fault)


TEXT = "$text"


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ({"args": {}}, "task.graders[0]: the grader has no name"),
        ("code.equal", "task.graders[0]: a grader should be a mapping, is the text 'code.equal'"),
        (
            grader("code.text_contain", text=TEXT),
            (
                "task.graders[0].name: unknown grader 'code.text_contain'"
                " (did you mean 'code.text_contains'?)"
            ),
        ),
        (
            grader("code.max_tool_call"),
            (
                "task.graders[0].name: unknown grader 'code.max_tool_call'"
                " (did you mean 'max_tool_calls'?)"
            ),
        ),
        (
            {"name": "code.equal", "argz": {}},
            "task.graders[0].argz: unknown key 'argz' (did you mean 'args'?)",
        ),
        (
            grader("code.text_contains", text=TEXT, substrin="x"),
            (
                "task.graders[0].args.substrin: code.text_contains: unknown argument 'substrin'"
                " (did you mean 'substring'?)"
            ),
        ),
        (
            grader("code.text_contains", txt=TEXT, substring="x"),
            (
                "task.graders[0].args.txt: code.text_contains: unknown argument 'txt'"
                " (did you mean 'text'?)"
            ),
        ),
        (
            grader("code.text_contains", text="plain", substring="x"),
            (
                "task.graders[0].args.text: code.text_contains: text should be a placeholder,"
                " is the text 'plain' (such as $text, or $output.summary)"
            ),
        ),
        (
            grader("code.field_present", path="a"),
            "task.graders[0].args: code.field_present: looks at nothing",
        ),
        (
            grader("code.field_present", resume="$a", job="$b", path="a"),
            "task.graders[0].args.job: code.field_present looks at one thing: resume and job",
        ),
        (
            grader("code.field_length", resume="$a", path="a", min="two"),
            "task.graders[0].args.min: field_length: min should be a whole number",
        ),
        (
            grader("code.field_present", resume="$a", path="a..b"),
            "task.graders[0].args: field_present: 'a..b' is not a path",
        ),
        (
            grader("code.no_banned_words", text=TEXT, words=["a"], banned=["b"]),
            "task.graders[0].args.banned: code.no_banned_words: 'banned' says again",
        ),
        (
            grader("code.equal", actual="$output", expected="$input.gone"),
            "task.graders[0].args.expected: $input.gone does not exist",
        ),
        (
            grader("code.equal", actual="$input.gone", expected=1),
            "task.graders[0].args.actual: $input.gone does not exist",
        ),
        (
            grader("max_tool_calls", limits=3, limit=4),
            "task.graders[0].args.limits: max_tool_calls: unknown argument 'limits'",
        ),
        (
            grader("model.grade", rubric="kind?", output=TEXT, threshold=7),
            "task.graders[0].args.threshold: should be at most 1, is 7",
        ),
        (
            {**grader("code.json_round_trip", output=TEXT), "weight": 0},
            "task.graders[0].weight: should be more than 0, is 0",
        ),
    ],
)
def test_faults_of_a_grader_have_their_place(tasks: Tasks, written: Any, fault: str) -> None:
    faults = tasks.task(written, input={"n": 1}).faults
    assert any(fault in found for found in faults), faults
    assert all(found.startswith("tasks/a.yaml:") for found in faults)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tsk: {id: a, type: x, graders: []}", "1:1: tsk: this file is not a task"),
        (
            "id: a\ntype: x\ngraders: []",
            "this file is not a task (write it under `task:`)",
        ),
        ("task: [a]", "1:7: task: a task should be a mapping, is a list"),
        ("task: {id: a, type: x}\ntags: []", "2:1: tags: unknown key 'tags' beside task"),
        ("hello", "should be a case or a list of cases, is the text 'hello'"),
        ("remarks: {a: 1}", "1:1: remarks: unknown key 'remarks'"),
        ("", "holds no cases"),
    ],
)
def test_a_file_that_is_not_a_task(tasks: Tasks, text: str, fault: str) -> None:
    tasks.write("tasks/a.yaml", text)
    faults = tasks.faults
    assert any(fault in found for found in faults), faults


def test_two_tasks_with_one_id(tasks: Tasks) -> None:
    tasks.write("tasks/b/other.yaml", json.dumps({"task": {"id": "a", "type": "x"}}))
    (fault,) = tasks.task().faults
    assert fault == (
        "tasks/b/other.yaml:1:17: task.id: duplicate id 'a' (first at tasks/a.yaml:2:7: task.id)"
    )


def test_all_faults_of_all_tasks_are_told_at_once(tasks: Tasks) -> None:
    tasks.write("tasks/b.yaml", "task: {id: b, type: x, graders: [{name: code.gone}]}")
    tasks.write("tasks/c/c.yaml", "task: {id: c, type: x, category: ''}")
    tasks.task({"name": "nope"}, reference_solution="gone.json")
    files = [fault.partition(":")[0] for fault in tasks.faults]
    assert files == ["tasks/a.yaml", "tasks/a.yaml", "tasks/b.yaml", "tasks/c/c.yaml"]
