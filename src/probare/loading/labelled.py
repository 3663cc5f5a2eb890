"""Files of labelled examples for `probare judge check`: YAML, JSON, or JSON Lines.

    check: {judge: Is it polite?}

Examples:
      - {id: a, input: Hello?, output: What do you want, label: fail}
      - {id: b, input: Hello?, output: Hello! How can I help?, label: pass}

JSON Lines hold an example a line, and no check. `label` is what the check should say. An example
for a rubric of dimensions may have `scores: {tone: 3}` in place of a label, or beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from probare.encoding.narrow import mapping, sequence
from probare.errors import Place
from probare.loading import jsonlines
from probare.loading.checks import CheckReader, Graders
from probare.loading.documents import Origin, PythonDocument
from probare.loading.explain import explain
from probare.loading.faultlist import Faults
from probare.loading.files import shown_path
from probare.loading.parsing import read_tree
from probare.loading.words import shown
from probare.model.case import Check
from probare.model.labelled import Example

_LINES = (".jsonl", ".ndjson")


class ExampleShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An example as it is written."""

    output: Any
    label: Literal["pass", "fail"] | None = None
    scores: dict[str, int | Literal["unsure"]] = {}
    input: Any = None
    reference: Any = UNSET
    id: Annotated[str, Meta(min_length=1)] | None = None


class ExamplesShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of examples with the check that they are for."""

    examples: list[Any]
    check: Any = None


class Labelled(msgspec.Struct, frozen=True):
    """Examples, and the check that stands in their file, if any."""

    examples: tuple[Example, ...]
    check: Check | None = None


def is_suite(path: Path) -> bool:
    """Whether a path is a folder, or a file that holds a suite rather than examples."""
    if path.is_dir():
        return True
    if path.suffix.lower() in _LINES:
        return False
    tree = read_tree(path, Faults())
    return tree is not None and "suite" in mapping(tree[0])


def read_labelled(path: Path, graders: Graders) -> Labelled:
    """Return the examples of a file. Raises LoadError with all its faults."""
    faults = Faults()
    check: Check | None = None
    if path.suffix.lower() in _LINES:
        name = shown_path(path)
        written = list(jsonlines.read(path, name, faults, Place(name)))
    else:
        tree = read_tree(path, faults)
        faults.raise_if_any()
        assert tree is not None
        value, origin = tree[0], Origin(tree[1])
        if isinstance(value, dict):
            _tell_all(value, ExamplesShape, origin, faults)
            if mapping(value).get("check") is not None:
                reader = CheckReader(graders, faults, folder=path.parent)
                read = reader.read(mapping(value)["check"], origin.below("check"))
                check = None if read is None else read.check
            value, origin = mapping(value).get("examples"), origin.below("examples")
        written = list(_listed(value, origin, faults))
    found: dict[str, Example] = {}
    for at, (value, origin) in enumerate(written):
        example = _example(value, origin, at, faults)
        if example is None:
            continue
        if example.id in found:
            faults.add(origin.place("id"), f"duplicate id '{example.id}'")
        found[example.id] = example
    if not written:
        faults.add(Place(shown_path(path)), "there are no examples")
    faults.raise_if_any()
    return Labelled(tuple(found.values()), check)


def check_of(written: Any, graders: Graders, folder: Path) -> Check:
    """Return a check that is written on the command line. Raises LoadError."""
    faults = Faults()
    read = CheckReader(graders, faults, folder=folder).read(written, Origin(PythonDocument()))
    faults.raise_if_any()
    assert read is not None
    return read.check


def _listed(value: Any, origin: Origin, faults: Faults) -> Iterator[tuple[Any, Origin]]:
    if not isinstance(value, list):
        message = f"examples should be a list, is {shown(value)}"
        faults.add(origin.place(), message, "give a list, or a mapping with `examples`")
        return
    for index, item in enumerate(sequence(value)):
        yield item, origin.below(index)


def _example(value: Any, origin: Origin, at: int, faults: Faults) -> Example | None:
    before = len(faults)
    _tell_all(value, ExampleShape, origin, faults)
    if len(faults) > before:
        return None
    shape = msgspec.convert(value, ExampleShape)
    if shape.output is None:
        faults.add(origin.place("output"), "the output is null, which is nothing to judge")
    if shape.label is None and not shape.scores:
        hint = "write label: pass or label: fail, or the scores of dimensions"
        faults.add(origin.place(), "the example has neither a label nor scores", hint)
    return Example(
        id=shape.id or f"example {at + 1}",
        input=shape.input,
        output=shape.output,
        label=shape.label,
        scores={name: None if score == "unsure" else score for name, score in shape.scores.items()},
        reference=shape.reference,
        source=str(origin.place()),
    )


def _tell_all(value: Any, kind: Any, origin: Origin, faults: Faults) -> None:
    for finding in explain(value, kind):
        place = origin.place(*finding.steps, key=finding.key)
        faults.add(place, finding.message, finding.hint)
