"""Scenario JSON: one scenario a file, `{id, version, description, adapter, config,
pass_criteria, fail_criteria}`.

- `adapter` names the target of the suite that the scenario is for (`vocabulary.Adapters`).
- `config` is the case's input; its `planted` are the case's planted identifiers too.
- `pass_criteria` become checks under `expect`, `fail_criteria` under `forbid`: plain sentences,
  each registered on one of the two sides (`loading.sentences`).
- `version`, `intent`, `bounds` and `rationale` are the case's notes.
- Other keys are a case's own: `tags`, `trials`, `timeout`, `split`, …
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from probare.encoding.narrow import mapping
from probare.errors import did_you_mean
from probare.loading.dialects.moved import MovedDocument
from probare.loading.documents import Origin, Steps
from probare.loading.explain import Finding
from probare.loading.faultlist import Faults
from probare.loading.sentences import LISTS, SIDES, Side, normal
from probare.loading.shapes import CaseShape
from probare.loading.vocabulary import Vocabulary
from probare.loading.words import shown

_NOTES = ("version", "intent", "bounds", "rationale")
_CRITERIA = ("pass_criteria", "fail_criteria")
_OWN = ("adapter", "config", *_NOTES, *_CRITERIA)
_CASE_KEYS = tuple(
    key
    for key in CaseShape.__struct_encode_fields__
    if key not in ("input", "planted", "notes", "expect", "forbid", "runner")
)
_KEYS = (*_CASE_KEYS, *_OWN)
_OTHERS = ("suite", "cases", "task", "graders", "expect", "forbid", "input", "runner")


def detect(value: Any) -> bool:
    """Whether a file's value is a scenario: it has criteria, or an adapter with a config."""
    if not isinstance(value, dict) or any(key in value for key in _OTHERS):
        return False
    given = cast("dict[str, Any]", value)
    return any(key in given for key in _CRITERIA) or "adapter" in given or "config" in given


def translate(
    value: Any, origin: Origin, around: Vocabulary, faults: Faults
) -> Iterator[tuple[dict[str, Any], Origin]]:
    """Yield the scenario as a case in the shape of a suite file, placed where it stands."""
    yield _Translation(cast("dict[str, Any]", value), origin, around, faults).made()


class _Translation:
    """One scenario on its way."""

    def __init__(
        self, scenario: dict[str, Any], origin: Origin, around: Vocabulary, faults: Faults
    ) -> None:
        self._scenario = scenario
        self._origin = origin
        self._around = around
        self._faults = faults
        self._moves: dict[Steps, Steps] = {
            ("input",): ("config",),
            ("planted",): ("config", "planted"),
        }

    def made(self) -> tuple[dict[str, Any], Origin]:
        self._check_keys()
        case = {key: value for key, value in self._scenario.items() if key in _CASE_KEYS}
        self._adapter()
        self._config(case)
        self._notes(case)
        self._criteria(case)
        origin = self._origin
        return case, Origin(MovedDocument(origin.document, origin.base, self._moves))

    def _check_keys(self) -> None:
        for key in self._scenario:
            if key not in _KEYS:
                place = self._origin.place(key, key=True)
                self._faults.add(place, f"unknown key '{key}'", did_you_mean(key, _KEYS))

    def _adapter(self) -> None:
        name = self._scenario.get("adapter")
        if "adapter" not in self._scenario:
            self._tell((), "the scenario names no adapter", "it is one of the suite's targets")
        elif not isinstance(name, str):
            self._tell(("adapter",), f"should be the name of a target, is {shown(name)}")
        else:
            self._around.adapters.take(name, self._origin.place("adapter"), self._faults)

    def _config(self, case: dict[str, Any]) -> None:
        given = self._scenario.get("config", {})
        if not isinstance(given, dict):
            self._tell(("config",), f"should be a mapping, is {shown(given)}")
            return
        config = case["input"] = cast("dict[str, Any]", given)
        if "planted" in config:
            case["planted"] = config["planted"]
            for name in mapping(config["planted"]):
                self._moves[("planted", name)] = ("config", "planted", name)

    def _notes(self, case: dict[str, Any]) -> None:
        case["notes"] = {key: self._scenario[key] for key in _NOTES if key in self._scenario}
        self._moves |= {("notes", key): (key,) for key in _NOTES}

    def _criteria(self, case: dict[str, Any]) -> None:
        found = False
        for side in SIDES:
            key = f"{side}_criteria"
            items = self._scenario.get(key, [])
            if not isinstance(items, list):
                found = True
                self._tell((key,), f"should be a list of sentences, is {shown(items)}")
                continue
            sentences = cast("list[Any]", items)
            found = found or bool(sentences)
            case[LISTS[side]] = self._checks(side, sentences)
        if not found:
            known = next((key for key in _CRITERIA if key in self._scenario), None)
            hint = "write sentences under pass_criteria and fail_criteria"
            self._tell((known,) if known else (), "the scenario has no criteria", hint)

    def _checks(self, side: Side, sentences: list[Any]) -> list[dict[str, Any]]:
        key, checks = f"{side}_criteria", list[dict[str, Any]]()
        seen: set[str] = set()
        for index, written in enumerate(sentences):
            if not isinstance(written, str):
                self._tell((key, index), f"a criterion should be a sentence, is {shown(written)}")
                continue
            if normal(written) in seen:
                self._tell((key, index), f"the criterion '{written}' stands here twice")
                continue
            seen.add(normal(written))
            sentence = self._around.sentences.find(written, side)
            if isinstance(sentence, Finding):
                self._tell((key, index), sentence.message, sentence.hint)
            elif sentence.check is not None:
                self._moves[(LISTS[side], len(checks))] = (key, index)
                checks.append(sentence.check)
        return checks

    def _tell(self, steps: Steps, message: str, hint: str = "") -> None:
        self._faults.add(self._origin.place(*steps), message, hint)
