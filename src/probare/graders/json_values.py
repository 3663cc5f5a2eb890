"""Is it JSON, and does it fit a JSON Schema?"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from probare.errors import GraderError
from probare.graders import json_text, schemas
from probare.graders.compare import kind_of, shown
from probare.graders.json_text import Found, NotJson
from probare.model.verdict import Span, Verdict
from probare.ports.grader import Grader, TrialView, holds


class IsJson(Grader, frozen=True, kw_only=True):
    """The output is JSON: a text as a whole or, with `extract`, a text that holds some.

    With `extract`, fenced blocks and prose are searched for an object or an array by a real
    decoder: `[see note] {maybe}` holds none. NaN is not JSON, nor is an object that names a key
    twice. An output that is no text is JSON if it can be written as JSON.
    """

    NAME: ClassVar[str] = "is_json"
    LOOKS_AT: ClassVar[str | None] = "$output"

    extract: bool = False

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Decode; the spans are those of the values found."""
        try:
            found = _values(seen, extract=self.extract)
        except NotJson as error:
            return holds(False, str(error))
        kinds = ", ".join(dict.fromkeys(kind_of(each.value) for each in found))
        if len(found) == 1 and not self.extract:
            return holds(True, f"the output is JSON ({kinds})", spans=_spans(seen, found))
        return holds(True, f"the output holds JSON ({kinds})", spans=_spans(seen, found))


class JsonSchema(Grader, frozen=True, kw_only=True):
    """The output fits a JSON Schema (draft 2020-12, or the one that its `$schema` names).

    With `extract` (the default) a text is searched: one that is JSON as a whole holds that
    value; otherwise its fenced blocks and the outermost objects and arrays in its prose are
    looked at, and the statement holds if any of them fits. Text without JSON does not fit.

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
        schemas.validator(self.schema)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Validate each value; a failure shows the first errors of the one that is nearest."""
        try:
            found = _values(seen, extract=self.extract)
        except NotJson as error:
            return holds(False, str(error))
        faults = [schemas.faults(self.schema, each.value) for each in found]
        for each, own in zip(found, faults, strict=True):
            if not own:
                return holds(True, "fits the schema", spans=_spans(seen, [each]))
        nearest = min(range(len(found)), key=lambda index: len(faults[index]))
        own = faults[nearest]
        more = f"; and {len(own) - 3} more" if len(own) > 3 else ""
        of = f" (the nearest of {len(found)} JSON values)" if len(found) > 1 else ""
        reason = f"does not fit the schema{of}: {'; '.join(own[:3])}{more}"
        return holds(False, reason, spans=_spans(seen, [found[nearest]]))


def _values(seen: Any, *, extract: bool) -> list[Found]:
    """Return the JSON values of an output, at least one. Raises NotJson."""
    if seen is msgspec.UNSET:
        raise GraderError("there is nothing to look at")
    if not isinstance(seen, str):
        return [Found(json_text.plain(seen), 0, 0)]
    if not extract:
        return [Found(json_text.whole(seen), 0, len(seen))]
    found = json_text.search(seen)
    if not found:
        raise NotJson(f"no JSON in {shown(seen)}")
    return found


def _spans(seen: Any, found: list[Found]) -> tuple[Span, ...]:
    return tuple(Span(each.start, each.end) for each in found[:20]) if isinstance(seen, str) else ()


GRADERS: tuple[type[Grader], ...] = (IsJson, JsonSchema)
