"""A service that fails for a while, as a scenario describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from governed.retrying import TransientFailure


def flaky(function: Callable[..., Any], failures: int, error: str) -> Callable[..., Any]:
    """Return the function as it is behind a service that fails this many times first."""
    left = failures

    def call(**arguments: Any) -> Any:
        nonlocal left
        if left > 0:
            left -= 1
            raise TransientFailure(error)
        return function(**arguments)

    call.__name__ = function.__name__
    return call
