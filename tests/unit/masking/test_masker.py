"""No secret leaves, in no encoding; what is no secret stays as it is."""

from __future__ import annotations

import base64
import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.masking import SHORTEST
from probare.masking import Masker as KeyedMasker

CANARY = 'canary/4711+"x y'
LONG = "k9Qw7Lm2Zx8Rt4Vb6Nc1"
_DIGEST = re.compile(r"(\[secret:[^\]#]*)#[a-p]{8}\]")


class Masker(KeyedMasker):
    """A masker whose tokens are shown without their digests, which are another test's."""

    def mask_text(self, text: str) -> str:
        return _DIGEST.sub(r"\1]", super().mask_text(text))

    def mask_bytes(self, line: bytes) -> bytes:
        masked = super().mask_bytes(line)
        bare = _DIGEST.sub(r"\1]", masked.decode("utf-8", "surrogateescape"))
        return line if masked is line else bare.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    "text",
    [
        CANARY,
        json.dumps({"a": CANARY}),
        json.dumps([json.dumps(CANARY)]),
        json.dumps({"a": CANARY}).replace("/", "\\/"),
        quote(CANARY),
        quote(CANARY, safe=""),
        quote(CANARY, safe="").replace("%2F", "%2f").replace("%2B", "%2b"),
        base64.b64encode(CANARY.encode()).decode(),
        base64.b64encode(("user:" + CANARY).encode()).decode(),
        base64.b64encode(("ab" + CANARY + "tail").encode()).decode(),
        base64.urlsafe_b64encode(("x" + CANARY).encode()).decode(),
    ],
)
@pytest.mark.parametrize("in_json", [False, True])
def test_a_known_value_is_masked_in_every_encoding(text: str, in_json: bool) -> None:
    masker = Masker({"TOKEN": CANARY})
    shown = f"before {text} after"
    masked = masker.mask_text(shown)
    if in_json:
        line = masker.mask_bytes(json.dumps({"t": shown}, ensure_ascii=False).encode())
        assert json.loads(line) == {"t": masked}
    else:
        assert masker.mask_bytes(shown.encode()).decode() == masked
    assert "[secret:TOKEN]" in masked
    assert "4711" not in masked
    assert masked.startswith("before ")
    assert masked.endswith("after")


@pytest.mark.parametrize("lead", ["", "a", "ab", "abc", "user:"])
@pytest.mark.parametrize("tail", ["", "y", "yz", "more of it"])
@pytest.mark.parametrize("encode", [base64.standard_b64encode, base64.urlsafe_b64encode])
def test_base64_hides_nothing_at_any_alignment(lead: str, tail: str, encode: Any) -> None:
    encoded = encode(f"{lead}{LONG}{tail}".encode()).decode()
    masked = Masker({"K": LONG}).mask_text(encoded)
    assert "[secret:K]" in masked
    left = masked.replace("[secret:K]", "")
    assert len(left) <= len(encoded) - 8 * len(LONG) // 6 + 1


@pytest.mark.parametrize("at", range(1, len("k9Qw7Lm2Zx8Rt4Vb6Nc1k9Qw7Lm2Zx8Rt4Vb6Nc1")))
def test_a_long_secret_cut_once_does_not_get_through_whole(at: int) -> None:
    secret = LONG + LONG[::-1]
    line = json.dumps({"pieces": [secret[:at], secret[at:]]}).encode()
    masked = json.loads(Masker({"K": secret}).mask_bytes(line))
    assert "[secret:K]" in "".join(masked["pieces"])


@pytest.mark.parametrize(
    "secret",
    [
        "nabcdef",  # \nabcdef
        "u00e9ab",  # an escape's digits
        "123456",
        '","b":"',
        "\\\\\\\\\\\\",
        "é" * 6,
        "\U0001f511" * 6,
        "\ud800" * 6,
        "\x00" * 6,
    ],
)
def test_replacing_never_breaks_a_line(secret: str) -> None:
    value = {
        "newline": "\nabcdef",
        "accent": "\x01\u00e9ab",
        "number": 123456,
        "b": "c",
        "list": [1, 123456, 123456.5, True, None],
        "nested": json.dumps({"x": f"\\{secret}\\"}),
        secret: secret,
    }
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only)
        line = text.encode("utf-8", "backslashreplace")
        masked = json.loads(Masker({"S": secret}).mask_bytes(line))
        assert len(masked) == len(value)
        assert masked["newline"] in ("\nabcdef", "\n[secret:S]"[:1] + "abcdef")
        assert masked["[secret:S]"] == "[secret:S]"


def test_a_number_that_is_a_secret_is_masked_save_the_harness_own() -> None:
    line = b'{"transcript":{"offset":123456},"output":{"pin":123456,"other":1234567}}'
    masked = json.loads(Masker({"PIN": "123456"}).mask_bytes(line))
    assert masked["transcript"]["offset"] == 123456
    assert masked["output"] == {"pin": "[secret:PIN]", "other": 1234567}


