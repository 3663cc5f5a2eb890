# Agents and tools are written without types, as users write them.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import asyncio
import contextlib
import io
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from probare.errors import HarnessError, InfraError, InputError, LimitReached, TargetError
from probare.model.case import Case
from probare.model.event import ErrorEvent, Message, Note, ToolCall
from probare.model.outcome import Outcome
from probare.model.suite import TargetSpec
from probare.targets.python import PYTHON, PythonSettings
from probare.targets.recorder import Recorder, current


def _plain(input: Any) -> Any:  # noqa: A002
    return {"echo": input}


async def _coroutine(input: Any) -> Any:  # noqa: A002
    await asyncio.sleep(0)
    return {"echo": input}


class WithMethod:
    async def run(self, input: Any) -> Any:  # noqa: A002
        return {"echo": input}


@pytest.mark.parametrize("isolation", [None, "none", "thread"])
@pytest.mark.parametrize("agent", [_plain, _coroutine, WithMethod, lambda x: _coroutine(x)])
def test_agents_of_all_kinds_answer(attempt: Any, agent: Any, isolation: Any) -> None:
    got = attempt(agent, isolation=isolation)
    assert got.error is None
    assert got.outcome == Outcome(output={"echo": {"q": "hi"}})
    assert got.first_token_ms is None


@pytest.mark.parametrize("output", ["", 0, False, [], {}])
def test_falsy_answers_are_answers(attempt: Any, output: Any) -> None:
    got = attempt(lambda _: output)
    assert got.error is None
    assert got.outcome == Outcome(output=output)


def test_an_outcome_sets_more(attempt: Any) -> None:
    whole = Outcome(output=None, state={"n": (1,)}, artifacts=("a.txt",), recorded={"reward": 1.0})
    got = attempt(lambda _: whole)
    assert got.error is None
    assert got.outcome == Outcome(
        output=None, state={"n": [1]}, artifacts=("a.txt",), recorded={"reward": 1.0}
    )


@pytest.mark.parametrize("answer", [None, Outcome()])
def test_nothing_is_no_answer(attempt: Any, answer: Any) -> None:
    got = attempt(lambda _: answer)
    assert isinstance(got.error, TargetError)
    assert "returned nothing and recorded nothing" in got.error.message
    assert got.outcome.output is UNSET


def test_recorded_events_are_an_answer_without_output(attempt: Any) -> None:
    def agent(recorder: Recorder) -> None:
        recorder.message("assistant", "hi")

    got = attempt(agent)
    assert got.error is None
    assert got.outcome.output is UNSET
    assert [type(event) for event in got.events] == [Message]


def test_what_was_printed_is_not_recorded_by_the_agent(attempt: Any) -> None:
    got = attempt(lambda _: print("hi"))
    assert isinstance(got.error, TargetError)
    assert "returned nothing" in got.error.message


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({1, 2}, "returned a set, which is not JSON"),
        ([float("nan")], "returned nan (at [0])"),
        (Outcome(output=b"x"), "returned as output a bytes"),
        (Outcome(output=1, state=object()), "returned as state an object"),
        (Outcome(output=1, artifacts=(5,)), "artifacts are not a list of paths"),  # pyright: ignore[reportArgumentType]
        (Outcome(output="half", truncated=True), "cut off"),
    ],
)
def test_an_answer_that_is_none_is_the_agents_fault(attempt: Any, answer: Any, said: str) -> None:
    got = attempt(lambda _: answer)
    assert isinstance(got.error, TargetError)
    assert said in got.error.message


def _boom(input: Any) -> Any:  # noqa: A002
    raise ValueError("no")


async def _async_boom(input: Any) -> Any:  # noqa: A002
    raise ValueError("no")


@pytest.mark.parametrize("isolation", [None, "thread"])
@pytest.mark.parametrize("agent", [_boom, _async_boom])
def test_what_the_agent_raises_is_a_target_error(attempt: Any, agent: Any, isolation: Any) -> None:
    got = attempt(agent, isolation=isolation)
    assert isinstance(got.error, TargetError)
    assert got.error.message == "ValueError: no"
    (event,) = got.only(ErrorEvent)
    assert event.message == "no"
    assert "boom" in event.traceback
    assert "probare/targets" not in event.traceback


