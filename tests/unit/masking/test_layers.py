"""What a text decodes to, and the way back."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

from hypothesis import given, settings
from hypothesis import strategies as st

from probare.masking.layers import layers

_ALPHABET = "aAbZ09 +/=%&#;\\xu{}\n\u00e9\uff05\uff14"
_TEXT = st.text(max_size=60) | st.text(alphabet=_ALPHABET, max_size=60)
_CODED = st.tuples(_TEXT, st.lists(st.sampled_from("ubjh"), max_size=3))


def coded(text: str, codes: list[str]) -> str:
    for code in codes:
        data = text.encode("utf-8", "replace")
        if code == "u":
            text = quote(data)
        elif code == "b":
            text = base64.b64encode(data).decode()
        elif code == "j":
            text = json.dumps(data.decode())[1:-1]
        else:
            text = data.hex()
    return text


@settings(max_examples=200)
@given(_CODED, _TEXT, _TEXT, st.data())
def test_every_stretch_of_every_layer_has_its_place(
    inner: tuple[str, list[str]], before: str, after: str, data: st.DataObject
) -> None:
    text = before + coded(*inner) + after
    for layer in layers(text, 4):
        if not layer.text:
            continue
        start = data.draw(st.integers(0, len(layer.text) - 1))
        end = data.draw(st.integers(start + 1, len(layer.text)))
        first, last = layer.back(start, end)
        assert 0 <= first <= last <= len(text)


@settings(max_examples=100)
@given(st.lists(st.sampled_from("ubjh"), min_size=1, max_size=3))
def test_three_codings_are_undone(codes: list[str]) -> None:
    plain = "the patient's name, \u00c5sa \u2713"
    text = f"<{coded(plain, codes)}>"
    found = [layer for layer in layers(text, 6) if "\u00c5sa" in layer.text]
    assert found
    at = found[0].text.index("\u00c5sa")
    first, last = found[0].back(at, at + 3)
    assert 0 < first < last < len(text)


def test_the_text_itself_is_the_first_layer_and_long_ones_are_decoded_less_deep() -> None:
    plain = "a readable text"
    short = coded(plain, ["b", "b", "b"])
    assert next(iter(layers(plain, 6))).text == plain
    assert any(plain in layer.text for layer in layers(short, 6))
    long = short + " " * 64_000
    assert not any(plain in layer.text for layer in layers(long, 6))
    twice = coded(plain, ["b", "b"]) + " " * 64_000
    assert any(plain in layer.text for layer in layers(twice, 6))
