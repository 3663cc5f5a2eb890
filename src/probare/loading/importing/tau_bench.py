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

from probare.errors import InputError
from probare.loading.importing.messages import decoded, events_of, last_reply
from probare.loading.importing.recording import Recording, read_json
from probare.model.event import ToolCall
from probare.model.outcome import Outcome

_READING_PREFIXES = ("get_", "list_", "search_", "find_")
_READING = frozenset({"calculate", "think", "transfer_to_human_agents"})


def read_tau_bench(path: Path) -> Iterator[Recording]:
    """Yield each recorded trial. Raises InputError where the file is of another shape."""
    rows = _rows(path)
    writing = sorted({name for row in rows for name in _names(row) if _writes(name)})
    for row in rows:
        yield _recording(row, writing)


def _rows(path: Path) -> list[dict[str, Any]]:
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path} is not a list of τ-bench trajectories")
    for number, row in enumerate(cast("list[Any]", value)):
        if not isinstance(row, dict) or not {"task_id", "reward", "traj", "info"} <= row.keys():
            raise InputError(
                f"{path}: item {number} is no τ-bench trajectory",
                hint="each has task_id, trial, reward, info and traj",
            )
    return cast("list[dict[str, Any]]", value)


def _recording(row: dict[str, Any], writing: list[str]) -> Recording:
    task = cast("dict[str, Any]", row["info"].get("task", {}))
    messages = cast("list[Any]", row["traj"])
    actions = [
        {"name": action["name"], "args": action.get("kwargs", {})}
        for action in cast("list[dict[str, Any]]", task.get("actions", []))
    ]
    recorded = {"reward": row["reward"], "user_cost": row["info"].get("user_cost")}
    return Recording(
        case=f"task_{row['task_id']:03d}",
        trial=int(row.get("trial", 0)),
        input={"instruction": task.get("instruction"), "user_id": task.get("user_id")},
        events=tuple(events_of(messages)),
        outcome=Outcome(output=last_reply(messages), recorded=recorded),
        checks=(
            {"equals": 1.0, "in": "$recorded.reward", "label": "recorded reward"},
            *_gold_check(actions, writing),
        ),
        reference={"actions": actions, "outputs": task.get("outputs", [])},
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


def _names(row: dict[str, Any]) -> Iterator[str]:
    for event in events_of(cast("list[Any]", row["traj"])):
        if isinstance(event, ToolCall):
            yield event.name
    for action in row["info"].get("task", {}).get("actions", []):
        yield str(decoded(action["name"]))


def _writes(name: str) -> bool:
    return not name.startswith(_READING_PREFIXES) and name not in _READING
