from __future__ import annotations

import pytest

from probare.encoding.durations import parse_duration as seconds


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (60, 60.0),
        (0.5, 0.5),
        ("60s", 60.0),
        ("2m", 120.0),
        ("500ms", 0.5),
        ("1.5h", 5400.0),
        ("10 s", 10.0),
    ],
)
def test_durations_are_seconds(value: float | str, expected: float) -> None:
    assert seconds(value) == expected


@pytest.mark.parametrize(
    "value",
    ["60", "", "s", "1 day", "-1s", "0s", "0ms", "1e3s", "٣s", "2m\n", 0, -1, float("nan")],
)
def test_what_is_no_duration(value: float | str) -> None:
    with pytest.raises(ValueError, match=r"duration"):
        seconds(value)