def _raising(error: BaseException) -> list[Any]:
    def plain(input: Any) -> Any:  # noqa: A002
        raise error

    async def coroutine(input: Any) -> Any:  # noqa: A002
        raise error

    return [plain, coroutine]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SystemExit(3), "called exit(3)"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (StopIteration(), "StopIteration"),
        (asyncio.CancelledError(), "CancelledError"),
        (TimeoutError("my own"), "TimeoutError: my own"),
        (GeneratorExit(), "GeneratorExit"),
    ],
)
def test_no_exception_of_the_agent_ends_the_run(
    attempt: Any, error: BaseException, said: str
) -> None:
    for agent in _raising(error):
        got = attempt(agent)
        assert isinstance(got.error, TargetError), agent
        assert said in got.error.message


def test_an_agent_may_raise_an_infrastructure_error(attempt: Any) -> None:
    for agent in _raising(InfraError("the backend said 429", retry_after=2.0)):
        got = attempt(agent)
        assert isinstance(got.error, InfraError)
        assert got.error.retry_after == 2.0


def _pieces(input: Any) -> Any:  # noqa: A002
    yield "one "
    yield Message(role="tool", content="seen", source="observed")
    yield "two"


async def _async_pieces(input: Any) -> Any:  # noqa: A002
    for piece in _pieces(input):
        yield piece


@pytest.mark.parametrize("isolation", [None, "thread"])
@pytest.mark.parametrize("agent", [_pieces, _async_pieces, lambda x: _pieces(x)])
def test_pieces_join_and_events_among_them_are_claimed(
    attempt: Any, agent: Any, isolation: Any
) -> None:
    got = attempt(agent, isolation=isolation)
    assert got.error is None
    assert got.outcome == Outcome(output="one two")
    assert got.first_token_ms > 0
    (message,) = got.only(Message)
    assert message.source == "claimed"


def test_a_yielded_outcome_sets_it(attempt: Any) -> None:
    def agent(input: Any) -> Any:  # noqa: A002
        yield "text"
        yield Outcome(state={"done": True})

    got = attempt(agent)
    assert got.error is None
    assert got.outcome == Outcome(output="text", state={"done": True})


def test_what_a_generator_returns_is_its_output(attempt: Any) -> None:
    def agent(recorder: Recorder) -> Any:
        yield Message(role="user", content="x")
        return {"answer": 4}

    assert attempt(agent).outcome == Outcome(output={"answer": 4})


def test_an_empty_stream_is_no_answer(attempt: Any) -> None:
    def agent(input: Any) -> Any:  # noqa: A002
        yield from ()

    got = attempt(agent)
    assert isinstance(got.error, TargetError)


def _breaks(input: Any) -> Any:  # noqa: A002
    yield "half an "
    raise ConnectionError("gone")


async def _async_breaks(input: Any) -> Any:  # noqa: A002
    for piece in _breaks(input):
        yield piece


def _wrong(input: Any) -> Any:  # noqa: A002
    yield "half an "
    yield 5


@pytest.mark.parametrize("agent", [_breaks, _async_breaks, _wrong])
def test_a_stream_that_breaks_is_truncated_not_passed(attempt: Any, agent: Any) -> None:
    got = attempt(agent)
    assert isinstance(got.error, TargetError)
    assert got.outcome == Outcome(output="half an ", truncated=True)


async def _hangs(input: Any) -> Any:  # noqa: A002
    yield "half an "
    await asyncio.sleep(60)


def _hangs_plainly(input: Any) -> Any:  # noqa: A002
    yield "half an "
    time.sleep(60)


@pytest.mark.parametrize("agent", [_hangs, _hangs_plainly])
def test_a_stream_cut_by_the_deadline_is_kept(attempt: Any, agent: Any) -> None:
    got = attempt(agent, timeout=0.2)
    assert isinstance(got.error, TimeoutError)
    assert got.outcome == Outcome(output="half an ", truncated=True)


