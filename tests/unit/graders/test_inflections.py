from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.graders.inflections import forms


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("leverage", "leverages leveraged leveraging leverager"),
        ("utilize", "utilizes utilized utilizing"),
        ("plan", "plans planned planning planner"),
        ("travel", "traveled travelled traveling travelling"),
        ("synergy", "synergies"),
        ("play", "plays played playing"),
        ("push", "pushes pushed"),
        ("fix", "fixes fixed fixing"),
        ("die", "died dying"),
        ("agree", "agreed agreeing"),
        ("spearhead", "spearheaded spearheading"),
    ],
)
def test_regular_forms(word: str, some: str) -> None:
    assert set(some.split()) <= set(forms(word))
    assert forms(word)[0] == word


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("car", "caring"),
        ("plan", "planing"),
        ("fix", "fixxed"),
        ("play", "plaies"),
        ("leverage", "leverageing"),
        ("art", "start"),
    ],
)
def test_what_is_no_form(word: str, other: str) -> None:
    assert other not in forms(word)


@pytest.mark.parametrize("word", ["us", "c++", "café", "k8s", ""])
def test_what_has_no_other_form(word: str) -> None:
    assert forms(word) == (word,)


@given(st.text("abcdeiosxy", min_size=3, max_size=9))
@settings(max_examples=100)
def test_each_form_is_the_word_or_longer_but_for_one_letter(word: str) -> None:
    found = forms(word)
    assert len(found) == len(set(found))
    assert all(form.startswith(word[:-2]) and len(form) >= len(word) for form in found)
