from __future__ import annotations

from typing import Any

import pytest

from probare.errors import LoadError
from probare.model.suite import JudgeSettings

SUITE = "suite: s\njudge: {judge}\ncases: [{{id: a, expect: [is_json]}}]\n"


def load(folder: Any, judge: str) -> Any:
    return folder.suite(SUITE.format(judge=judge)).load()


def test_how_judges_are_asked(folder: Any) -> None:
    folder.write("examples.yaml", "[]")
    written = "{models: ['a:b', 'c:d@http://x/v1'], votes: 3, tries: 1, temperature: null, "
    written += "max_tokens: 50, timeout: 2m, examples: examples.yaml}"
    assert load(folder, written).suite.judge == JudgeSettings(
        models=("a:b", "c:d@http://x/v1"),
        votes=3,
        tries=1,
        temperature=None,
        max_tokens=50,
        timeout=120.0,
        examples="examples.yaml",
    )
    assert load(folder, "{model: 'a:b'}").suite.judge == JudgeSettings(models=("a:b",))
    assert load(folder, "{votes: 2}").suite.judge == JudgeSettings(votes=2)
    assert load(folder, "null").suite.judge is None


def test_it_is_in_the_digest(folder: Any) -> None:
    digests = {load(folder, each).digest for each in ("null", "{votes: 2}", "{model: 'a:b'}")}
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ("{model: gpt}", "provider:model"),
        ("{model: ':x'}", "provider:model"),
        ("{models: ['a:b', 'a:b']}", "duplicate model"),
        ("{model: 'a:b', models: ['c:d']}", "list them all"),
        ("{votes: 0}", "at least 1"),
        ("{tries: 99}", "at most 5"),
        ("{timeout: soon}", "no duration"),
        ("{examples: none.yaml}", "there is no file"),
        ("{modle: 'a:b'}", "did you mean"),
        ("{override: ['a:b']}", "unknown key"),
        ("yes", "mapping"),
    ],
)
def test_what_is_wrong_is_told(folder: Any, judge: str, message: str) -> None:
    with pytest.raises(LoadError) as error:
        load(folder, judge)
    assert message in str(error.value)
