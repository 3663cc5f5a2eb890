import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InfraError, InputError, LimitReached, TargetError
from probare.model.case import Case
from probare.model.event import ErrorEvent, Note, Retrieval, StateChange, ToolCall, ToolResult
from probare.model.outcome import Outcome
from probare.model.suite import TargetSpec
from probare.targets.python import PYTHON, PythonSettings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")


@pytest.fixture
def isolated(attempt: Any, agent_file: Any) -> Any:
    """Run one attempt of an agent, given as source, in a process of its own."""

    def run(source: str, name: str = "agent:run", **more: Any) -> Any:
        agent_file(source)
        return attempt(name, isolation="process", **more)

    return run


def _gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def _ends(pid: int) -> bool:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if _gone(pid):
            return True
        time.sleep(0.02)
    return False


def test_everything_comes_back(isolated: Any, tmp_path: Path) -> None:
    got = isolated(
        """
        import os

        def run(input, recorder, case, trial, seed, config, workspace, model):
            look = recorder.tool(lambda q: {"found": q}, "look")
            search = recorder.retriever(lambda query: ["doc"], "kb")
            look("x"); search("y"); recorder.state({"n": 1}); recorder.note("mine")
            assert os.getpid() != PARENT
            return [input, case.id, trial, seed, config, str(workspace), model]
        """.replace("PARENT", str(os.getpid())),
        case=Case(id="c", input={"q": "ü\ud800"}, reference=[1]),
        config={"a": 1},
        trial=3,
        seed=9,
        workspace=tmp_path,
        lent={"model": "m"},
    )
    assert got.error is None
    assert got.outcome.output[1:] == ["c", 3, 9, {"a": 1}, str(tmp_path), "m"]
    assert got.outcome.state == {"n": 1}
    assert [type(event) for event in got.events] == [
        ToolCall,
        ToolResult,
        Retrieval,
        StateChange,
        Note,
    ]
    assert [event.seq for event in got.events] == list(range(5))
    assert [event.source for event in got.events] == ["observed"] * 3 + ["claimed"] * 2
    times = [event.at_ms for event in got.events]
    assert times == sorted(times)
    assert times[0] > 0
    assert got.events[2].documents == ["doc"]
    assert got.observes == ("tools", "retrievals")


def test_streams_are_timed_on_the_trials_clock(isolated: Any) -> None:
    got = isolated("""
        async def run(input):
            yield "one "
            yield "two"
    """)
    assert got.error is None
    assert got.outcome == Outcome(output="one two")
    assert got.first_token_ms > 0


def test_a_class_is_set_up_and_torn_down_in_each_process(isolated: Any) -> None:
    got = isolated(
        """
        class Agent:
            def __init__(self, config): self.log = [config["a"]]
            async def set_up(self): self.log.append("up")
            def run(self): return self.log
            def tear_down(self): print("down")
        """,
        "agent:Agent",
        config={"a": 1},
    )
    assert got.outcome == Outcome(output=[1, "up"])
    assert [(note.text, note.data) for note in got.only(Note)] == [("stdout", "down\n")]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError('no')", "ValueError: no"),
        ("import sys; sys.exit(3)", "called exit(3)"),
        ("return {1, 2}", "returned a set"),
        ("return input()", "EOFError"),
        ("import os; os._exit(4)", "exit code 4 before it answered"),
        ("import os; os._exit(0)", "exit code 0 before it answered"),
        ("import os; os.abort()", "killed by SIGABRT"),
        ("import os, signal; os.kill(os.getpid(), 9)", "killed by SIGKILL"),
        ("import os; os.closerange(3, 100); return 1", "exit code"),
    ],
)
def test_no_death_is_an_answer(isolated: Any, body: str, said: str) -> None:
    got = isolated(f"""
        def run(case, recorder):
            recorder.note("before")
            {body}
    """)
    assert isinstance(got.error, TargetError)
    assert said in got.error.message
    assert got.outcome == Outcome()
    assert got.events[0].text == "before"


def test_the_last_words_are_in_the_error(isolated: Any) -> None:
    got = isolated("""
        import os, sys
        def run(input):
            print("out")
            print("panic: no memory", file=sys.stderr)
            os.write(1, b"raw\\n")
            os._exit(7)
    """)
    assert "panic: no memory" in got.error.message
    assert [(n.text, n.data) for n in got.only(Note)] == [
        ("stdout", "out\nraw\n"),
        ("stderr", "panic: no memory\n"),
    ]


def test_tracebacks_are_the_agents(isolated: Any) -> None:
    got = isolated("""
        async def run(input):
            raise KeyError("gone")
    """)
    (event,) = got.only(ErrorEvent)
    assert event.type == "KeyError"
    assert "agent.py" in event.traceback
    assert "answering.py" not in event.traceback


def test_an_infrastructure_error_keeps_its_wait(isolated: Any) -> None:
    got = isolated("""
        from probare.errors import InfraError
        def run(input):
            raise InfraError("429", retry_after=3.5, retryable=False, hint="wait")
    """)
    assert isinstance(got.error, InfraError)
    assert (got.error.retry_after, got.error.retryable) == (3.5, False)
    assert got.error.hint == "wait"


