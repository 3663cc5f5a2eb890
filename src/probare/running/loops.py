"""Running the engine's coroutine to its end, wherever the caller stands."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from probare.running.engine import let_go

T = TypeVar("T")


def run_to_end(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine from synchronous code and return its result.

    Inside a running event loop (a notebook, an async test) it runs on a thread of its own; there
    is no nesting of loops. Tasks that do not end when cancelled are left behind.
    """
    if not _inside_a_loop():
        return _run(main)
    box: list[T] = []
    faults: list[BaseException] = []

    def work() -> None:
        try:
            box.append(_run(main))
        except BaseException as error:
            faults.append(error)

    thread = threading.Thread(target=work, name="probare-run", daemon=True)
    thread.start()
    thread.join()
    if faults:
        raise faults[0]
    return box[0]


def _inside_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(main())
    finally:
        _cancel_rest(loop)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _cancel_rest(loop: asyncio.AbstractEventLoop) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.wait(tasks, timeout=0.5))
    for task in tasks:
        if not task.done():
            let_go(task)
