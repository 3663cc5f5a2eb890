"""Scripted turns and simulated users, as suites write them."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import pytest

from probare.loading import Loaded, load
from probare.model.case import AgentStop, Case, Check, Simulation, content_digest
from probare.ports.grader import Grader


class MaxToolCalls(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "max_tool_calls"
    MAIN: ClassVar[str | None] = "limit"
    LOOKS_AT: ClassVar[str | None] = "$events"
    limit: int


class StateIs(Grader, frozen=True, kw_only=True):
    NAME: ClassVar[str] = "state_is"
    MAIN: ClassVar[str | None] = "value"
    LOOKS_AT: ClassVar[str | None] = "$state"
    value: Any


class Both:
    """The catalogue of the room's tests, with two more graders."""

    def __init__(self, catalogue: Any) -> None:
        self.graders = {**catalogue.graders, "max_tool_calls": MaxToolCalls, "state_is": StateIs}
        self.targets = catalogue.targets
        self.criteria = catalogue.criteria


@pytest.fixture
def talk(folder: Any, catalogue: Any) -> Any:
    """Load a suite of the given cases (YAML, flow form): `talk("{id: a, …}")`."""
    folder.catalogue = Both(catalogue)

    def loaded(*cases: str, more: str = "") -> Loaded:
        listed = "".join(f"  - {case}\n" for case in cases)
        folder.suite(f"suite: s\n{more}cases:\n{listed}")
        return load(folder.path, folder.catalogue, {})

    return loaded


@pytest.fixture
def faults(folder: Any, catalogue: Any) -> Any:
    """Return the faults of a suite of the given cases."""
    folder.catalogue = Both(catalogue)

    def told(*cases: str, more: str = "") -> list[str]:
        listed = "".join(f"  - {case}\n" for case in cases)
        return folder.suite(f"suite: s\n{more}cases:\n{listed}").faults()

    return told


def test_a_turns_checks_are_the_cases_and_know_their_turn(talk: Any) -> None:
    loaded = talk(
        "{id: a, expect: [is_json], turns: ["
        "{user: hi, expect: [{contains: x}], forbid: [{contains: y, label: why}]},"
        "{user: more, no_tool_call: true, expect: [{contains: x}]}]}",
        more="defaults: {expect: [{contains: d}]}\n",
    )
    (case,) = loaded.suite.cases
    assert case.turns == ("hi", "more")
    assert case.converses
    assert [(c.grader, c.turn, c.label) for c in case.expect] == [
        ("contains", None, None),
        ("is_json", None, None),
        ("contains", 0, None),
        ("contains", 1, None),
        ("max_tool_calls", 1, "no tool call"),
    ]
    assert case.forbid == (Check(grader="contains", args={"text": "y"}, label="why", turn=0),)


def test_equal_checks_of_one_turn_are_one_object(talk: Any) -> None:
    turns = "turns: [{user: hi, expect: [{contains: x}]}]"
    one, two = talk(f"{{id: a, {turns}}}", f"{{id: b, {turns}}}").suite.cases
    assert one.expect[0] is two.expect[0]


def test_cases_ask_other_things_where_the_conversation_differs(talk: Any) -> None:
    cases = talk(
        "{id: a, turns: [{user: hi}]}",
        "{id: b, turns: [{user: ho}]}",
        "{id: c}",
        '{id: d, simulate: {model: "openai:u", goal: g}}',
        '{id: e, simulate: {model: "openai:u", goal: h}}',
    ).suite.cases
    assert len({content_digest(case) for case in cases}) == 5


