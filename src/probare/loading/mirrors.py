"""`mirrors: prompts/help.md`: carried-over cases and the prompt's examples keep to each other.

- Every example of the prompt has a carried-over case with its id, and every carried-over case
  has an example.
- No held-out case asks with a message that stands in the prompt, whatever its case and spaces.
  Messages of fewer than twelve characters, or of one or two words and fewer than fifteen, are too
  common to tell ("hi", "help me").
- Each example is pinned: its digest stands in a file beside the prompt (`help.md.pins.json`),
  which is committed. A changed example makes its case out of date; someone has to look, and
  accept it with `probare check --repin SUITE`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from probare.encoding.narrow import mapping, sequence
from probare.errors import InputError, Place, did_you_mean
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes, shown_path
from probare.loading.parsing import read_tree
from probare.loading.prompts import Example, examples
from probare.loading.suitepath import find_suite_file
from probare.model.case import Case

_MESSAGES = ("message", "question", "query", "prompt", "text", "input", "content")
_TURNS = ("messages", "history")
_FEWEST_WORDS, _FEWEST_CHARACTERS, _OF_FEW_WORDS = 3, 12, 15
_REPIN = "see that its case still mirrors it, then accept it with: probare check --repin SUITE"


def check(
    prompt: Path,
    named_at: Place,
    cases: Sequence[Case],
    origins: Mapping[str, Origin],
    faults: Faults,
) -> None:
    """Tell where cases and prompt disagree.

    `origins` has all cases by id, those with faults too. `named_at` is the suite's `mirrors`.
    """
    text = _text(prompt, named_at, faults)
    if text is None:
        return
    file = shown_path(prompt)
    found = _unique(examples(text), file, faults)
    if not found:
        faults.add(Place(file), "has no marked example", "mark each: <!-- id: NAME -->")
    _same_ids(found, file, cases, origins, faults)
    _held_out(text, file, cases, origins, faults)
    _pins(found, prompt, named_at, faults)


def repin(suite: Path) -> list[str]:
    """Pin the examples of a suite's prompt as they stand now; say in lines what changed.

    Raises LoadError where suite or prompt cannot be read, InputError where the pins cannot be
    written.
    """
    faults = Faults()
    file = find_suite_file(suite, faults)
    tree = read_tree(file, faults) if not len(faults) else None
    faults.raise_if_any()
    assert tree is not None
    value, document = tree
    name = cast("dict[str, Any]", value).get("mirrors") if isinstance(value, dict) else None
    if not isinstance(name, str):
        return [f"{shown_path(file)}: mirrors no prompt, so there is nothing to pin"]
    prompt = file.parent / name
    text = _text(prompt, Origin(document).place("mirrors"), faults)
    found = _unique(examples(text or ""), shown_path(prompt), faults)
    faults.raise_if_any()
    pins = {example.id: example.digest for example in found.values()}
    path = pins_file(prompt)
    read = _read_pins(path, Faults()) if path.exists() else None
    old = read[0] if read is not None else {}
    try:
        path.write_text(json.dumps({"examples": pins}, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        message = f"{shown_path(path)} cannot be written: {error.strerror or error}"
        raise InputError(message) from error
    return [f"{shown_path(path)}: {line}" for line in _changes(old, pins)]


def pins_file(prompt: Path) -> Path:
    """Return the file that holds a prompt's pins."""
    return prompt.with_name(prompt.name + ".pins.json")


def _changes(old: Mapping[str, Any], new: Mapping[str, str]) -> Iterator[str]:
    for name in {**new, **old}:
        if name not in new:
            yield f"{name}: pin dropped"
        elif name not in old:
            yield f"{name}: pinned"
        elif old[name] != new[name]:
            yield f"{name}: pinned anew"
    if old == new:
        yield "nothing changed"


def _text(prompt: Path, named_at: Place, faults: Faults) -> str | None:
    data = read_bytes(prompt, faults, named_at)
    return None if data is None else as_text(data, shown_path(prompt), faults)


def _unique(found: Sequence[Example], file: str, faults: Faults) -> dict[str, Example]:
    result: dict[str, Example] = {}
    for example in found:
        first = result.setdefault(example.id, example)
        if first is not example:
            message = f"duplicate example '{example.id}'"
            faults.add(Place(file, example.line), message, f"first on line {first.line}")
    return result


