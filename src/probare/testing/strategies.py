"""Hypothesis strategies for what Probare reads and writes: JSON values, events, outcomes,
transcripts, checks, cases.

    @given(strategies.cases())
    def test_my_importer_keeps_every_case(case): ...
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from probare.errors import MissingExtra
from probare.face import Case
from probare.model.event import EVENT_TYPES, Channel, Event, EventBase, Source
from probare.model.outcome import Outcome, Transcript

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ImportError:
    raise MissingExtra("hypothesis", "testing") from None

__all__ = [
    "cases",
    "checks",
    "events",
    "json_values",
    "outcomes",
    "texts",
    "transcripts",
]

_CHANNELS: tuple[Channel, ...] = typing.get_args(Channel)
_SOURCES: tuple[Source, ...] = typing.get_args(Source)
_TAGS = ("regression", "capability", "slow", "étage 2")
_OF_EVERY_EVENT = ("seq", "at_ms", "source", "attributes")


def texts(*, min_size: int = 0, max_size: int = 12) -> SearchStrategy[str]:
    """Return texts of any characters that UTF-8 can hold, control characters included."""
    return st.text(st.characters(codec="utf-8"), min_size=min_size, max_size=max_size)


def json_values(
    *, max_leaves: int = 8, text: SearchStrategy[str] | None = None
) -> SearchStrategy[Any]:
    """Return JSON values: null, booleans, whole numbers of 64 bits, finite numbers, texts, and
    lists and objects of such. `text` are the texts and the keys of objects.
    """
    words = texts() if text is None else text
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**63), 2**63)
        | st.floats(allow_nan=False, allow_infinity=False)
        | words,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
        max_leaves=max_leaves,
    )


def events(*kinds: str, source: Source | None = None) -> SearchStrategy[Event]:
    """Return events of these kinds (`tool_call`, `decision`, …), by default of all; seen by
    `source`, by default by any. Each has `seq` 0 and no time: `transcripts` number them.

    Raises ValueError on a kind that does not exist.
    """
    unknown = sorted(set(kinds) - EVENT_TYPES.keys())
    if unknown:
        raise ValueError(f"no kind of event: {', '.join(unknown)}")
    sources = st.sampled_from(_SOURCES if source is None else (source,))
    chosen = kinds or tuple(EVENT_TYPES)
    return st.one_of([_events_of(EVENT_TYPES[kind], sources) for kind in chosen])


def outcomes() -> SearchStrategy[Outcome]:
    """Return outcomes: with any JSON output or none, with and without a state and artifacts."""
    value = json_values()
    return st.builds(
        Outcome,
        output=st.just(UNSET) | value,
        state=st.just(UNSET) | value,
        artifacts=st.lists(_paths(), max_size=2, unique=True).map(tuple),
        truncated=st.booleans(),
    )


def transcripts(
    *,
    case: str = "case",
    trial: int = 0,
    event: SearchStrategy[Event] | None = None,
    max_events: int = 6,
) -> SearchStrategy[Transcript]:
    """Return transcripts of one trial: events numbered from 0 whose times never fall, and an
    outcome. `event` are the events to draw from.
    """
    drawn = events() if event is None else event
    pauses = st.floats(0, 1_000, allow_nan=False)
    steps = st.lists(st.tuples(drawn, pauses), max_size=max_events)
    return st.builds(
        Transcript,
        case=st.just(case),
        trial=st.just(trial),
        events=steps.map(_in_order),
        outcome=outcomes(),
        observes=st.sets(st.sampled_from(_CHANNELS)).map(lambda found: tuple(sorted(found))),
    )


def checks() -> SearchStrategy[dict[str, Any]]:
    """Return checks as a suite writes them: a core grader with arguments that it takes, some with
    a label, some optional, some negated.
    """
    several = st.lists(_words(), min_size=1, max_size=3)
    graders: dict[str, dict[str, SearchStrategy[Any]]] = {
        "contains": {"text": _words()},
        "contains_any": {"texts": several},
        "contains_all": {"texts": several},
        "starts_with": {"text": _words()},
        "equals": {"value": json_values(text=_words())},
        "word_count": {"max": st.integers(1, 50)},
        "similar": {"to": _words(), "at_least": st.floats(0, 1)},
    }
    of_all: dict[str, SearchStrategy[Any]] = {"label": _words(), "required": st.booleans()}
    plain = [_check(name, args, of_all) for name, args in graders.items()]
    inside = [_check(name, args, {}) for name, args in graders.items()]
    return st.one_of(plain) | st.one_of(inside).map(lambda check: {"not": check})


def cases(*, ids: SearchStrategy[str] | None = None) -> SearchStrategy[Case]:
    """Return cases that `Suite` takes: at least one check, any input, tags, a split. Every one has
    an id of its own only where `ids` gives it one (`st.lists(cases(), unique_by=…)`).
    """
    return st.builds(
        Case,
        id=_words() if ids is None else ids,
        input=json_values(),
        expect=st.lists(checks(), min_size=1, max_size=2),
        forbid=st.lists(checks(), max_size=2),
        category=st.none() | _words(),
        tags=st.lists(st.sampled_from(_TAGS), max_size=2, unique=True),
        split=st.sampled_from(["held_out", "carried_over"]),
        trials=st.none() | st.integers(1, 3),
    )


def _words() -> SearchStrategy[str]:
    """Texts of letters and digits: never empty, never a placeholder."""
    letters = st.characters(codec="utf-8", categories=("Lu", "Ll", "Nd"))
    return st.text(letters, min_size=1, max_size=8)


def _paths() -> SearchStrategy[str]:
    return st.lists(_words(), min_size=1, max_size=2).map("/".join)


def _check(
    grader: str, args: dict[str, SearchStrategy[Any]], optional: dict[str, SearchStrategy[Any]]
) -> SearchStrategy[dict[str, Any]]:
    given = st.fixed_dictionaries(args, optional=optional)
    return given.map(lambda found: {grader: found})


def _in_order(steps: list[tuple[Event, float]]) -> tuple[Event, ...]:
    numbered: list[Event] = []
    at = 0.0
    for number, (event, pause) in enumerate(steps):
        at += pause
        numbered.append(msgspec.structs.replace(event, seq=number, at_ms=at))
    return tuple(numbered)


def _events_of(kind: type[EventBase], sources: SearchStrategy[Source]) -> SearchStrategy[Any]:
    """Draw every field of an event by its type, so that a new field is drawn by itself."""
    hints = typing.get_type_hints(kind)
    names = [name for name in kind.__struct_fields__ if name not in _OF_EVERY_EVENT]
    fields: dict[str, SearchStrategy[Any]] = {name: _of_type(hints[name]) for name in names}
    made: Callable[..., Any] = kind
    return st.builds(made, source=sources, attributes=_attributes(), **fields)


def _attributes() -> SearchStrategy[dict[str, Any]]:
    return st.dictionaries(_words(), st.integers(0, 9) | _words(), max_size=1)


def _of_type(hint: Any) -> SearchStrategy[Any]:
    if hint is Any:
        return json_values(max_leaves=4)
    if typing.get_origin(hint) is types.UnionType:
        return st.one_of([_of_type(part) for part in typing.get_args(hint)])
    if typing.get_origin(hint) is typing.Literal:
        return st.sampled_from(typing.get_args(hint))
    simple: dict[Any, SearchStrategy[Any]] = {
        types.NoneType: st.none(),
        bool: st.booleans(),
        int: st.integers(0, 2**53),
        float: st.floats(0, 1e9, allow_nan=False),
        str: texts(),
    }
    return simple[hint]
