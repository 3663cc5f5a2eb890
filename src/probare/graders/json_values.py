"""Is it JSON, does it fit a JSON Schema, does it come back from JSON as it was?"""

from __future__ import annotations

import json
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET

from probare.errors import GraderError
from probare.graders import json_text, schema_validation
from probare.graders.compare import difference, kind_of, same, shown
from probare.graders.json_text import Found, NotJson, TwiceNamed
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

_MOST_NAMED = 3


class IsJson(Grader, frozen=True, kw_only=True):
    """The output is JSON: a text as a whole or, with `extract`, a text that holds some.

    With `extract`, fenced blocks and prose are searched for an object or a list by a real
    decoder: `[see note] {maybe}` holds none. NaN is not JSON. An object that names a key twice
    is (RFC 8259, section 4), and the reason says so. An output that is no text is JSON if it
    can be written as JSON.
    """

    NAME: ClassVar[str] = "is_json"
    LOOKS_AT: ClassVar[str | None] = "$output"
    BLOCKING: ClassVar[bool] = True

    extract: bool = False

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Decode; a failure says where it broke."""
        try:
            found = _found(seen, extract=self.extract)
        except TwiceNamed as error:
            return holds(True, f"the output is JSON, with a {error}")
        except NotJson as error:
            return holds(False, f"{_seen(seen)} is not JSON: {error}")
        if found.values:
            value, at = found.values[0]
            where = f" at character {at}" if at else ""
            return holds(True, f"there is JSON{where}: {kind_of(value)} {shown(value)}")
        if found.doubt:
            return holds(True, f"there is JSON, with a {found.doubt}")
        return holds(False, f"no JSON in {_seen(seen)}")


class JsonSchema(Grader, frozen=True, kw_only=True):
    """The output fits a JSON Schema (draft 2020-12, or the one that its `$schema` names).

    With `extract` (the default) a text is searched: one that is JSON as a whole holds that
    value; otherwise its fenced blocks and the outermost objects and lists in its prose are
    looked at, and the statement holds if any of them fits. Text without JSON does not fit.
    Where nothing fits, but an object names a key twice, nobody knows what that one says: error.

    Nothing is ever fetched: a `$ref` must lead into the schema itself or to one of JSON
    Schema's own. `format` is a remark, not a rule, as the standard has it. The schema is given
    by name, since a mapping is always arguments: `json_schema: {schema: {type: object}}`.
    """

    NAME: ClassVar[str] = "json_schema"
    MAIN: ClassVar[str | None] = "schema"
    LOOKS_AT: ClassVar[str | None] = "$output"
    BLOCKING: ClassVar[bool] = True

    schema: dict[str, Any]
    extract: bool = True

    def __post_init__(self) -> None:
        """Refuse a schema that is none, or that leads out of itself, at load."""
        schema_validation.check(self.schema)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Validate each value; a failure shows the first errors of the one that is nearest."""
        try:
            found = _found(seen, extract=self.extract)
        except TwiceNamed as error:
            raise GraderError(f"the JSON cannot be judged: {error}") from None
        except NotJson as error:
            return holds(False, f"{_seen(seen)} is not JSON: {error}")
        faults: list[list[str]] = []
        for value, at in found.values:
            own = schema_validation.faults(value, self.schema)
            if not own:
                where = f" at character {at}" if at else ""
                return holds(True, f"fits the schema: {kind_of(value)} {shown(value)}{where}")
            faults.append(own)
        if found.doubt:
            raise GraderError(f"the JSON cannot be judged: {found.doubt}")
        if not faults:
            return holds(False, f"no JSON in {_seen(seen)}")
        nearest = min(faults, key=len)
        more = f"; and {len(nearest) - _MOST_NAMED} more" if len(nearest) > _MOST_NAMED else ""
        of = f" (the nearest of {len(faults)} JSON values)" if len(faults) > 1 else ""
        said = "; ".join(nearest[:_MOST_NAMED])
        return holds(False, f"does not fit the schema{of}: {said}{more}")


class RoundTrips(Grader, frozen=True, kw_only=True):
    """The output stays the same when it is written as JSON and read back.

    A text must be JSON as a whole or, with `extract`, hold some, in prose or fenced; each value
    found must come back the same. What has no JSON form fails, with the reason: NaN, a number too
    large for one, half of a surrogate pair, an object that names a key twice or (from code) has
    keys that are no text.
    """

    NAME: ClassVar[str] = "round_trips"
    LOOKS_AT: ClassVar[str | None] = "$output"
    BLOCKING: ClassVar[bool] = True

    extract: bool = False

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Write, read and compare; a failure names the first difference."""
        if seen is UNSET:
            raise GraderError("there is nothing to look at")
        values: list[Any] = [seen]
        if isinstance(seen, str):
            try:
                found = _found(seen, extract=self.extract)
            except TwiceNamed as error:
                return holds(False, f"the JSON cannot come back the same: {error}")
            except NotJson as error:
                return holds(False, f"{_seen(seen)} is not JSON: {error}")
            if found.doubt:
                return holds(False, f"the JSON cannot come back the same: {found.doubt}")
            if not found.values:
                return holds(False, f"no JSON in {_seen(seen)}")
            values = [value for value, _ in found.values]
        for value in values:
            lost = _lost(value)
            if lost:
                return holds(False, f"the output does not come back the same: {lost}")
        return holds(True, f"comes back the same: {shown(values[0])}")


def _lost(value: Any) -> str:
    """Say what is lost when a value is written as JSON and read back; empty where nothing is."""
    try:
        plain = msgspec.to_builtins(value)
        back = json.loads(json.dumps(plain, allow_nan=False, ensure_ascii=False).encode())
    except RecursionError:
        raise GraderError("it is nested too deeply to be written") from None
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        return str(error)
    if not same(plain, back):
        return difference(plain, back)
    return ""


def _found(seen: Any, *, extract: bool) -> Found:
    """Return the JSON values of an output. Raises NotJson, and GraderError where unreadable."""
    if seen is UNSET:
        raise GraderError("there is nothing to look at")
    if not isinstance(seen, str):
        return Found(((json_text.plain(seen), 0),))
    return json_text.search(seen) if extract else Found(((json_text.decode(seen), 0),))


def _seen(seen: Any) -> str:
    return shown(seen) if isinstance(seen, str) else "the output"


GRADERS: tuple[type[Grader], ...] = (IsJson, JsonSchema, RoundTrips)