def _same_ids(
    found: Mapping[str, Example],
    file: str,
    cases: Sequence[Case],
    origins: Mapping[str, Origin],
    faults: Faults,
) -> None:
    splits = {case.id: case.split for case in cases}
    for name, example in found.items():
        place = Place(file, example.line)
        if name not in origins:
            message = f"example '{name}' has no carried-over case"
            faults.add(place, message, did_you_mean(name, origins))
        elif splits.get(name) == "held_out":
            where = origins[name].place("id")
            message = f"case '{name}' of {where} is held out, though it mirrors an example"
            faults.add(place, message, "make it split: carried_over")
    for case in cases:
        if case.split == "carried_over" and case.id not in found and case.id in origins:
            message = f"carried-over case '{case.id}' has no example in {file}"
            faults.add(origins[case.id].place("id"), message, did_you_mean(case.id, found))


def _held_out(
    text: str,
    file: str,
    cases: Sequence[Case],
    origins: Mapping[str, Origin],
    faults: Faults,
) -> None:
    whole, lines = _flat(text)
    for case in cases:
        if case.split != "held_out":
            continue
        for message in _messages(case.input):
            sought = _normal(message)
            if _is_common(sought):
                continue
            at = whole.find(sought)
            if at >= 0:
                said = f"held-out case '{case.id}' asks what stands in {file}:{lines(at)}"
                hint = "ask in other words, or make it a carried-over case"
                faults.add(origins[case.id].place("input"), said, hint)


def _flat(text: str) -> tuple[str, Any]:
    """Return the whole text normalised, and a function from a character to its line."""
    parts = [(number, _normal(line)) for number, line in enumerate(text.splitlines(), start=1)]
    parts = [(number, line) for number, line in parts if line]

    def line_of(at: int) -> int:
        for number, line in parts:
            at -= len(line) + 1
            if at < 0:
                return number
        return 1

    return " ".join(line for _, line in parts), line_of


def _normal(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip().casefold()


def _is_common(message: str) -> bool:
    """Short messages stand in any prompt. Scripts without spaces have no words to count."""
    if len(message) < _FEWEST_CHARACTERS:
        return True
    worded = message.isascii() or " " in message
    return worded and len(message.split()) < _FEWEST_WORDS and len(message) < _OF_FEW_WORDS


def _messages(value: Any) -> Iterator[str]:
    """Yield what a case's input asks: the input itself, its message under a usual name, and what
    the user says in its turns.
    """
    if isinstance(value, str):
        yield value
        return
    given = mapping(value)
    yield from (given[key] for key in _MESSAGES if isinstance(given.get(key), str))
    for turns in (value, *(given.get(key) for key in _TURNS)):
        for turn in sequence(turns):
            text = mapping(turn).get("content")
            if mapping(turn).get("role") == "user" and isinstance(text, str):
                yield text


def _pins(found: Mapping[str, Example], prompt: Path, named_at: Place, faults: Faults) -> None:
    path = pins_file(prompt)
    if not path.exists():
        message = f"the examples are not pinned: there is no {shown_path(path)}"
        faults.add(named_at, message, "make it with: probare check --repin SUITE")
        return
    read = _read_pins(path, faults)
    if read is None:
        return
    pins, origin = read
    for name, example in found.items():
        place = Place(shown_path(prompt), example.line)
        if name not in pins:
            faults.add(place, f"example '{name}' is not pinned", _REPIN)
        elif pins[name] != example.digest:
            faults.add(place, f"example '{name}' has changed since it was pinned", _REPIN)
    for name in pins:
        if name not in found:
            message = f"example '{name}' is pinned, and no longer in {shown_path(prompt)}"
            faults.add(origin.place(name, key=True), message, _REPIN)


def _read_pins(path: Path, faults: Faults) -> tuple[dict[str, Any], Origin] | None:
    tree = read_tree(path, faults)
    if tree is None:
        return None
    value, document = tree
    pins = cast("dict[str, Any]", value).get("examples") if isinstance(value, dict) else None
    if isinstance(pins, dict):
        return cast("dict[str, Any]", pins), Origin(document, ("examples",))
    faults.add(Place(shown_path(path)), "is no file of pins", _REPIN)
    return None
