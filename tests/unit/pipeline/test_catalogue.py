from __future__ import annotations

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
