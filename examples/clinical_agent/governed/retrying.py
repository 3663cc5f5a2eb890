"""Tries again what may succeed the next time, a bounded number of times, on the record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tenacity import (
    AsyncRetrying,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
)


class TransientFailure(Exception):
    """A tool failed in a way that may pass: a busy service, a lost connection."""


class OnAttempt(Protocol):
    """Takes each try: its number from 1, and its error, None where it succeeded."""

    def __call__(self, number: int, error: str | None) -> None:
        """Record a try."""
        ...


async def tried(
    function: Callable[[], Any],
    *,
    attempts: int,
    on_attempt: OnAttempt,
    first_wait: float = 0.01,
    longest_wait: float = 0.1,
) -> Any:
    """Return what the function returns, within this many tries; waits are in seconds.

    Raises TransientFailure after the last of them, and at once whatever else it raises. Every
    try is recorded, the last and the hopeless ones too.
    """

    retrying = AsyncRetrying(
        stop=stop_after_attempt(attempts),
        wait=wait_exponential(multiplier=first_wait, max=longest_wait),
        retry=retry_if_exception_type(TransientFailure),
        reraise=True,
    )

    async def called() -> Any:
        number = int(retrying.statistics["attempt_number"])
        try:
            result = function()
        except Exception as error:
            on_attempt(number, f"{type(error).__name__}: {error}")
            raise
        on_attempt(number, None)
        return result

    return await retrying(called)
