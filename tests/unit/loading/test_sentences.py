"""How sentences compare, and what is known of them."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from probare.loading.explain import Finding
from probare.loading.sentences import Sentence, Sentences, normal

KNOWN = Sentences(
    {
        "pass": {"Hashes match": "is_json", "Budget tracked": {"contains": "x", "weight": 2}},
        "fail": {"Hash mismatch": "is_json", "Hash mismatch between runs": "is_json"},
    }
)


@pytest.mark.parametrize(
    "written",
    ["Hashes match", "hashes match", " Hashes\n match. ", "HASHES MATCH..", "Hashes\u00a0match"],
)
def test_one_sentence_in_many_spellings(written: str) -> None:
    found = KNOWN.find(written, "pass")
    assert found == Sentence("Hashes match", "pass", {"is_json": None, "label": "Hashes match"})


@pytest.mark.parametrize("written", ["Hash match", "Hashes matches", "Hashes, match", ""])
def test_other_words_are_another_sentence(written: str) -> None:
    assert isinstance(KNOWN.find(written, "pass"), Finding)


def test_a_longer_sentence_is_not_the_shorter_one() -> None:
    found = KNOWN.find("Hash mismatch between runs", "fail")
    assert isinstance(found, Sentence)
    assert found.text == "Hash mismatch between runs"


def test_a_check_keeps_what_stands_beside_it() -> None:
    found = KNOWN.find("budget tracked", "pass")
    assert isinstance(found, Sentence)
    assert found.check == {"contains": "x", "weight": 2, "label": "Budget tracked"}


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=20))
@example(".")
@example("x . .")
def test_the_compared_form_is_settled(sentence: str) -> None:
    assert normal(normal(sentence)) == normal(sentence)
    assert normal(f"  {sentence} . ") == normal(sentence)
