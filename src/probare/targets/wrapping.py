"""Callables wrapped so that what goes in and comes out is observed.

Arguments are copied before the call and results after it, so that neither the agent nor the
tool can change what was recorded. A wrapped callable behaves as before: it returns, raises,
awaits and yields the same.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from time import perf_counter
from typing import Any, cast

from probare.model.event import Retrieval, ToolCall, ToolResult
from probare.targets import tags
from probare.targets.tape import Tape
from probare.targets.values import safe

Done = Callable[[Any, BaseException | None], None]
Began = Callable[[tuple[Any, ...], dict[str, Any]], Done]


def tool(tape: Tape, function: Callable[..., Any], name: str | None) -> Callable[..., Any]:
    """Wrap a tool: a `tool_call` before it and a `tool_result` after it."""
    named = named_of(function, name)
    bind = binder(function)

    def began(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Done:
        call_id = tape.call_id()
        tape.append(
            ToolCall,
            source="observed",
            name=named,
            arguments=bind(args, kwargs),
            call_id=call_id,
            attributes=tags.current(),
        )
        start = perf_counter()

        def done(result: Any, error: BaseException | None) -> None:
            tape.append(
                ToolResult,
                source="observed",
                name=named,
                result=safe(result),
                error=said(error),
                call_id=call_id,
                duration_ms=_since(start),
            )

        return done

    return wrapped(function, began)


def retriever(tape: Tape, function: Callable[..., Any], name: str | None) -> Callable[..., Any]:
    """Wrap a retriever: one `retrieval`, there as soon as the query is, completed at the end."""
    named = named_of(function, name)
    bind = binder(function)

    def began(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Done:
        asked = bind(args, kwargs)
        query = next(iter(asked.values())) if len(asked) == 1 else asked
        seq = tape.append(
            Retrieval, source="observed", name=named, query=query, attributes=tags.current()
        )
        start = perf_counter()

        def done(result: Any, error: BaseException | None) -> None:
            tape.complete(seq, documents=safe(result), error=said(error), duration_ms=_since(start))

        return done

    return wrapped(function, began)


def wrapped(function: Callable[..., Any], began: Began) -> Callable[..., Any]:
    """Wrap a callable of any kind: `began` is called with what it is passed, and what that
    returns with what it answers, or raises.
    """
    inner = _inner(function)
    if not inspect.isroutine(inner) and not isinstance(inner, type):
        inner = inner.__call__
    if inspect.isasyncgenfunction(inner):
        return _async_generator(function, began)
    if inspect.isgeneratorfunction(inner):
        return _generator(function, began)
    if inspect.iscoroutinefunction(inner):
        return _coroutine(function, began)
    return _plain(function, began)


def _plain(function: Callable[..., Any], began: Began) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        done = began(args, kwargs)
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            done(None, error)
            raise
        if inspect.isawaitable(result):
            return _awaited(result, done)
        done(result, None)
        return result

    return wrapped


def _coroutine(function: Callable[..., Any], began: Began) -> Callable[..., Any]:
    @functools.wraps(function)
    async def wrapped(*args: Any, **kwargs: Any) -> Any:
        done = began(args, kwargs)
        try:
            result = await function(*args, **kwargs)
        except BaseException as error:
            done(None, error)
            raise
        done(result, None)
        return result

    return wrapped


async def _awaited(result: Any, done: Done) -> Any:
    try:
        value = await result
    except BaseException as error:
        done(None, error)
        raise
    done(value, None)
    return value


def _generator(function: Callable[..., Any], began: Began) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return _yielded(function(*args, **kwargs), began(args, kwargs))

    return wrapped


def _yielded(items: Any, done: Done) -> Any:
    taken: list[Any] = []
    try:
        for item in items:
            taken.append(safe(item))
            yield item
    except GeneratorExit:
        items.close()
        done(taken, None)
        raise
    except BaseException as error:
        done(taken, error)
        raise
    done(taken, None)


def _async_generator(function: Callable[..., Any], began: Began) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return _async_yielded(function(*args, **kwargs), began(args, kwargs))

    return wrapped


async def _async_yielded(items: Any, done: Done) -> Any:
    taken: list[Any] = []
    try:
        async for item in items:
            taken.append(safe(item))
            yield item
    except GeneratorExit:
        await items.aclose()
        done(taken, None)
        raise
    except BaseException as error:
        done(taken, error)
        raise
    done(taken, None)


def named_of(function: Any, name: str | None) -> str:
    """Return the name given, else the callable's own."""
    if name is not None:
        return name
    inner = _inner(function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def _inner(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = cast("Any", function).func
    return function


def binder(function: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """Return a function that names arguments after the parameters they were passed to.

    What a `*args` takes is a list under its name; what does not fit the signature (the call
    will raise) is kept as `args` beside the keywords.
    """
    known: list[inspect.Signature | None] = []

    def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        if not args:
            return safe(kwargs)
        if not known:
            known.append(_signature(function))
        signature = known[0]
        if signature is None:
            return safe({"args": args, **kwargs})
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError:
            return safe({"args": args, **kwargs})
        for name, parameter in signature.parameters.items():
            if parameter.kind is parameter.VAR_KEYWORD and name in bound:
                rest = bound.pop(name)
                bound.update({key: item for key, item in rest.items() if key not in bound})
        return safe(bound)

    return bind


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def said(error: BaseException | None) -> str | None:
    """Return an exception as one text."""
    if error is None:
        return None
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


def _since(start: float) -> float:
    return round((perf_counter() - start) * 1000, 3)
