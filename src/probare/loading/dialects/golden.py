"""Golden-set JSON: {"cases": [{"id", "assertions": [{"type", …}], …}]}.

- Keys that begin with `_` are notes, at any place.
- An assertion `must_not_…` is a check under `forbid`, every other one under `expect`.
- `manual_review: true` is `review: always`; `carried_over: true` is `split: carried_over`.
- Every other key of a case that is not Probare's is a key of its input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple, cast

from probare.errors import did_you_mean
from probare.loading import arguments
from probare.loading.checkkeys import BESIDE
from probare.loading.dialects.moved import MovedDocument
from probare.loading.documents import Origin, Steps
from probare.loading.faultlist import Faults
from probare.loading.grader_fields import fields
from probare.loading.shapes import CaseShape
from probare.loading.vocabulary import Vocabulary
from probare.loading.words import shown
from probare.ports.grader import Grader

_OWN = ("assertions", "carried_over", "manual_review")
_KEYS = frozenset(CaseShape.__struct_encode_fields__)

_GRADERS = {
    "language_match": "language",
    "match_language": "language",
    "match_regex": "regex",
    "contain": "contains",
    "contain_any": "contains_any",
    "contain_all": "contains_all",
    "start_with": "starts_with",
    "end_with": "ends_with",
    "equal": "equals",
    "be_json": "is_json",
    "match_schema": "json_schema",
    "call_tool": "tool_called",
}
_ARGUMENTS: dict[str, dict[str, str]] = {
    "contains": {"pattern": "text"},
    "starts_with": {"pattern": "text"},
    "ends_with": {"pattern": "text"},
    "contains_any": {"patterns": "texts"},
    "contains_all": {"patterns": "texts"},
    "equals": {"expected": "value"},
    "tool_called": {"tool": "name"},
}
_WORDS = (
    "language_match",
    *(f"must_{word}" for word in _GRADERS),
    *(f"must_not_{word}" for word in _GRADERS),
)


def detect(value: Any) -> bool:
    """Whether a file's value is a golden set: its cases have assertions, or marks of its own."""
    if not isinstance(value, dict) or "suite" in value:
        return False
    cases = cast("dict[str, Any]", value).get("cases")
    if not isinstance(cases, list):
        return False
    return any(
        isinstance(case, dict) and any(key in case for key in _OWN)
        for case in cast("list[Any]", cases)
    )


def translate(
    value: Any, origin: Origin, around: Vocabulary, faults: Faults
) -> Iterator[tuple[dict[str, Any], Origin]]:
    """Yield each case in the shape of a suite file, placed where it stands in the golden set."""
    for key in value:
        if key != "cases" and key != "description" and not _is_note(key):
            hint = did_you_mean(key, ("cases",)) or f"a note is written _{key}"
            faults.add(origin.place(key, key=True), f"unknown key '{key}'", hint)
    for index, item in enumerate(cast("list[Any]", value["cases"])):
        where = origin.below("cases", index)
        if not isinstance(item, dict):
            faults.add(where.place(), f"a case should be a mapping, is {shown(item)}")
            continue
        yield _Translation(cast("dict[str, Any]", item), where, around.graders, faults).made()


class _Assertion(NamedTuple):
    check: dict[str, Any]
    forbidden: bool


