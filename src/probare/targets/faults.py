"""What an agent raises, made into how its trial stopped.

Its traceback is recorded without the harness's own frames. Nothing that an agent raises, not
SystemExit nor KeyboardInterrupt, ends the run.
"""

from __future__ import annotations

import asyncio
import traceback
from pathlib import Path

from probare.errors import TargetError, TrialError
from probare.targets.tape import Tape

_HOUSE = str(Path(__file__).parents[1])
_LOOP = str(Path(asyncio.__file__).parent)
LONGEST_TRACEBACK = 8_000


def of_agent(error: BaseException, tape: Tape) -> TrialError:
    """Return the error that a trial stops with, and record what was raised.

    A TrialError that the agent raised itself (InfraError for its backend's 429, say) stays.
    """
    if isinstance(error, TrialError):
        return error
    tape.failed(type(error).__name__, str_of(error), trimmed(error))
    if isinstance(error, SystemExit):
        code = "" if error.code is None else str_of(error) or "0"
        found = TargetError(
            f"the agent called exit({code})",
            hint="an agent returns its answer; what exits is a program: use a command target",
        )
    else:
        found = TargetError(safe_message(error))
    found.__cause__ = error
    return found


def str_of(error: BaseException) -> str:
    """Return an exception's own message; never raises."""
    try:
        return str(error)
    except Exception:
        return "<its message cannot be had>"


def safe_message(error: BaseException) -> str:
    """Return `Type: message`; never raises."""
    message = str_of(error)
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def trimmed(error: BaseException) -> str:
    """Return a traceback without frames of the harness; the end where it is too long."""
    try:
        whole = traceback.TracebackException.from_exception(error, compact=True)
        _trim(whole, set())
        text = "".join(whole.format()).strip()
    except Exception:
        return safe_message(error)
    return text if len(text) <= LONGEST_TRACEBACK else "…" + text[-LONGEST_TRACEBACK:]


def _trim(part: traceback.TracebackException, seen: set[int]) -> None:
    if id(part) in seen:
        return
    seen.add(id(part))
    own = [frame for frame in part.stack if not frame.filename.startswith((_HOUSE, _LOOP))]
    part.stack = traceback.StackSummary.from_list(own)
    for other in (part.__cause__, part.__context__, *(part.exceptions or ())):
        if other is not None:
            _trim(other, seen)
