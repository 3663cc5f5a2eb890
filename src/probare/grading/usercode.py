"""The user's own code: `module:name`, looked up beside the suite file first.

Two suites may each have an `agent.py`. A module that was found beside one suite is dropped from
`sys.modules` when another suite's code is loaded, so that neither sees the other's. What was
found elsewhere (installed packages, also those in a virtual environment inside the suite's
folder) stays.
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
_added: set[Path] = set()
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
    """Put a suite's folder first on the path, take other suites' off it, and forget the modules
    that were found in these, or elsewhere by a name that stands in the folder.
    """
    modules = [(name, _roots(name, module)) for name, module in list(sys.modules.items())]
    others = {str(other) for other in _added if other != folder}
    text = str(folder)
    if sys.path[:1] != [text] or not others.isdisjoint(sys.path):
        if text not in sys.path:
            _added.add(folder)
        sys.path[:] = [text, *(entry for entry in sys.path if entry not in (text, *others))]
        importlib.invalidate_caches()
    _folders.add(folder)
    for name, roots in modules:
        if roots and _is_in_the_way(name, roots, folder):
            sys.modules.pop(name, None)


def _is_in_the_way(name: str, roots: set[Path], folder: Path) -> bool:
    top = name.partition(".")[0]
    if top in _NEVER_FORGOTTEN or top in sys.stdlib_module_names:
        return False
    if not roots.isdisjoint(_folders - {folder}):
        return True
    return folder not in roots and not _installed(roots) and _stands_in(folder, top)


def _installed(roots: set[Path]) -> bool:
    return any(root.name in ("site-packages", "dist-packages") for root in roots)


def _stands_in(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()


def _roots(name: str, module: Any) -> set[Path]:
    """Return the folders on the path that a module was found by: one, or several for a
    namespace package, or none where it has no file.
    """
    levels = name.count(".")
    file = cast("str | None", getattr(module, "__file__", None))
    if file is not None:
        paths = [Path(file)]
        levels += paths[0].stem == "__init__"
    else:
        try:
            paths = [Path(part) for part in cast("list[str]", getattr(module, "__path__", []))]
        except KeyError:  # a namespace package whose parent is not imported
            return set()
    return {path.parents[levels] for path in paths if levels < len(path.parents)}
