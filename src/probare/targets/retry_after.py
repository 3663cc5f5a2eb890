"""The Retry-After header (RFC 9110, section 10.2.3): seconds, or a date."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]+(\.[0-9]+)?\Z")
_LONGEST = 1e9


def _utc_now() -> datetime:
    return datetime.now(UTC)


def seconds_to_wait(value: str | None, now: Callable[[], datetime] = _utc_now) -> float | None:
    """Return the wait in seconds that a Retry-After value asks for, or None.

    Seconds may have a fraction, which some services send. A date in the past is 0. What is
    neither form (a negative number, a word, two values joined) is None: nothing was asked for.
    """
    text = (value or "").strip()
    if _SECONDS.match(text):
        return min(float(text), _LONGEST)
    try:
        date = parsedate_to_datetime(text)
        aware = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
        return min(max((aware - now()).total_seconds(), 0.0), _LONGEST)
    except (ValueError, OverflowError, TypeError):
        return None
