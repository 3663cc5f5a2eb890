from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.errors import GraderError, InputError
from probare.grading import transforms


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```json\n{}\n```", "{}"),
        ("```\na\nb\n```", "a\nb"),
        ("  ```python\nx = 1\n```  \n", "x = 1"),
        ("```\n```", ""),
        ("plain", "plain"),
        ("before ```json\n{}\n``` after", "before ```json\n{}\n``` after"),
        ("```json {}```", "```json {}```"),
        ({"a": 1}, {"a": 1}),
        (None, None),
    ],
)
def test_fences_around_the_whole_are_stripped(text: Any, inside: Any) -> None:
    assert transforms.strip_fences(text) == inside


def test_json_texts_become_values() -> None:
    assert transforms.parse_json('{"a": [1, null]}') == {"a": [1, None]}
    assert transforms.parse_json(["already"]) == ["already"]


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"a": 1, "a": 2}', "[" * 100_000, "{} {}"])
def test_what_is_not_json_is_an_error(text: str) -> None:
    with pytest.raises(GraderError, match="transform json: not JSON"):
        transforms.parse_json(text)


def test_the_suites_own_functions_are_found(tmp_path: Path) -> None:
    (tmp_path / "mine_of_transforms.py").write_text("def upper(x):\n    return x.upper()\n")
    assert transforms.find("mine_of_transforms:upper", tmp_path)("a") == "A"
    assert transforms.find("json", None) is transforms.parse_json


def test_an_unknown_transform_is_refused_with_a_hint() -> None:
    with pytest.raises(InputError, match="unknown transform 'jsn'") as caught:
        transforms.find("jsn", None)
    assert "json" in caught.value.hint
    with pytest.raises(InputError, match="no module 'nowhere_at_all'"):
        transforms.find("nowhere_at_all:f", None)
