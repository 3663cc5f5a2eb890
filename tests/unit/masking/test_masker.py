"""No secret leaves, in no encoding; what is no secret stays as it is."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.masking import Masker, secrets_from_environ

CANARY = 'canary/4711+"x y'


@pytest.mark.parametrize(
    "text",
    [
        CANARY,
        json.dumps({"a": CANARY}),
        json.dumps([json.dumps(CANARY)]),
        quote(CANARY),
        quote(CANARY, safe=""),
        base64.b64encode(CANARY.encode()).decode(),
        base64.b64encode(("user:" + CANARY).encode()).decode(),
        base64.b64encode(("ab" + CANARY + "tail").encode()).decode(),
        base64.urlsafe_b64encode(("x" + CANARY).encode()).decode(),
    ],
)
def test_a_known_value_is_masked_in_every_encoding(text: str) -> None:
    masked = Masker({"TOKEN": CANARY}).mask_text(f"before {text} after")
    assert "[secret:TOKEN]" in masked
    assert "4711" not in masked
    assert masked.startswith("before ")
    assert masked.endswith("after")


@pytest.mark.parametrize(
    "text",
    [
        "AIzaSyEXAMPLE",
        "AKIAEXAMPLE00000000",
        "x-api-key: abc",
        "X-API-Key:abcdef",
        "sk-proj-EXAMPLE",
        "sk-ant-api03-EXAMPLE",
        "Authorization: Bearer abcdefgh12345",
        "ghp_EXAMPLE0000",
        "github_pat_EXAMPLE0000",
        "NGC_CLI_API_KEY=nvapi-EXAMPLE0000",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_known_key_shapes_are_masked(text: str) -> None:
    masked = Masker({}).mask_text(f'{{"reason": "it printed {text}"}}')
    assert "[secret:" in masked
    for part in ("EXAMPLE", "abcdef", "MIIE", " abc"):
        assert part not in masked


@pytest.mark.parametrize(
    "text",
    ["the task-force asked", "risk-averse people", "ghost", "a bearer of news", "Asia", "sk-"],
)
def test_ordinary_words_stay(text: str) -> None:
    assert Masker({}).mask_text(text) == text


@given(st.text(min_size=6, max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_a_masked_line_of_json_is_json_without_the_secret(
    secret: str, before: str, after: str
) -> None:
    line = json.dumps({"a": before + secret + after}, ensure_ascii=False)
    masked = Masker({"S": secret}).mask_bytes(line.encode("utf-8", "surrogatepass"))
    value = json.loads(masked.decode("utf-8", "surrogatepass"))
    assert secret not in value["a"] or secret in "[secret:S]"


def test_short_values_are_left_and_told() -> None:
    masker = Masker({"PIN": "1234", "EMPTY": ""})
    assert masker.mask_text("1234") == "1234"
    assert masker.too_short == ("PIN",)


def test_longer_secrets_win() -> None:
    masker = Masker({"SHORT": "abcdefgh", "LONG": "abcdefgh-and-more"})
    assert masker.mask_text("abcdefgh-and-more") == "[secret:LONG]"


def test_secrets_of_the_environment() -> None:
    environ = {
        "OPENAI_API_KEY": "x",
        "HELP_TOKEN": "y",
        "PATH": "/bin",
        "PWD": "/work",
        "MONKEY": "z",
        "DB_PASSWORD": "w",
        "EMPTY_TOKEN": "",
    }
    assert secrets_from_environ(environ) == {
        "OPENAI_API_KEY": "x",
        "HELP_TOKEN": "y",
        "DB_PASSWORD": "w",
    }
