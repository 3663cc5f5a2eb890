from __future__ import annotations

from typing import Any

import pytest

from probare.errors import LoadError
from probare.model.review import RULES
from probare.model.suite import ReviewSettings

SUITE = "suite: s\nreview: {review}\ncases: [{{id: a, expect: [is_json]}}]\n"
RUBRIC = """
rubric: answer
version: 2
dimensions:
  - {id: tone, question: Is it kind?, levels: {1: unkind, 2: kind}}
pass: {each_at_least: 2}
triggers: [{dimension: tone, at_most: 1, opens: incident_review}]
"""


def load(folder: Any, review: str) -> Any:
    return folder.suite(SUITE.format(review=review)).load()


def test_what_people_review(folder: Any) -> None:
    folder.write("rubrics/answer.yaml", RUBRIC)
    written = "{rubric: rubrics/answer.yaml, when: always, tags: [pay], rules: [failed, sampled, "
    written += "failed], near: 0.1, sample: 0.5, overlap: 2, distance: 0, due: 48h, "
    written += "priorities: {failed: 1}}"
    suite = load(folder, written).suite
    assert suite.review == ReviewSettings(
        rubric="rubrics/answer.yaml",
        when="always",
        tags=("pay",),
        rules=("failed", "sampled"),
        near=0.1,
        sample=0.5,
        overlap=2,
        distance=0,
        due=172_800.0,
        priorities={"failed": 1},
    )
    assert (suite.rubric.id, suite.rubric.version) == ("answer", "2")
    assert suite.rubric.triggers[0].holds_gate
    assert "review" not in suite.extras


def test_defaults(folder: Any) -> None:
    suite = load(folder, "{}").suite
    assert suite.review == ReviewSettings()
    assert suite.review.rules == RULES
    assert suite.rubric is None
    assert load(folder, "null").suite.review is None


def test_settings_and_rubric_are_in_the_digest(folder: Any) -> None:
    folder.write("r.yaml", RUBRIC)
    digests = {load(folder, each).digest for each in ("null", "{}", "{rubric: r.yaml}")}
    folder.write("r.yaml", RUBRIC.replace("kind}", "very kind}"))
    digests.add(load(folder, "{rubric: r.yaml}").digest)
    assert len(digests) == 4


@pytest.mark.parametrize(
    ("review", "message"),
    [
        ("{rubric: r.yml}", "there is no file 'r.yml' (did you mean 'r.yaml'?)"),
        ("{when: sometimes}", "should be one of always, flagged, never"),
        ("{rules: [guessed]}", "should be one of asked"),
        ("{sample: 2}", "at most 1"),
        ("{near: -1}", "at least 0"),
        ("{overlap: 0}", "at least 1"),
        ("{distance: -1}", "at least 0"),
        ("{due: soon}", "no duration"),
        ("{priorities: {failed: 0}}", "at least 1"),
        ("{reviewers: 2}", "unknown key 'reviewers'"),
    ],
)
def test_faults(folder: Any, review: str, message: str) -> None:
    folder.write("r.yaml", RUBRIC)
    with pytest.raises(LoadError) as caught:
        load(folder, review)
    assert message in str(caught.value)
    assert "suite.yaml:2:" in str(caught.value)


def test_faults_of_the_rubric_are_told_with_those_of_the_suite(folder: Any) -> None:
    folder.write("r.yaml", RUBRIC.replace("each_at_least: 2", "each_at_least: 9"))
    with pytest.raises(LoadError) as caught:
        load(folder, "{rubric: r.yaml}\ntrials: 0")
    assert len(caught.value.faults) == 2
    assert "r.yaml" in str(caught.value)