@pytest.mark.parametrize("body", ["while True: yield 'x' * 1000", "yield; return 'x' * 100_000"])
def test_a_flood_is_cut(isolated: Any, body: str) -> None:
    source = f"def run(input):\n    {body}\n".replace("yield; return", "return")
    got = isolated(source, lent={"max_output": 5_000})
    assert isinstance(got.error, LimitReached)
    assert got.outcome.truncated
    assert got.outcome.output.startswith("x" * 5_000 + "… [cut: ")


def test_a_printing_flood_is_cut(isolated: Any) -> None:
    got = isolated("""
        def run(input):
            print("x" * 100_000)
            return "fine"
    """)
    assert got.error is None
    (note,) = got.only(Note)
    assert note.data.endswith("… [cut: 80,001 more bytes]")


def test_the_deadline_kills_the_process_and_its_children(isolated: Any) -> None:
    got = isolated(
        """
        import os, subprocess, time
        def run(input, recorder):
            yield "half an "
            child = subprocess.Popen(["sleep", "600"])
            recorder.note("pids", [os.getpid(), child.pid])
            while True: pass
        """,
        timeout=4.0,
    )
    assert isinstance(got.error, TimeoutError)
    assert got.outcome == Outcome(output="half an ", truncated=True)
    (note,) = got.only(Note)
    assert all(_ends(pid) for pid in note.data)


def test_children_left_behind_are_killed_at_the_end(isolated: Any) -> None:
    got = isolated("""
        import subprocess, threading, time
        def run(input):
            threading.Thread(target=time.sleep, args=(600,)).start()
            return subprocess.Popen(["sleep", "600"]).pid
    """)
    assert got.error is None
    assert _ends(got.outcome.output)


def test_a_case_may_ask_for_its_own_process(attempt: Any, agent_file: Any) -> None:
    agent_file("import os\ndef run(input): return os.getpid()\n")
    case = Case(id="c", isolation="process")
    assert attempt("agent:run", case=case).outcome.output != os.getpid()
    case = Case(id="c", isolation="none")
    assert attempt("agent:run", case=case, isolation="process").outcome.output == os.getpid()


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        ("x = 1", "agent:Agent", "has no 'Agent'"),
        ("import sys; sys.exit(2)", "agent:run", "SystemExit"),
        ("import os; os._exit(2)", "agent:run", "exit code 2"),
        ("def run(a, b): ...", "agent:run", "asks for 'a', 'b'"),
    ],
)
def test_an_agent_that_cannot_be_had_is_an_input_error(
    isolated: Any, source: str, name: str, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        isolated(source, name)
    assert said in str(caught.value)


def test_an_object_cannot_go_to_another_process(attempt: Any) -> None:
    with pytest.raises(InputError, match="another process can import"):
        attempt(str, isolation="process")


def test_a_set_up_that_fails_is_no_answer(isolated: Any) -> None:
    got = isolated(
        """
        class Agent:
            def set_up(self): raise OSError("no database")
            def run(self): return 1
        """,
        "agent:Agent",
    )
    assert isinstance(got.error, TargetError)
    assert "set_up failed: OSError: no database" in got.error.message


def test_many_at_once_are_kept_apart_and_leave_no_descriptor(
    services: Any, tried: Any, call: Any, agent_file: Any
) -> None:
    agent_file("""
        def run(input, recorder):
            print(input)
            recorder.note(str(input))
            return input
    """)

    async def main() -> tuple[list[Any], int]:
        spec = TargetSpec(name="t", kind="python", isolation="process")
        target = PYTHON.build(spec, PythonSettings(python="agent:run"))
        await target.open(services())
        before = len(os.listdir("/dev/fd"))
        cases = [Case(id=str(n), input=n) for n in range(8)]
        got = await asyncio.gather(*(tried(target, call(case, timeout=60.0)) for case in cases))
        await target.close()
        await asyncio.sleep(0)
        return list(got), len(os.listdir("/dev/fd")) - before

    results, left = asyncio.run(main())
    for number, got in enumerate(results):
        assert got.error is None
        assert got.outcome == Outcome(output=number)
        assert [n.data or n.text for n in got.only(Note)] == [str(number), f"{number}\n"]
    assert left <= 0


def test_the_death_of_the_harness_is_the_end_of_the_trial(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "import os, time\n"
        "def run(input):\n"
        f"    open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "    time.sleep(600)\n"
    )
    source = f"""
import asyncio, os, sys, threading, time
from pathlib import Path
from probare.model.case import Case
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall
from probare.targets.python import PYTHON, PythonSettings

async def main():
    spec = TargetSpec(name="t", kind="python", isolation="process")
    target = PYTHON.build(spec, PythonSettings(python="agent:run"))
    await target.open(Services(executor=None, folder=Path({str(tmp_path)!r})))
    call = TrialCall(case=Case(id="c"), trial=0, attempt=1, seed=0, timeout=60)
    await target.run(call, target.recorder())

def die():
    while not (Path({str(tmp_path)!r}) / "pid").exists():
        time.sleep(0.02)
    os.kill(os.getpid(), 9)

threading.Thread(target=die, daemon=True).start()
asyncio.run(main())
"""

    async def harness() -> int | None:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            source,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        return await asyncio.wait_for(process.wait(), 60)

    assert asyncio.run(harness()) == -9
    until = time.monotonic() + 20
    while not (text := (tmp_path / "pid").read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    assert _ends(int(text))
