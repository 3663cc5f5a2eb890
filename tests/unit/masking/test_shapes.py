"""Shapes of known keys (field report B103), and what only looks like one."""

from __future__ import annotations

import json

import pytest

from probare.masking import Masker
from probare.masking.shapes import SHAPES, Shape, marks_of, suspected

KEYS = [
    "AIzaSyEXAMPLE",
    "AKIAEXAMPLE00000000",
    "ASIAEXAMPLE00000000",
    "x-api-key: abcEXAMPLE",
    "X-API-Key:EXAMPLE",
    "x-goog-api-key=EXAMPLE",
    '"api-key": "EXAMPLE"',
    '{\\"x-api-key\\": \\"EXAMPLE\\"}',
    "sk-proj-EXAMPLE",
    "sk-ant-api03-EXAMPLE",
    "sk-EXAMPLE00000000000",
    "Authorization: Bearer EXAMPLEgh12345",
    "authorization: bearer EXAMPLEgh12345",
    "Authorization: Basic EXAMPLE",
    "Bearer EXAMPLEEXAMPLEEXAMPLEEXAMPLE",
    "ghp_EXAMPLE0000",
    "ghs_EXAMPLE0000",
    "github_pat_EXAMPLE0000",
    "glpat-EXAMPLE0000",
    "hf_EXAMPLEEXAMPLEEXAMPLE",
    "xoxb-EXAMPLE-0000",
    "NGC_CLI_API_KEY=nvapi-EXAMPLE0000",
    "eyJEXAMPLEEX.eyJEXAMPLE.EXAMPLEEXAMPLE",
    "-----BEGIN RSA PRIVATE KEY-----\nEXAMPLE\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nEXAMPLE",
    "-----BEGIN+OPENSSH+PRIVATE+KEY-----%0AEXAMPLE%0A",
    "Bearer%20EXAMPLEgh12345",
    "X-Auth-Token: EXAMPLE",
    "x-amz-security-token: EXAMPLE",
    '"private-token": "EXAMPLE"',
    "Cookie: sid=EXAMPLE; other=EXAMPLE",
    '"set-cookie": "sid=EXAMPLE; Path=/EXAMPLE"',
    "postgres://user:EXAMPLE@host/db",
    "aws_secret_access_key = EXAMPLEEXAMPLEEXAMPLEEXAMPLE/EXAMPLE0000",
    "AWS_SECRET_ACCESS_KEY=EXAMPLEEXAMPLEEXAMPLEEXAMPLE/EXAMPLE0000",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("before", ["", "it printed ", "line\n", "\\n", "%20", '"', "=", "("])
def test_known_key_shapes_are_masked(key: str, before: str) -> None:
    masked = Masker({}).mask_text(before + key)
    assert "[secret:" in masked
    assert "EXAMPLE" not in masked
    line = json.dumps({"reason": before + key, "list": [before + key]})
    found = Masker({}).mask_bytes(line.encode())
    assert json.loads(found) == {"reason": masked, "list": [masked]}


@pytest.mark.parametrize("key", KEYS)
def test_masking_twice_is_masking_once(key: str) -> None:
    once = Masker({}).mask_text(f"so {key} there")
    assert Masker({}).mask_text(once) == once


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({"x-api-key": "abc"}, ""),
        ({"X-Api-Key": "abc"}, ""),
        ({"X-Session-Token": "abc"}, ""),
        ({"Cookie": "sid=abc"}, ""),
        ({"Authorization": "Bearer abc"}, "Bearer "),
        ({"authorization": "Basic abc"}, "Basic "),
    ],
)
def test_header_fields_are_masked_by_their_name(fields: dict[str, str], kept: str) -> None:
    masked = json.loads(Masker({}).mask_bytes(json.dumps(fields).encode()))
    (value,) = masked.values()
    assert value.startswith(f"{kept}[secret:")
    assert "abc" not in value


@pytest.mark.parametrize(
    "text",
    [
        "the task-force asked for a risk-averse desk-based plan",
        "ghost, night, through",
        "a bearer of news",
        "Bearer authentication is required",
        "basic research",
        "Authorization: required",
        "Asia, AKIA and AIza",
        "sk-",
        "the sk-learn-compatible estimators",
        "an api-key is needed",
        "one --- two ----- three",
        "-----BEGIN PUBLIC KEY-----",
        "write to me@example.org, see https://example.org:8080/a@b",
        "cookies are crumbly: ask the cook",
        "one token-based, one key-value store",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    line = json.dumps({"text": text}).encode()
    assert Masker({}).mask_text(text) == text
    assert Masker({}).mask_bytes(line) == line


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_every_shape_has_an_example_and_the_quick_search_finds_it(shape: Shape) -> None:
    examples = [key for key in KEYS if shape.text.search(key)]
    assert examples
    for key in examples:
        line = json.dumps(key).encode()
        assert suspected(line, marks_of(line))
