"""A catalogue of a few local graders and targets, and suites written to a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest
from msgspec import Meta

from probare.errors import LoadError
from probare.loading import Loaded, load
from probare.ports.grader import Grader
from probare.ports.target import Target, TargetKind


class Contains(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "contains"
    MAIN: ClassVar[str | None] = "text"
    text: str
    ignore_case: bool = True


class ContainsAny(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "contains_any"
    MAIN: ClassVar[str | None] = "texts"
    texts: Annotated[tuple[str, ...], Meta(min_length=1)]
    ignore_case: bool = True


class ContainsAll(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "contains_all"
    MAIN: ClassVar[str | None] = "texts"
    texts: tuple[str, ...]


class Equals(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "equals"
    MAIN: ClassVar[str | None] = "value"
    LOOKS_AT: ClassVar[str | None] = "$output"
    value: Any


class Regex(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "regex"
    MAIN: ClassVar[str | None] = "pattern"
    pattern: str
    flags: str = ""

    def __post_init__(self) -> None:
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise ValueError(f"'{self.pattern}' is no pattern: {error}") from None


class Language(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "language"
    MAIN: ClassVar[str | None] = "expected"
    expected: str | tuple[str, ...]


class WordCount(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "word_count"
    least: int | None = msgspec.field(default=None, name="min")
    most: int | None = msgspec.field(default=None, name="max")


class Similar(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "similar"
    MAIN: ClassVar[str | None] = "to"
    to: str
    at_least: Annotated[float, Meta(ge=0, le=1)]


class IsJson(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "is_json"
    extract: bool = False


class MaxLatency(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "max_latency"
    MAIN: ClassVar[str | None] = "limit"
    LOOKS_AT: ClassVar[str | None] = None
    limit: float


class ToolCalled(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "tool_called"
    MAIN: ClassVar[str | None] = "name"
    LOOKS_AT: ClassVar[str | None] = "$events"
    name: str
    args: dict[str, Any] | None = None
    order: Literal["any", "first"] = "any"


class IdenticalTraces(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "identical_traces"
    LOOKS_AT: ClassVar[str | None] = None
    SCOPE: ClassVar[Literal["trial", "case"]] = "case"


class OpenEnded(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "open_ended"
    MAIN: ClassVar[str | None] = "function"
    OPEN: ClassVar[str | None] = "kwargs"
    function: str
    kwargs: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])


class EchoSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    echo: Any


class WebSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    web: str
    headers: dict[str, str] = {}
    method: Literal["POST", "PUT"] = "POST"
    echo: bool = False


class _Kind:
    def build(self, spec: Any, settings: Any) -> Target:
        raise NotImplementedError


class EchoKind(_Kind):
    name: ClassVar[str] = "echo"
    settings: ClassVar[type[msgspec.Struct]] = EchoSettings


class WebKind(_Kind):
    name: ClassVar[str] = "web"
    settings: ClassVar[type[msgspec.Struct]] = WebSettings


class FakeCatalogue:
    def __init__(self) -> None:
        kinds: tuple[type[Grader], ...] = (
            Contains,
            ContainsAny,
            ContainsAll,
            Equals,
            Regex,
            Language,
            WordCount,
            Similar,
            IsJson,
            MaxLatency,
            ToolCalled,
            IdenticalTraces,
            OpenEnded,
        )
        self._graders = {kind.NAME: kind for kind in kinds}
        targets: tuple[TargetKind, ...] = (EchoKind(), WebKind())
        self._targets = {kind.name: kind for kind in targets}

    @property
    def graders(self) -> Mapping[str, type[Grader]]:
        return self._graders

    @property
    def targets(self) -> Mapping[str, TargetKind]:
        return self._targets

    @property
    def criteria(self) -> Mapping[str, Mapping[str, Any]]:
        return {
            "pass": {"Answer is short": {"word_count": {"max": 5}}, "Names the query": "is_json"},
            "fail": {"Says the query": {"contains": "$input.query"}},
        }


@pytest.fixture(scope="session")
def catalogue() -> FakeCatalogue:
    return FakeCatalogue()


class Folder:
    """A suite's folder. `load` loads it; `faults` returns the lines of its faults."""

    def __init__(self, path: Path, catalogue: FakeCatalogue) -> None:
        self.path = path
        self.catalogue = catalogue

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def suite(self, text: str) -> Folder:
        self.write("suite.yaml", text)
        return self

    def load(self, name: str = "", environ: Mapping[str, str] | None = None) -> Loaded:
        return load(self.path / name, self.catalogue, environ or {})

    def faults(self, name: str = "", environ: Mapping[str, str] | None = None) -> list[str]:
        """All faults as lines, files named relative to the folder."""
        with pytest.raises(LoadError) as caught:
            self.load(name, environ)
        return [str(fault).replace(f"{self.path}/", "") for fault in caught.value.faults]


@pytest.fixture
def folder(tmp_path: Path, catalogue: FakeCatalogue) -> Folder:
    return Folder(tmp_path, catalogue)


@pytest.fixture
def checked(folder: Folder) -> Callable[[str], list[str]]:
    """Return the faults of a suite whose one case expects the given check (YAML, flow form)."""

    def faults_of(check: str) -> list[str]:
        folder.suite(
            "suite: s\ncases:\n"
            "  - id: a\n    input: {x: text, n: 5}\n    expect:\n"
            f"      - {check}\n"
        )
        try:
            folder.load()
        except LoadError as error:
            return [str(f).replace(f"{folder.path}/", "") for f in error.faults]
        return []

    return faults_of