class _Translation:
    """One case on its way."""

    def __init__(
        self,
        item: dict[str, Any],
        origin: Origin,
        graders: Mapping[str, type[Grader]],
        faults: Faults,
    ) -> None:
        self._item = {key: value for key, value in item.items() if not _is_note(key)}
        self._origin = origin
        self._graders = graders
        self._faults = faults
        self._moves: dict[Steps, Steps] = {}

    def made(self) -> tuple[dict[str, Any], Origin]:
        case = {key: value for key, value in self._item.items() if key in _KEYS}
        self._mark(case, "carried_over", "split", {True: "carried_over", False: "held_out"})
        self._mark(case, "manual_review", "review", {True: "always", False: None})
        self._input(case)
        self._assertions(case)
        origin = self._origin
        return case, Origin(MovedDocument(origin.document, origin.base, self._moves))

    def _mark(self, case: dict[str, Any], mark: str, key: str, words: dict[bool, Any]) -> None:
        if mark not in self._item:
            return
        value = self._item[mark]
        if not isinstance(value, bool):
            message = f"{mark} should be true or false, is {shown(value)}"
            self._faults.add(self._origin.place(mark), message)
        elif key in case:
            message = f"{mark} and {key} say the same thing"
            self._faults.add(self._origin.place(mark, key=True), message, "keep one of them")
        elif words[value] is not None:
            case[key] = words[value]
            self._moves[(key,)] = (mark,)

    def _input(self, case: dict[str, Any]) -> None:
        rest = {
            key: value for key, value in self._item.items() if key not in _KEYS and key not in _OWN
        }
        for key in rest:
            near = get_close_matches(key, _OWN, n=1, cutoff=0.8)
            if near:
                place = self._origin.place(key, key=True)
                self._faults.add(place, f"unknown key '{key}'", f"did you mean '{near[0]}'?")
            elif "input" in case:
                place = self._origin.place(key, key=True)
                self._faults.add(place, f"'{key}' stands beside input", "move it into the input")
            elif close := get_close_matches(key, _KEYS, n=1, cutoff=0.85):
                message = f"'{key}' is read as a key of the input (did you mean '{close[0]}'?)"
                self._faults.warn(message, self._origin.place(key, key=True))
            self._moves[("input", key)] = (key,)
        if "input" not in case and rest:
            case["input"] = rest

    def _assertions(self, case: dict[str, Any]) -> None:
        items = self._item.get("assertions", [])
        if not isinstance(items, list):
            message = f"assertions should be a list, is {shown(items)}"
            self._faults.add(self._origin.place("assertions"), message)
            return
        for index, item in enumerate(cast("list[Any]", items)):
            found = self._assertion(item, self._origin.below("assertions", index))
            if found is None:
                continue
            name = "forbid" if found.forbidden else "expect"
            written = case.get(name, [])
            if not isinstance(written, list):
                continue
            checks = cast("list[Any]", written)
            case[name] = [*checks, found.check]
            at = ("assertions", index)
            self._moves[(name, len(checks))] = at
            for grader in found.check.keys() & _ARGUMENTS.keys():
                for word, argument in _ARGUMENTS[grader].items():
                    if word in item:
                        self._moves[(name, len(checks), grader, argument)] = (*at, word)

    def _assertion(self, item: Any, origin: Origin) -> _Assertion | None:
        if not isinstance(item, dict):
            message = f"an assertion should be a mapping, is {shown(item)}"
            self._faults.add(origin.place(), message)
            return None
        given = {k: v for k, v in cast("dict[str, Any]", item).items() if not _is_note(k)}
        kind = given.pop("type", None)
        if not isinstance(kind, str):
            self._faults.add(origin.place(), "the assertion has no type")
            return None
        forbidden = kind.startswith("must_not_")
        word = kind.removeprefix("must_not_") if forbidden else kind.removeprefix("must_")
        name = _GRADERS.get(word, word)
        if name not in self._graders:
            hint = did_you_mean(kind, [*_WORDS, *self._graders])
            self._faults.add(origin.place("type"), f"unknown assertion '{kind}'", hint)
            return None
        check = {key: value for key, value in given.items() if key in BESIDE}
        args = {key: value for key, value in given.items() if key not in BESIDE}
        if name == "regex" and "patterns" in args:
            return self._patterns(check, args, forbidden, origin)
        if self._misspelt(name, args, origin):
            return None
        check[name] = _named(name, args)
        return _Assertion(check, forbidden)

    def _misspelt(self, name: str, args: dict[str, Any], origin: Origin) -> bool:
        """Tell of keys that nearly are this dialect's word for one of the grader's arguments."""
        words = _ARGUMENTS.get(name, {})
        found = False
        for key in args.keys() - fields(self._graders[name]).keys() - words.keys():
            near = did_you_mean(key, words)
            if near:
                self._faults.add(origin.place(key, key=True), f"unknown key '{key}'", near)
                found = True
        return found

    def _patterns(
        self, check: dict[str, Any], args: dict[str, Any], forbidden: bool, origin: Origin
    ) -> _Assertion | None:
        """None of several patterns may match; that several must match is said one by one."""
        patterns = args.pop("patterns")
        listed = cast("list[Any]", patterns) if isinstance(patterns, list) else [patterns]
        made = [{"regex": arguments.escaped({"pattern": one, **args})} for one in listed]
        if len(made) == 1:
            return _Assertion({**check, **made[0]}, forbidden)
        if not made or not forbidden:
            message = f"must_match_regex has {len(made)} patterns"
            hint = "write one assertion for each pattern that must match"
            self._faults.add(origin.place("patterns"), message, hint)
            return None
        return _Assertion({**check, "any_of": made}, forbidden)


def _named(name: str, args: dict[str, Any]) -> dict[str, Any]:
    names = _ARGUMENTS.get(name, {})
    return {names.get(key, key): arguments.escaped(value) for key, value in args.items()}


def _is_note(key: str) -> bool:
    return key.startswith("_")
