from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.errors import LoadError
from probare.loading import from_shape, load
from probare.loading.shapes import CaseShape, GateShape, SuiteShape
from probare.model.suite import Gate, JudgeSettings, Limits, ReviewSettings

FULL = """\
suite: help-guide
description: d
target: {echo: "agent:Help"}
targets: {staging: {web: "http://h"}}
trials: 2
timeout: 2m
concurrency: 4
isolation: thread
languages: {equivalent: [[id, ms]], detector: "lang:detect"}
gate: {max_drop: 0.2, new_failures: significant, min: {accuracy: 0.9, pass_hat.2: 0.5}, \
coverage: 0.8, reviews: required, require: conclusive}
limits: {cost: 1.5, time: 10m, errors_in_a_row: 3}
review: {rubric: rubric.yaml, when: flagged}
prove: {oracle: default, "null": staging, defects: [{name: x, target: staging, must_fail: [a]}]}
criteria: {pass: {Says hi: {contains: hi}}}
judge: {model: "openai:m", votes: 3, timeout: 2m}
cases:
  - id: a
    expect: [is_json]
  - cases/*.yaml
"""

RUBRIC = """
rubric: answer
version: 1
dimensions: [{id: tone, question: Is it kind?, levels: {1: unkind, 2: kind}}]
pass: {each_at_least: 2}
"""


def test_a_suite_in_full(folder: Any) -> None:
    folder.write("rubric.yaml", RUBRIC)
    folder.write("cases/b.yaml", "- id: c\n- id: d\n")
    folder.write("cases/a.yaml", "id: b\n")
    loaded = folder.suite(FULL).load()
    suite = loaded.suite
    assert (suite.name, suite.description, suite.target) == ("help-guide", "d", "default")
    assert list(suite.targets) == ["default", "staging"]
    assert (suite.trials, suite.timeout, suite.concurrency) == (2, 120.0, 4)
    assert (suite.isolation, suite.language_detector) == ("thread", "lang:detect")
    assert suite.equivalent_languages == (("id", "ms"),)
    assert suite.gate == Gate(
        max_drop=0.2,
        new_failures="significant",
        minimum={"accuracy": 0.9, "pass_hat.2": 0.5},
        coverage=0.8,
        reviews="required",
        require="conclusive",
    )
    assert suite.limits == Limits(cost=1.5, time=600.0, errors_in_a_row=3)
    assert suite.judge == JudgeSettings(models=("openai:m",), votes=3, timeout=120.0)
    assert suite.extras == {
        "prove": {
            "oracle": "default",
            "null": "staging",
            "defects": [{"name": "x", "target": "staging", "must_fail": ["a"]}],
        },
        "criteria": {"pass": {"Says hi": {"contains": "hi"}}},
    }
    assert suite.review == ReviewSettings(rubric="rubric.yaml")
    assert suite.rubric is not None
    assert suite.rubric.id == "answer"
    assert [case.id for case in suite.cases] == ["a", "b", "c", "d"]
    assert (loaded.folder, loaded.path) == (folder.path, folder.path / "suite.yaml")
    assert loaded.warnings == ("3 cases have no checks and will be ungraded: b, c, d",)


def test_json_and_yaml_are_one_suite(folder: Any) -> None:
    folder.write(
        "a/suite.yaml", "suite: s\ncases:\n  - {id: a, input: [1, no], expect: [is_json]}\n"
    )
    folder.write(
        "b/suite.json",
        '{"suite": "s", "cases": [{"id": "a", "input": [1, "no"], "expect": ["is_json"]}]}',
    )
    one, other = folder.load("a"), folder.load("b")
    assert one.suite == other.suite
    assert one.digest == other.digest


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (("# ", "# comment\n"), True),
        (("suite: s", "suite: t"), False),
        (("input: 1", "input: 1.0"), False),
        (("id: a", "id: b"), False),
        (("trials: 2", "trials: 3"), False),
        (("echo: x", "echo: y"), False),
        (("is_json", "contains: x"), False),
        (("min: {safety: 1}", "min: {safety: 0.5}"), False),
    ],
)
def test_a_digest_is_of_the_content(folder: Any, change: tuple[str, str], same: bool) -> None:
    text = (
        "# \nsuite: s\ntarget: {echo: x}\ntrials: 2\ngate: {min: {safety: 1}}\n"
        "cases: [{id: a, input: 1, expect: [is_json]}]\n"
    )
    before = folder.suite(text).load().digest
    assert (folder.suite(text.replace(*change)).load().digest == before) is same


