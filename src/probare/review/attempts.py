"""The limit on logins: after some failures each further try waits longer.

A try is counted before its password is checked, so that many at once get no further than one by
one. A success forgets the failures of that name from that origin, and of no other.
"""

from __future__ import annotations

from collections.abc import Sequence

from probare.errors import NotAllowed
from probare.review.database import Transaction

# how many failures are free: of one name from one origin, from one origin, of one name
FREE = (5, 30, 50)
FIRST_WAIT = 30.0
LONGEST_WAIT = 900.0
FORGOTTEN = 3600.0


class Attempts:
    """Counts tries in the database, by keys in the order of `FREE`."""

    def begin(self, transaction: Transaction, keys: Sequence[str], now: float) -> None:
        """Count a try. Raises NotAllowed, with the seconds to wait, where it comes too early."""
        for key in sorted(keys):
            transaction.run(
                "INSERT INTO attempts (origin, failed, last, until) VALUES (:key, 0, :now, 0) "
                "ON CONFLICT DO NOTHING",
                key=key,
                now=now,
            )
        counted: list[tuple[str, int]] = []
        for key in sorted(keys):
            row = transaction.row(
                transaction.locking("SELECT * FROM attempts WHERE origin = :key"), key=key
            )
            assert row is not None
            if row["until"] > now:
                wait = row["until"] - now
                message = f"too many failed logins; try again in {wait:.0f} seconds"
                raise NotAllowed(message, retry_after=wait)
            stale = now - row["last"] > FORGOTTEN
            counted.append((key, 1 if stale else int(row["failed"]) + 1))
        for key, failed in counted:
            transaction.run(
                "UPDATE attempts SET failed = :failed, last = :now, until = :until "
                "WHERE origin = :key",
                key=key,
                failed=failed,
                now=now,
                until=now + _wait(failed, FREE[keys.index(key)]),
            )

    def succeeded(self, transaction: Transaction, keys: Sequence[str]) -> None:
        """Forget the tries of a name from an origin, and do not count this one elsewhere."""
        transaction.run("DELETE FROM attempts WHERE origin = :key", key=keys[0])
        for key in keys[1:]:
            transaction.run(
                "UPDATE attempts SET failed = failed - 1, until = 0 "
                "WHERE origin = :key AND failed > 0",
                key=key,
            )


def _wait(failed: int, free: int) -> float:
    if failed < free:
        return 0.0
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(failed - free, 20))
