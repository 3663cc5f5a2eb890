"""What governs an agent, wrapped: its policy, approver, record of attempts, meter and detector.

Each wrapper reads what the callable was really passed and what it really answered. A field of
the event is taken from the answer where that is a mapping (or a dataclass, a struct, a pydantic
model) with such a key, else from the argument of that name. What cannot be read becomes a note
whose `data.kind` names the event that is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from probare.model.event import Approval, Attempt, Decision, EventBase, Note, Usage
from probare.targets import tags
from probare.targets.tape import Tape
from probare.targets.values import safe
from probare.targets.wire import usage_from_wire
from probare.targets.wrapping import Done, binder, named_of, said, wrapped

DETECTED = "detected"
_DECISIONS = {"allow": "allow", "deny": "deny", "require_approval": "require_approval"}
_STATES = {"granted": "granted", "approved": "granted", "denied": "denied", "rejected": "denied"}
_SHARED = ("resource", "reason", "call_id")


def policy(tape: Tape, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap what decides: a `decision` as soon as it has answered."""
    bind = binder(function)

    def began(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Done:
        asked = _hoisted(bind(args, kwargs))

        def done(result: Any, error: BaseException | None) -> None:
            answer = safe(result)
            told = _mapping(answer)
            word = _decision(told.get("decision", answer))
            if word is None:
                word = _decision(asked.get("decision"))
            if word is None:
                _unreadable(tape, "decision", asked, answer, error)
                return
            tape.append(
                Decision,
                source="observed",
                decision=word,
                action=_text("action", told, asked) or "",
                policy=_text("policy", told, asked),
                attributes=_rest(asked, Decision),
                **{name: _text(name, told, asked) for name in _SHARED},
            )

        return done

    return wrapped(function, began)


def approver(tape: Tape, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap who is asked: `approval` requested before the call, granted or denied after it."""
    bind = binder(function)

    def began(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Done:
        asked = _hoisted(bind(args, kwargs))
        action, rest = _text("action", asked) or "", _rest(asked, Approval)
        fields = {name: _text(name, asked) for name in _SHARED}
        tape.append(
            Approval,
            source="observed",
            state="requested",
            action=action,
            attributes=rest,
            **fields,
        )

        def done(result: Any, error: BaseException | None) -> None:
            answer = safe(result)
            told = _mapping(answer)
            state = _answered(told, answer)
            if state is None:
                if answer is not None:
                    _unreadable(tape, "approval", asked, answer, error)
                return
            tape.append(
                Approval,
                source="observed",
                state=state,
                action=_text("action", told) or action,
                by=_text("by", told),
                attributes=rest,
                **{name: _text(name, told) or fields[name] for name in _SHARED},
            )

        return done

    return wrapped(function, began)


def attempts(tape: Tape, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the callable that writes down an attempt: an `attempt` once it is written."""
    bind = binder(function)

    def began(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Done:
        asked = _hoisted(bind(args, kwargs))

        def done(result: Any, error: BaseException | None) -> None:
            if error is not None:
                return
            told = _mapping(safe(result))
            number, ok = _field("number", told, asked), _field("ok", told, asked)
            operation = _text("operation", told, asked)
            if type(number) is not int or not isinstance(ok, bool) or not operation:
                _unreadable(tape, "attempt", asked, safe(result), None)
                return
            tape.append(
                Attempt,
                source="observed",
                operation=operation,
                number=number,
                ok=ok,
                error=_text("error", told, asked),
                call_id=_text("call_id", told, asked),
                attributes=tags.current(),
            )

        return done

    return wrapped(function, began)


def metered(tape: Tape, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a paid call: a `usage` after it, with a null cost where the answer names none."""

    def began(_args: tuple[Any, ...], _kwargs: dict[str, Any]) -> Done:
        def done(result: Any, _error: BaseException | None) -> None:
            told = _mapping(safe(result))
            inner = told.get("usage")
            spent = _mapping(inner) if isinstance(inner, dict) else told
            micro = spent.get("cost_micro_usd")
            if type(micro) is int and "cost_usd" not in spent:
                spent = {**spent, "cost_usd": micro / 1_000_000}
            usage = usage_from_wire(spent, source="observed", model=told.get("model"))
            tape.put(usage or Usage(source="observed"), attributes=tags.current())

        return done

    return wrapped(function, began)


def detector(tape: Tape, function: Callable[..., Any], name: str | None) -> Callable[..., Any]:
    """Wrap what finds identifiers: a note with what it was given and what it found."""
    bind, called = binder(function), named_of(function, name)

    def began(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Done:
        given = bind(args, kwargs)

        def done(result: Any, error: BaseException | None) -> None:
            if error is not None:
                return
            data = {"name": called, "given": given, "found": safe(result)}
            tape.append(
                Note, source="observed", text=DETECTED, data=data, attributes=tags.current()
            )

        return done

    return wrapped(function, began)


def _hoisted(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments; the keys of a single one that is a mapping stand for themselves."""
    if len(asked) == 1:
        (only,) = asked.values()
        if isinstance(only, dict):
            return cast("dict[str, Any]", only)
    return asked


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _field(name: str, *places: dict[str, Any]) -> Any:
    return next((place[name] for place in places if place.get(name) is not None), None)


def _text(name: str, *places: dict[str, Any]) -> str | None:
    found = _field(name, *places)
    return found if isinstance(found, str) else None


def _rest(asked: dict[str, Any], kind: type[EventBase]) -> dict[str, Any]:
    """Return the arguments that the event has no field for, with the tags that hold here."""
    fields = kind.__struct_fields__
    return {k: v for k, v in asked.items() if k not in fields} | tags.current()


def _decision(value: Any) -> str | None:
    if isinstance(value, bool):
        return "allow" if value else "deny"
    return _DECISIONS.get(value.casefold()) if isinstance(value, str) else None


def _answered(told: dict[str, Any], answer: Any) -> str | None:
    """Return granted or denied, or None where the approver has not answered."""
    word = _field("state", told)
    if word is None:
        word = _field("granted", told) if "granted" in told else _field("approved", told)
    if not told:
        word = answer
    if isinstance(word, bool):
        return "granted" if word else "denied"
    return _STATES.get(word.casefold()) if isinstance(word, str) else None


def _unreadable(
    tape: Tape, kind: str, asked: dict[str, Any], answer: Any, error: BaseException | None
) -> None:
    data = {"kind": kind, "given": asked, "answer": answer, "error": said(error)}
    text = f"no {kind} can be read from what the agent's {kind} callable was given and answered"
    tape.append(Note, source="observed", text=text, data=data, attributes=tags.current())