def test_a_simulated_user_is_filled_from_the_defaults(talk: Any) -> None:
    loaded = talk(
        "{id: a, simulate: {goal: a refund, stop: {tool: hang_up, text: [Bye, Ciao]}}}",
        '{id: b, simulate: {goal: g, model: "ollama:x", first: Hi, max_turns: 2, persona: p}}',
        "{id: c}",
        more='defaults: {simulate: {model: "openai:u", persona: calm, temperature: 0.5}}\n',
    )
    one, two, three = loaded.suite.cases
    assert one.simulate == Simulation(
        model="openai:u",
        goal="a refund",
        persona="calm",
        temperature=0.5,
        stop=AgentStop(tools=("hang_up",), texts=("Bye", "Ciao")),
    )
    assert one.simulate.max_turns == 10
    assert two.simulate == Simulation(
        model="ollama:x", goal="g", persona="p", first="Hi", max_turns=2, temperature=0.5
    )
    assert three.simulate is None
    assert not three.converses


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("turns: [{user: ' '}]", "cases[0].turns[0].user: the user's message is blank"),
        ("turns: [{usr: x}]", "unknown key 'usr' (did you mean 'user'?)"),
        ("turns: [hi]", "should be a mapping"),
        (
            "turns: [{user: x, expect: [max_latency: 1]}]",
            "turns[0].expect[0]: max_latency looks at the whole trial",
        ),
        (
            "turns: [{user: x, expect: [{not: identical_traces}]}]",
            "identical_traces looks at all trials of a case",
        ),
        (
            "turns: [{user: x, expect: [state_is: 1]}]",
            "state_is looks at $state, which no turn has",
        ),
        (
            "turns: [{user: x, forbid: [{equals: {value: 1, in: $artifacts}}]}]",
            "forbid[0].equals.in: $artifacts: no turn has $artifacts of its own",
        ),
        (
            "turns: [{user: x, expect: [{contains: $recorded.x}]}]",
            "expect[0].contains: $recorded.x: no turn has $recorded of its own",
        ),
        (
            "turns: [{user: x, expect: [{contains: $input.q}]}]",
            "turns[0].expect[0].contains: $input.q does not exist",
        ),
        (
            "turns: [{user: x, expect: [contians: x]}]",
            "turns[0].expect[0].contians: unknown grader",
        ),
        (
            "turns: [{user: x}], expect: [{contains: {text: x, in: '$turns[1].text'}}]",
            "$turns[1].text: the case has 1 turn, counted from 0",
        ),
        (
            "turns: [{user: x}, {user: y, expect: [{contains: '$turns[-3].text'}]}]",
            "$turns[-3].text: the case has 2 turns, counted from 0",
        ),
        ("expect: [{contains: $turns.text}]", "$turns is a list (one item is $turns[0])"),
        (
            "expect: [{contains: '$turns[0].txt'}]",
            "a turn has no 'txt' (did you mean 'text'?)",
        ),
        ("expect: [{contains: $ended.x}]", "$ended is a word, which has no parts"),
        ("simulate: {goal: g}", "cases[0].simulate: simulate names no model"),
        ("simulate: {model: 'a:b'}", "cases[0].simulate: simulate names no goal"),
        (
            "simulate: {model: b, goal: g}",
            "cases[0].simulate.model: 'b' names no model: write provider:model",
        ),
        ("simulate: {model: 'a:b', goal: g, max_turns: 0}", "max_turns: should be at least 1"),
        ("simulate: {model: 'a:b', goal: g, stop: {tol: x}}", "unknown key 'tol'"),
        (
            "simulate: {model: 'a:b', goal: g}, turns: [{user: x}]",
            "turns and simulate both stand here (a conversation has one user)",
        ),
        (
            "runner: code, input: {__output__: 1}, turns: [{user: x}]",
            "the runner 'code' answers once and holds no conversation",
        ),
    ],
)
def test_faults_are_told_with_their_places(faults: Any, case: str, told: str) -> None:
    lines = faults(f"{{id: a, {case}}}")
    assert any(told in line for line in lines), lines
    assert all(line.startswith("suite.yaml:") for line in lines)


def test_a_turn_with_a_fault_hides_no_fault_of_another(faults: Any) -> None:
    lines = faults(
        "{id: a, turns: [{user: x, expct: []}, {user: ' '}, {user: y, expect: [{max_latency: 1}]}]}"
    )
    assert len(lines) == 3, lines


def test_runners_of_the_suite_say_what_a_turns_output_has(faults: Any) -> None:
    lines = faults(
        "{id: a, runner: chat, turns: [{user: x, expect: [{contains: {text: t, in: $anser}}]}]}",
        more="runners: {chat: [answer]}\n",
    )
    (line,) = lines
    assert "the runner 'chat' gives no 'anser' (did you mean 'answer'?)" in line


def test_a_case_as_written_down_reads_back_the_same(talk: Any) -> None:
    loaded = talk(
        "{id: a, turns: [{user: hi, expect: [{contains: x}]}]}",
        '{id: b, simulate: {model: "openai:u", goal: g, stop: {tool: t}}}',
    )
    for case in loaded.suite.cases:
        assert msgspec.json.decode(msgspec.json.encode(case), type=Case) == case