def test_an_abandoned_generator_is_closed_once_it_wakes(attempt: Any) -> None:
    closed = threading.Event()
    go_on = threading.Event()

    def agent(input: Any) -> Any:  # noqa: A002
        try:
            yield "a"
            go_on.wait(20)
            while True:
                yield "b"
        finally:
            closed.set()

    got = attempt(agent, timeout=0.2)
    go_on.set()
    assert isinstance(got.error, TimeoutError)
    assert closed.wait(20)


def _floods(input: Any) -> Any:  # noqa: A002
    while True:
        yield "0123456789"


async def _async_floods(input: Any) -> Any:  # noqa: A002
    while True:
        yield "0123456789"


@pytest.mark.parametrize("agent", [_floods, _async_floods, lambda x: "0123456789" * 9])
def test_a_flood_is_cut_with_a_mark(attempt: Any, agent: Any) -> None:
    got = attempt(agent, lent={"max_output": 25})
    assert isinstance(got.error, LimitReached)
    assert got.outcome.truncated
    assert got.outcome.output.startswith("0123456789012345678901234… [cut: ")


def test_a_structured_flood_is_cut_as_its_json(attempt: Any) -> None:
    got = attempt(lambda _: ["x" * 100], lent={"max_output": 5})
    assert isinstance(got.error, LimitReached)
    assert got.outcome == Outcome(output='["xxx… [cut: 99 more bytes]', truncated=True)


def test_tools_are_observed_and_config_is_handed_over(attempt: Any) -> None:
    def agent(recorder: Recorder, config: dict[str, Any], seed: int, model: str) -> Any:
        look = recorder.tool(lambda q: q * 2, "look")
        return [look(q=config["word"]), seed, model]

    got = attempt(agent, config={"word": "ab"}, seed=3, lent={"model": "m"})
    assert got.outcome == Outcome(output=["abab", 3, "m"])
    assert got.only(ToolCall)[0].arguments == {"q": "ab"}
    assert got.observes == ("tools",)


def test_the_recorder_of_the_trial_is_current_on_threads_and_tasks(attempt: Any) -> None:
    def plain(recorder: Recorder) -> Any:
        return current() is recorder

    async def coroutine(recorder: Recorder) -> Any:
        async def inner() -> bool:
            return current() is recorder

        return await asyncio.create_task(inner())

    for agent in (plain, coroutine):
        assert attempt(agent).outcome == Outcome(output=True)
    assert current() is None


def test_a_class_is_made_and_set_up_once_and_torn_down(
    services: Any, tried: Any, call: Any
) -> None:
    log: list[str] = []

    class Agent:
        def __init__(self) -> None:
            log.append("made")

        async def set_up(self) -> None:
            log.append("set up")

        def run(self, input: Any) -> str:  # noqa: A002
            log.append("ran")
            return "x"

        def tear_down(self) -> None:
            log.append("torn down")

    async def main() -> None:
        target = PYTHON.build(TargetSpec(name="t", kind="python"), PythonSettings(python=Agent))
        await target.open(services())
        assert (await tried(target, call(trial=0))).error is None
        assert (await tried(target, call(trial=1))).error is None
        await target.close()
        await target.close()

    asyncio.run(main())
    assert log == ["made", "set up", "ran", "ran", "torn down"]


class _BadSetUp:
    def set_up(self) -> None:
        raise OSError("no database")

    def run(self) -> None: ...


class _BadTearDown:
    async def tear_down(self) -> None:
        raise OSError("stuck")

    def run(self) -> str:
        return "x"


class Keyless:
    def set_up(self) -> None:
        raise InputError("OPENAI_API_KEY is not set", hint="export it")

    def __call__(self) -> str:
        return "never"


def test_what_an_agent_itself_says_it_lacks_is_told_as_it_says_it(attempt: Any) -> None:
    with pytest.raises(InputError) as caught:
        attempt(Keyless)
    assert (caught.value.message, caught.value.hint) == ("OPENAI_API_KEY is not set", "export it")


def test_a_set_up_that_fails_is_an_input_error(attempt: Any) -> None:
    with pytest.raises(InputError, match="set_up failed: OSError: no database"):
        attempt(_BadSetUp)


def test_a_tear_down_that_fails_is_said_and_leaves_nothing_behind(attempt: Any) -> None:
    before = sys.stdout
    with pytest.raises(TargetError, match="tear_down failed: OSError: stuck"):
        attempt(_BadTearDown)
    assert sys.stdout is before


