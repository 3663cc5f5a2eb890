"""The Python face: what a script or a notebook uses."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

import probare
from probare import Case, LoadError, Outcome, Recorder, Suite, Verdict, arun, grader, run
from probare.errors import InputError
from probare.model.outcome import Transcript
from probare.model.record import TrialRecord

HELLO = Case(id="a", input="Ada", expect=[{"contains": "hello"}])


class TestAll:
    def test_every_name_is_there_and_every_home_is_named(self) -> None:
        for name in probare.__all__:
            assert getattr(probare, name) is not None
        public = {name for name in dir(probare) if not name.startswith("_")}
        modules = {name for name in public if inspect.ismodule(getattr(probare, name))}
        helpers = {"annotations", "import_module", "TYPE_CHECKING", "Any"}
        assert public - modules - helpers == set(probare.__all__)

    def test_an_unknown_name_is_an_attribute_error(self) -> None:
        with pytest.raises(AttributeError, match="has no attribute 'Suit'"):
            probare.Suit  # pyright: ignore  # noqa: B018

    def test_importing_it_imports_next_to_nothing(self) -> None:
        code = (
            "import sys; import probare; "
            "heavy = [n for n in sys.modules if n.split('.')[0] in "
            "('msgspec', 'click', 'rich', 'yaml', 'httpx', 'numpy')]; "
            "sys.exit(', '.join(heavy) or 0)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def made(target: Any, **keys: Any) -> Suite:
    return Suite("greeter", target=target, cases=[HELLO], **keys)


def plain(case: Any) -> str:
    return f"hello {case.input}"


async def coroutine(case: Any) -> str:
    await asyncio.sleep(0)
    return f"hello {case.input}"


async def streamed(case: Any) -> AsyncIterator[str]:
    yield "hel"
    yield f"lo {case.input}"


def generated(case: Any) -> Any:
    yield "hello "
    yield Outcome(output=f"hello {case.input}", state={"done": True})


class Agent:
    """Set up and torn down once a run."""

    log: ClassVar[list[str]] = []

    def __init__(self, config: dict[str, Any]) -> None:
        self.word = config.get("word", "hello")

    async def set_up(self) -> None:
        self.log.append("set_up")

    async def run(self, case: Any) -> str:
        return f"{self.word} {case.input}"

    async def tear_down(self) -> None:
        self.log.append("tear_down")


@pytest.mark.parametrize("target", [plain, coroutine, streamed, generated, Agent])
def test_any_agent_that_can_be_called_is_a_target(target: Any, tmp_path: Path) -> None:
    result = run(made(target), runs=tmp_path)
    assert result.passed, result.summary
    (record,) = result.records()
    assert record.output_text == "hello Ada"


def test_a_class_is_set_up_and_torn_down_once_a_run(tmp_path: Path) -> None:
    Agent.log.clear()
    assert run(made(Agent), trials=3, runs=tmp_path).passed
    assert Agent.log == ["set_up", "tear_down"]


def test_targets_by_name_and_with_variants(tmp_path: Path) -> None:
    suite = made(
        None, targets={"plain": plain, "odd": {"python": Agent, "config": {"word": "bye"}}}
    )
    assert run(suite, target="plain", runs=tmp_path).passed
    assert run(suite, target="odd", runs=tmp_path).exit_code == 1
    with pytest.raises(InputError, match="has no target"):
        run(suite, runs=tmp_path)


class TestLoops:
    def test_run_works_inside_a_running_loop(self, tmp_path: Path) -> None:
        """Field report B57: a worker thread; no nested loops."""

        async def notebook() -> probare.Run:
            return run(made(coroutine), runs=tmp_path)

        assert asyncio.run(notebook()).passed

    def test_arun_is_awaited(self, tmp_path: Path) -> None:
        async def several() -> list[probare.Run]:
            suites = [made(coroutine), made(plain), made(streamed)]
            return list(await asyncio.gather(*(arun(s, runs=tmp_path) for s in suites)))

        results = asyncio.run(several())
        assert all(result.passed for result in results)
        assert len({result.folder for result in results}) == 3

    def test_errors_reach_the_caller_from_inside_a_loop_too(self, tmp_path: Path) -> None:
        async def notebook() -> None:
            run(made(plain), target="gone", runs=tmp_path)

        with pytest.raises(InputError, match="no target 'gone'"):
            asyncio.run(notebook())


@grader
def polite(text: str, *, word: str = "please") -> tuple[bool, str]:
    """The text says please."""
    return word in text, f"looked for {word}"


def test_ones_own_graders(tmp_path: Path) -> None:
    suite = Suite(
        "s",
        target=lambda: "yes please",
        cases=[
            Case(id="a", expect=["polite"]),
            Case(id="b", expect=[{"polite": "kindly"}]),
            Case(id="c", forbid=[{"polite": {"word": "no"}}]),
        ],
    )
    result = run(suite, graders=[polite], runs=tmp_path)
    assert result.summary is not None
    assert {c: s.status for c, s in result.summary.per_case.items()} == {
        "a": "passed",
        "b": "failed",
        "c": "passed",
    }
    verdict = next(record.verdicts[0] for record in result.records() if record.case == "b")
    assert (verdict.grader, verdict.reason) == ("polite", "looked for kindly")
    with pytest.raises(LoadError, match="unknown grader 'polite'"):
        run(suite, runs=tmp_path)


def test_a_recorder_observes_what_is_really_passed(tmp_path: Path) -> None:
    def search(query: str) -> str:
        return query.upper()

    def agent(recorder: Recorder) -> str:
        return recorder.tool(search)("ada")

    called = {"name": "search", "args": {"query": "ada"}}
    suite = Suite(
        "s",
        target=agent,
        cases=[Case(id="a", expect=[{"tool_called": called}])],
    )
    result = run(suite, runs=tmp_path)
    assert result.passed
    (record,) = result.records()
    assert [event.kind for event in result.transcript(record).events] == [
        "tool_call",
        "tool_result",
    ]


def test_a_failed_suite_raises_nothing(tmp_path: Path) -> None:
    failed = run(made(lambda: "bye"), runs=tmp_path)
    assert (failed.passed, failed.exit_code) == (False, 1)
    assert failed.summary is not None
    assert failed.summary.decision == "failed"
    assert failed.scores.pass_rate.value == 0.0

    def crash() -> str:
        raise ValueError("down")

    errored = run(made(crash), runs=tmp_path)
    assert (errored.passed, errored.exit_code) == (False, 3)


def test_a_load_error_lists_all_faults(tmp_path: Path) -> None:
    suite = Suite(
        "s",
        target=plain,
        cases=[
            Case(id="a", expect=[{"contians": "x"}]),
            Case(id="a", expect=["is_json"]),
            Case(id="c", expect=[{"contains": 5}], forbid=[{"regex": "("}]),
        ],
        gate={"max_dorp": 0.1},
    )
    with pytest.raises(LoadError) as caught:
        run(suite, runs=tmp_path / "runs")
    text = str(caught.value)
    for fault in ("contians", "did you mean 'contains'?", "max_dorp", "forbid[0]", "cases[1]"):
        assert fault in text
    assert len(caught.value.faults) == 5
    assert not (tmp_path / "runs").exists()


def test_options_in_their_short_forms(tmp_path: Path) -> None:
    suite = Suite("s", target=plain, cases=[HELLO, Case(id="b", expect=[{"contains": "hello"}])])
    result = run(suite, cases="b", timeout="30s", runs=str(tmp_path))
    assert [record.case for record in result.records()] == ["b"]
    with pytest.raises(InputError, match="timeout: 'soon' is no duration"):
        run(suite, timeout="soon", runs=tmp_path)


def test_a_suite_file_or_folder_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text(
        "suite: s\ntarget: {python: 'face_agent:say'}\n"
        "cases: [{id: a, expect: [{contains: hello}]}]\n"
    )
    (tmp_path / "face_agent.py").write_text("def say():\n    return 'hello'\n")
    for path in (tmp_path, tmp_path / "suite.yaml", str(tmp_path)):
        assert run(path, runs=tmp_path / "runs").passed
    with pytest.raises(LoadError):
        run(tmp_path / "gone.yaml", runs=tmp_path / "runs")


def test_progress_goes_to_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(made(plain), runs=tmp_path)
    assert capsys.readouterr() == ("", "")
    run(made(plain), runs=tmp_path, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "1/1" in err


def test_a_runs_memory_holds_no_records(tmp_path: Path) -> None:
    """Records are on disk; what is alive while the run goes on does not grow with it."""
    alive: list[int] = []

    async def agent(case: Any) -> str:
        if case.input == 290:
            gc.collect()
            kinds = (TrialRecord, Transcript)
            alive.append(sum(isinstance(thing, kinds) for thing in gc.get_objects()))
        return "hello"

    cases = [Case(id=f"c{n}", input=n, expect=[{"contains": "hello"}]) for n in range(300)]
    result = run(Suite("s", target=agent, cases=cases), runs=tmp_path, concurrency=4)
    assert result.passed
    assert len(alive) == 1
    assert alive[0] < 30
    assert sum(1 for _ in result.records()) == 300


def test_the_environment_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("FACE_OF_TEST=1\n")
    seen: list[str | None] = []

    def agent() -> str:
        seen.append(os.environ.get("FACE_OF_TEST"))
        return "hello"

    run(made(agent, folder=tmp_path), runs=tmp_path / "runs")
    assert seen == ["1"]
    assert "FACE_OF_TEST" not in os.environ


def test_a_verdict_can_be_made_by_hand() -> None:
    assert Verdict("pass", 1.0, "because").result == "pass"
