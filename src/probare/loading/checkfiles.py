"""Arguments that name a file beside the suite: the file's content takes the name's place.

So a check's arguments hold all that it says: a rubric that changes makes another check, and a run
keeps the rubric that it was judged by.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding.narrow import mapping
from probare.grading import placeholders
from probare.loading import arguments
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes, shown_path
from probare.loading.rubrics import read_rubric, rubric_of
from probare.ports.grader import FileKind, Grader

_TEXT_FILE = re.compile(r"\S+\.(md|txt)\Z")
_RUBRIC_FILE = re.compile(r"\S+\.(ya?ml|json)\Z")


class WithFiles(msgspec.Struct, frozen=True):
    """A check's arguments with the content of files, and the names of these."""

    args: dict[str, Any]
    files: tuple[str, ...] = ()


def with_files(
    kind: type[Grader],
    args: dict[str, Any],
    folder: Path,
    origin: Origin,
    faults: Faults,
    *,
    bare: bool,
) -> WithFiles:
    """Return the arguments of a check that are written at `origin`; `bare`: the main one alone.
    What is wrong with a file, or with what the grader makes of it, goes to `faults`.
    """
    before = len(faults)
    filled = dict(args)
    names: list[str] = []
    for field, what in kind.FILES.items():
        if field not in args or placeholders.parse(args[field]) is not None:
            continue
        where = origin if bare else origin.below(field)
        content = _content(args[field], what, folder, where, faults)
        if content is None:
            continue
        if isinstance(args[field], str):
            names.append(args[field])
        filled[field] = arguments.escaped(content)
    if filled == args or len(faults) > before:
        return WithFiles(args)
    if not any(True for _ in placeholders.find(filled)):
        for fault in arguments.value_faults(kind, mapping(arguments.unescaped(filled))):
            faults.add(origin.place(), f"{kind.NAME}: {fault}")
    return WithFiles(filled, tuple(names))


def _content(value: Any, what: FileKind, folder: Path, origin: Origin, faults: Faults) -> Any:
    """Return what a file holds, or an inline rubric; None where the value is itself meant, or
    where there are faults.
    """
    if what == "rubric":
        rubric = (
            read_rubric(folder / value, faults, origin.place())
            if isinstance(value, str)
            else rubric_of(value, origin, faults)
        )
        return None if rubric is None else msgspec.json.decode(msgspec.json.encode(rubric))
    if not isinstance(value, str):
        return None
    if _RUBRIC_FILE.match(value):
        hint = "a rubric of dimensions is for judge_rubric"
        faults.add(origin.place(), f"'{value}' should be a text file (.md, .txt)", hint)
        return None
    if not _TEXT_FILE.match(value):
        return None
    data = read_bytes(folder / value, faults, origin.place())
    text = None if data is None else as_text(data, shown_path(folder / value), faults)
    if text is not None and not text.strip():
        faults.add(origin.place(), f"'{value}' is empty")
        return None
    return text