def test_bom_and_crlf_are_fine(folder: Any) -> None:
    folder.write(
        "suite.yaml", b"\xef\xbb\xbfsuite: s\r\ncases:\r\n  - id: a\r\n    input: |\r\n      x\r\n"
    )
    assert folder.load().suite.cases[0].input == "x\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "suite.yaml:1:1: the suite is empty"),
        ("# only\n", "the suite is empty"),
        ("- id: a", "this is a list, such as cases, not a suite"),
        ("hello", "a suite should be a mapping, is the text 'hello'"),
        ("id: a\ninput: x", "this is a case, not a suite"),
        ("suite: s", "the suite has no cases"),
        ("suite: s\ncases: []", "suite.yaml:2:8: cases: the suite has no cases"),
        ("suite: s\ncases:", "the suite has no cases"),
        ("cases: [{id: a}]", "key 'suite' is missing"),
        ("suite: ''\ncases: [{id: a}]", "suite: should not be empty"),
        ("suite: s\ncases: {id: a}", "should be a list of cases and of files, is a mapping"),
        ("suite: s\ncases: 5", "should be a list of cases and of files, is 5"),
        ("suite: s\ncases: ['c/*.yaml']", "cases[0]: 'c/*.yaml' matches no file"),
        ("suite: s\ncases: [cses.yaml]", "cases[0]: there is no file 'cses.yaml'"),
        ("suite: s\ncases: cases", "cases: 'cases' is a folder (name its files: cases/*.yaml)"),
        ("suite: s\ncases: [x.txt]", "unknown format of cases '.txt'"),
        ("suite: s\ncases: [suite.yaml]", "is a suite, not a file of cases"),
        ("suite: s\ncases: [empty.yaml]", "empty.yaml: holds no cases"),
        ("suite: s\ncases: [text.json]", "text.json:1:1: should be a case or a list of cases"),
        ("suite: s\ntrails: 2\ncases: [{id: a}]", "unknown key 'trails' (did you mean 'trials'?)"),
        ("suite: s\ntrials: 0\ncases: [{id: a}]", "trials: should be at least 1, is 0"),
        ("suite: s\ntimeout: -1\ncases: [{id: a}]", "a duration should be above zero, is -1"),
        ("suite: s\nconcurrency: 0\ncases: [{id: a}]", "concurrency: should be at least 1"),
        ("suite: s\ngate: {min: {acuracy: 1}}\ncases: [{id: a}]", "did you mean 'accuracy'?"),
        ("suite: s\ngate: {min: {pass_at.0: 1}}\ncases: [{id: a}]", "unknown score 'pass_at.0'"),
        ("suite: s\ngate: {min: {safety: 2}}\ncases: [{id: a}]", "should be at most 1, is 2"),
        ("suite: s\ngate: {max_drop: .nan}\ncases: [{id: a}]", "should be a number, is the text"),
        ("suite: s\ngate: {coverage: 1.1}\ncases: [{id: a}]", "gate.coverage: should be at most 1"),
        ("suite: s\nlimits: {cost: 0}\ncases: [{id: a}]", "limits.cost: should be more than 0"),
        ("suite: s\nlimits: {time: 1 day}\ncases: [{id: a}]", "'1 day' is no duration"),
        ("suite: s\nlanguages: {equivalent: [[id]]}\ncases: [{id: a}]", "at least 2 items, has 1"),
        ("suite: s\nlanguages: {detector: x}\ncases: [{id: a}]", "'x' names no function"),
        ("suite: s\nreview: {rubric: r.yaml}\ncases: [{id: a}]", "there is no file 'r.yaml'"),
        ("suite: s\nreview: {when: late}\ncases: [{id: a}]", "should be one of always, flagged"),
        ("suite: s\ndefaults: {id: a}\ncases: [{id: a}]", "defaults.id: unknown key 'id'"),
        ("suite: s\ndefaults: []\ncases: [{id: a}]", "defaults: should be a mapping, is a list"),
        ("suite: s\nsuite: t\ncases: [{id: a}]", "duplicate key 'suite' (first on line 1)"),
    ],
)
def test_what_is_wrong_is_said(folder: Any, text: str, fault: str) -> None:
    folder.write("cases/x.yaml", "- id: x\n")
    folder.write("x.txt", "")
    folder.write("empty.yaml", "[]")
    folder.write("text.json", '"x"')
    (found,) = folder.suite(text).faults()
    assert fault in found


