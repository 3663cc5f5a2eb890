import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.encoding import digest
from probare.errors import (
    HarnessError,
    InfraError,
    InputError,
    LimitReached,
    TargetError,
    TrialError,
)
from probare.model.case import Case
from probare.model.event import ErrorEvent, Message, Note, ToolCall
from probare.model.outcome import Outcome, Transcript
from probare.model.suite import TargetSpec
from probare.targets.replay import REPLAY, ReplaySettings


def _line(case: str = "a", trial: int = 0, **fields: Any) -> bytes:
    if not fields:
        fields = {"outcome": Outcome(output=f"{case}/{trial}")}
    return msgspec.json.encode(Transcript(case=case, trial=trial, **fields)) + b"\n"


@pytest.fixture
def replayed(services: Any, tried: Any, call: Any) -> Any:
    """Open a recording and run trials of it: `replayed(path, ("case", 0), …)`."""

    def run(path: str, *trials: tuple[str, int]) -> list[Any]:
        async def main() -> list[Any]:
            target = REPLAY.build(TargetSpec(name="t", kind="replay"), ReplaySettings(replay=path))
            await target.open(services())
            try:
                cases = [(Case(id=case), trial) for case, trial in trials]
                return [await tried(target, call(case, trial=n)) for case, n in cases]
            finally:
                await target.close()

        return asyncio.run(main())

    return run


def test_a_trial_comes_back_as_it_was(tmp_path: Path, replayed: Any) -> None:
    events = (
        ToolCall(name="t", arguments={"a": 1}, seq=0, at_ms=1.5, source="observed"),
        Message(role="assistant", content="x", seq=1, source="claimed"),
        Note(text="n", seq=2, at_ms=3.0, source="replayed"),
    )
    whole = Outcome(output=0, state={"n": 1}, artifacts=("a",), recorded={"reward": 1.0})
    line = _line("a", 1, events=events, outcome=whole, observes=("tools", "messages"))
    (tmp_path / "transcripts.jsonl").write_bytes(line)
    for path in (".", "transcripts.jsonl", str(tmp_path)):
        (got,) = replayed(path, ("a", 1))
        assert got.error is None
        assert got.outcome == whole
        assert got.observes == ("tools", "messages")
        assert [e.source for e in got.events] == ["replayed", "claimed", "replayed"]
        assert [e.at_ms for e in got.events] == [1.5, None, 3.0]
        assert got.events[0].arguments == {"a": 1}


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.dictionaries(
        st.tuples(st.text(max_size=4), st.integers(0, 3)), st.text(max_size=20), min_size=1
    ),
    st.sampled_from([b"\n", b"\r\n", b"\n\n"]),
    st.booleans(),
)
def test_every_trial_is_found_whatever_its_neighbours(
    tmp_path: Path, replayed: Any, outputs: dict[tuple[str, int], str], end: bytes, bom: bool
) -> None:
    lines = [
        _line(case, trial, outcome=Outcome(output=output)).strip()
        for (case, trial), output in outputs.items()
    ]
    data = end.join(lines)
    (tmp_path / "t.jsonl").write_bytes(b"\xef\xbb\xbf" + data if bom else data)
    got = replayed("t.jsonl", *outputs)
    assert [trial.outcome.output for trial in got] == list(outputs.values())


def test_an_absent_trial_is_an_infrastructure_error(tmp_path: Path, replayed: Any) -> None:
    (tmp_path / "t.jsonl").write_bytes(_line("a", 0) + _line("a", 1))
    other_trial, other_case = replayed("t.jsonl", ("a", 2), ("b", 0))
    for got in (other_trial, other_case):
        assert isinstance(got.error, InfraError)
        assert not got.error.retryable
        assert got.outcome == Outcome()
    assert "trials 0, 1" in other_trial.error.hint
    assert "none of this case" in other_case.error.hint


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (_line("a") + b"{not json\n", 2, "no transcript"),
        (_line("a") + b"\n" + _line("b")[:-9], 3, "no transcript"),
        (b'{"trial": 0}\n', 1, "no transcript"),
        (b'{"case": "a", "events": [{"kind": "dance"}]}\n', 1, "no transcript"),
        (b'{"case": "\xff"}\n', 1, "no transcript"),
        (_line("a") + _line("b") + _line("a"), 3, "stands on line 1 already"),
    ],
)
def test_a_corrupt_recording_is_an_input_error(
    tmp_path: Path, replayed: Any, data: bytes, line: int, said: str
) -> None:
    (tmp_path / "t.jsonl").write_bytes(data)
    with pytest.raises(InputError) as caught:
        replayed("t.jsonl")
    assert said in caught.value.message
    assert caught.value.place is not None
    assert caught.value.place.line == line
    assert caught.value.hint


