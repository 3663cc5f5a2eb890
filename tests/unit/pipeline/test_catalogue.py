from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest

import probare
from probare.errors import InputError
from probare.pipeline import catalogue
from probare.pipeline.catalogue import BuiltCatalogue
from probare.ports.grader import Grader


@probare.grader
def polite(text: str) -> bool:
    return "please" in text


class Contains(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "contains"


class Entry:
    """An entry point of a plug-in."""

    name, value = "toy", "toy_package:NAME"

    def __init__(self, found: Any) -> None:
        self.found = found

    def load(self) -> Any:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def with_plug_in(monkeypatch: pytest.MonkeyPatch, group: str, found: Any) -> None:
    def entries(*, group: str) -> list[Entry]:
        return [Entry(found)] if group == wanted else []

    wanted = group
    monkeypatch.setattr(catalogue, "entry_points", entries)


def test_ones_own_graders_stand_beside_the_core() -> None:
    found = BuiltCatalogue([polite]).graders
    assert found["polite"] is polite
    assert {"contains", "tool_calls", "python", "language"} <= set(found)
    assert {"python", "command", "http", "replay"} <= set(BuiltCatalogue().targets)


def test_the_same_grader_twice_is_one() -> None:
    assert BuiltCatalogue([polite, polite]).graders["polite"] is polite


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Contains, "graders=: there is a grader 'contains' already"),
        (print, "is not a grader"),
        ("contains", "is not a grader"),
        (Contains(), "is not a grader"),
    ],
)
def test_what_is_no_grader_or_takes_a_name_is_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        BuiltCatalogue([given])


@pytest.mark.parametrize(
    ("group", "found", "message"),
    [
        ("probare.graders", ImportError("no numpy"), "plug-in toy .* cannot be loaded: ImportErr"),
        ("probare.graders", [polite, 5], "plug-in toy .*: 5 is not a grader"),
        ("probare.graders", Contains, "plug-in toy .* 'contains' already"),
        ("probare.targets", 5, "plug-in toy .*: 5 is not a target kind"),
    ],
)
def test_a_bad_plug_in_is_named(
    group: str, found: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_plug_in(monkeypatch, group, found)
    with pytest.raises(InputError, match=message):
        BuiltCatalogue()


def test_plug_ins_bring_graders_and_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    with_plug_in(monkeypatch, "probare.graders", (polite,))
    assert BuiltCatalogue().graders["polite"] is polite

    class Toy:
        name = "toy"
        build = None

    with_plug_in(monkeypatch, "probare.targets", Toy)
    assert BuiltCatalogue().targets["toy"] is Toy


GOOD = {"pass": {"It is polite": "is_json"}, "fail": {"It is rude": {"contains": "rude"}}}


def test_criteria_of_a_plug_in_stand_beside_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    core = BuiltCatalogue().criteria
    with_plug_in(monkeypatch, "probare.criteria", GOOD)
    found = BuiltCatalogue().criteria
    assert found["pass"] == {**core["pass"], "It is polite": "is_json"}
    assert found["fail"] == {**core["fail"], "It is rude": {"contains": "rude"}}
    assert core["pass"]["Two runs produce identical trace hashes"] == "identical_traces"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "are no criteria"),
        (["x"], "are no criteria"),
        ({"passes": {}}, "are no criteria"),
        ({"pass": {"hashes  MATCH.": "is_json"}}, "there is a criterion 'hashes  MATCH.' already"),
        ({"fail": {"Hashes match": "is_json"}}, "there is a criterion 'Hashes match' already"),
        ({"pass": {"It is odd": 3}}, "the criterion 'It is odd' names no check"),
    ],
)
def test_bad_criteria_of_a_plug_in(
    monkeypatch: pytest.MonkeyPatch, given: Any, message: str
) -> None:
    with_plug_in(monkeypatch, "probare.criteria", given)
    with pytest.raises(InputError, match=re.escape(message)):
        BuiltCatalogue()


def test_every_core_criterion_names_a_core_grader() -> None:
    built = BuiltCatalogue()
    checks = [check for sentences in built.criteria.values() for check in sentences.values()]
    named = {check if isinstance(check, str) else next(iter(check)) for check in checks}
    assert named <= set(built.graders)


def test_no_grader_takes_the_name_that_people_s_verdicts_have() -> None:
    class Human(Grader, frozen=True, kw_only=True):
        NAME: ClassVar[str] = "human_review"

    with pytest.raises(InputError, match="what verdicts of people are recorded under"):
        BuiltCatalogue([Human])
