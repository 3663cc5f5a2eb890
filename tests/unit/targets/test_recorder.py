# Agents and tools are written without types, as users write them.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import enum
from pathlib import Path
from typing import Any

import pytest

from probare.encoding import digest
from probare.errors import TargetError
from probare.model.event import (
    Approval,
    Artifact,
    Attempt,
    Decision,
    EventBase,
    Message,
    Note,
    StateChange,
    ToolCall,
    Usage,
)
from probare.targets.recorder import CURRENT, Recorder, current


class Role(enum.StrEnum):
    USER = "user"


def test_what_the_agent_says_is_claimed() -> None:
    recorder = Recorder()
    recorder.message("user", "hi", turn=1)
    recorder.usage(input_tokens=10, cached_tokens=5, output_tokens=20, cost_usd=0.1, model="m")
    recorder.state({"n": 1})
    recorder.decision("delete", "deny", policy="p", resource="r", reason="no", call_id="c")
    recorder.approval("granted", "delete", by="ann")
    recorder.attempt("fetch", 2, ok=False, error="timeout")
    recorder.artifact("out.txt")
    recorder.note("look", {"a": 1})
    kinds = [type(event) for event in recorder.events]
    assert kinds == [
        Message,
        Usage,
        StateChange,
        Decision,
        Approval,
        Attempt,
        Artifact,
        Note,
    ]
    assert {event.source for event in recorder.events} == {"claimed"}
    assert recorder.observes == ()
    message = recorder.events[0]
    assert isinstance(message, Message)
    assert message.attributes == {"turn": 1}


def test_an_event_cannot_make_itself_observed_nor_choose_its_number_and_time() -> None:
    recorder = Recorder()
    recorder.event(ToolCall(name="pay", source="observed", seq=7, at_ms=-5.0))
    (event,) = recorder.events
    assert (event.source, event.seq) == ("claimed", 0)
    assert event.at_ms is not None
    assert event.at_ms >= 0


def test_later_changes_do_not_change_history() -> None:
    recorder = Recorder()
    content: dict[str, list[int]] = {"a": [1]}
    recorder.message("user", content)
    recorder.state(content)
    event = ToolCall(name="t", arguments=content)
    recorder.event(event)
    content["a"].append(2)
    message, state, call = recorder.events
    assert isinstance(message, Message)
    assert isinstance(state, StateChange)
    assert isinstance(call, ToolCall)
    assert message.content == state.state == call.arguments == {"a": [1]}
    assert recorder.outcome.state == {"a": [1]}


def test_what_is_not_json_is_kept_with_a_mark() -> None:
    recorder = Recorder()
    recorder.message("tool", {"raw": b"\x00", "bad": float("nan")})
    (event,) = recorder.events
    assert isinstance(event, Message)
    assert event.content["raw"]["$not_json"] == "bytes"
    assert event.content["bad"]["repr"] == "nan"


@pytest.mark.parametrize(
    "record",
    [
        lambda r: r.message(5, "x"),
        lambda r: r.decision("delete", "perhaps"),
        lambda r: r.approval("asked", "delete"),
        lambda r: r.usage(input_tokens="12"),
        lambda r: r.usage(cost_usd=float("nan")),
        lambda r: r.attempt("fetch", "first", ok=True),
        lambda r: r.note(5),
        lambda r: r.event("a text"),
        lambda r: r.event(EventBase()),
    ],
)
def test_a_wrong_field_is_said_at_once_and_not_recorded(record: Any) -> None:
    recorder = Recorder()
    with pytest.raises(TargetError, match="the agent recorded a"):
        record(recorder)
    assert recorder.events == ()


def test_a_role_may_be_an_enum() -> None:
    recorder = Recorder()
    recorder.message(Role.USER, "hi")
    (event,) = recorder.events
    assert isinstance(event, Message)
    assert type(event.role) is str


def test_an_artifact_in_the_workspace_is_measured(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    file = tmp_path / "out" / "report.txt"
    file.write_text("hello")
    recorder = Recorder(workspace=tmp_path)
    recorder.artifact("out/report.txt")
    recorder.artifact(file, media_type="text/x-own")
    recorder.artifact("absent.csv")
    first, second, third = (e for e in recorder.events if isinstance(e, Artifact))
    assert first.path == second.path == "out/report.txt"
    assert (first.size, first.sha256) == (5, digest.of_bytes(b"hello"))
    assert (first.media_type, second.media_type) == ("text/plain", "text/x-own")
    assert (third.size, third.sha256) == (None, None)


def test_an_artifact_outside_of_the_workspace_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    home = tmp_path / "work"
    home.mkdir()
    (home / "link.txt").symlink_to(tmp_path / "secret.txt")
    recorder = Recorder(workspace=home)
    recorder.artifact("../secret.txt")
    recorder.artifact("link.txt")
    recorder.artifact("bad\0name")
    found = [e for e in recorder.events if isinstance(e, Artifact)]
    assert [e.path for e in found] == ["../secret.txt", "link.txt", "bad\0name"]
    assert all(e.sha256 is None for e in found)


def test_there_is_no_current_recorder_outside_of_a_trial() -> None:
    assert current() is None
    recorder = Recorder()
    token = CURRENT.set(recorder)
    assert current() is recorder
    CURRENT.reset(token)
