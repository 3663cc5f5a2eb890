"""Files of cases: found by name or pattern, read by format, translated from dialects."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from probare.errors import Place
from probare.loading import csvcases, dialects, jsonlines
from probare.loading.documents import Document, Origin
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes, shown_path, similar_name
from probare.loading.parsing import JSON, YAML, read_tree
from probare.loading.vocabulary import Vocabulary
from probare.loading.words import shown

_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv", ".tab")
FORMATS = (*YAML, *JSON, *_LINES, *_TABLES)


def find(name: str, folder: Path, named_at: Place, faults: Faults) -> list[Path]:
    """Return the files that a name or pattern stands for, in the order of their names."""
    exact = folder / name
    if exact.is_file():
        return [exact]
    if glob.has_magic(name):
        found = _matching(name, folder)
        files = [folder / each for each in found if (folder / each).is_file()]
        if not files:
            faults.add(named_at, f"'{name}' matches no file", f"looked in {shown_path(folder)}")
        return files
    if exact.is_dir():
        hint = f"name its files: {name.rstrip('/')}/*.yaml"
        faults.add(named_at, f"'{name}' is a folder", hint)
    else:
        faults.add(named_at, f"there is no file '{name}'", similar_name(exact))
    return []


def _matching(pattern: str, folder: Path) -> list[str]:
    try:
        return sorted(glob.glob(pattern, root_dir=folder, recursive=True))
    except ValueError:  # a character that no file's name can have
        return []


def read(
    path: Path, around: Vocabulary, faults: Faults, named_at: Place
) -> Iterator[tuple[Any, Origin]]:
    """Yield the cases of a file as they are written, each with its origin."""
    file = shown_path(path)
    suffix = path.suffix.lower()
    if suffix in _LINES:
        yield from jsonlines.read(path, file, faults, named_at)
    elif suffix in _TABLES:
        data = read_bytes(path, faults, named_at)
        text = as_text(data, file, faults) if data is not None else None
        if text is not None:
            yield from csvcases.read(text, file, around.graders, faults)
    elif suffix in (*YAML, *JSON):
        tree = read_tree(path, faults, named_at)
        if tree is not None:
            nearer = replace(around, folders=(*around.folders, path.parent))
            yield from _of_tree(*tree, nearer, faults)
    else:
        known = ", ".join(FORMATS)
        faults.add(named_at, f"{file}: unknown format of cases '{suffix}'", f"one of {known}")


def _of_tree(
    value: Any, document: Document, around: Vocabulary, faults: Faults
) -> Iterator[tuple[Any, Origin]]:
    origin = Origin(document)
    translated = dialects.translated(value, origin, around, faults)
    if translated is not None:
        yield from translated
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[Any]", value)):
            yield item, origin.below(index)
    elif isinstance(value, dict) and "suite" in value:
        faults.add(origin.place("suite", key=True), "is a suite, not a file of cases")
    elif isinstance(value, dict) and value.keys() == {"cases"} and isinstance(value["cases"], list):
        for index, item in enumerate(cast("list[Any]", value["cases"])):
            yield item, origin.below("cases", index)
    elif isinstance(value, dict):
        yield cast("dict[str, Any]", value), origin
    elif value is not None:
        faults.add(origin.place(), f"should be a case or a list of cases, is {shown(value)}")
