"""Goes on where an approval was waited for, in another process if need be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from governed.approval import Answer, Given, pending
from governed.journal import Journal
from governed.request import Request, Step
from governed.runtime import STATE, Runtime


async def resume(
    workspace: Path, answer: Answer, journal: Journal, *, runtime: type[Runtime] = Runtime
) -> dict[str, Any]:
    """Take a paused request up again with a person's answer to what it waits for.

    Returns the answer as `Runtime.run` does. Raises NothingPending where nothing waits,
    AnswerMismatch where the file was changed, and Paused where the plan comes to another act
    that needs approval; then that is what waits.
    """
    asked, progress = pending(workspace / STATE)
    again = runtime(
        Request(**progress["request"]), journal, workspace, approver=Given(asked.id, answer)
    )
    again.take_up([_step(entry) for entry in progress["steps"]], progress)
    return await again.run()


def _step(entry: Mapping[str, Any]) -> Step:
    return Step(entry["kind"], entry["name"], entry["arguments"], entry["tool"])
