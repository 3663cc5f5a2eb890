"""A conversation with an agent in Python: it is called once for each message of the user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from probare.targets.agent import Given
from probare.targets.conversation import Exchange, UserSide, converse, record_answer


async def converse_with(
    given: Given, user: UserSide, perform: Callable[[Given], Awaitable[None]]
) -> None:
    """Lead the conversation of one trial; `perform` calls the agent and settles its answer."""
    recorder = given.recorder

    async def answer(said: str, so_far: Sequence[Exchange], turn: int) -> Any:
        await perform(
            msgspec.structs.replace(given, message=said, history=history(so_far), turn=turn)
        )
        output = recorder.outcome.output
        if output is UNSET or output is None:
            return UNSET
        record_answer(recorder, output, turn)
        return output

    await converse(given.case, user, answer, recorder)


def history(so_far: Sequence[Exchange]) -> tuple[dict[str, Any], ...]:
    """Return what was said, as messages with role and content; no answer is no message."""
    messages: list[dict[str, Any]] = []
    for exchange in so_far:
        messages.append({"role": "user", "content": exchange.user})
        if exchange.output is not UNSET:
            messages.append({"role": "assistant", "content": exchange.output})
    return tuple(messages)
