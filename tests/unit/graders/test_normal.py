import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.graders.normal import changes, fold, normalise, original_spans

ODD = st.text(
    st.sampled_from(
        "ab eé\u0301\u0323\u200b\u200d\u00ad\ufeff\u00a0\u2009\u2028ßİıſK ﬁ\u1100\u1161\u11a8각가"
        "\r\n\x00👩❤\ufe0f"
    )
    | st.characters(exclude_categories=["Cs"]),
    max_size=20,
)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("cafe\u0301", "café"),
        ("10\u00a0km", "10 km"),
        ("10\u202fkm", "10 km"),
        ("全角\u3000空白", "全角 空白"),
        ("de\u200blete", "delete"),
        ("co\u00adoperate", "cooperate"),
        ("\ufeffhello", "hello"),
        ("\u202eabc\u202c", "abc"),
        ("a\x00b\x1bc", "abc"),
        ("line\r\nnext", "line\nnext"),
        ("line\u2028next", "line\nnext"),
        ("e\u200b\u0301", "é"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("می\u200cخواهم", "میخواهم"),
        ("❤\ufe0f", "❤"),
        ("a\u200db", "ab"),
    ],
)
def test_what_cannot_be_seen_makes_no_difference(text: str, result: str) -> None:
    assert normalise(text) == result


@pytest.mark.parametrize(
    "text",
    [
        "ﬁle",
        "x²",
        "Straße",
        "a\tb\n  c",
        "１２",
        "A  B",
        "\r",
        "👩\u200d👧",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "\u0600\u0661",
    ],
)
def test_what_changes_meaning_stays(text: str) -> None:
    assert normalise(text) == text


def test_a_joiner_stays_between_emoji_though_a_variation_selector_goes() -> None:
    assert normalise("❤\ufe0f\u200d🔥") == "❤\u200d🔥"


def test_folding_is_full_case_folding() -> None:
    assert fold("STRASSE") == fold("straße")
    assert fold("ΌΣΟΣ") == fold("όσος")
    assert fold("\u03aa\u0301") == fold("\u0390")


def test_changes_name_each_step() -> None:
    assert changes("plain", "Grüße") == ""
    assert changes("cafe\u0301") == "normalised: NFC"
    assert changes("plain", "a\u00a0b") == "normalised: Unicode spaces as spaces"
    assert changes("a\u200bb\u00a0e\u0301") == (
        "normalised: invisible characters dropped, Unicode spaces as spaces, NFC"
    )


@given(ODD)
@settings(max_examples=200)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(ODD, ODD)
@settings(max_examples=200)
def test_canonically_equal_texts_become_one(a: str, b: str) -> None:
    text = a + b
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)


@given(ODD, st.data(), st.booleans())
@settings(max_examples=300)
def test_spans_point_into_the_original(text: str, data: st.DataObject, ignore_case: bool) -> None:
    prepared = fold(text) if ignore_case else normalise(text)
    start = data.draw(st.integers(0, len(prepared)))
    end = data.draw(st.integers(start, len(prepared)))
    (span,) = original_spans(text, [(start, end)], ignore_case=ignore_case)
    assert 0 <= span.start <= span.end <= len(text)
    if end > start:
        origin = text[span.start : span.end]
        again = fold(origin) if ignore_case else normalise(origin)
        assert prepared[start:end] in again or fold(prepared[start:end]) in fold(again)


def test_spans_survive_changes_of_length() -> None:
    text = "a\u200bb STRAßE cafe\u0301!"
    at = fold(text).index("strasse")
    assert [
        text[s.start : s.end] for s in original_spans(text, [(at, at + 7)], ignore_case=True)
    ] == ["STRAßE"]
    at = normalise(text).index("café")
    (span,) = original_spans(text, [(at, at + 4)])
    assert text[span.start : span.end] == "cafe\u0301"
    at = normalise(text).index("b")
    (span,) = original_spans(text, [(at, at + 1)])
    assert text[span.start : span.end] == "b"
