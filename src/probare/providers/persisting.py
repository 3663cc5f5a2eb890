"""One question, asked until it is answered: through the limiter, and again after passing faults."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

from probare.ports.chat import ChatReply
from probare.ports.clock import not_counted
from probare.providers.faults import Fault, fault_of
from probare.providers.limiter import LONGEST_WAIT, PATIENCE, Limiter

TRIES = 4  # in all, where the provider fails; limits are waited for, and are no failures
_FIRST_WAIT = 0.5
_LONGEST_PAUSE = 30.0


class Persistence:
    """How a question is asked again. `told` says whether a piece of the answer was passed on: it
    cannot be taken back, so nothing is asked again after it.
    """

    def __init__(
        self,
        limiter: Limiter,
        name: str,
        told: Callable[[], bool],
        *,
        tries: int = TRIES,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._limiter = limiter
        self._name = name
        self._told = told
        self._tries = tries
        self._sleep = sleep
        self._failures = 0
        self._began = time.monotonic()

    async def answered(self, ask: Callable[[], Awaitable[ChatReply]]) -> ChatReply:
        """Return the reply. Raises InfraError where there is none for good; what is no fault of
        the provider is raised as it is. Waits are not counted as the trial's time.
        """
        again = False
        while True:
            with not_counted():
                round_ = await self._limiter.enter(again=again)
            try:
                reply = await ask()
            except Exception as error:
                fault = fault_of(error)
                if fault is None:
                    self._limiter.left()
                    raise
                again = True
                if fault.kind == "filtered":
                    self._limiter.accepted()
                    return ChatReply(text=None, model=self._name, finish="content_filter")
                wait = self._wait(fault, round_)
                if wait is None:
                    raise fault.error(self._name) from error
                if wait:
                    with not_counted():
                        await self._sleep(wait)
            except BaseException:
                self._limiter.left()
                raise
            else:
                self._limiter.accepted()
                return reply

    def _wait(self, fault: Fault, round_: int) -> float | None:
        """Return the seconds to wait before asking again; None to stop."""
        if fault.kind == "limited":
            pause = self._limiter.refused(round_, fault.wait)
            weary = self._limiter.silent_for(self._began) > PATIENCE
            return None if weary or pause > LONGEST_WAIT or self._told() else pause
        self._limiter.left()
        self._failures += 1
        if fault.kind != "passing" or self._failures >= self._tries or self._told():
            return None
        if fault.wait is not None:
            return fault.wait if fault.wait <= LONGEST_WAIT else None
        ceiling = min(_LONGEST_PAUSE, _FIRST_WAIT * 2 ** (self._failures - 1))
        return ceiling * (0.5 + random.random() / 2)  # noqa: S311 - jitter, not a secret
