"""The tree that spans make: who is inside whom, and what is told twice because of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from probare.targets.otel.reading import Reading
from probare.targets.otel.spans import Span

_DEEPEST = 200


class Tree:
    """Finds a span's ancestors. What nests beyond 200 levels, or in a circle, ends there."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._parents = {span.span_id: span.parent_id for span in spans}

    def above(self, span: Span) -> Iterator[str]:
        """Yield the ids of a span's ancestors, the nearest first."""
        seen = {span.span_id}
        current = span.parent_id
        while current is not None and current not in seen and len(seen) <= _DEEPEST:
            seen.add(current)
            yield current
            current = self._parents.get(current)


def once(readings: Sequence[Reading], tree: Tree) -> list[Reading]:
    """Leave out what two instrumentations tell of one act: a model's span within another model's,
    a tool's within one of the same tool, and a tool's beside one of another scope, of the same
    name, that holds its whole time.
    """
    models = {r.span.span_id for r in readings if r.does == "model"}
    tools = {r.span.span_id: r.name for r in readings if r.does == "tool"}
    kept: list[Reading] = []
    for reading in readings:
        above = tree.above(reading.span)
        if reading.does == "model" and any(one in models for one in above):
            continue
        if reading.does == "tool" and (
            any(tools.get(one) == reading.name for one in above)
            or any(_same_run(other, reading) for other in kept)
        ):
            continue
        kept.append(reading)
    return kept


def spenders(readings: Sequence[Reading], tree: Tree) -> set[str]:
    """Return the spans whose usage counts: those with usage and none below them that has any.

    An agent's span often states the sum of its models' spans.
    """
    found = {reading.span.span_id for reading in readings if reading.usage is not None}
    for reading in readings:
        if reading.usage is not None:
            found.difference_update(tree.above(reading.span))
    return found


def innermost_errors(readings: Sequence[Reading], tree: Tree) -> set[str]:
    """Return the spans that failed and have none below them that did: an exception on its way
    up marks each span that it leaves.
    """
    failed = {reading.span.span_id for reading in readings if reading.span.error is not None}
    for reading in readings:
        if reading.span.error is not None:
            failed.difference_update(tree.above(reading.span))
    return failed


def _same_run(one: Reading, other: Reading) -> bool:
    if one.does != "tool" or one.name != other.name or one.span.scope == other.span.scope:
        return False
    if one.call_id and other.call_id and one.call_id != other.call_id:
        return False
    return _holds(one.span, other.span) or _holds(other.span, one.span)


def _holds(outer: Span, inner: Span) -> bool:
    if outer.end_ns is None or inner.end_ns is None:
        return outer.start_ns <= inner.start_ns and outer.end_ns is None
    return outer.start_ns <= inner.start_ns and inner.end_ns <= outer.end_ns