def test_all_faults_of_all_files_are_told_at_once(folder: Any) -> None:
    folder.suite(
        "suite: s\ntrails: 2\ntarget: {ecko: x}\ntimeout: soon\ndefaults: {expct: []}\n"
        "gate: {mini: {}}\nlimits: {cost: -1}\n"
        "cases: [nowhere.yaml, a.jsonl, b.yaml, c.csv, {id: a, expect: [nope]}]\n"
    )
    folder.write("a.jsonl", '{"id": "a"}\n{"id": "b", "x": 1}\n')
    folder.write("b.yaml", "- {id: a}\n- {id: c, trials: 0}\n")
    folder.write("c.csv", "id,expect\nd,contain: x\n")
    faults = folder.faults()
    assert len(faults) == 13
    assert [fault.split(":")[0] for fault in faults] == (
        ["suite.yaml"] * 9 + ["a.jsonl"] + ["b.yaml"] * 2 + ["c.csv"]
    )


def test_files_are_named_relative_to_the_working_directory(
    folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.suite("suite: s\ncases: [sub/c.yaml]\n").write("sub/c.yaml", "- id: 5\n")
    monkeypatch.chdir(folder.path)
    with pytest.raises(LoadError) as caught:
        load(Path(), folder.catalogue, {})
    assert str(caught.value).startswith("sub/c.yaml:1:7: [0].id: ")


def test_a_file_named_twice_is_read_once(folder: Any) -> None:
    folder.suite("suite: s\ncases: ['*.jsonl', a.jsonl]\n").write("a.jsonl", '{"id": "a"}')
    assert len(folder.load().suite.cases) == 1


def test_a_name_with_pattern_characters_is_a_name_first(folder: Any) -> None:
    folder.suite("suite: s\ncases: ['a[1].jsonl']\n").write("a[1].jsonl", '{"id": "a"}')
    assert len(folder.load().suite.cases) == 1


def test_loading_imports_no_user_module(folder: Any) -> None:
    folder.write("trap_agent.py", "raise SystemExit('imported')")
    folder.suite(
        "suite: s\ntarget: {echo: 'trap_agent:x'}\nlanguages: {detector: 'trap_agent:d'}\n"
        "cases: [{id: a, expect: [{contains: x, transform: 'trap_agent:t'}]}]\n"
    )
    folder.load()
    assert "trap_agent" not in sys.modules


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("nowhere", "there is no such suite"),
        ("suit.yaml", "there is no such suite (did you mean 'suite.yaml'?)"),
        ("sub", "the folder has no suite.yaml"),
        ("two", "the folder has several suites: suite.yaml, suite.json"),
        ("cases.csv", "give the suite that names it"),
    ],
)
def test_paths_that_are_no_suite(folder: Any, path: str, fault: str) -> None:
    folder.suite("suite: s\ncases: [{id: a}]\n")
    folder.write("sub/x.yaml", "")
    folder.write("two/suite.yaml", "")
    folder.write("two/suite.json", "")
    folder.write("cases.csv", "")
    (found,) = folder.faults(path)
    assert fault in found


def test_bytes_that_are_no_utf8(folder: Any) -> None:
    folder.write("suite.yaml", b"suite: s\ndescription: \xe9\n")
    assert folder.faults() == ["suite.yaml:2:14: is not UTF-8 (save the file as UTF-8)"]
    folder.write("suite.yaml", "suite: s".encode("utf-16"))
    assert folder.faults() == ["suite.yaml:1: is UTF-16, not UTF-8 (save the file as UTF-8)"]


def shape(**keys: Any) -> SuiteShape:
    return SuiteShape("s", **keys)


