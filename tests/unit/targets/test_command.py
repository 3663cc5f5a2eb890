import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from probare.errors import InfraError, InputError, LimitReached, TargetError
from probare.model.case import Case
from probare.model.event import Note, ToolCall
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall
from probare.targets.answer import CUT_MARK
from probare.targets.command import COMMAND, CommandSettings, CommandTarget
from probare.targets.tape import Tape

T = TypeVar("T")


class Nobody:
    async def call(self, function: Callable[[], T]) -> T:
        raise AssertionError("a command needs no thread")


def target_of(command: list[str] | str, config: dict[str, Any] | None = None, **more: Any) -> Any:
    spec = TargetSpec(name="t", kind="command", config=config or {})
    settings = msgspec.convert({"command": command, **more}, CommandSettings)
    return COMMAND.build(spec, settings)


async def trial(
    target: CommandTarget, folder: Path, *, workspace: Path | None = None, **services: Any
) -> Tape:
    await target.open(Services(executor=Nobody(), folder=folder, **services))
    tape = target.recorder()
    assert isinstance(tape, Tape)
    call = TrialCall(
        case=Case(id="c", input={"q": "hi"}, reference="secret"),
        trial=1,
        attempt=1,
        seed=5,
        timeout=30.0,
        workspace=workspace,
    )
    try:
        await target.run(call, tape)
    except Exception as error:
        error.tape = tape  # pyright: ignore[reportAttributeAccessIssue]
        raise
    finally:
        await target.close()
    return tape


def ran(program: str, folder: Path, **more: Any) -> Tape:
    return asyncio.run(trial(target_of([sys.executable, "-c", program]), folder, **more))


def failed(error_type: type[Exception], program: str, folder: Path, **more: Any) -> Any:
    with pytest.raises(error_type) as caught:
        ran(program, folder, **more)
    return caught.value


def notes(tape: Tape) -> list[str]:
    return [event.text for event in tape.events if isinstance(event, Note)]


def is_gone(pid: int) -> bool:
    """Whether a process has ended (one that nobody has reaped counts as ended)."""
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            if not Path("/proc/self").exists():
                try:
                    os.kill(pid, 0)
                except ProcessLookupError:
                    return True
                continue
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_what_the_program_is_told(tmp_path: Path) -> None:
    program = "import json, sys; print(json.dumps({'output': json.load(sys.stdin)}))"
    target = target_of([sys.executable, "-c", program], {"tone": "kind"})
    tape = asyncio.run(trial(target, tmp_path, model="m"))
    assert tape.outcome.output == {
        "input": {"q": "hi"},
        "case": "c",
        "trial": 1,
        "seed": 5,
        "config": {"tone": "kind"},
        "model": "m",
        "workspace": None,
    }
    assert tape.observes == ()
    assert not tape.outcome.truncated


def test_events_are_claims(tmp_path: Path) -> None:
    event = {"kind": "tool_call", "name": "x", "source": "observed"}
    program = f"print({json.dumps({'event': event})!r}); print('{{\"output\": 1}}')"
    tape = ran(program, tmp_path)
    (call,) = tape.events
    assert isinstance(call, ToolCall)
    assert call.source == "claimed"


def test_a_text_is_split_but_no_shell_sees_it(tmp_path: Path) -> None:
    program = "import sys; print(sys.argv[1:])"
    command = f'"{sys.executable}" -c "{program}" "a b" $HOME ; echo no | cat > out'
    tape = asyncio.run(trial(target_of(command), tmp_path))
    words = ["a b", "$HOME", ";", "echo", "no", "|", "cat", ">", "out"]
    assert tape.outcome.output == str(words)
    assert not (tmp_path / "out").exists()


