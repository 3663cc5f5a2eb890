from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.targets.retry_after import seconds_to_wait

NOON = datetime(1994, 11, 6, 8, 49, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("9" * 400, 1e9),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 30.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 30.0),
        ("Sun Nov  6 08:49:37 1994", 30.0),
        ("Sun, 06 Nov 1994 10:49:37 +0200", 30.0),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0.0),
    ],
)
def test_seconds_and_dates(value: str, seconds: float) -> None:
    assert seconds_to_wait(value, lambda: NOON) == seconds


@pytest.mark.parametrize(
    "value",
    [None, "", "-5", "soon", "1, 2", "١٢", "nan", "inf", "1e3", "Sun, 99 Nov 1994 08:49:37 GMT"],
)
def test_what_is_neither_asks_for_nothing(value: str | None) -> None:
    assert seconds_to_wait(value, lambda: NOON) is None


@given(st.text())
def test_never_raises_and_never_asks_for_a_negative_wait(value: str) -> None:
    seconds = seconds_to_wait(value)
    assert seconds is None or seconds >= 0
