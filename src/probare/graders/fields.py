"""Fields of a structured output: is one there, what is it, how long is it?

A path reads like a placeholder without its root: `user.name`, `items[0].id`, `items[-1]`. In
reasons `$` stands for what was looked at. A text that is JSON as a whole, or one fenced block of
it, is looked into, so that a forbidden field is seen there too; any other text has no fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, cast

from msgspec import UNSET, Meta

from probare.errors import GraderError
from probare.graders import compare, json_text
from probare.graders.compare import kind_of, shown
from probare.graders.json_text import NotJson, TwiceNamed
from probare.grading import placeholders, transforms
from probare.grading.placeholders import Placeholder
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds


def parsed(path: str) -> Placeholder:
    """Return a path's steps. Raises ValueError where it is none."""
    joined = f"$output{path}" if path.startswith("[") else f"$output.{path}"
    found = placeholders.parse(joined)
    if found is None:
        raise ValueError(f"'{path}' is not a path (write user.name or items[0].id)")
    return Placeholder("", found.steps, path)


class _Field(Grader, frozen=True, kw_only=True):
    MAIN: ClassVar[str | None] = "path"
    LOOKS_AT: ClassVar[str | None] = "$output"

    path: str

    def __post_init__(self) -> None:
        parsed(self.path)

    def _value(self, seen: Any) -> Any:
        """Return the field's value; a verdict where there is none."""
        if seen is UNSET:
            raise GraderError("there is nothing to look at")
        value, note = _read(seen) if isinstance(seen, str) else (seen, "")
        try:
            return placeholders.walk(value, parsed(self.path))
        except GraderError as error:
            return holds(False, f"no field {self.path}: {error}{note}")


def _read(text: str) -> tuple[Any, str]:
    """Return what a text holds as JSON, or the text itself and why it holds none."""
    try:
        return json_text.decode(transforms.strip_fences(text)), ""
    except TwiceNamed as error:
        raise GraderError(f"the JSON cannot be judged: {error}") from None
    except NotJson as error:
        return text, f": it is text, and not JSON ({error})"


class FieldPresent(_Field, frozen=True, kw_only=True):
    """The output has a field, and something is in it.

    Null, an empty or blank text, an empty list and an empty mapping are not something; 0 and
    false are. A path that leads nowhere fails.
    """

    NAME: ClassVar[str] = "field_present"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Follow the path."""
        value = self._value(seen)
        if isinstance(value, Verdict):
            return value
        blank = isinstance(value, str) and not value.strip()
        if value is None or blank or (_length(value) == 0):
            return holds(False, f"field {self.path} is there, but empty: {shown(value)}")
        return holds(True, f"field {self.path} is {shown(value)}")


class FieldEquals(_Field, frozen=True, kw_only=True):
    """A field of the output equals a JSON value.

    Compared as by `equals`: numbers as numbers, true is not 1, "12" is not 12. A path that leads
    nowhere fails, also where `value` is null.
    """

    NAME: ClassVar[str] = "field_equals"

    value: Any

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Follow the path and compare; the reason names the first difference."""
        value = self._value(seen)
        if isinstance(value, Verdict):
            return value
        if compare.same(self.value, value):
            return holds(True, f"field {self.path} equals {shown(self.value)}")
        return holds(False, f"field {self.path}: {compare.difference(self.value, value)}")


class FieldLength(_Field, frozen=True, kw_only=True):
    """A field's length `equals` a number, or lies between `min` and `max` (both included).

    The characters of a text, the items of a list, the keys of a mapping. Anything else has no
    length, and fails.
    """

    NAME: ClassVar[str] = "field_length"

    equals: Annotated[int, Meta(ge=0)] | None = None
    min: Annotated[int, Meta(ge=0)] | None = None
    max: Annotated[int, Meta(ge=0)] | None = None

    def __post_init__(self) -> None:
        """Refuse a bad path, and a range that holds of everything or of nothing."""
        parsed(self.path)
        if self.equals is None and self.min is None and self.max is None:
            raise ValueError("name `equals`, `min` or `max`")
        if self.equals is not None and (self.min is not None or self.max is not None):
            raise ValueError("`equals` stands alone, without `min` and `max`")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"`min` {self.min} is more than `max` {self.max}")

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Follow the path and count."""
        value = self._value(seen)
        if isinstance(value, Verdict):
            return value
        length = _length(value)
        if length is None:
            what = f"{shown(value)} ({kind_of(value)})"
            return holds(False, f"field {self.path} has no length: it is {what}")
        low = self.min if self.equals is None else self.equals
        high = self.max if self.equals is None else self.equals
        right = (low is None or length >= low) and (high is None or length <= high)
        return holds(right, f"field {self.path} has length {length}, wanted {_range(low, high)}")


def _length(value: Any) -> int | None:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping | list | tuple):
        return len(cast("Sequence[Any]", value))
    return None


def _range(low: int | None, high: int | None) -> str:
    if low == high:
        return f"exactly {low}"
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"{low} to {high}"


GRADERS: tuple[type[Grader], ...] = (FieldPresent, FieldEquals, FieldLength)
