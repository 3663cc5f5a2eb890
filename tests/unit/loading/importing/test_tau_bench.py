from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError
from probare.model.event import Message, ToolCall, ToolResult

DATA = Path(__file__).parents[4].parent / "shared/data/tau_bench_airline/gpt-4o-airline.json"


def row(**keys: Any) -> dict[str, Any]:
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "cancel_reservation", "arguments": '{"reservation_id": "X1"}'},
    }
    return {
        "task_id": 3,
        "trial": 0,
        "reward": 1.0,
        "info": {
            "task": {
                "user_id": "ada",
                "instruction": "Cancel X1.",
                "actions": [
                    {"name": "get_user_details", "kwargs": {"user_id": "ada"}},
                    {"name": "cancel_reservation", "kwargs": {"reservation_id": "X1"}},
                ],
                "outputs": [],
            },
            "user_cost": 0.01,
        },
        "traj": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "Cancel X1"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {
                "role": "tool",
                "tool_call_id": "call_1",
                "name": "cancel_reservation",
                "content": "ok",
            },
            {"role": "assistant", "content": "Done."},
            {"role": "user", "content": "###STOP###"},
        ],
        **keys,
    }


def test_a_trajectory_becomes_a_case_and_a_transcript(imported: Any) -> None:
    found = imported("tau_bench", [row(), row(trial=1, reward=0.0)])
    assert (found.written.cases, found.written.trials, found.written.notes) == (1, 2, ())
    case = found.cases["task_003"]
    assert case["input"] == {"instruction": "Cancel X1.", "user_id": "ada"}
    assert "trials: 2" in found.suite
    first, second = found.transcripts
    assert [type(event) for event in first.events] == [
        Message,
        Message,
        ToolCall,
        ToolResult,
        Message,
        Message,
    ]
    call = first.events[2]
    assert isinstance(call, ToolCall)
    assert (call.name, call.arguments, call.call_id) == (
        "cancel_reservation",
        {"reservation_id": "X1"},
        "call_1",
    )
    assert {event.source for event in first.events} == {"replayed"}
    assert [event.seq for event in first.events] == list(range(6))
    assert first.outcome.output == "Done."
    assert first.outcome.recorded == {"reward": 1.0, "user_cost": 0.01}
    assert second.outcome.recorded["reward"] == 0.0
    assert set(first.observes) == {"messages", "tools"}


def test_the_recorded_reward_is_required_and_gold_actions_are_not(imported: Any) -> None:
    """Only calls that write are compared: reading as often as one likes is no fault."""
    reward, gold = imported("tau_bench", [row()]).cases["task_003"]["expect"]
    assert reward == {"equals": 1.0, "in": "$recorded.reward", "label": "recorded reward"}
    assert gold["required"] is False
    assert gold["tool_calls"] == {
        "calls": [{"name": "cancel_reservation", "args": {"reservation_id": "X1"}}],
        "mode": "unordered",
        "args": "exact",
        "only": ["cancel_reservation"],
    }


def test_a_task_without_gold_actions_forbids_any_writing_call(imported: Any) -> None:
    idle = row(task_id=4, info={"task": {"instruction": "Only ask.", "actions": []}})
    found = imported("tau_bench", [row(), idle])
    assert found.cases["task_004"]["expect"][1]["tool_calls"]["calls"] == []
    assert found.cases["task_004"]["expect"][1]["tool_calls"]["only"] == ["cancel_reservation"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"task_id": 1}, "is not a list of τ-bench trajectories"),
        ([{"task_id": 1}], "item 0 is no τ-bench trajectory: .*missing required field"),
        ([row(), 5], "item 1 is no τ-bench trajectory"),
        ([row(reward="high")], r"item 0 .*\$.reward"),
        ([row(reward=None)], r"item 0 .*\$.reward"),
        ([row(info=[])], r"item 0 .*\$.info"),
        ([row(info={"task": {"actions": [{"kwargs": {}}]}})], "item 0 .*`name`"),
        ([row(trial=-1)], "task_003: a trial should be a whole number"),
        ([row(), row()], "case 'task_003' has trial 0 twice"),
        ([], "nothing is recorded"),
        ("[", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
    ],
)
def test_other_files_are_refused(content: Any, message: str, imported: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        imported("tau_bench", content)
    assert not (tmp_path / "out").exists()


def test_odd_messages_are_passed_over_not_lost_sight_of(imported: Any) -> None:
    messages = [
        "noise",
        None,
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "tool_calls": [{"function": {"name": "t", "arguments": "not json"}}]},
        {
            "role": "assistant",
            "tool_calls": "odd",
            "function_call": {"name": "u", "arguments": "{}"},
        },
        {"role": "function", "name": "u", "content": None, "error": {"type": "E", "message": "m"}},
    ]
    events = imported("tau_bench", [row(traj=messages)]).transcripts[0].events
    assert isinstance(events[0], Message)
    assert events[0].content == "ab"
    calls = [event for event in events if isinstance(event, ToolCall)]
    assert [(call.name, call.arguments) for call in calls] == [("t", "not json"), ("u", {})]
    result = events[-1]
    assert isinstance(result, ToolResult)
    assert (result.name, result.error) == ("u", "E: m")


@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not there")
def test_the_published_trajectories(imported: Any) -> None:
    found = imported("tau_bench", DATA)
    assert (found.written.cases, found.written.trials) == (50, 200)
    rewards = [transcript.outcome.recorded["reward"] for transcript in found.transcripts]
    assert sum(reward == 1.0 for reward in rewards) == 84  # pass^1 = 0.420
    assert all(len(case["expect"]) == 2 for case in found.cases.values())
