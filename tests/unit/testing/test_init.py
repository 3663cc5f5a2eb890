"""The public names: complete, documented, and imported only when they are used."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import probare
import probare.testing

PAGE = Path(__file__).parents[3] / "docs" / "pytest.md"
MODULES = ("caseruns", "recording", "fakes", "servers", "model_server", "completions")
INTERNAL = {"run_loaded_case", "result_of", "completion", "stream_chunks"}


def own(module: ModuleType) -> set[str]:
    """The public functions and classes that a module defines."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    }


def test_all_is_complete() -> None:
    modules = [import_module(f"probare.testing.{name}") for name in MODULES]
    public = {vars(module)[name] for module in modules for name in own(module) - INTERNAL}
    named = {name: getattr(probare.testing, name) for name in probare.testing.__all__}
    ours = {value for value in named.values() if not inspect.ismodule(value)}
    assert ours - public == {probare.Case}
    assert public <= ours
    assert len(named) == len(probare.testing.__all__)


@pytest.mark.parametrize("name", probare.testing.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    value = getattr(probare.testing, name)
    assert inspect.getdoc(value)
    assert name in dir(probare.testing)
    assert f"`{name}" in PAGE.read_text(encoding="utf-8")


def test_strategies_are_documented() -> None:
    strategies = probare.testing.strategies
    assert set(strategies.__all__) == own(strategies)
    page = PAGE.read_text(encoding="utf-8")
    for name in strategies.__all__:
        assert inspect.getdoc(getattr(strategies, name))
        assert f"`{name}" in page


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Recrder'"):
        probare.testing.Recrder  # pyright: ignore  # noqa: B018


def test_the_plug_in_imports_nothing_of_probare_until_there_is_a_suite() -> None:
    code = (
        "import sys; import pytest; before = set(sys.modules);"
        "import probare.testing.plugin; new = set(sys.modules) - before;"
        "print(sorted(name for name in new))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(["probare", "probare.testing", "probare.testing.plugin"])


def test_without_hypothesis_the_error_names_the_command() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None; import probare.testing;"
        "\ntry: probare.testing.strategies"
        "\nexcept Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("MissingExtra")
    assert "pip install 'probare[testing]'" in done.stdout
