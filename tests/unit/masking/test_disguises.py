"""Identifiers are found in every dress, where they stand, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
import quopri
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.masking.disguises import find, find_all, find_in, token

NAME = "Jane O'Brien-Doe"


def wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


DRESSES = {
    "as it is": NAME,
    "upper case": NAME.upper(),
    "full width": wide(NAME),
    "no separators": "JaneOBrienDoe",
    "spelt out": " ".join(NAME),
    "dotted": ".".join(NAME),
    "zero width": "\u200b".join(NAME),
    "soft hyphens": "Jane O\u00ad'Brien\u00ad-Doe",
    "look-alikes": "J\u0430n\u0435 \u041e'Brien-D\u043e\u0435",
    "accented": "J\u00e1ne O'Bri\u00ebn-Do\u0301e",
    "math letters": "\U0001d409\U0001d41a\U0001d427\U0001d41e O'Brien-Doe",
    "backwards": NAME[::-1],
    "over lines": "Jane\nO'Brien\r\n  Doe",
    "URL": quote(NAME),
    "URL form": quote(NAME).replace("%20", "+"),
    "URL, every byte": "".join(f"%{byte:02X}" for byte in NAME.encode()),
    "URL, lower case": "".join(f"%{byte:02x}" for byte in wide(NAME).encode()),
    "URL twice": quote(quote(NAME)),
    "HTML": html.escape(NAME),
    "HTML numbers": "".join(f"&#{ord(char)};" for char in NAME),
    "HTML hex": "".join(f"&#x{ord(char):X};" for char in NAME),
    "HTML in URL": quote("".join(f"&#{ord(char)};" for char in NAME)),
    "JSON": json.dumps(wide(NAME)),
    "JSON in JSON": json.dumps(json.dumps(wide(NAME))),
    "JSON, astral": json.dumps("\U0001d409\U0001d41a\U0001d427\U0001d41e O'Brien-Doe"),
    "Python": "".join(f"\\x{ord(char):02x}" for char in NAME),
    "JavaScript": "".join(f"\\u{{{ord(char):x}}}" for char in NAME),
    "quoted-printable": quopri.encodestring(wide(NAME).encode()).decode(),
    "hex": NAME.encode().hex(),
    "hex, spaced": NAME.encode().hex(" "),
    "hex, 0x": ", ".join(f"0x{byte:02X}" for byte in NAME.encode()),
    "base64": b64(NAME),
    "base64, unpadded": b64(NAME).rstrip("="),
    "base64, inside 1": b64(f"a{NAME} and more"),
    "base64, inside 2": b64(f"my patient, {NAME}"),
    "base64, inside 3": b64(f"ab{NAME}\n"),
    "base64, URL-safe": base64.urlsafe_b64encode(wide(NAME).encode()).decode(),
    "base64, wrapped": base64.encodebytes((f"{'lorem ipsum ' * 10}{NAME}").encode()).decode(),
    "base64, spaced": " ".join(b64(f"of {NAME}")[at : at + 5] for at in range(0, 99, 5)),
    "base64, UTF-16": base64.b64encode(NAME.encode("utf-16-le")).decode(),
    "base64 twice": b64(b64(f"x{NAME}")),
    "base64 of URL": b64(quote(NAME)),
    "URL of base64": quote(b64(f"{NAME}?")),
    "path and base64": f"path/to/{b64(f'the {NAME} file')}",
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("note: ", " (seen)"), ("\u00e9 '", "'")])
def test_an_identifier_is_found_in_every_dress_where_it_stands(
    dress: str, before: str, after: str
) -> None:
    text = before + dress + after
    (found,) = find(NAME, text)
    left = text[: found[0]] + text[found[1] :]
    assert len(before) <= found[0]
    assert found[1] <= len(text) - len(after)
    assert find(NAME, left) == []
    assert find(NAME, text[: found[0]] + token("n") + text[found[1] :]) == []


def test_a_hit_in_base64_leaves_the_rest_of_it() -> None:
    text = b64(f"the patient is called {NAME}, born in May")
    ((start, end),) = find(NAME, text)
    assert base64.b64decode(text[: start // 4 * 4]).startswith(b"the patient is call")
    assert end - start <= 4 * len(NAME) // 3 + 3


@pytest.mark.parametrize(
    ("identifier", "text", "there"),
    [
        ("4471", "ending in 4471.", True),
        ("4471", "44-71, 4 4 7 1", True),
        ("4471", "MRN4471x", True),
        ("4471", "card 99954471", False),
        ("4471", "44 of 71, and 4, 4, then 7 or 1", False),
        ("4471", "447 12", False),
        ("44-71", "4471", True),
        ("Ann", "Ann, and ANN", True),
        ("Ann", "the planned annual", False),
        ("91", "aged 91", True),
        ("91", "9, 1 and 191 and 91st", True),
        ("91", "9, 1 and 191", False),
        ("J. D", "j  d", True),
        ("521-44-9083", "521449083", True),
        ("521-44-9083", "number 15214490837", True),
        ("521-44-9083", "5 2 1 4 4 9 0 8 3", True),
        ("521-44-9083", "\u0665\u0662\u0661 44 9083", True),
        ("521-44-9083", "521-44-9084", False),
        ("--", "a -- b", True),
        ("--", "a - b", False),
        ("", "anything", False),
    ],
)
def test_short_ones_stand_alone(identifier: str, text: str, there: bool) -> None:
    assert bool(find(identifier, text)) is there


CLEAN = [
    "Crohn disease flare treated with prednisone taper from 40 mg.",
    "Hemoglobin A1c 7.9%, fasting glucose 142 mg/dL, creatinine 1.12 mg/dL.",
    "Section 4.2 of the policy requires manager approval for remote work.",
    "She planned an annual channel review; the janitor obeyed & 100% agreed.",
    b64("Repeat lipid panel in 3 months; LDL goal below 70 mg/dL."),
    "c3d4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d3e4",
]


@pytest.mark.parametrize("text", CLEAN)
def test_clean_sentences_stay_clean(text: str) -> None:
    planted = {"name": NAME, "ssn": "521-44-9083", "last": "4471", "first": "Ann", "age": "91"}
    assert find_all(planted, text) == []


def test_how_it_was_found_is_told() -> None:
    planted = {"name": NAME}
    assert [hit.how for hit in find_all(planted, NAME)] == [""]
    assert [hit.how for hit in find_all(planted, quote(wide(NAME)))] == ["URL-encoded"]
    assert [hit.how for hit in find_all(planted, b64(quote(NAME)))] == ["base64, URL-encoded"]


def test_a_token_is_a_hit_of_its_name() -> None:
    text = "about [planted:ssn] and [planted:other]"
    assert [hit[:3] for hit in find_all({"ssn": "521-44-9083"}, text)] == [("ssn", 6, 19)]
    assert [hit[:3] for hit in find_all({"ssn": token("ssn")}, text)] == [("ssn", 6, 19)]
    assert find_all({"ssn": token("ssn")}, "planted ssn") == []


def test_the_longer_of_two_wins_and_overlaps_are_cut() -> None:
    hits = find_all({"first": "Jane", "full": "Jane Doe", "last": "Doe Smith"}, "Jane Doe Smith")
    assert [hit[:3] for hit in hits] == [("full", 0, 8), ("last", 8, 14)]


def test_a_value_is_looked_through_whole() -> None:
    planted = {"ssn": "521-44-9083", "name": "Jane Doe"}
    assert {hit.name for hit in find_in(planted, {"a": [1, {"jane doe": None}]})} == {"name"}
    assert {hit.name for hit in find_in(planted, [True, 521449083, 0.5])} == {"ssn"}
    (hit,) = find_in(planted, {"first": "Jane", "last": "Doe"})
    assert hit.how == "in several parts"
    assert find_in(planted, {"first": "Jane", "age": 50, "last": "Doe"}) == []
    assert find_in(planted, "[planted:name]")[0].name == "name"


_TEXT = st.text(max_size=40) | st.text(alphabet="aA1 %&=\\x\u00e9\uff41;#/+0", max_size=40)


@settings(max_examples=200)
@given(_TEXT, _TEXT, st.text(alphabet="abcxyz0189", min_size=6, max_size=12))
def test_what_was_put_in_is_found_inside_its_stretch(
    before: str, after: str, identifier: str
) -> None:
    for dress in (identifier.upper(), wide(identifier), quote(wide(identifier))):
        text = f"{before} {dress} {after}"
        start, end = len(before) + 1, len(before) + 1 + len(dress)
        assert any(s < end and start < e for s, e in find(identifier, text))


@settings(max_examples=200)
@given(st.text(max_size=60), st.text(alphabet="ab01", min_size=1, max_size=7))
def test_stretches_are_in_order_and_inside(text: str, identifier: str) -> None:
    at = 0
    for start, end in find(identifier, text):
        assert at <= start < end <= len(text)
        at = end