def test_digests_and_times_of_the_harness_are_left_whole() -> None:
    sha = "123456" + "ab" * 29
    line = json.dumps({"sha256": sha, "started": "2026-12-31T12:34:56.123456Z", "x": sha}).encode()
    masked = json.loads(Masker({"PIN": "123456"}).mask_bytes(line))
    assert masked["sha256"] == sha
    assert masked["started"] == "2026-12-31T12:34:56.123456Z"
    assert masked["x"] == "[secret:PIN]" + "ab" * 29
    whole = json.loads(Masker({"HEX": sha}).mask_bytes(line))
    assert whole["sha256"] == "[secret:HEX]"


def test_words_of_the_record_format_stay_readable() -> None:
    line = b'{"status":"completed","interval":[0,1],"said":"the interval is complete"}'
    masker = Masker({"A": "complet", "B": "interv"})
    assert masker.unmasked == {}
    masked = json.loads(masker.mask_bytes(line))
    assert masked["status"] == "completed"
    assert masked["interval"] == [0, 1]
    assert masked["said"] == "the [secret:B]al is [secret:A]e"


def test_what_cannot_be_masked_by_value_is_told() -> None:
    masker = Masker({"PIN": "1234", "EMPTY": "", "WORD": "passed", "SELF": "secret"})
    assert masker.mask_text("1234 passed") == "1234 passed"
    assert set(masker.unmasked) == {"PIN", "WORD", "SELF"}
    assert str(SHORTEST) in masker.unmasked["PIN"]


def test_longer_secrets_win() -> None:
    masker = Masker({"SHORT": "abcdefgh", "LONG": "abcdefgh-and-more"})
    assert masker.mask_text("abcdefgh-and-more") == "[secret:LONG]"


def test_a_clean_line_is_returned_as_it_is() -> None:
    line = b'{"text": "desk research on a task \\u00e9", "n": 1.0}'
    assert Masker({"S": LONG}).mask_bytes(line) is line
    assert Masker({}).mask_bytes(line) is line


def test_all_but_the_secret_keeps_its_bytes() -> None:
    line = f'{{ "n": 1.50, "a": "\\u00e9 {LONG}", "b": "\\u00e9",\n "big": 1e400 }}'.encode()
    masked = Masker({"S": LONG}).mask_bytes(line)
    assert masked == '{ "n": 1.50, "a": "é [secret:S]", "b": "\\u00e9",\n "big": 1e400 }'.encode()


def test_deeply_nested_json_is_masked_too() -> None:
    line = b"[" * 5000 + json.dumps(LONG).encode() + b"]" * 5000
    assert Masker({"S": LONG}).mask_bytes(line) == line.replace(LONG.encode(), b"[secret:S]")


def test_bytes_that_are_no_text_are_masked() -> None:
    assert Masker({"S": LONG}).mask_bytes(b"\xff" + LONG.encode() + b"\xfe") == (
        b"\xff[secret:S]\xfe"
    )


def test_names_of_secrets_never_break_json() -> None:
    masked = Masker({'a"\n] b': LONG}).mask_bytes(json.dumps({"x": LONG}).encode())
    assert json.loads(masked) == {"x": "[secret:a____b]"}


_TEXT = st.text(max_size=30) | st.text(alphabet='ab"\\\nu0123456789/+é', max_size=30)
_SECRET = st.text(min_size=6, max_size=40) | st.text(
    alphabet='ab"\\\nu012/+é', min_size=6, max_size=16
)


@settings(max_examples=300)
@given(_SECRET, _TEXT, _TEXT, st.booleans())
def test_a_masked_line_of_json_is_json_without_the_secret(
    secret: str, before: str, after: str, ascii_only: bool
) -> None:
    masker = Masker({"S": secret})
    text = before + secret + after
    value = {"a": text, "b": [text, json.dumps(text)], text: 1}
    line = json.dumps(value, ensure_ascii=ascii_only).encode()
    masked = masker.mask_bytes(line)
    for found in _strings(json.loads(masked)):
        assert secret not in found or masker.unmasked
    assert masker.mask_bytes(masked) == masked


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for item in pair for text in _strings(item)]  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]  # pyright: ignore[reportUnknownVariableType]
    return [value] if isinstance(value, str) else []


@given(st.recursive(st.none() | st.integers() | st.floats(allow_nan=False) | _TEXT,
                    lambda inner: st.lists(inner) | st.dictionaries(_TEXT, inner)))  # fmt: skip
def test_json_without_the_secret_is_untouched(value: Any) -> None:
    line = json.dumps(value).encode()
    assert Masker({"S": "§" * 6}).mask_bytes(line) == line
