"""Tasks that an agent starts cannot end the run.

asyncio lets SystemExit and KeyboardInterrupt of any task through to whoever runs the loop, so
one `sys.exit(0)` in a tool would end the whole run, with exit code 0. While a target is open,
tasks that are created inside a trial turn them into a TargetError for whoever awaits them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from probare.errors import TrialError
from probare.targets import faults
from probare.targets.recorder import CURRENT, Recorder


class Containment:
    """The task factory of one loop, put in front of the one it had."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._before = loop.get_task_factory()
        self._factory = self._make
        loop.set_task_factory(self._factory)

    def end(self) -> None:
        """Give the loop its own factory back, unless another was put in front of ours."""
        if self._loop.get_task_factory() is self._factory:
            self._loop.set_task_factory(self._before)

    def _make(self, loop: asyncio.AbstractEventLoop, coro: Any, **more: Any) -> Any:
        recorder = CURRENT.get()
        if recorder is not None and asyncio.iscoroutine(coro):
            coro = _Contained(coro, recorder)
        if self._before is not None:
            return self._before(loop, coro, **more)
        return asyncio.Task(coro, loop=loop, **more)


class _Contained(Coroutine[Any, Any, Any]):
    """A coroutine as it was, but for what it raises."""

    def __init__(self, inner: Coroutine[Any, Any, Any], recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder
        self.__name__ = getattr(inner, "__name__", type(inner).__name__)
        self.__qualname__ = getattr(inner, "__qualname__", self.__name__)

    def send(self, value: Any, /) -> Any:
        try:
            return self._inner.send(value)
        except (SystemExit, KeyboardInterrupt) as error:
            raise self._fault(error) from error

    def throw(self, *thrown: Any) -> Any:
        try:
            return self._inner.throw(*thrown)
        except (SystemExit, KeyboardInterrupt) as error:
            raise self._fault(error) from error

    def close(self) -> None:
        self._inner.close()

    def __await__(self) -> Any:
        return self._inner.__await__()

    def _fault(self, error: BaseException) -> TrialError:
        return faults.of_agent(error, self._recorder)
