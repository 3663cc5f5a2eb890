from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.errors import LoadError
from probare.loading.labelled import check_of, is_suite, read_labelled
from probare.pipeline.catalogue import BuiltCatalogue

GRADERS = BuiltCatalogue().graders

FILE = """
check: {judge: Is it polite?}
examples:
  - {id: a, input: Hello?, output: What do you want, label: fail}
  - {output: {text: Hello!}, label: pass, reference: Hello}
  - {id: c, output: 0, scores: {tone: 3, accuracy: unsure}}
"""


def write(tmp_path: Path, text: str, name: str = "examples.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_file_of_examples(tmp_path: Path) -> None:
    read = read_labelled(write(tmp_path, FILE), GRADERS)
    assert read.check is not None
    assert (read.check.grader, read.check.args) == ("judge", {"rubric": "Is it polite?"})
    assert [each.id for each in read.examples] == ["a", "example 2", "c"]
    assert [each.label for each in read.examples] == ["fail", "pass", None]
    assert read.examples[1].reference == "Hello"
    assert read.examples[2].scores == {"tone": 3, "accuracy": None}
    assert read.examples[0].source.endswith("examples.yaml:4:5: examples[0]")


def test_json_lines_and_a_bare_list(tmp_path: Path) -> None:
    lines = '{"output": "x", "label": "pass"}\n\n{"output": "y", "label": "fail"}\n'
    for name, text in (
        ("a.jsonl", lines),
        ("a.json", '[{"output": "x", "label": "pass"}, {"output": "y", "label": "fail"}]'),
    ):
        read = read_labelled(write(tmp_path, text, name), GRADERS)
        assert [each.output for each in read.examples] == ["x", "y"]
        assert read.check is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("examples: []", "no examples"),
        ("examples: {a: b}", "should be a list"),
        ("just a text", "should be a list"),
        ("- {label: pass}", "'output' is missing"),
        ("- {output: x}", "neither a label nor scores"),
        ("- {output: null, label: pass}", "nothing to judge"),
        ("- {output: x, label: good}", "should be one of"),
        ("- {output: x, label: pass, lable: pass}", "did you mean 'label'"),
        ("- {output: x, scores: {tone: high}}", "tone"),
        ("- {id: a, output: x, label: pass}\n- {id: a, output: y, label: pass}", "duplicate id"),
        ("check: {jduge: x}\nexamples: [{output: x, label: pass}]", "did you mean 'judge'"),
        ("examples: [{output: x, label: pass}]\nmore: 1", "unknown key 'more'"),
        ("- [", "examples.yaml"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LoadError) as error:
        read_labelled(write(tmp_path, text), GRADERS)
    assert message in str(error.value)


def test_all_at_once(tmp_path: Path) -> None:
    text = '{"output": "x"}\n{"label": "pass"}\nnot json\n'
    with pytest.raises(LoadError) as error:
        read_labelled(write(tmp_path, text, "a.jsonl"), GRADERS)
    assert len(error.value.faults) == 3
    assert [fault.place.line for fault in error.value.faults] == [1, 2, 3]
    with pytest.raises(LoadError, match="does not exist"):
        read_labelled(tmp_path / "none.yaml", GRADERS)


def test_a_check_of_the_command_line(tmp_path: Path) -> None:
    write(tmp_path, "Is it kind?\n", "kind.md")
    check = check_of({"judge": "kind.md"}, GRADERS, tmp_path)
    assert (check.args, check.label) == ({"rubric": "Is it kind?\n"}, "judge: kind.md")
    with pytest.raises(LoadError, match="does not exist"):
        check_of({"judge": "kidn.md"}, GRADERS, tmp_path)


@pytest.mark.parametrize(
    ("text", "name", "suite"),
    [
        ("suite: s", "a.yaml", True),
        (FILE, "a.yaml", False),
        ('{"suite": 1}', "a.jsonl", False),
        ("- [", "a.yaml", False),
    ],
)
def test_suites_and_files_of_examples(tmp_path: Path, text: str, name: str, suite: Any) -> None:
    assert is_suite(write(tmp_path, text, name)) == suite
    assert is_suite(tmp_path)
