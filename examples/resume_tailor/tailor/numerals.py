"""Numbers in a text, by what they are worth."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = re.compile(
    r"(?<![\w.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:\s?(%|percent\b|per cent\b)|([kKmM])\b|\s(thousand|million)\b)?"
)
_TIMES = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}


@dataclass(frozen=True, slots=True)
class Number:
    """A number and how it is written. 40% and 40 percent are one number; 40 is another."""

    value: Decimal
    percent: bool
    text: str


def numbers_in(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text; digits inside a name (p99, k8s) are none."""
    return tuple(
        Number(
            value=Decimal(match[1].replace(",", ""))
            * _TIMES.get((match[3] or match[4] or "").lower(), 1),
            percent=match[2] is not None,
            text=match[0],
        )
        for match in _NUMBER.finditer(text)
    )


def strange_numbers(text: str, source: str) -> tuple[str, ...]:
    """Return the numbers of a text that its source does not have, as they are written."""
    known = {(number.value, number.percent) for number in numbers_in(source)}
    return tuple(
        number.text for number in numbers_in(text) if (number.value, number.percent) not in known
    )
