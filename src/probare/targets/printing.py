"""What agents print, kept out of the terminal and of `--json`, and given to their trials.

While a target is open, `sys.stdout` is a router: what is printed inside a trial (or on a thread
that inherits its context) goes to that trial's recorder; what a thread of unknown origin prints
goes to standard error; everything else passes through. File descriptor 1 is not touched, so
what a library or a subprocess writes there directly is seen only with `isolation: process`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from typing import Any, TextIO

from probare.targets.recorder import CURRENT

_lock = threading.Lock()
_open = 0
_router: _Router | None = None


class _Router:
    """Stands in for a text stream."""

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind
        self.home = threading.get_ident()

    def write(self, text: str) -> int:
        recorder = CURRENT.get()
        if recorder is not None:
            recorder.prints(text)
            return len(text)
        return self._elsewhere().write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if CURRENT.get() is None:
            self._elsewhere().flush()

    def _elsewhere(self) -> TextIO:
        known = threading.get_ident() == self.home
        if _open == 0 or known or threading.current_thread() is threading.main_thread():
            return self.behind
        return sys.stderr

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)


def capture() -> None:
    """Begin to route what is printed; `release` as often as this is called."""
    global _open, _router  # noqa: PLW0603 - sys.stdout is as global
    with _lock:
        _open += 1
        if _open == 1:
            _router = _Router(sys.stdout)
            sys.stdout = _router  # pyright: ignore[reportAttributeAccessIssue]


def release() -> None:
    """Stop routing when the last target closes; a stream put over ours since stays."""
    global _open, _router  # noqa: PLW0603 - sys.stdout is as global
    with _lock:
        _open -= 1
        if _open == 0 and _router is not None:
            if sys.stdout is _router:
                sys.stdout = _router.behind
            _router = None
