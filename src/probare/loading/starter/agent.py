"""A small agent to begin with: it answers questions about orders, and streams its answer.

Replace `answer` with your own agent. Probare calls it with those of `input`, `recorder`, `case`,
`trial`, `seed`, `config` and `workspace` that it names. What it returns, or the pieces that it
yields, is its output.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

from probare import Recorder

ORDERS = {
    "A100": {"status": "shipped", "days": 2},
    "A200": {"status": "waiting for payment", "days": None},
}


async def find_order(number: str) -> dict[str, Any] | None:
    """The agent's tool: look an order up."""
    await asyncio.sleep(0)
    return ORDERS.get(number)


async def answer(input: dict[str, Any], recorder: Recorder) -> AsyncIterator[str]:  # noqa: A002
    """Answer a question about an order. The wrapped tool is observed, not taken on trust."""
    lookup = recorder.tool(find_order)
    named = re.search(r"\b[A-Z]\d{3}\b", input["question"])
    if named is None:
        yield "Which order do you mean? Its number is a letter and three digits, such as A100."
        return
    order = await lookup(named[0])
    if order is None:
        yield f"I find no order {named[0]}. "
        yield "Please check the number on your receipt."
        return
    yield f"Order {named[0]} is {order['status']}"
    if order["days"] is not None:
        yield f" and arrives in {order['days']} days"
    yield "."
