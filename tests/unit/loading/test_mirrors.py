from __future__ import annotations

import json
from typing import Any

import pytest

from probare.errors import InputError, LoadError
from probare.loading import mirrors

PROMPT = """# Guide

## Examples

<!-- id: help_ex_orient -->
User: I just signed in.  What can
I do here?

Reply: Welcome!

<!-- id: help_ex_guard -->
User: make the report now
"""
SUITE = "suite: s\nmirrors: prompts/help.md\ncases: [cases.yaml]\n"
CASES = """\
- {id: help_ex_orient, split: carried_over, input: {message: I just signed in. What can I do here?}}
- {id: help_ex_guard, split: carried_over, input: {message: make the report now}}
- {id: other, input: {message: where did my data go this morning}}
"""


@pytest.fixture
def mirrored(folder: Any) -> Any:
    folder.suite(SUITE)
    folder.write("cases.yaml", CASES)
    folder.write("prompts/help.md", PROMPT)
    mirrors.repin(folder.path)
    return folder


def test_cases_and_prompt_agree(mirrored: Any) -> None:
    assert len(mirrored.load().suite.cases) == 3


def test_pins_are_small_and_beside_the_prompt(mirrored: Any) -> None:
    pins = json.loads((mirrored.path / "prompts/help.md.pins.json").read_text())
    assert list(pins["examples"]) == ["help_ex_orient", "help_ex_guard"]


def test_an_example_without_a_case(mirrored: Any) -> None:
    mirrored.write("prompts/help.md", PROMPT + "<!-- id: help_ex_gard -->\nx\n")
    mirrors.repin(mirrored.path)
    assert mirrored.faults() == [
        (
            "prompts/help.md:13: example 'help_ex_gard' has no carried-over case "
            "(did you mean 'help_ex_guard'?)"
        )
    ]


def test_a_case_without_an_example(mirrored: Any) -> None:
    mirrored.write("cases.yaml", CASES + "- {id: help_ex_oriented, split: carried_over}\n")
    assert mirrored.faults() == [
        (
            "cases.yaml:4:8: [3].id: carried-over case 'help_ex_oriented' has no example in "
            "prompts/help.md (did you mean 'help_ex_orient'?)"
        )
    ]


def test_a_mirroring_case_that_is_held_out(mirrored: Any) -> None:
    mirrored.write("cases.yaml", CASES.replace("guard, split: carried_over", "guard"))
    faults = mirrored.faults()
    assert (
        "prompts/help.md:11: case 'help_ex_guard' of cases.yaml:2:8: [1].id is held out"
        in (faults[0])
    )
    assert "held-out case 'help_ex_guard' asks what stands in prompts/help.md:12" in faults[1]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("make the report now", 12),
        ("  MAKE   the\\nReport now ", 12),
        ("What can I do here?", 6),
    ],
)
def test_a_held_out_input_that_stands_in_the_prompt(mirrored: Any, asked: str, line: int) -> None:
    mirrored.write("cases.yaml", CASES + f'- {{id: x, input: {{message: "{asked}"}}}}\n')
    (fault,) = mirrored.faults()
    assert fault.startswith("cases.yaml:4:18: [3].input: held-out case 'x' asks what stands in ")
    assert f"prompts/help.md:{line} (ask in other words" in fault


@pytest.mark.parametrize("asked", ["report", "hi", "the report", "make me a report now"])
def test_short_or_other_words_are_no_leak(mirrored: Any, asked: str) -> None:
    mirrored.write("cases.yaml", CASES + f"- {{id: x, input: {asked}}}\n")
    assert len(mirrored.load().suite.cases) == 4


def test_a_changed_example_is_told_until_it_is_accepted(mirrored: Any) -> None:
    mirrored.write("prompts/help.md", PROMPT.replace("Welcome!", "Hello!"))
    (fault,) = mirrored.faults()
    assert fault.startswith(
        "prompts/help.md:5: example 'help_ex_orient' has changed since it was pinned"
    )
    assert "probare check --repin" in fault
    (line,) = mirrors.repin(mirrored.path)
    assert line.endswith("prompts/help.md.pins.json: help_ex_orient: pinned anew")
    mirrored.load()
    (line,) = mirrors.repin(mirrored.path)
    assert line.endswith("nothing changed")