def test_a_suite_made_in_python(tmp_path: Path, catalogue: Any) -> None:
    def agent() -> str:
        return "x"

    loaded = from_shape(
        shape(
            target={"echo": agent},
            gate=GateShape(minimum={"accuracy": 1}),
            cases=[
                CaseShape(id="a", input=(1, {"x": None}), expect=[{"contains": "x"}], tags=["t"]),
                CaseShape(id="b", reference=None, expect=[{"equals": "$reference"}]),
            ],
        ),
        tmp_path,
        catalogue,
        {},
    )
    first, second = loaded.suite.cases
    assert loaded.path is None
    assert loaded.suite.targets["default"].settings == {"echo": agent}
    assert loaded.suite.gate.minimum == {"accuracy": 1}
    assert (first.input, first.tags) == ([1, {"x": None}], ("t",))
    assert first.expect[0].args == {"text": "x"}
    assert second.reference is None


def test_python_and_yaml_are_one_suite(folder: Any) -> None:
    folder.suite("suite: s\ntarget: {echo: x}\ncases: [{id: a, input: [1], expect: [is_json]}]\n")
    made = from_shape(
        shape(target={"echo": "x"}, cases=[CaseShape(id="a", input=[1], expect=["is_json"])]),
        folder.path,
        folder.catalogue,
        {},
    )
    assert made.suite == folder.load().suite
    assert made.digest == folder.load().digest


def test_a_suite_made_in_python_may_stand_for_a_file(tmp_path: Path, catalogue: Any) -> None:
    path = tmp_path / "suite.py"
    loaded = from_shape(shape(cases=[CaseShape(id="a")]), tmp_path, catalogue, {}, path)
    assert (loaded.path, loaded.folder) == (path, tmp_path)


def test_faults_of_a_python_suite_have_paths(tmp_path: Path, catalogue: Any) -> None:
    bad = shape(
        trials=0,
        cases=[
            CaseShape(id="a", input=float("nan"), expect=[{"contain": "x"}]),
            CaseShape(id="a", input={1: object()}),
        ],
    )
    with pytest.raises(LoadError) as caught:
        from_shape(bad, tmp_path, catalogue, {})
    assert sorted(map(str, caught.value.faults)) == [
        "cases[0].expect[0].contain: unknown grader 'contain' (did you mean 'contains'?)",
        "cases[0].input: nan is not JSON",
        "cases[1].id: duplicate id 'a' (first at cases[0].id)",
        "cases[1].input: a key should be a text, is 1",
        "trials: should be at least 1, is 0",
    ]


def test_a_list_in_itself_is_refused(tmp_path: Path, catalogue: Any) -> None:
    endless: list[Any] = []
    endless += [endless, endless]
    with pytest.raises(LoadError, match="nested more than 100 levels deep"):
        from_shape(shape(cases=[CaseShape(id="a", input=endless)]), tmp_path, catalogue, {})


@given(st.text(max_size=120) | st.text("suite: casedxp[]{}\n-$'\"#&*!", max_size=80))
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_text_raises_anything_but_a_load_error(folder: Any, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for name in ("suite.yaml", "cases.yaml", "cases.jsonl", "cases.csv", "cases.json"):
        folder.write(name, data)
    for name in ("cases.yaml", "cases.jsonl", "cases.csv", "cases.json"):
        folder.write(f"of/{name}", data)
    with pytest.raises(LoadError):
        folder.load()
    folder.write(
        "of/suite.yaml",
        "suite: s\ncases: [cases.yaml, cases.jsonl, cases.csv, cases.json, {id: '\\0'}]\n",
    )
    with pytest.raises(LoadError):
        folder.load("of")


@given(st.sampled_from(list(SuiteShape.__struct_fields__)), st.integers(0, 20))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_single_misspelt_key_is_told(folder: Any, key: str, at: int) -> None:
    wrong = key[: at % len(key)] + "q" + key[at % len(key) :]
    (fault,) = folder.suite(f"suite: s\n{wrong}: x\ncases: [{{id: a}}]\n").faults()
    assert fault.startswith(f"suite.yaml:2:1: {wrong}: unknown key '{wrong}'")
