"""The model target: one message and its answer, tools, limits, what is recorded."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from probare.errors import HarnessError, InfraError, InputError, LimitReached, TargetError
from probare.model.case import Case
from probare.model.event import Message, Note, StateChange, ToolCall, ToolResult, Usage
from probare.model.outcome import Outcome, UsageTotal
from probare.model.suite import TargetSpec
from probare.targets.model import MODEL
from probare.targets.modelsettings import ModelSettings
from probare.testing.fakes import FakeModels, Reply

CASE = Case(id="c", input={"q": "hi"})
LOOK = {"name": "look", "result": {"sky": "blue"}}
CALLS_LOOK = Reply("Let me look.", tool_calls=(("look", {"city": "Oslo"}),))


@pytest.fixture
def asked(services: Any, tried: Any, call: Any) -> Callable[..., Any]:
    """Ask once: `asked(models, case=…, config=…, lent=…, trial=…, **settings)`."""

    def run(
        models: FakeModels,
        *,
        case: Case = CASE,
        config: dict[str, Any] | None = None,
        lent: dict[str, Any] | None = None,
        fields: dict[str, Any] | None = None,
        **given: Any,
    ) -> Any:
        settings = msgspec.convert({"model": "openai:m", **given}, ModelSettings)

        async def main() -> Any:
            spec = TargetSpec(name="t", kind="model", config=config or {})
            target = MODEL.build(spec, settings)
            await target.open(services(chat=models, **(lent or {})))
            try:
                return await tried(target, call(case, **(fields or {})))
            finally:
                await target.close()

        return asyncio.run(main())

    return run


def test_one_message_and_its_answer(asked: Any) -> None:
    models = FakeModels("Hello you.")
    got = asked(
        models,
        prompt="Q: {{ input.q }}",
        system="Be {{ config.who }}.",
        messages=[{"role": "user", "content": "1"}, {"role": "assistant", "content": "one"}],
        config={"who": "kind"},
        temperature=0.5,
        max_tokens=9,
        seed=4,
    )
    assert got.error is None
    assert got.outcome == Outcome(output="Hello you.")
    assert set(got.observes) == {"messages", "tools"}
    (request,) = models.requests
    assert [(m.role, m.content) for m in request.messages] == [
        ("system", "Be kind."),
        ("user", "1"),
        ("assistant", "one"),
        ("user", "Q: hi"),
    ]
    assert (request.model, request.temperature, request.max_tokens) == ("openai:m", 0.5, 9)
    assert (request.seed, request.case, request.trial, request.purpose) == (4, "c", 0, "target")
    said = got.only(Message)
    assert [(m.role, m.content, m.attributes) for m in said] == [
        ("system", "Be kind.", {}),
        ("user", "Q: hi", {"turn": 1}),
        ("assistant", "Hello you.", {"turn": 1}),
    ]
    assert {event.source for event in got.events} == {"observed"}
    (usage,) = got.only(Usage)
    assert (usage.input_tokens, usage.output_tokens, usage.cost_usd) == (10, 5, 0.001)
    assert usage.model == "m"
    assert got.only(Note) == []
    assert got.first_token_ms is not None


@pytest.mark.parametrize(("value", "text"), [("hi", "hi"), ({"a": 1}, '{"a":1}'), (None, "null")])
def test_the_prompt_is_the_whole_input_where_none_is_given(
    asked: Any, value: Any, text: str
) -> None:
    models = FakeModels("ok")
    asked(models, case=Case(id="c", input=value))
    assert models.requests[0].messages[0].content == text


def test_data_is_never_rendered_again(asked: Any) -> None:
    models = FakeModels("ok")
    case = Case(id="c", input={"q": "{{ config.who }} {% raw %} $input.q"})
    asked(models, case=case, prompt="{{ input.q }}")
    assert models.requests[0].messages[0].content == "{{ config.who }} {% raw %} $input.q"


def test_the_option_takes_the_place_of_the_model(asked: Any) -> None:
    models = FakeModels("ok")
    asked(models, lent={"model": "ollama:other"})
    assert models.requests[0].model == "ollama:other"


def test_a_trials_own_seed_may_be_sent(asked: Any) -> None:
    models = FakeModels("ok")
    asked(models, seed="trial", fields={"seed": 99, "trial": 3})
    assert (models.requests[0].seed, models.requests[0].trial) == (99, 3)


def test_tools_are_run_and_their_results_told(asked: Any) -> None:
    models = FakeModels(CALLS_LOOK, "It is blue.")
    got = asked(models, tools=[LOOK])
    assert got.error is None
    assert got.outcome.output == "It is blue."
    assert [event.kind for event in got.events] == [
        "message",
        "usage",
        "message",
        "tool_call",
        "tool_result",
        "usage",
        "message",
    ]
    assert got.only(ToolCall)[0].arguments == {"city": "Oslo"}
    assert got.only(ToolResult)[0].result == {"sky": "blue"}
    between = got.only(Message)[1]
    assert (between.content, between.attributes) == ("Let me look.", {})
    assert models.requests[0].tools[0].name == "look"
    told = models.requests[1].messages
    assert [m.role for m in told] == ["user", "assistant", "tool"]
    assert told[1].tool_calls[0].name == "look"
    assert (told[2].content, told[2].call_id) == ('{"sky":"blue"}', told[1].tool_calls[0].id)


def test_several_calls_of_one_reply_are_run_in_order(asked: Any) -> None:
    both = Reply(tool_calls=(("look", {"n": 1}), ("fly", {"n": 2})))
    got = asked(FakeModels(both, "done"), tools=[LOOK])
    assert [e.name for e in got.only(ToolCall)] == ["look", "fly"]
    assert got.only(ToolResult)[1].error == "there is no tool 'fly'; there are: look"
    assert got.outcome.output == "done"


def test_python_tools_with_the_trials_recorder_and_what_they_print(
    asked: Any, tmp_path: Path, capsys: Any
) -> None:
    (tmp_path / "seen_tools.py").write_text(
        textwrap.dedent(
            """
            import probare

            def look(city: str, recorder) -> str:
                print("looking")
                recorder.state({"at": city})
                assert probare.current() is recorder
                return "blue"
            """
        )
    )
    got = asked(FakeModels(CALLS_LOOK, "It is blue."), tools=["seen_tools:look"])
    assert got.error is None
    (state,) = got.only(StateChange)
    assert (state.state, state.source) == ({"at": "Oslo"}, "observed")
    assert got.outcome.state == {"at": "Oslo"}
    assert got.only(Note)[0].data.strip() == "looking"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("steps", "words"), [(1, "its only reply"), (3, "each of 3 replies")])
def test_asking_for_tools_without_end_is_a_limit(asked: Any, steps: int, words: str) -> None:
    models = FakeModels(CALLS_LOOK)
    got = asked(models, tools=[LOOK], max_steps=steps)
    assert isinstance(got.error, LimitReached)
    assert words in got.error.message
    assert len(models.requests) == len(got.only(ToolCall)) == steps


def test_a_refusal_is_an_answer(asked: Any) -> None:
    got = asked(FakeModels(Reply(refusal="I will not.")))
    assert got.error is None
    assert got.outcome.output == "I will not."
    assert got.only(Message)[-1].attributes == {"turn": 1, "refusal": True}


def test_an_empty_answer_is_an_answer(asked: Any) -> None:
    got = asked(FakeModels(Reply("")))
    assert got.error is None
    assert got.outcome == Outcome(output="")


def test_an_answer_that_is_cut_off_is_a_limit_and_keeps_what_came(asked: Any) -> None:
    got = asked(FakeModels(Reply("half of", finish="length")))
    assert isinstance(got.error, LimitReached)
    assert got.outcome == Outcome(output="half of", truncated=True)
    assert got.only(Message)[-1].attributes == {"turn": 1, "finish": "length"}


@pytest.mark.parametrize("text", [None, "half"])
def test_an_answer_withheld_by_a_filter_is_none(asked: Any, text: str | None) -> None:
    got = asked(FakeModels(Reply(text, finish="content_filter")))
    assert isinstance(got.error, TargetError)
    assert got.outcome == Outcome(output=text or UNSET, truncated=True)


@pytest.mark.parametrize(
    ("text", "output"),
    [('{"a": [1]}', {"a": [1]}), ("null", None), ("no JSON", "no JSON"), ("NaN", "NaN")],
)
def test_structured_output_is_the_value_or_the_text_that_checks_judge(
    asked: Any, text: str, output: Any
) -> None:
    models = FakeModels(text)
    got = asked(models, output={"type": "object"})
    assert got.error is None
    assert got.outcome.output == output
    assert models.requests[0].output == {"type": "object"}


def test_an_answer_too_long_is_a_limit(asked: Any) -> None:
    got = asked(FakeModels("word " * 50), lent={"max_output": 20})
    assert isinstance(got.error, LimitReached)
    assert got.outcome.output.startswith("word word ")


def test_what_comes_before_the_deadline_is_kept(asked: Any) -> None:
    class Slow(FakeModels):
        async def complete(self, request: Any, on_piece: Any = None) -> Any:
            on_piece("so far ")
            await asyncio.sleep(60)

    got = asked(Slow(), fields={"timeout": 0.1})
    assert isinstance(got.error, TimeoutError)
    assert got.outcome == Outcome(output="so far ", truncated=True)


def test_a_cached_reply_is_replayed_and_has_no_time_and_no_cost(asked: Any) -> None:
    free = UsageTotal(input_tokens=10, output_tokens=5)
    got = asked(FakeModels(Reply("again", cached=True, usage=free)))
    assert got.error is None
    assert got.first_token_ms is None
    assert got.only(Usage)[0].source == "replayed"
    assert got.only(Usage)[0].cost_usd is None
    assert [m.source for m in got.only(Message)] == ["observed", "replayed"]


def test_unknown_usage_is_unknown(asked: Any) -> None:
    (usage,) = asked(FakeModels(Reply("x", usage=None))).only(Usage)
    assert (usage.input_tokens, usage.output_tokens, usage.cost_usd) == (None, None, None)


def test_a_providers_fault_is_the_infrastructures(asked: Any) -> None:
    got = asked(FakeModels(InfraError("429", retry_after=2.0)))
    assert isinstance(got.error, InfraError)
    assert (got.error.retryable, got.error.retry_after) == (True, 2.0)


def test_a_deterministic_case_gets_no_model(asked: Any) -> None:
    models = FakeModels("x")
    got = asked(models, case=Case(id="c", input={"deterministic": True}))
    assert isinstance(got.error, InfraError)
    assert not got.error.retryable
    assert models.requests == []


def test_a_case_that_the_prompt_does_not_fit_is_asked_nothing(asked: Any) -> None:
    models = FakeModels("x")
    got = asked(models, prompt="{{ input.other }}")
    assert isinstance(got.error, InfraError)
    assert models.requests == []


@pytest.mark.parametrize(
    ("lent", "given", "told"),
    [
        ({"model": "nonsense"}, {}, "'nonsense' names no model"),
        ({"model": "openai:gone"}, {}, "OPENAI_API_KEY, which is not set"),
        ({}, {"tools": ["no_such_module:f"]}, "no module 'no_such_module'"),
        ({}, {"system": "{{ x }}"}, "the prompt: 'x' does not exist"),
    ],
)
def test_what_is_missing_is_told_before_anything_runs(
    asked: Any, lent: dict[str, Any], given: dict[str, Any], told: str
) -> None:
    models = FakeModels("x", missing={"openai:gone": "OPENAI_API_KEY"})
    with pytest.raises(InputError) as caught:
        asked(models, lent=lent, **given)
    assert told in str(caught.value)
    assert models.requests == []


def test_without_chat_models_there_is_no_such_target(services: Any) -> None:
    target = MODEL.build(TargetSpec(name="t", kind="model"), ModelSettings(model="openai:m"))
    with pytest.raises(HarnessError):
        target.recorder()
    with pytest.raises(InputError, match="no chat models"):
        asyncio.run(target.open(services()))


def test_a_script_is_said_turn_by_turn_with_all_that_came_before(asked: Any) -> None:
    models = FakeModels("one", CALLS_LOOK, "two")
    case = Case(id="c", input={"q": "x"}, turns=("first", "second {{ input.q }}"))
    got = asked(models, case=case, tools=[LOOK], prompt="never {{ input.q }}", system="S")
    assert got.error is None
    assert got.outcome == Outcome(output="two")
    assert [m.role for m in models.requests[-1].messages] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "tool",
    ]
    assert models.requests[-1].messages[3].content == "second {{ input.q }}"
    assert [request.turn for request in models.requests] == [1, 2, 2]
    marked = [(m.role, m.attributes["turn"]) for m in got.only(Message) if "turn" in m.attributes]
    assert marked == [("user", 1), ("assistant", 1), ("user", 2), ("assistant", 2)]
    (note,) = got.only(Note)
    assert note.data == {"conversation_ended": "script", "turns": 2}


def test_a_turn_that_fails_leaves_no_answer_of_the_turn_before(asked: Any) -> None:
    case = Case(id="c", turns=("a", "b"))
    got = asked(FakeModels("one", InfraError("down")), case=case)
    assert isinstance(got.error, InfraError)
    assert got.outcome.output is UNSET
    assert [m.content for m in got.only(Message)] == ["a", "one", "b"]
