"""The user's own code: `module:name`, looked up beside the suite file first.

Two suites may each have an `agent.py`. A module that was found beside one suite is dropped from
`sys.modules` when another suite's code is loaded, so that neither sees the other's.
"""

from __future__ import annotations

import importlib
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, cast

from probare.errors import InputError, did_you_mean

_folders: set[Path] = set()
_loading = threading.RLock()


def load(reference: str, folder: Path | None) -> Any:
    """Return the object that `module:name` (or `module:name.attribute`) names.

    Runs the module with the user's rights; one at a time, since the path is shared. Raises
    InputError, with the place in the user's code in the hint, where the module or the name
    cannot be had.
    """
    module_name, _, name = reference.partition(":")
    if not module_name or not name:
        raise InputError(
            f"'{reference}' does not name an object", hint="write it as module:function"
        )
    with _loading:
        module = _module(module_name, folder)
    found: Any = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise InputError(
                f"module '{module_name}' has no '{name}'",
                hint=did_you_mean(part, dir(found)),
            ) from None
    return found


def _module(name: str, folder: Path | None) -> Any:
    if folder is not None:
        _prefer(folder.resolve())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            where = f" beside the suite ({folder})" if folder is not None else ""
            raise InputError(
                f"there is no module '{name}'{where} nor on Python's path",
                hint="is its file's name spelt the same, and does its folder stand here?",
            ) from None
        raise InputError(
            f"module '{name}' needs '{error.name}', which is not installed", hint=_where(error)
        ) from error
    except Exception as error:
        raise InputError(
            f"module '{name}' cannot be imported: {type(error).__name__}: {error}",
            hint=_where(error),
        ) from error


def _where(error: BaseException) -> str:
    """Say at which line of the user's code it went wrong."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"at {error.filename}:{error.lineno}: {(error.text or '').strip()}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "<frozen" not in f.filename]
    last = frames[-1] if frames else None
    return f"at {last.filename}:{last.lineno}: {last.line}" if last else ""


def _prefer(folder: Path) -> None:
    """Put a suite's folder first on the path, and forget other suites' modules."""
    _folders.add(folder)
    text = str(folder)
    if sys.path[:1] != [text]:
        while text in sys.path:
            sys.path.remove(text)
        sys.path.insert(0, text)
        importlib.invalidate_caches()
    for name, module in list(sys.modules.items()):
        file = cast("str | None", getattr(module, "__file__", None))
        if file is None or name == "__main__":
            continue
        home = Path(file).parent
        if home != folder and folder not in home.parents and _belongs_to_a_suite(home):
            del sys.modules[name]


def _belongs_to_a_suite(home: Path) -> bool:
    return home in _folders or not _folders.isdisjoint(home.parents)
