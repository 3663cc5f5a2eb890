"""Names of models, addresses and keys."""

from __future__ import annotations

import importlib.util

import pytest

from probare.errors import InputError, MissingExtra
from probare.providers.endpoints import endpoint_of

AZURE = {"AZURE_OPENAI_ENDPOINT": "https://x.example/", "AZURE_OPENAI_API_KEY": "k"}


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai:gpt-4.1-mini", "OPENAI_API_KEY"),
        ("anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-2.5-flash", "GOOGLE_API_KEY"),
        ("azure:deployed", "AZURE_OPENAI_ENDPOINT"),
        ("openai-compatible:any", "OPENAI_COMPATIBLE_BASE_URL"),
    ],
)
def test_an_unset_variable_is_named(name: str, variable: str) -> None:
    with pytest.raises(InputError, match=rf"{name}.*{variable}, which is not set") as caught:
        endpoint_of(name, {variable: ""})
    assert "environment" in caught.value.hint


def test_azure_needs_its_key_too() -> None:
    with pytest.raises(InputError, match="AZURE_OPENAI_API_KEY"):
        endpoint_of("azure:m", {**AZURE, "AZURE_OPENAI_API_KEY": ""})
    found = endpoint_of("azure:m", AZURE)
    assert (found.url, found.key, found.version) == ("https://x.example", "k", "2024-10-21")
    assert endpoint_of("azure:m", {**AZURE, "OPENAI_API_VERSION": "v"}).version == "v"


def test_a_server_of_ones_own_needs_no_key() -> None:
    found = endpoint_of("openai:m", {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1/"})
    assert (found.url, found.key) == ("http://127.0.0.1:1/v1", None)
    assert endpoint_of("ollama:llama3:8b", {}).model == "llama3:8b"
    assert endpoint_of("ollama:llama3", {}).url == "http://127.0.0.1:11434/v1"


def test_geminis_old_variable_works_too() -> None:
    assert endpoint_of("google:m", {"GEMINI_API_KEY": "k"}).key == "k"


def test_an_address_in_the_name_never_gets_the_key_of_another() -> None:
    ours = {
        "OPENAI_COMPATIBLE_BASE_URL": "https://ours.example/v1",
        "OPENAI_COMPATIBLE_API_KEY": "secret",
        "OPENAI_API_KEY": "other",
    }
    assert endpoint_of("openai-compatible:m", ours).key == "secret"
    assert endpoint_of("openai-compatible:m@https://ours.example/v1/", ours).key == "secret"
    stranger = endpoint_of("openai-compatible:@cf/m@http://other.example/v1", ours)
    assert (stranger.model, stranger.key) == ("@cf/m", None)
    assert stranger.url == "http://other.example/v1"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gpt-4", "is no model's name"),
        ("opnai:gpt-4", "did you mean 'openai'"),
        ("openai:", "names no model"),
        ("openai-compatible:@http://x/v1", "the address follows no model"),
        ("openai-compatible:m@http://", "is no http address"),
        ("openai-compatible:m@http://u:p@h/v1", "holds a user or a password"),
    ],
)
def test_what_is_no_name(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        endpoint_of(name, {})


def test_an_address_that_is_none_names_its_variable() -> None:
    with pytest.raises(InputError, match="OPENAI_BASE_URL is no http address"):
        endpoint_of("openai:m", {"OPENAI_BASE_URL": "localhost:8000"})


def test_the_key_stands_in_no_repr() -> None:
    assert "secret" not in repr(endpoint_of("openai:m", {"OPENAI_API_KEY": "secret"}))


def test_a_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)  # pyright: ignore
    with pytest.raises(MissingExtra, match=r"pydantic-ai.*pip install 'probare\[models\]'"):
        endpoint_of("openai:m", {"OPENAI_API_KEY": "k"})