def test_environment_and_folder(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    program = "import os; print(os.environ['PORT'], os.path.basename(os.getcwd()))"
    target = target_of([sys.executable, "-c", program], env={"PORT": 80}, cwd="inner")
    assert asyncio.run(trial(target, tmp_path)).outcome.output == "80 inner"


def test_a_workspace_is_the_folder_and_files_beside_the_suite_are_found(tmp_path: Path) -> None:
    home, workspace = tmp_path / "suite", tmp_path / "work"
    home.mkdir()
    workspace.mkdir()
    (home / "agent.py").write_text("import os; print(os.path.basename(os.getcwd()))")
    for folder, place in ((None, "suite"), (workspace, "work")):
        target = target_of([sys.executable, "agent.py"])
        assert asyncio.run(trial(target, home, workspace=folder)).outcome.output == place


@pytest.mark.skipif(os.name != "posix", reason="needs an executable file")
def test_a_program_beside_the_suite(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.write_text(f"#!{sys.executable}\nprint('hi')\n")
    with pytest.raises(InputError, match=r"chmod \+x"):
        asyncio.run(trial(target_of("./agent"), tmp_path))
    with pytest.raises(InputError, match=r"write \./agent"):
        asyncio.run(trial(target_of("agent"), tmp_path))
    agent.chmod(0o755)
    assert asyncio.run(trial(target_of("./agent"), tmp_path)).outcome.output == "hi"


@pytest.mark.parametrize(
    ("command", "more", "said"),
    [
        ("no-such-program-here", {}, "is not there: no-such-program-here"),
        ("./none", {}, r"is not there: \./none"),
        ("", {}, "the command is empty"),
        ([], {}, "the command is empty"),
        ('a "b', {}, "cannot be split"),
        (["a\0b"], {}, "NUL"),
        ("python", {"cwd": "none"}, "working folder of the command does not exist"),
    ],
)
def test_commands_that_cannot_be(
    command: list[str] | str, more: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        asyncio.run(trial(target_of(command, **more), tmp_path))


def test_python_is_found_where_none_is_on_the_path(tmp_path: Path) -> None:
    target = target_of(["python", "-c", "print('hi')"], env={"PATH": str(tmp_path)})
    assert asyncio.run(trial(target, tmp_path)).outcome.output == "hi"


def test_a_failure_is_the_agents_even_after_an_output(tmp_path: Path) -> None:
    program = "import sys; print('{\"output\": \"fine\"}'); sys.exit('the disk is full')"
    error = failed(TargetError, program, tmp_path)
    assert "exited with code 1" in error.message
    assert "the disk is full" in error.message
    assert error.tape.outcome.output == "fine"
    assert error.tape.outcome.truncated


def test_a_stream_that_breaks_is_truncated(tmp_path: Path) -> None:
    program = 'import os; print(\'{"piece": "once upon"}\', flush=True); os.kill(os.getpid(), 9)'
    error = failed(TargetError, program, tmp_path)
    assert "killed by signal 9" in error.message
    assert error.tape.outcome.output == "once upon" + CUT_MARK
    assert error.tape.outcome.truncated


def test_an_answer_of_nothing(tmp_path: Path) -> None:
    assert "answered nothing" in failed(TargetError, "pass", tmp_path).message


def test_standard_error_is_kept_in_a_note(tmp_path: Path) -> None:
    program = "import sys; sys.stderr.write('x' * 50_000 + 'last'); print('hi')"
    tape = ran(program, tmp_path)
    (text,) = notes(tape)
    assert text.startswith("standard error (the first 41,")
    assert text.endswith("xlast")
    assert len(text) < 9_000
    assert tape.outcome.output == "hi"


def test_input_that_nobody_reads(tmp_path: Path) -> None:
    target = target_of(
        [sys.executable, "-c", "import os; os.close(0); print('hi')"], {"long": "x" * 2_000_000}
    )
    assert asyncio.run(trial(target, tmp_path)).outcome.output == "hi"


def test_a_flood_is_stopped(tmp_path: Path) -> None:
    program = "while True: print('x' * 1000)"
    error = failed(LimitReached, program, tmp_path, max_output=5_000)
    assert "5,000 bytes" in error.message
    assert len(error.tape.outcome.output) == 5_000 + len(CUT_MARK)
    assert error.tape.outcome.truncated


CHILD = "import time; time.sleep(600)"
PARENT = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {CHILD!r}])
print(child.pid, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs groups of processes")
def test_children_that_outlive_the_program_are_killed(tmp_path: Path) -> None:
    tape = ran(PARENT, tmp_path)
    assert is_gone(int(tape.outcome.output))


@pytest.mark.skipif(os.name != "posix", reason="needs groups of processes")
def test_a_process_that_left_the_group_holds_nothing_up(tmp_path: Path) -> None:
    program = PARENT.replace("])", "], start_new_session=True)")
    tape = ran(program, tmp_path)
    os.kill(int(tape.outcome.output), 9)
    assert notes(tape) == ["a process that left the command's group still held its output open"]


@pytest.mark.skipif(os.name != "posix", reason="needs groups of processes")
def test_a_cancelled_command_is_killed_with_its_children(tmp_path: Path) -> None:
    program = PARENT + "child.wait()"

    async def cancelled() -> Tape:
        target = target_of([sys.executable, "-c", program])
        await target.open(Services(executor=Nobody(), folder=tmp_path))
        tape = Tape()
        call = TrialCall(case=Case(id="c"), trial=0, attempt=1, seed=0, timeout=1.0)
        task = asyncio.create_task(target.run(call, tape))
        while not (tmp_path / "pids").exists():
            await asyncio.sleep(0.01)
            assert not task.done()
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return tape

    program = program.replace(
        "print(child.pid, flush=True)",
        "import os; print('thinking', flush=True)\n"
        "open('half', 'w').write(f'{os.getpid()} {child.pid}'); os.rename('half', 'pids')",
    )
    tape = asyncio.run(cancelled())
    for pid in (tmp_path / "pids").read_text().split():
        assert is_gone(int(pid))
    assert tape.outcome.output == "thinking" + CUT_MARK
    assert tape.outcome.truncated


def test_a_folder_that_vanished_is_an_infrastructure_fault(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(InfraError, match="cannot be started") as caught:
        ran("print(1)", tmp_path, workspace=gone)
    assert not caught.value.retryable


def test_many_at_once(tmp_path: Path) -> None:
    program = "import json, sys; print(json.load(sys.stdin)['seed'])"

    async def all_of_them() -> list[Any]:
        target = target_of([sys.executable, "-S", "-E", "-c", program])
        await target.open(Services(executor=Nobody(), folder=tmp_path))

        async def one(seed: int) -> Any:
            tape = Tape()
            call = TrialCall(case=Case(id="c"), trial=0, attempt=1, seed=seed, timeout=60.0)
            await target.run(call, tape)
            return tape.outcome.output

        return await asyncio.gather(*(one(seed) for seed in range(50)))

    assert asyncio.run(all_of_them()) == [str(seed) for seed in range(50)]
