"""Which variables of the environment are taken for secrets."""

from __future__ import annotations

import pytest

from probare.masking import secrets_from_environ, secrets_from_headers


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "HELP_TOKEN",
        "DB_PASSWORD",
        "PGPASSWORD",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "GITHUB_TOKEN",
        "CLIENT_SECRET",
        "SERVICE_CREDENTIALS",
        "openai_apikey",
        "SIGNING_KEY",
        "API_TOKENS",
    ],
)
def test_secrets(name: str) -> None:
    assert secrets_from_environ({name: "value-1"}) == {name: "value-1"}
    assert secrets_from_environ({name: ""}) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PATH", "/bin"),
        ("PWD", "/work"),
        ("OLDPWD", "/work"),
        ("MONKEY", "banana"),
        ("KEYBOARD", "english"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("MAX_TOKENS", "100000"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("SECRET_FILE", "/run/secrets/x"),
        ("TOKEN_URL", "https://example.org/token"),
        ("AUTHOR", "someone"),
    ],
)
def test_no_secrets(name: str, value: str) -> None:
    assert secrets_from_environ({name: value}) == {}


def test_headers_whose_names_say_so_are_secrets() -> None:
    headers = {
        "Authorization": "Bearer abc.def",
        "proxy-authorization": "abc",
        "X-Api-Key": "k1",
        "X-Auth-Token": "k2",
        "X-Amz-Security-Token": "k3",
        "Cookie": "sid=k4",
        "Content-Type": "application/json",
        "X-Request-Id": "7",
        "Accept": "token/plain",
    }
    assert secrets_from_headers(headers) == {
        "Authorization": "abc.def",
        "proxy-authorization": "abc",
        "X-Api-Key": "k1",
        "X-Auth-Token": "k2",
        "X-Amz-Security-Token": "k3",
        "Cookie": "sid=k4",
    }
