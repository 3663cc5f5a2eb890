"""Runners that a suite declares, and what their outputs have."""

from __future__ import annotations

from typing import Any

import pytest

from probare.loading.runners import Runners

CHECKS = "[{contains: {text: x, in: $master.name}}]"


def suite(runners: str, case: str, defaults: str = "{}") -> str:
    return f"suite: s\nrunners: {runners}\ndefaults: {defaults}\ncases:\n  - {case}\n"


def faults(folder: Any, *parts: str) -> list[str]:
    return folder.suite(suite(*parts)).faults()


def test_a_known_runner_is_the_cases(folder: Any) -> None:
    folder.suite(suite("[parser, writer]", f"{{id: a, runner: parser, expect: {CHECKS}}}"))
    assert folder.load().suite.cases[0].runner == "parser"


@pytest.mark.parametrize("runners", ["[parser, writer]", "{parser: [master], writer: [text]}"])
def test_an_unknown_runner_is_a_fault_with_the_nearest(folder: Any, runners: str) -> None:
    assert faults(folder, runners, "{id: a, runner: parsr}") == [
        "suite.yaml:5:21: cases[0].runner: unknown runner 'parsr' (did you mean 'parser'?)"
    ]
    assert faults(folder, runners, "{id: a, runner: x}") == [
        (
            "suite.yaml:5:21: cases[0].runner: unknown runner 'x'"
            " (there are: parser, writer, code, model)"
        )
    ]


def test_where_none_is_declared_any_may_be_named(folder: Any) -> None:
    folder.suite(suite("[]", "{id: a, runner: anything}"))
    assert folder.load().suite.cases[0].runner == "anything"


def test_core_runners_are_always_there_and_are_not_declared(folder: Any) -> None:
    folder.suite(suite("[parser]", "{id: a, runner: model}"))
    assert folder.load().suite.cases[0].runner == "model"
    assert faults(folder, "[parser, code]", "{id: a}") == [
        "suite.yaml:2:19: runners[1]: the runner 'code' is Probare's own (it is always there)"
    ]
    assert faults(folder, "{model: [text]}", "{id: a}") == [
        "suite.yaml:2:11: runners.model: the runner 'model' is Probare's own (it is always there)"
    ]


@pytest.mark.parametrize("runners", ["parser", "[1]", "{parser: text}", "[a, '']"])
def test_declarations_that_cannot_be(folder: Any, runners: str) -> None:
    found = faults(folder, runners, "{id: a}")
    assert found
    assert all("runners" in fault for fault in found)


def test_a_placeholder_that_no_key_answers(folder: Any) -> None:
    runners = "{parser: [master, text]}"
    folder.suite(suite(runners, f"{{id: a, runner: parser, expect: {CHECKS}}}"))
    folder.load()
    case = "{id: a, runner: parser, expect: [{contains: {text: $jd, in: $mastr.name}}]}"
    assert faults(folder, runners, case) == [
        (
            "suite.yaml:5:56: cases[0].expect[0].contains.text: $jd: the runner 'parser' gives no"
            " 'jd' (it gives: master, text)"
        ),
        (
            "suite.yaml:5:65: cases[0].expect[0].contains.in: $mastr.name: the runner 'parser'"
            " gives no 'mastr' (did you mean 'master'?)"
        ),
    ]


def test_inside_other_checks_and_in_defaults_too(folder: Any) -> None:
    inner = "{not: {any_of: [{contains: x}, {contains: $mastr}]}}"
    (fault,) = faults(folder, "{parser: [master]}", f"{{id: a, runner: parser, expect: [{inner}]}}")
    assert "cases[0].expect[0].not.any_of[1].contains: $mastr" in fault
    (fault,) = faults(
        folder, "{parser: [master]}", "{id: a, runner: parser}", "{expect: [{contains: $mastr}]}"
    )
    assert "defaults.expect[0].contains: case 'a': $mastr: the runner 'parser' gives no" in fault


def test_the_output_of_code_is_known(folder: Any) -> None:
    case = "{id: a, runner: code, input: {__output__: {master: {name: x}}}, expect: %s}"
    folder.suite(suite("[]", case % CHECKS))
    folder.load()
    (fault,) = faults(folder, "[]", case % "[{contains: {text: x, in: $mastr}}]")
    assert "$mastr: the runner 'code' gives no 'mastr' (did you mean 'master'?)" in fault
    text = "{id: a, runner: code, input: {__output__: words}, expect: [{contains: $master}]}"
    (fault,) = faults(folder, "[]", text)
    assert fault.endswith("gives no 'master' (its output has no keys)")


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("{}", "answers with input.__output__, which is missing"),
        ("text", "answers with input.__output__, which is missing"),
        ("{__output__: null}", "input.__output__ is null, which is no output"),
    ],
)
def test_code_without_an_output(folder: Any, given: str, fault: str) -> None:
    (found,) = faults(folder, "[]", f"{{id: a, runner: code, input: {given}}}")
    assert fault in found


def test_a_declared_key_near_a_root_is_no_suspicion() -> None:
    assert Runners({"fetcher": ["jd_text", "url"]}).declared_keys == {"jd_text", "url"}
    assert Runners(["fetcher"]).declared_keys == frozenset()
