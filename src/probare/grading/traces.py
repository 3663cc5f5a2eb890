"""The trace of a trial: what happened, in order, in a form whose digest two trials can share.

The canonical form (DESIGN section 9) is RFC 8785 JSON over the list of events. It keeps the kind
and every field that says what happened, `attributes` included, and leaves out:

- `at_ms` and `duration_ms`: the harness's clocks. A clock that the agent itself writes into an
  argument, a result, a note or an attribute stays in, so that it makes traces differ;
- `seq`: the order of the list says it;
- `source`: the trace says what happened, not who saw it. The same acts hash alike whether they
  were observed in process, claimed over HTTP or replayed;
- `artifact` events: a manifest names the trace that made it, which would be circular;
- the note that links a trial with its OpenTelemetry trace, whose id is random;
- fields at their defaults, so that null and absent are one.

Call ids are numbered from 1 by first appearance. Numbers are written as RFC 8785 writes them, so
1 and 1.0 are one; an integer beyond 2^53 − 1, which it cannot write, becomes
`{"$integer": "<its digits>"}`. NaN and infinities are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, cast

import msgspec

from probare.encoding import digest, jsonbytes
from probare.encoding.narrow import mapping, sequence
from probare.errors import GraderError
from probare.model.event import Artifact, Event, Note

OUTSIDE = (
    "the harness's clocks (at_ms, duration_ms), sequence numbers, who saw an event (source), "
    "the names of call ids, artifact events, the link to an OpenTelemetry trace"
)
TRACE = "trace"
"""The `data.kind` of the note that names a trial's OpenTelemetry trace (`trace_id`, `span_id`)."""

_LEFT_OUT = ("seq", "at_ms", "source", "duration_ms")
_LARGEST = 2**53 - 1
_ABSENT: Any = object()


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Where two traces part: the event's position (from 0, artifact events not counted), the
    path inside it (empty where the events as a whole differ), and what each trace has there.

    `one` and `two` are null where `only` says that a trace has nothing there: "one" or "two" is
    the trace that alone has something. `kinds` are the kinds of the two events, empty where a
    trace has ended.
    """

    position: int
    path: str
    one: Any
    two: Any
    only: str | None
    kinds: tuple[str, str]


def trace_hash(events: Sequence[Event]) -> str:
    """Return the SHA-256 of a trace's canonical form, as lower-case hex.

    Raises GraderError where an event has no such form (NaN, an infinity, what is not JSON).
    """
    import rfc8785

    canonical = canonical_events(events)
    try:
        return digest.of_bytes(rfc8785.dumps(cast("Any", canonical)))
    except (rfc8785.CanonicalizationError, RecursionError) as error:
        raise GraderError(f"the trace cannot be hashed: {error}") from None


def canonical_events(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return a trace's events as JSON objects, without what stands outside the hash.

    Raises GraderError where an event has no such form (NaN, an infinity, what is not JSON).
    """
    ids: dict[str, int] = {}
    return [_canonical(event, ids) for event in events if not _outside(event)]


def _outside(event: Event) -> bool:
    if isinstance(event, Note):
        return event.source != "claimed" and mapping(event.data).get("kind") == TRACE
    return isinstance(event, Artifact)


def first_difference(one: Iterable[Event], two: Iterable[Event]) -> Difference | None:
    """Return where two traces part, or None where they are the same."""
    first, second = canonical_events(one), canonical_events(two)
    for position, (a, b) in enumerate(zip_longest(first, second, fillvalue=_ABSENT)):
        found = _apart(a, b, "")
        if found is not None:
            path, inner, other = found
            return Difference(
                position=position,
                path=path,
                one=None if inner is _ABSENT else inner,
                two=None if other is _ABSENT else other,
                only="two" if inner is _ABSENT else "one" if other is _ABSENT else None,
                kinds=(_kind(a), _kind(b)),
            )
    return None


def _kind(event: Any) -> str:
    return "" if event is _ABSENT else event["kind"]


def _canonical(event: Event, ids: dict[str, int]) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
        for name in _LEFT_OUT:
            plain.pop(name, None)
        if "call_id" in plain:
            plain["call_id"] = ids.setdefault(plain["call_id"], len(ids) + 1)
        return cast("dict[str, Any]", _writable(jsonbytes.printable(plain)))
    except RecursionError:
        raise GraderError("an event is nested too deeply to be hashed") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise GraderError(f"an event of kind {event.kind} is not JSON: {error}") from None


def _writable(value: Any) -> Any:
    """Return a JSON value whose numbers RFC 8785 can write. Refuses NaN and infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        raise GraderError(f"the trace cannot be hashed: it holds {value}, which is not JSON")
    if isinstance(value, int) and abs(value) > _LARGEST:
        return {"$integer": str(value)}
    if isinstance(value, dict):
        return {key: _writable(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_writable(item) for item in cast("list[Any]", value)]
    return value


def _apart(one: Any, two: Any, path: str) -> tuple[str, Any, Any] | None:
    """Return the path of the first difference of two JSON values, and what each has there."""
    apart: tuple[str, Any, Any] = (path, one, two)
    if isinstance(one, dict) and isinstance(two, dict):
        first, second = mapping(one), mapping(two)
        if not path and first["kind"] != second["kind"]:
            return path, first, second
        named = (
            (f"{path}.{key}" if path else key, first.get(key, _ABSENT), second.get(key, _ABSENT))
            for key in dict.fromkeys([*first, *second])
        )
        return _first_apart(named)
    if isinstance(one, list) and isinstance(two, list):
        pairs = enumerate(zip_longest(sequence(one), sequence(two), fillvalue=_ABSENT))
        return _first_apart((f"{path}[{index}]", a, b) for index, (a, b) in pairs)
    return None if _same(one, two) else apart


def _first_apart(parts: Iterable[tuple[str, Any, Any]]) -> tuple[str, Any, Any] | None:
    for path, one, two in parts:
        found = _apart(one, two, path)
        if found is not None:
            return found
    return None


def _same(one: Any, two: Any) -> bool:
    """Whether two scalars are written alike: 1 is 1.0, true is not 1."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    return bool(one == two)
