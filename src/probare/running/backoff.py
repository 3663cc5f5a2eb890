"""How long to wait before a trial is tried again."""

from __future__ import annotations

import random

from probare.errors import InfraError

_FIRST = 0.5
_LONGEST = 30.0


def wait_before_retry(error: InfraError, attempt: int, limit: float) -> float | None:
    """Return the seconds to wait after failed attempt number `attempt`, or None to give up.

    What the other side asked for is honoured; a wait longer than `limit` seconds gives up at
    once. Else the wait doubles from half a second, with full jitter (AWS Architecture Blog,
    "Exponential Backoff and Jitter").
    """
    if not error.retryable:
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= limit else None
    ceiling = min(_LONGEST, limit, _FIRST * 2 ** (attempt - 1))
    return ceiling * (0.5 + random.random() / 2)  # noqa: S311 - jitter, not a secret
