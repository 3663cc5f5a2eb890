"""The user's own code: `module:name`, looked up beside the suite file first.

Two suites may each have an `agent.py`. Modules that were imported from one suite's folder while
that suite was at work are put aside when another suite's code is loaded, and come back with it,
so that neither sees the other's. What else is imported (the harness, packages, the script that
calls it) stays, save what bears the name of a module of the folder.
"""

from __future__ import annotations

import importlib
import sys
import threading
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from probare.errors import InputError, did_you_mean

_loading = threading.RLock()
_NEVER_FORGOTTEN = frozenset({"__main__", "probare"})


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
        _shelf.take(folder.resolve())
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


class _Shelf:
    """Which suite's folder is at work, and the modules of the others, put aside."""

    def __init__(self) -> None:
        self.at_work: Path | None = None
        self._before: frozenset[str] = frozenset()
        self._aside: dict[Path, dict[str, ModuleType]] = {}
        self._entry: str | None = None

    def take(self, folder: Path) -> None:
        """Put a folder to work: first on the path, its own modules back, others' aside."""
        if self.at_work is not None and self.at_work != folder:
            own = self._imported_from(self.at_work)
            self._aside[self.at_work] = own
            for name in own:
                del sys.modules[name]
        self._first_on_path(str(folder))
        if self.at_work == folder:
            return
        for name in [name for name in sys.modules if _is_in_the_way(name, folder)]:
            del sys.modules[name]
        self._before = frozenset(sys.modules)
        sys.modules.update(self._aside.pop(folder, {}))
        self.at_work = folder

    def _imported_from(self, folder: Path) -> dict[str, ModuleType]:
        return {
            name: module
            for name, module in list(sys.modules.items())
            if name not in self._before and _stands_below(module, folder)
        }

    def _first_on_path(self, entry: str) -> None:
        """Put an entry first, and take back the one that was put there before. Entries that
        stood on the path by themselves stay where they are.
        """
        if sys.path[:1] == [entry]:
            return
        if self._entry in sys.path:
            sys.path.remove(self._entry)
        sys.path.insert(0, entry)
        self._entry = entry
        importlib.invalidate_caches()


_shelf = _Shelf()


def _stands_below(module: ModuleType, folder: Path) -> bool:
    file = cast("str | None", getattr(module, "__file__", None))
    places = [file] if file else [str(part) for part in getattr(module, "__path__", [])]
    installed = ("site-packages", "dist-packages")
    return any(
        Path(place).is_relative_to(folder) and not any(part in place for part in installed)
        for place in places
    )


def _is_in_the_way(name: str, folder: Path) -> bool:
    """Whether an imported module hides one of the same name in the folder."""
    top = name.partition(".")[0]
    if top in _NEVER_FORGOTTEN or top in sys.stdlib_module_names:
        return False
    here = folder / f"{top}.py"
    if not here.is_file():
        here = folder / top / "__init__.py"
    if not here.is_file():
        return False
    return not _stands_below(sys.modules[name], folder)
