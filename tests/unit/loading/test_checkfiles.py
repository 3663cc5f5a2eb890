from __future__ import annotations

from typing import Any

import pytest

from probare.errors import LoadError
from probare.loading import load
from probare.model.case import content_digest
from probare.pipeline.catalogue import BuiltCatalogue

SUITE = "suite: s\ncases:\n  - {{id: a, expect: [{check}]}}\n"
RUBRIC = """
rubric: hr
version: 1
dimensions:
  - {id: tone, question: Does it fit?, levels: {1: $no, 2: yes}}
pass: {each_at_least: 2}
"""


def case(folder: Any, text: str) -> Any:
    folder.suite(SUITE.format(check=text))
    return load(folder.path, BuiltCatalogue(), {}).suite.cases[0]


def check(folder: Any, text: str) -> Any:
    return case(folder, text).expect[0]


def test_a_text_file_takes_the_place_of_its_name(folder: Any) -> None:
    folder.write("rubrics/kind.md", "Is it kind?\n$input is text here.\n")
    for written in ("{judge: rubrics/kind.md}", "{judge: {rubric: rubrics/kind.md}}"):
        found = check(folder, written)
        assert found.args == {"rubric": "Is it kind?\n$input is text here.\n"}
        assert found.label == "judge: rubrics/kind.md"
    assert check(folder, "{judge: rubrics/kind.md, label: kind}").label == "kind"
    assert check(folder, "{judge: Is it kind?}").args == {"rubric": "Is it kind?"}
    assert check(folder, "{not: {judge: rubrics/kind.md}}").checks[0].args["rubric"][:2] == "Is"


def test_a_file_that_is_one_placeholder_is_still_a_text(folder: Any) -> None:
    folder.write("odd.md", "$input")
    assert check(folder, "{judge: odd.md}").args == {"rubric": "$$input"}


def test_a_rubric_of_dimensions(folder: Any) -> None:
    folder.write("hr.yaml", RUBRIC)
    found = check(folder, "{judge_rubric: hr.yaml}")
    assert found.args["rubric"]["id"] == "hr"
    assert found.args["rubric"]["dimensions"][0]["levels"][0]["text"] == "$$no"
    inline = "{judge_rubric: {rubric: {rubric: hr, version: 1, pass: {each_at_least: 2}, "
    inline += "dimensions: [{id: tone, question: Does it fit?, levels: {1: $no, 2: yes}}]}}}"
    assert check(folder, inline).args == found.args


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{judge: kidn.md}", "did you mean 'kind.md'"),
        ("{judge: hr.yaml}", "judge_rubric"),
        ("{judge: empty.md}", "is empty"),
        ("{judge: template.md}", "no template"),
        ("{judge_rubric: none.yaml}", "does not exist"),
        ("{judge_rubric: bad.yaml}", "bad.yaml:2:1: more: unknown key 'more'"),
        ("{judge_rubric: {rubric: hr.yaml, dimensions: [tome]}}", "did you mean 'tone'"),
        ("{judge_rubric: {rubric: {rubric: hr}}}", "'pass' is missing"),
        ("{judge_rubric: 3}", "should be"),
    ],
)
def test_what_is_wrong_is_told_at_load(folder: Any, text: str, message: str) -> None:
    folder.write("kind.md", "Is it kind?")
    folder.write("hr.yaml", RUBRIC)
    folder.write("empty.md", "\n")
    folder.write("template.md", "Is {{ output }} kind?")
    folder.write("bad.yaml", RUBRIC.strip().replace("version", "more: 1\nversion"))
    with pytest.raises(LoadError) as error:
        check(folder, text)
    assert message in str(error.value)


def test_the_content_makes_the_case(folder: Any) -> None:
    def digest() -> str:
        return content_digest(case(folder, "{judge: kind.md}"))

    folder.write("kind.md", "Is it kind?")
    first = digest()
    folder.write("kind.md", "Is it very kind?")
    assert digest() != first