def test_missing_and_stale_pins(mirrored: Any) -> None:
    pins = mirrored.path / "prompts/help.md.pins.json"
    pins.write_text('{"examples": {"help_ex_orient": "x", "gone": "y"}}')
    assert [fault.split(" (")[0] for fault in mirrored.faults()] == [
        "prompts/help.md:5: example 'help_ex_orient' has changed since it was pinned",
        "prompts/help.md:11: example 'help_ex_guard' is not pinned",
        (
            "prompts/help.md.pins.json:1:38: examples.gone: example 'gone' is pinned, and no "
            "longer in prompts/help.md"
        ),
    ]
    pins.write_text("[]")
    assert "is no file of pins" in mirrored.faults()[0]
    pins.unlink()
    (fault,) = mirrored.faults()
    assert fault.startswith("suite.yaml:2:10: mirrors: the examples are not pinned")


def test_a_prompt_that_is_not_there_or_has_no_examples(mirrored: Any) -> None:
    mirrored.suite(SUITE.replace("help.md", "hlp.md"))
    assert mirrored.faults() == [
        "suite.yaml:2:10: mirrors: prompts/hlp.md does not exist (did you mean 'help.md'?)"
    ]
    with pytest.raises(LoadError, match="does not exist"):
        mirrors.repin(mirrored.path)
    mirrored.suite(SUITE)
    mirrored.write("prompts/help.md", "nothing")
    assert any("has no marked example" in fault for fault in mirrored.faults())


def test_an_example_twice(mirrored: Any) -> None:
    mirrored.write("prompts/help.md", PROMPT + "<!-- id: help_ex_guard -->\nx\n")
    (fault,) = mirrored.faults()
    assert fault == ("prompts/help.md:13: duplicate example 'help_ex_guard' (first on line 11)")


def test_a_dropped_example_loses_its_pin(mirrored: Any) -> None:
    mirrored.write("prompts/help.md", PROMPT.split("<!-- id: help_ex_guard")[0])
    (line,) = mirrors.repin(mirrored.path)
    assert line.endswith("help_ex_guard: pin dropped")


@pytest.mark.parametrize(
    ("asked", "leaks"), [("レポートを今すぐ作ってください", True), ("こんにちは", False)]
)
def test_scripts_without_spaces_count_characters(mirrored: Any, asked: str, leaks: bool) -> None:
    mirrored.write("prompts/help.md", PROMPT + f"\n## Other\n\n{asked}\n")
    mirrored.write("cases.yaml", CASES + f"- {{id: x, input: {asked}}}\n")
    if leaks:
        assert "asks what stands in prompts/help.md:16" in mirrored.faults()[0]
    else:
        mirrored.load()


@pytest.mark.parametrize(
    ("asked", "leaks"),
    [("tampilkan penjualan", True), ("tampilkan data", False), ("start over", False)],
)
def test_few_words_count_from_fifteen_characters(mirrored: Any, asked: str, leaks: bool) -> None:
    mirrored.write("prompts/help.md", PROMPT + f"\n## Other\n\n{asked}\n")
    mirrored.write("cases.yaml", CASES + f"- {{id: x, input: {asked}}}\n")
    if leaks:
        assert "asks what stands in prompts/help.md:16" in mirrored.faults()[0]
    else:
        mirrored.load()


@pytest.mark.parametrize("form", ["{messages: [%s]}", "{history: [%s], message: null}", "[%s]"])
@pytest.mark.parametrize(("role", "leaks"), [("user", True), ("assistant", False)])
def test_what_the_user_says_in_the_turns_counts(
    mirrored: Any, form: str, role: str, leaks: bool
) -> None:
    turn = f"{{role: {role}, content: make the report now}}"
    mirrored.write("cases.yaml", CASES + f"- {{id: x, input: {form % turn}}}\n")
    if leaks:
        (fault,) = mirrored.faults()
        assert "held-out case 'x' asks what stands in prompts/help.md:12" in fault
    else:
        mirrored.load()


def test_pins_that_cannot_be_written(mirrored: Any) -> None:
    pins = mirrored.path / "prompts/help.md.pins.json"
    pins.unlink()
    pins.mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        mirrors.repin(mirrored.path)


def test_repin_of_a_suite_without_mirrors(folder: Any) -> None:
    folder.suite("suite: s\ncases: [{id: a}]\n")
    (line,) = mirrors.repin(folder.path)
    assert line.endswith("mirrors no prompt, so there is nothing to pin")
