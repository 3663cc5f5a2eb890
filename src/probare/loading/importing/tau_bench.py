"""τ-bench trajectories (github.com/sierra-research/tau-bench, `historical_trajectories/`).

A file is a list of {task_id, trial, reward, info, traj}. The recorded reward is the required
check. The gold actions are a second, optional one: the reward is about the database's state at
the end, so only calls that write are compared; where a task has no gold action that writes,
any call that writes fails it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec

from probare.errors import InputError
from probare.loading.importing.messages import events_of, last_reply
from probare.loading.importing.recording import Recording, read_json, trial_number
from probare.model.event import ToolCall
from probare.model.outcome import Outcome

_READING_PREFIXES = ("get_", "list_", "search_", "find_")
_READING = frozenset({"calculate", "think", "transfer_to_human_agents"})


class _Action(msgspec.Struct, frozen=True):
    name: str
    kwargs: dict[str, Any] = {}


class _Task(msgspec.Struct, frozen=True, kw_only=True):
    instruction: Any = None
    user_id: Any = None
    actions: list[_Action] = []
    outputs: list[Any] = []


class _Info(msgspec.Struct, frozen=True, kw_only=True):
    task: _Task = _Task()
    user_cost: Any = None


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    task_id: int | str
    reward: float
    traj: list[Any]
    info: _Info
    trial: int = 0


def read_tau_bench(path: Path) -> Iterator[Recording]:
    """Yield each recorded trial. Raises InputError where the file is of another shape."""
    rows = _rows(path)
    writing = sorted({name for row in rows for name in _names(row) if _writes(name)})
    for row in rows:
        yield _recording(row, writing)


def _rows(path: Path) -> list[_Row]:
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path} is not a list of τ-bench trajectories")
    rows: list[_Row] = []
    for number, item in enumerate(cast("list[Any]", value)):
        try:
            rows.append(msgspec.convert(item, _Row))
        except msgspec.ValidationError as error:
            raise InputError(
                f"{path}: item {number} is no τ-bench trajectory: {error}",
                hint="each has task_id, trial, reward, info and traj",
            ) from None
    return rows


def _recording(row: _Row, writing: list[str]) -> Recording:
    task = row.info.task
    actions = [{"name": action.name, "args": action.kwargs} for action in task.actions]
    case = f"task_{row.task_id:03d}" if isinstance(row.task_id, int) else f"task_{row.task_id}"
    return Recording(
        case=case,
        trial=trial_number(row.trial, case),
        input={"instruction": task.instruction, "user_id": task.user_id},
        events=tuple(events_of(row.traj)),
        outcome=Outcome(
            output=last_reply(row.traj),
            recorded={"reward": row.reward, "user_cost": row.info.user_cost},
        ),
        checks=(
            {"equals": 1.0, "in": "$recorded.reward", "label": "recorded reward"},
            *_gold_check(actions, writing),
        ),
        reference={"actions": actions, "outputs": task.outputs},
    )


def _gold_check(actions: list[dict[str, Any]], writing: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the check of the gold actions; none where no tool of the file writes."""
    if not writing:
        return
    yield {
        "tool_calls": {
            "calls": [action for action in actions if _writes(action["name"])],
            "mode": "unordered",
            "args": "exact",
            "only": writing,
        },
        "label": "gold actions",
        "required": False,
    }


def _names(row: _Row) -> Iterator[str]:
    for event in events_of(row.traj):
        if isinstance(event, ToolCall):
            yield event.name
    for action in row.info.task.actions:
        yield action.name


def _writes(name: str) -> bool:
    return not name.startswith(_READING_PREFIXES) and name not in _READING
