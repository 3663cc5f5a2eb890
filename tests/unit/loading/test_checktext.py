from __future__ import annotations

from typing import Any

import pytest

from probare.loading import checktext


@pytest.mark.parametrize(
    ("text", "check"),
    [
        # B02: exactly one separator space goes; spaces in quotes stay
        ("contains: Paris", {"contains": "Paris"}),
        ("contains:Paris", {"contains": "Paris"}),
        ("contains:  Paris", {"contains": " Paris"}),
        ("contains: Paris  ", {"contains": "Paris"}),
        ('contains: " Paris "', {"contains": " Paris "}),
        ('contains: "say \\"hi\\""', {"contains": 'say "hi"'}),
        ('contains: "he said" twice', {"contains": '"he said" twice'}),
        ("contains: 12", {"contains": "12"}),
        ("contains: a: b", {"contains": "a: b"}),
        ("contains: {not json}", {"contains": "{not json}"}),
        ('contains: {"text": "x", "ignore_case": false}', None),
        ("regex: [a-z]+", {"regex": "[a-z]+"}),
        ("regex: [1]", {"regex": "[1]"}),
        ("contains_any: a; b c ;", {"contains_any": ["a", "b c"]}),
        ('contains_any: ["a;b", "c"]', {"contains_any": ["a;b", "c"]}),
        ("language: en", {"language": "en"}),
        ('language: ["en", "id"]', {"language": ["en", "id"]}),
        ("equals: 5", {"equals": 5}),
        ('equals: "5"', {"equals": "5"}),
        ("equals: Paris", {"equals": "Paris"}),
        ("equals: [1, 2]", {"equals": [1, 2]}),
        ("equals: $reference", {"equals": "$reference"}),
        ("max_latency: 5", {"max_latency": 5}),
        ("max_latency: soon", {"max_latency": "soon"}),
        ("is_json", "is_json"),
        (" is_json ", "is_json"),
        ("unheard_of: 5", {"unheard_of": 5}),
    ],
)
def test_a_check_on_one_line(catalogue: Any, text: str, check: Any) -> None:
    if check is None:
        check = {"contains": {"text": "x", "ignore_case": False}}
    assert checktext.read(text, catalogue.graders) == check


@pytest.mark.parametrize("text", ["be polite", "- x", "", "5", "a-b: c"])
def test_what_begins_with_no_name_is_no_check(catalogue: Any, text: str) -> None:
    with pytest.raises(ValueError, match="is no check"):
        checktext.read(text, catalogue.graders)
