"""Stretches of a text follow it when it is masked."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from probare.masking import Masker, PlantedMask
from probare.masking.moving import moved

SECRET = "hunter2-the-password"


def shown(text: str, stretch: tuple[int, int]) -> str:
    return text[stretch[0] : stretch[1]]


def test_what_is_not_masked_is_shown_as_before() -> None:
    text = f"the key {SECRET} of Jane Doe opens door 4"
    masked = PlantedMask([("name", "Jane Doe")]).mask_text(Masker({"K": SECRET}).mask_text(text))
    found = [(0, 3), (4, 7), (text.index("opens"), len(text)), (0, len(text))]
    after = moved(text, masked, found)
    assert after is not None
    assert [shown(masked, stretch) for stretch in after] == ["the", "key", "opens door 4", masked]


def test_what_is_masked_is_shown_as_its_token() -> None:
    text = f"a {SECRET} b"
    masked = Masker({"K": SECRET}).mask_text(text)
    token = masked[2:-2]
    at = text.index(SECRET)
    stretches = [(at, at + len(SECRET)), (at + 3, at + 5), (0, at + 2), (at + 4, len(text))]
    after = moved(text, masked, stretches)
    assert after is not None
    assert [shown(masked, s) for s in after] == [token, token, f"a {token}", f"{token} b"]


def test_texts_that_do_not_belong_together_are_told() -> None:
    assert moved("one text", "another", [(0, 1)]) is None
    assert moved("one text", "one [planted:x] book", [(0, 1)]) is None
    assert moved("same", "same", [(1, 3)]) == [(1, 3)]


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(["Jane Doe", "x", "[", " and ", "Ja", "12"]), max_size=8), st.data()
)
def test_every_stretch_stays_inside_and_keeps_its_plain_ends(
    parts: list[str], data: st.DataObject
) -> None:
    text = "".join(parts)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    masked = PlantedMask([("n", "Jane Doe")]).mask_text(text)
    after = moved(text, masked, [(start, end)])
    assert after is not None
    ((first, last),) = after
    assert 0 <= first <= len(masked)
    assert 0 <= last <= len(masked)