@pytest.mark.parametrize(("name", "said"), [("absent.jsonl", "cannot be read"), (".", "cannot")])
def test_a_missing_recording_is_an_input_error(replayed: Any, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        replayed(name)


def test_an_empty_recording_is_an_input_error(tmp_path: Path, replayed: Any) -> None:
    (tmp_path / "t.jsonl").write_bytes(b"\n\n")
    with pytest.raises(InputError, match="empty"):
        replayed("t.jsonl")


@pytest.mark.parametrize(
    ("stop", "kind"),
    [
        ("timeout", TargetError),
        ("target_error", TargetError),
        ("limit", LimitReached),
        ("infra_error", InfraError),
    ],
)
def test_a_trial_that_did_not_complete_then_does_not_now(
    tmp_path: Path, replayed: Any, stop: str, kind: type[TrialError]
) -> None:
    (tmp_path / "transcripts.jsonl").write_bytes(_line("a", 0) + _line("a", 1))
    records = [
        {"case": "a", "trial": 0, "stop": "completed", "error": None, "status": "passed"},
        {"case": "a", "trial": 1, "stop": stop, "error": {"type": "E", "message": "why"}},
    ]
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    (tmp_path / "trials.jsonl").write_bytes(lines)
    good, bad = replayed(".", ("a", 0), ("a", 1))
    assert good.error is None
    assert type(bad.error) is kind
    assert f"({stop}): why" in bad.error.message
    assert bad.outcome.output == "a/1"


def test_corrupt_records_beside_it_are_an_input_error(tmp_path: Path, replayed: Any) -> None:
    (tmp_path / "transcripts.jsonl").write_bytes(_line())
    (tmp_path / "trials.jsonl").write_bytes(b'{"case": "a", "trial": 0, "stop": "danced"}\n')
    with pytest.raises(InputError, match="no trial record"):
        replayed(".")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"outcome": Outcome(output="half", truncated=True)}, "cut off"),
        ({"observes": ("tools",)}, "holds nothing"),
        ({"events": (ErrorEvent(type="E", message="m"),)}, "ends with an error: E: m"),
    ],
)
def test_a_transcript_that_shows_a_crash_is_one(
    tmp_path: Path, replayed: Any, fields: dict[str, Any], said: str
) -> None:
    (tmp_path / "t.jsonl").write_bytes(_line("a", 0, **fields))
    (got,) = replayed("t.jsonl", ("a", 0))
    assert isinstance(got.error, TargetError)
    assert said in got.error.message


def test_events_alone_are_an_answer(tmp_path: Path, replayed: Any) -> None:
    (tmp_path / "t.jsonl").write_bytes(_line("a", 0, events=(Note(text="n"),)))
    (got,) = replayed("t.jsonl", ("a", 0))
    assert got.error is None


def _with_blob(tmp_path: Path, name: str) -> None:
    line = {"case": "a", "outcome": {"output": {"$blob": name, "size": 5}}}
    (tmp_path / "transcripts.jsonl").write_bytes(msgspec.json.encode(line))


def test_large_texts_are_fetched(tmp_path: Path, replayed: Any) -> None:
    name = digest.of_bytes(b"large")
    _with_blob(tmp_path, name)
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / name).write_bytes(b"large")
    (got,) = replayed(".", ("a", 0))
    assert got.outcome == Outcome(output="large")


@pytest.mark.parametrize("name", ["0" * 64, "../transcripts.jsonl"])
def test_a_blob_that_is_not_there_is_no_answer(tmp_path: Path, replayed: Any, name: str) -> None:
    _with_blob(tmp_path, name)
    (got,) = replayed(".", ("a", 0))
    assert isinstance(got.error, InfraError)
    assert got.outcome == Outcome()


def test_a_blob_that_was_changed_is_no_answer(tmp_path: Path, replayed: Any) -> None:
    name = digest.of_bytes(b"large")
    _with_blob(tmp_path, name)
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / name).write_bytes(b"other")
    (got,) = replayed(".", ("a", 0))
    assert isinstance(got.error, InfraError)
    assert "not what its name says" in got.error.message


def test_a_recording_changed_during_the_run_is_noticed(
    tmp_path: Path, services: Any, tried: Any, call: Any
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(_line("a", 0) + _line("b", 0))

    async def main() -> list[Any]:
        spec = TargetSpec(name="t", kind="replay")
        target = REPLAY.build(spec, ReplaySettings(replay="t.jsonl"))
        await target.open(services())
        path.write_bytes(_line("b", 0) + b"#" * len(_line("b", 0)))
        got = [await tried(target, call(Case(id=case))) for case in ("a", "b")]
        await target.close()
        return got

    moved, broken = asyncio.run(main())
    assert "another trial's" in moved.error.message
    assert "cannot be read" in broken.error.message


def test_a_target_that_is_not_open_is_the_harness_fault(call: Any) -> None:
    target = REPLAY.build(TargetSpec(name="t", kind="replay"), ReplaySettings(replay="x"))
    with pytest.raises(HarnessError):
        asyncio.run(target.run(call(), target.recorder()))
