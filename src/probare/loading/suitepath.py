"""Which file is meant by a suite's path."""

from __future__ import annotations

from pathlib import Path

from probare.encoding.narrow import mapping, sequence
from probare.errors import Place
from probare.loading import casefiles, dialects
from probare.loading.faultlist import Faults
from probare.loading.files import shown_path, similar_name
from probare.loading.parsing import read_tree

NAMES = ("suite.yaml", "suite.yml", "suite.json")
_FORMATS = (".yaml", ".yml", ".json")


def find_suite_file(path: Path, faults: Faults) -> Path:
    """Return the suite's file. In a folder it is `suite.yaml` (or .yml, .json); without one,
    the only file of a dialect there. What cannot be is a fault.
    """
    place = Place(shown_path(path))
    if path.is_dir():
        return _in_folder(path, place, faults)
    if not path.exists():
        faults.add(place, "there is no such suite", similar_name(path))
    elif path.suffix.lower() not in _FORMATS:
        hint = "give the suite that names it" if path.is_file() else ""
        faults.add(place, f"a suite is {', '.join(_FORMATS)}, not '{path.suffix}'", hint)
    return path


def sibling_suite(folder: Path) -> Path | None:
    """Return the suite file of a folder, or None where it has none."""
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def suite_above(file: Path) -> Path | None:
    """Return the suite file of one of the two folders above a file's own whose `cases` name the
    file, or None: `scenarios/s01/scenario.json` belongs to the suite that lists
    `scenarios/*/scenario.json`.
    """
    for folder in file.absolute().parent.parents[:2]:
        suite = sibling_suite(folder)
        tree = read_tree(suite, Faults()) if suite is not None else None
        listed = mapping(tree[0]).get("cases") if tree is not None else None
        for name in [listed] if isinstance(listed, str) else sequence(listed):
            found = casefiles.find(name, folder, Place(), Faults()) if isinstance(name, str) else []
            if any(path.samefile(file) for path in found):
                return suite
    return None


def _in_folder(folder: Path, place: Place, faults: Faults) -> Path:
    found = [folder / name for name in NAMES if (folder / name).is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(file.name for file in found)
        faults.add(place, f"the folder has several suites: {names}", "keep one, or name a file")
        return folder
    others = [file for file in sorted(folder.glob("*.json")) if _is_dialect(file)]
    if len(others) == 1:
        return others[0]
    hint = "name one of " + ", ".join(file.name for file in others) if others else _near(folder)
    faults.add(place, "the folder has no suite.yaml", hint)
    return folder


def _is_dialect(file: Path) -> bool:
    tree = read_tree(file, Faults())
    return tree is not None and dialects.detected(tree[0])


def _near(folder: Path) -> str:
    named = similar_name(folder / "suite.yaml")
    return named or "make one with: probare new FOLDER"
