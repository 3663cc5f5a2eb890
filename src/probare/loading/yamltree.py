"""YAML, read strictly: values as JSON would read them, and the place of each.

A plain scalar is what JSON would read, else a text: `no`, `010`, `12:30:00` and `2024-05-20`
stay texts; an empty value is null. There are no tags, no merge keys and no second documents;
a key stands once in a mapping. Aliases are allowed as long as what they repeat stays small, so
that a few lines cannot stand for a billion values.

libyaml composes the nodes (through PyYAML); this module makes values of them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, cast

import yaml
from yaml import cyaml
from yaml.reader import ReaderError

from probare.errors import Place
from probare.loading.documents import Spot, Steps, shown
from probare.loading.faultlist import Faults
from probare.loading.jsonnumbers import number_fault, read_number
from probare.loading.jsonscan import MOST_DEPTH

MOST_REPEATED = 10_000

_WORDS: dict[str, Any] = {"": None, "null": None, "true": True, "false": False}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_PLAIN, _QUOTED, _INNER = "plain", "quoted", "inner"


class YamlDocument:
    """A YAML file with the place of every value in it."""

    def __init__(self, file: str, root: Any) -> None:
        self._file = file
        self._root = root
        self._spot: Spot | None = None

    def place(self, steps: Steps, *, key: bool = False) -> Place:
        """Return the place of the value that `steps` lead to, or of its key."""
        if self._spot is None:
            self._spot = Spot(1, 1) if self._root is None else _spot(self._root, {})
        line, column = self._spot.find(steps, key=key)
        return Place(self._file, line, column, shown(steps))


def parse(text: str, file: str, faults: Faults) -> tuple[Any, YamlDocument]:
    """Return the value of a YAML text and its document. What is wrong goes to `faults`."""
    try:
        root: Any = _Parser(text).get_single_node()
    except yaml.YAMLError as error:
        _tell_syntax(error, text, file, faults)
        root = None
    document = YamlDocument(file, root)
    if root is None:
        return None, document
    return _Maker(file, faults).value(root, (), 0).value, document


_CParser: Any = cast("Any", cyaml).CParser


class _Parser(_CParser):
    """libyaml's composer, with tags that say only whether a scalar was written plain."""

    def resolve(self, kind: Any, _value: Any, implicit: Any) -> str:
        if kind is not yaml.ScalarNode:
            return _INNER
        return _PLAIN if implicit[0] else _QUOTED

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Paths play no part in how a node is read."""

    def ascend_resolver(self) -> None:
        """Paths play no part in how a node is read."""


class _Made(NamedTuple):
    """A value and the number of values in it, itself included."""

    value: Any
    size: int


class _Maker:
    """Makes values of nodes, and tells what may not stand in a suite."""

    def __init__(self, file: str, faults: Faults) -> None:
        self._file = file
        self._faults = faults
        self._made: dict[int, _Made] = {}
        self._open: set[int] = set()
        self._repeated = 0

    def value(self, node: Any, steps: Steps, depth: int) -> _Made:
        known = self._made.get(id(node))
        if known is not None:
            return self._repeat(known, node, steps)
        if id(node) in self._open:
            self._tell(node, steps, "an alias inside the value that it names")
            return _Made(None, 1)
        if depth > MOST_DEPTH:
            self._tell(node, steps, f"is nested more than {MOST_DEPTH} levels deep")
            return _Made(None, 1)
        if node.tag not in (_PLAIN, _QUOTED, _INNER):
            self._tell(node, steps, f"tags are not read: {_tag(node.tag)}", "leave the tag out")
        self._open.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            made = _Made(self._scalar(node, steps), 1)
        elif isinstance(node, yaml.SequenceNode):
            made = self._sequence(node, steps, depth)
        else:
            made = self._mapping(node, steps, depth)
        self._open.discard(id(node))
        self._made[id(node)] = made
        return made

    def _repeat(self, known: _Made, node: Any, steps: Steps) -> _Made:
        self._repeated += known.size
        if self._repeated <= MOST_REPEATED:
            return known
        if self._repeated - known.size <= MOST_REPEATED:
            self._tell(node, steps, f"aliases repeat more than {MOST_REPEATED} values")
        return _Made(None, 1)

    def _sequence(self, node: Any, steps: Steps, depth: int) -> _Made:
        made = [
            self.value(item, (*steps, index), depth + 1) for index, item in enumerate(node.value)
        ]
        return _Made([item.value for item in made], 1 + sum(item.size for item in made))

    def _mapping(self, node: Any, steps: Steps, depth: int) -> _Made:
        result: dict[str, Any] = {}
        first: dict[str, Any] = {}
        size = 1
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._tell(key_node, steps, "a key should be a text")
                continue
            key: str = key_node.value
            if key == "<<" and key_node.tag == _PLAIN:
                self._tell(key_node, steps, "merge keys (<<) are not read", "write the keys out")
                continue
            below = (*steps, key)
            if key_node.tag not in (_PLAIN, _QUOTED):
                self._tell(key_node, below, f"tags are not read: {_tag(key_node.tag)}")
            if key in first:
                line = first[key].start_mark.line + 1
                self._tell(key_node, below, f"duplicate key '{key}'", f"first on line {line}")
                self.value(value_node, below, depth + 1)
                continue
            first[key] = key_node
            made = self.value(value_node, below, depth + 1)
            result[key] = made.value
            size += made.size
        return _Made(result, size)

    def _scalar(self, node: Any, steps: Steps) -> Any:
        text: str = node.value
        if node.tag != _PLAIN:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _NUMBER.match(text) is None:
            return text
        fault = number_fault(text)
        if fault is not None:
            self._tell(node, steps, fault, "write it in quotes, as a text")
            return None
        return read_number(text)

    def _tell(self, node: Any, steps: Steps, message: str, hint: str = "") -> None:
        mark = node.start_mark
        place = Place(self._file, mark.line + 1, mark.column + 1, shown(steps))
        self._faults.add(place, message, hint)


def _tag(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")


def _spot(node: Any, known: dict[int, Spot], depth: int = 0) -> Spot:
    """Return the positions of a node and all below it; a repeated node keeps its first one."""
    if id(node) in known:
        return known[id(node)]
    spot = known[id(node)] = Spot(node.start_mark.line + 1, node.start_mark.column + 1)
    if depth > MOST_DEPTH:
        return spot
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            spot.inner[index] = _spot(item, known, depth + 1)
    elif isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode) or key_node.value in spot.inner:
                continue
            below = _spot(value_node, known, depth + 1)
            mark = key_node.start_mark
            spot.inner[key_node.value] = Spot(
                below.line, below.column, mark.line + 1, mark.column + 1, below.inner
            )
    return spot


def _indented_by_tab(text: str, line: int) -> bool:
    lines = text.split("\n", line + 1)
    found = lines[line] if line < len(lines) else ""
    return "\t" in found[: len(found) - len(found.lstrip())]


def _tell_character(error: ReaderError, text: str, file: str, faults: Faults) -> None:
    """Libyaml counts the bytes before a character that it refuses."""
    before = text.encode()[: error.position].decode(errors="ignore")
    place = Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
    message = f"is not YAML: the character U+{int(error.character):04X} may not stand in it"
    faults.add(place, message, 'in double quotes it may be written as "\\x.."')


def _tell_syntax(error: yaml.YAMLError, text: str, file: str, faults: Faults) -> None:
    if isinstance(error, ReaderError):
        _tell_character(error, text, file, faults)
        return
    problem: str = getattr(error, "problem", None) or str(error)
    mark: Any = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    place = Place(file, mark.line + 1, mark.column + 1) if mark is not None else Place(file)
    hint = ""
    if "another document" in str(error) or "single document" in str(error):
        problem, hint = "a second document begins", "one document a file: leave out the ---"
    elif mark is not None and _indented_by_tab(text, mark.line):
        problem, hint = "a tab stands where YAML wants spaces", "indent with spaces"
    elif "mapping values are not allowed" in problem:
        hint = "put a text that holds a colon in quotes"
    elif "undefined alias" in problem:
        hint = "a text that begins with * goes in quotes"
    faults.add(place, f"is not YAML: {problem}", hint)
