"""Random salts of stored lines, so that none can be guessed from a proof about its neighbour."""

from __future__ import annotations

import os

_POOL: list[str] = []


def fresh() -> str:
    """Return 128 random bits in hex. The system is asked for many at once: it costs less."""
    while True:
        try:
            return _POOL.pop()
        except IndexError:
            pool = os.urandom(16 * 256).hex()
            _POOL.extend(pool[at : at + 32] for at in range(0, len(pool), 32))


os.register_at_fork(after_in_child=_POOL.clear)
