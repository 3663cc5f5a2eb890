"""The grader `number`: a number in the text, compared as a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, cast

from msgspec import Meta

from probare.graders import normal, numeric_text
from probare.graders.compare import shown
from probare.graders.numeric_text import Numeral
from probare.graders.text import as_text, note
from probare.model.verdict import Span, Verdict
from probare.ports.grader import Grader, TrialView, holds


class Number(Grader, frozen=True, kw_only=True):
    r"""A number in the text equals `equals`, within the larger of `tolerance` (absolute) and
    `relative` (a share of `equals`).

    `which` number: the `last` (default) or `first` in the text, `any`, or the `only` one. The
    chosen one decides: where it cannot be read, or is of another unit, the check fails and says
    so; an earlier number is never taken in its place. 5 is not 25, and -5 is not 5.

    `unit` is what `equals` is in. `raw` (default): a bare number; a percentage is not one, so
    '20%' is neither 20 nor 0.2 until the suite says which it means. `percent`: '20%', '20
    percent' and '20' are 20. `fraction`: '20%' and '0.2' are 0.2.

    A JSON number is taken as it is; in a list or an object, each number and each text is looked
    at in order. `equals` may be text ("1,000", "1e3", "\$460"), read the same way. How text is
    read, and what is not a number: `probare.graders.numeric_text`.
    """

    NAME: ClassVar[str] = "number"
    MAIN: ClassVar[str | None] = "equals"

    equals: int | float | str
    tolerance: Annotated[float, Meta(ge=0)] = 0.0
    relative: Annotated[float, Meta(ge=0)] = 0.0
    unit: Literal["raw", "percent", "fraction"] = "raw"
    which: Literal["last", "first", "any", "only"] = "last"

    def __post_init__(self) -> None:
        """Refuse a text that is not one number, and a percentage where none is meant."""
        wanted = self._wanted()
        if wanted is None:
            raise ValueError(f"{shown(self.equals)} is not one number")
        if wanted.percent and self.unit == "raw":
            raise ValueError(
                f"{shown(self.equals)} is a percentage; say `unit: percent` or `unit: fraction`"
            )

    def _wanted(self) -> Numeral | None:
        if isinstance(self.equals, str):
            return numeric_text.parse(normal.normalise(self.equals))
        value = Decimal(repr(self.equals))
        return _exact(self.equals) if value.is_finite() else None

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Find the numbers, choose, compare."""
        wanted = self._wanted()
        assert wanted is not None
        target = self._in_unit(wanted)
        assert target is not None
        found = list(_numbers(seen))
        end = note(seen) if isinstance(seen, str) else ""
        if not found:
            return holds(False, f"expected {_plain(target)}, got no number in {shown(seen)}{end}")
        if self.which == "only" and len(found) > 1:
            listed = ", ".join(numeral.text for numeral in found[:5])
            reason = f"expected {_plain(target)} alone, got {len(found)} numbers: {listed}{end}"
            return holds(False, reason)
        chosen = found if self.which == "any" else [found[0 if self.which == "first" else -1]]
        for numeral in chosen:
            if self._equal(numeral, target):
                reason = f"{self._which(numeral)} equals {_plain(target)}{self._slack()}{end}"
                return holds(True, reason, spans=_spans(seen, numeral))
        if self.which == "any":
            listed = ", ".join(numeral.text for numeral in found[:10])
            reason = f"expected {_plain(target)}{self._slack()} among the numbers, got {listed}"
            return holds(False, f"{reason}{end}")
        numeral = chosen[0]
        reason = f"expected {_plain(target)}{self._slack()}, got {self._which(numeral)}"
        return holds(False, f"{reason}{self._why(numeral)}{end}", spans=_spans(seen, numeral))

    def _in_unit(self, numeral: Numeral) -> Decimal | None:
        """Return a numeral's value in the check's unit, null where it has none."""
        if numeral.value is None or (numeral.percent and self.unit == "raw"):
            return None
        if numeral.percent and self.unit == "fraction":
            sign, digits, exponent = numeral.value.as_tuple()
            return Decimal((sign, digits, cast("int", exponent) - 2))
        return numeral.value

    def _equal(self, numeral: Numeral, target: Decimal) -> bool:
        value = self._in_unit(numeral)
        if value is None:
            return False
        if value == target:
            return True
        slack = max(Decimal(repr(self.tolerance)), Decimal(repr(self.relative)) * abs(target))
        return abs(value - target) <= slack

    def _which(self, numeral: Numeral) -> str:
        name = "a number" if self.which == "any" else f"the {self.which} number"
        value = "" if numeral.value is None else _plain(numeral.value)
        read = "" if value in ("", numeral.text) or numeral.percent else f" (read as {value})"
        return f"{name} '{numeral.text}'{read}"

    def _why(self, numeral: Numeral) -> str:
        if numeral.value is None:
            return ", which cannot be read as one number"
        if numeral.percent and self.unit == "raw":
            return ", a percentage (say `unit: percent` or `unit: fraction` if one is meant)"
        return ""

    def _slack(self) -> str:
        parts = [f"± {self.tolerance:g}"] if self.tolerance else []
        parts += [f"± {100 * self.relative:g} %"] if self.relative else []
        return f" ({' or '.join(parts)})" if parts else ""


def _numbers(seen: Any) -> Iterator[Numeral]:
    """Yield the numbers of a JSON value in order; true and false are none."""
    if isinstance(seen, bool):
        return
    if isinstance(seen, int | float):
        yield _exact(seen)
    elif isinstance(seen, Mapping):
        for value in cast("Mapping[str, Any]", seen).values():
            yield from () if value is None else _numbers(value)
    elif isinstance(seen, list | tuple):
        for value in cast("list[Any]", seen):
            yield from () if value is None else _numbers(value)
    else:
        yield from numeric_text.numerals(normal.normalise(as_text(seen)))


def _exact(value: float) -> Numeral:
    """Return a JSON number as a numeral; one that is not finite has no value."""
    number = Decimal(repr(value))
    return Numeral(
        value=number if number.is_finite() else None, start=0, end=0, text=_plain(number)
    )


def _spans(seen: Any, numeral: Numeral) -> tuple[Span, ...]:
    if not isinstance(seen, str):
        return ()
    return normal.original_spans(seen, [(numeral.start, numeral.end)])


def _plain(value: Decimal) -> str:
    """Return a number as people write it: no exponent where it is of ordinary size."""
    if not value.is_finite() or not -7 < value.adjusted() < 21:
        return str(value)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


GRADERS: tuple[type[Grader], ...] = (Number,)
