"""Which model a name means: its provider, where that is, and the key to it.

Keys and addresses come from the environment alone. An address in the name itself is asked without
the key of another, so that a suite cannot send a key where it likes.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec

from probare.errors import InputError, MissingExtra, did_you_mean

AZURE_API_VERSION = "2024-10-21"
_OLLAMA = "http://127.0.0.1:11434/v1"


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A model at a provider. `url` is null where the provider's own is meant; `key` where the
    server needs none. `version` is Azure's API version.
    """

    provider: str
    model: str
    url: str | None = None
    key: str | None = None
    version: str | None = None

    @property
    def place(self) -> str:
        """What limits are shared by: the provider's address and the model."""
        return f"{self.provider} {self.url or ''} {self.model}"

    def __repr__(self) -> str:
        return f"Endpoint({self.place!r})"


def endpoint_of(name: str, environment: Mapping[str, str]) -> Endpoint:
    """Return the endpoint of a model's name, such as `openai:gpt-4.1-mini`.

    Raises InputError for a name that means none and for a variable that is not set, MissingExtra
    where the provider's client is not installed. Asks nobody.
    """
    provider, colon, rest = name.partition(":")
    known = _PROVIDERS.get(provider) if colon else None
    if known is None:
        near = did_you_mean(provider, _PROVIDERS) if colon else ""
        raise InputError(
            f"'{name}' is no model's name",
            hint=near or f"write PROVIDER:MODEL, with one of {', '.join(_PROVIDERS)}",
        )
    find, module = known
    if not rest.strip():
        raise InputError(f"'{name}' names no model", hint=f"write {provider}:MODEL")
    endpoint = find(name, rest.strip(), environment)
    for package in ("pydantic_ai", module):
        if not _installed(package):
            raise MissingExtra(package.replace("_", "-").replace(".", "-"), "models")
    return endpoint


def _openai(name: str, model: str, environment: Mapping[str, str]) -> Endpoint:
    url = _url("OPENAI_BASE_URL", environment)
    key = environment.get("OPENAI_API_KEY") or None
    if key is None and url is None:
        raise _missing(name, "OPENAI_API_KEY")
    return Endpoint(provider="openai", model=model, url=url, key=key)


def _compatible(name: str, model: str, environment: Mapping[str, str]) -> Endpoint:
    model, url = _with_address(model)
    ours = _url("OPENAI_COMPATIBLE_BASE_URL", environment)
    if url is None and ours is None:
        raise _missing(
            name, "OPENAI_COMPATIBLE_BASE_URL", "or write openai-compatible:MODEL@http://…/v1"
        )
    key = environment.get("OPENAI_COMPATIBLE_API_KEY") if url in (None, ours) else None
    return Endpoint(provider="openai-compatible", model=model, url=url or ours, key=key or None)


def _azure(name: str, model: str, environment: Mapping[str, str]) -> Endpoint:
    url = _url("AZURE_OPENAI_ENDPOINT", environment)
    if url is None:
        raise _missing(name, "AZURE_OPENAI_ENDPOINT")
    key = _key(name, environment, "AZURE_OPENAI_API_KEY")
    version = environment.get("AZURE_OPENAI_API_VERSION") or environment.get("OPENAI_API_VERSION")
    return Endpoint(
        provider="azure", model=model, url=url, key=key, version=version or AZURE_API_VERSION
    )


def _anthropic(name: str, model: str, environment: Mapping[str, str]) -> Endpoint:
    key = _key(name, environment, "ANTHROPIC_API_KEY")
    url = _url("ANTHROPIC_BASE_URL", environment)
    return Endpoint(provider="anthropic", model=model, url=url, key=key)


def _google(name: str, model: str, environment: Mapping[str, str]) -> Endpoint:
    key = _key(name, environment, "GOOGLE_API_KEY", "GEMINI_API_KEY")
    url = _url("GOOGLE_GEMINI_BASE_URL", environment)
    return Endpoint(provider="google", model=model, url=url, key=key)


def _ollama(_name: str, model: str, environment: Mapping[str, str]) -> Endpoint:
    url = _url("OLLAMA_BASE_URL", environment) or _OLLAMA
    key = environment.get("OLLAMA_API_KEY") or None
    return Endpoint(provider="ollama", model=model, url=url, key=key)


_Finding = Callable[[str, str, Mapping[str, str]], Endpoint]
_PROVIDERS: dict[str, tuple[_Finding, str]] = {
    "openai": (_openai, "openai"),
    "azure": (_azure, "openai"),
    "anthropic": (_anthropic, "anthropic"),
    "google": (_google, "google.genai"),
    "ollama": (_ollama, "openai"),
    "openai-compatible": (_compatible, "openai"),
}


def _key(name: str, environment: Mapping[str, str], *variables: str) -> str:
    for variable in variables:
        if environment.get(variable):
            return environment[variable]
    raise _missing(name, variables[0])


def _missing(name: str, variable: str, otherwise: str = "") -> InputError:
    hint = "set it in the environment or in a .env beside the suite"
    return InputError(
        f"the model {name} needs {variable}, which is not set",
        hint=f"{hint}, {otherwise}" if otherwise else hint,
    )


def _url(variable: str, environment: Mapping[str, str]) -> str | None:
    value = environment.get(variable)
    return _checked(value, variable) if value else None


def _with_address(model: str) -> tuple[str, str | None]:
    for scheme in ("@http://", "@https://"):
        if scheme in model:
            name, _, address = model.partition(scheme)
            if not name:
                raise InputError("the address follows no model", hint="write MODEL@http://…/v1")
            return name, _checked(scheme[1:] + address, "the model's address")
    return model, None


def _checked(url: str, what: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good, parts = False, urlsplit("")
    if not good:
        raise InputError(f"{what} is no http address", hint="write http://host:port/v1")
    if parts.username or parts.password:
        raise InputError(f"{what} holds a user or a password", hint="give the key as a variable")
    return url.rstrip("/")


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