def test_an_agent_is_found_beside_the_suite(attempt: Any, agent_file: Any) -> None:
    agent_file("def answer(input): return input['q'] + '!'")
    assert attempt("agent:answer").outcome == Outcome(output="hi!")


@pytest.mark.parametrize(
    ("source", "named", "said"),
    [
        ("x = 1", "agent:Agnet", "has no 'Agnet'"),
        ("Agent = 5", "agent:Agent", "no agent"),
        ("import nowhere_to_be_found", "agent:Agent", "needs 'nowhere_to_be_found'"),
        ("raise ValueError('at import')", "agent:Agent", "ValueError: at import"),
        ("def run(a, b): ...", "agent:run", "asks for 'a', 'b'"),
        ("", "agent", "does not name an object"),
        ("", "no_such_module_here:x", "there is no module"),
    ],
)
def test_a_target_that_cannot_be_had_is_an_input_error(
    attempt: Any, agent_file: Any, source: str, named: str, said: str
) -> None:
    agent_file(source)
    with pytest.raises(InputError) as caught:
        attempt(named)
    assert said in str(caught.value)


def test_prints_go_to_the_trial_not_to_the_terminal(attempt: Any) -> None:
    def agent(input: Any) -> str:  # noqa: A002
        print("thinking", "aloud")
        return "x"

    async def coroutine(input: Any) -> str:  # noqa: A002
        return agent(input)

    terminal = io.StringIO()
    for function in (agent, coroutine):
        with contextlib.redirect_stdout(terminal):
            got = attempt(function)
        (note,) = got.only(Note)
        assert (note.text, note.data) == ("stdout", "thinking aloud\n")
    assert terminal.getvalue() == ""


def test_prints_at_import_and_set_up_go_to_standard_error(
    attempt: Any, agent_file: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    agent_file("""
        print("imported")
        class Agent:
            def set_up(self): print("set up")
            def run(self): return "x"
            def tear_down(self): print("torn down")
    """)
    attempt("agent:Agent")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "imported\nset up\ntorn down\n"


def test_trials_at_once_are_kept_apart(services: Any, tried: Any, call: Any) -> None:
    async def agent(input: Any, recorder: Recorder) -> Any:  # noqa: A002
        print("I am", input["n"])
        await asyncio.sleep(0.01)
        recorder.note(str(input["n"]))
        input["n"] = -1
        return current() is recorder

    case_inputs = [{"n": n} for n in range(20)]

    async def main() -> list[Any]:
        target = PYTHON.build(TargetSpec(name="t", kind="python"), PythonSettings(python=agent))
        await target.open(services())
        cases = [Case(id=str(n), input=value) for n, value in enumerate(case_inputs)]
        got = await asyncio.gather(*(tried(target, call(case)) for case in cases))
        await target.close()
        return got

    for number, got in enumerate(asyncio.run(main())):
        assert got.outcome.output is True
        own, printed = got.events
        assert own.text == str(number)
        assert printed.data == f"I am {number}\n"
    assert case_inputs == [{"n": n} for n in range(20)]


def test_a_cancelled_run_stays_cancelled(services: Any, call: Any) -> None:
    async def agent(input: Any) -> None:  # noqa: A002
        await asyncio.sleep(60)

    async def main() -> None:
        target = PYTHON.build(TargetSpec(name="t", kind="python"), PythonSettings(python=agent))
        await target.open(services())
        recorder = target.recorder()
        task = asyncio.create_task(target.run(call(), recorder))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert recorder.events == ()
        await target.close()

    asyncio.run(main())


def test_the_workspace_is_the_trials(attempt: Any, tmp_path: Path) -> None:
    def agent(workspace: Path, recorder: Recorder) -> str:
        (workspace / "a.txt").write_text("x")
        recorder.artifact("a.txt")
        return "done"

    got = attempt(agent, workspace=tmp_path)
    assert got.events[0].size == 1


def test_a_target_that_is_not_open_is_the_harness_fault() -> None:
    target = PYTHON.build(TargetSpec(name="t", kind="python"), PythonSettings(python=_plain))
    with pytest.raises(HarnessError):
        target.recorder()
