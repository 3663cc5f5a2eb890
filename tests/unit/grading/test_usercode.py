from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from probare.errors import InputError
from probare.grading import usercode


@pytest.fixture(autouse=True)
def as_it_was() -> Generator[None]:
    """Leave path and modules as they were found."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith("uc_"):
            del sys.modules[name]


def suite(folder: Path, word: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "uc_agent.py").write_text(
        "import uc_helper\nfrom uc_package import part\n\n"
        "class Agent:\n    word = uc_helper.WORD + part.WORD\n\n"
        "def late():\n    import uc_late\n    return uc_late.WORD\n"
    )
    (folder / "uc_helper.py").write_text(f"WORD = '{word}'\n")
    (folder / "uc_late.py").write_text(f"WORD = '{word}'\n")
    (folder / "uc_package").mkdir(exist_ok=True)
    (folder / "uc_package" / "part.py").write_text(f"WORD = '{word}'\n")
    return folder


def test_each_suite_gets_its_own_modules(tmp_path: Path) -> None:
    one, two = suite(tmp_path / "one", "1"), suite(tmp_path / "two", "2")
    for _ in range(2):
        assert usercode.load("uc_agent:Agent.word", one) == "11"
        assert usercode.load("uc_agent:late", one)() == "1"
        assert usercode.load("uc_agent:Agent.word", two) == "22"
        assert usercode.load("uc_agent:late", two)() == "2"


def test_a_suite_inside_the_folder_of_another(tmp_path: Path) -> None:
    outer, inner = suite(tmp_path, "outer "), suite(tmp_path / "inner", "inner ")
    assert usercode.load("uc_agent:Agent.word", inner) == "inner inner "
    assert usercode.load("uc_agent:Agent.word", outer) == "outer outer "
    assert usercode.load("uc_agent:Agent.word", inner) == "inner inner "


def test_a_module_is_imported_once_a_suite(tmp_path: Path) -> None:
    folder = suite(tmp_path, "x")
    assert usercode.load("uc_agent:Agent", folder) is usercode.load("uc_agent:Agent", folder)


def test_installed_modules_stay_whatever_the_suites_folder(tmp_path: Path) -> None:
    """A suite at the root of a checkout has the environment and Probare itself inside it."""
    before = {name: sys.modules[name] for name in ("probare.errors", "msgspec", "pytest")}
    for folder in (Path(usercode.__file__).parents[3], Path(usercode.__file__).parents[2]):
        usercode.load("math:pi", folder)
    usercode.load("uc_agent:Agent", suite(tmp_path, "x"))
    assert {name: sys.modules.get(name) for name in before} == before


def test_beside_the_suite_comes_before_what_is_loaded_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = suite(tmp_path / "elsewhere", "elsewhere")
    monkeypatch.setattr(sys, "path", [str(elsewhere), *sys.path])
    __import__("uc_agent")
    folder = suite(tmp_path / "suite", "beside ")
    assert usercode.load("uc_agent:Agent.word", folder).startswith("beside ")


def test_a_file_named_like_the_standard_library_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('not me')\n")
    import json

    assert usercode.load("json:dumps", tmp_path) is json.dumps


@pytest.mark.parametrize(
    ("code", "reference", "message", "hint"),
    [
        ("", "uc_bad:say", "module 'uc_bad' has no 'say'", ""),
        ("def sai(): ...", "uc_bad:say", "has no 'say'", "did you mean 'sai'?"),
        ("class A: ...", "uc_bad:A.b", "has no 'A.b'", ""),
        ("import uc_missing_one", "uc_bad:f", "needs 'uc_missing_one'", "uc_bad.py:1"),
        ("x = 1\ny = 1 / 0\n", "uc_bad:f", "ZeroDivisionError: division", "uc_bad.py:2: y = 1 / 0"),
        ("x = 1\ndef f(:\n", "uc_bad:f", "SyntaxError", "uc_bad.py:2: def f(:"),
        ("", "uc_nowhere:f", "there is no module 'uc_nowhere' beside the suite", "spelt"),
        ("", "uc_nowhere.deep:f", "there is no module 'uc_nowhere.deep'", "spelt"),
        ("", "uc_bad", "does not name an object", "module:function"),
        ("", "uc_bad:", "does not name an object", "module:function"),
        ("", ":f", "does not name an object", "module:function"),
    ],
)
def test_what_cannot_be_had_is_told_with_its_place(
    tmp_path: Path, code: str, reference: str, message: str, hint: str
) -> None:
    (tmp_path / "uc_bad.py").write_text(code)
    sys.modules.pop("uc_bad", None)
    with pytest.raises(InputError, match=message) as caught:
        usercode.load(reference, tmp_path)
    assert hint in caught.value.hint


def test_what_the_caller_had_imported_from_a_suites_folder_stays(tmp_path: Path) -> None:
    mine, other = suite(tmp_path / "mine", "mine"), suite(tmp_path / "other", "other")
    (mine / "uc_caller.py").write_text("HERE = object()\n")
    sys.path.insert(0, str(mine))
    caller = __import__("uc_caller")
    usercode.load("uc_agent:Agent", mine)
    usercode.load("uc_agent:Agent", other)
    assert sys.modules["uc_caller"] is caller
    assert str(mine) in sys.path


def test_a_suites_modules_come_back_with_it(tmp_path: Path) -> None:
    one, two = suite(tmp_path / "one", "one"), suite(tmp_path / "two", "two")
    first = usercode.load("uc_agent:Agent", one)
    usercode.load("uc_agent:Agent", two)
    assert usercode.load("uc_agent:Agent", one) is first
