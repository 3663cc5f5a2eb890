"""Named users with roles, their passwords (Argon2id), sessions, and the limit on logins.

A session's token and a password are never stored, only their hashes. Roles are looked up at each
request, so what is taken from a user is gone at once.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from probare.errors import (
    Fault,
    InvalidReview,
    MissingExtra,
    NotAllowed,
    NotFound,
    Outdated,
    Place,
)
from probare.model.review import Person, Role
from probare.review import people
from probare.review.attempts import Attempts
from probare.review.database import Database, Row, Transaction

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 1_000
LASTS = 12 * 3600.0
IDLE = 3600.0
_SEEN_EVERY = 60.0


class User(msgspec.Struct, frozen=True, kw_only=True):
    """A user, without anything of the password."""

    name: str
    role: Role
    disabled: bool
    created: str


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A login. `token` goes into the cookie, `csrf` into every form; `expires` is in UTC."""

    token: str
    csrf: str
    person: Person
    expires: str


class Hashing(msgspec.Struct, frozen=True, kw_only=True):
    """The costs of Argon2id; the defaults are the second choice of RFC 9106 (64 MiB)."""

    time_cost: int = 3
    memory_kib: int = 65_536
    parallelism: int = 4


DEFAULT_HASHING = Hashing()


class Accounts:
    """The users of a review database. Thread-safe."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], datetime],
        hashing: Hashing = DEFAULT_HASHING,
    ) -> None:
        self._database = database
        self._now = now
        self._attempts = Attempts()
        self.hashing = hashing

    @cached_property
    def _hasher(self) -> PasswordHasher:
        try:
            from argon2 import PasswordHasher
        except ImportError as error:
            raise MissingExtra("argon2-cffi", "review") from error
        costs = self.hashing
        return PasswordHasher(
            time_cost=costs.time_cost,
            memory_cost=costs.memory_kib,
            parallelism=costs.parallelism,
        )

    @cached_property
    def _nobody(self) -> str:
        """A hash that no password has, checked where there is no user, so that time tells none."""
        return self._hasher.hash(secrets.token_hex(16))

    def exist(self) -> bool:
        """Whether any user can log in."""
        with self._database.reading() as transaction:
            return transaction.row("SELECT name FROM users WHERE disabled = 0") is not None

    def users(self) -> tuple[User, ...]:
        """Return all users, by name."""
        with self._database.reading() as transaction:
            rows = transaction.rows("SELECT * FROM users ORDER BY name")
            return tuple(_user(row) for row in rows)

    def role_in(self, transaction: Transaction, name: str) -> Role | None:
        """Return the role of a user who can log in; None where there are no accounts at all.

        Raises NotFound where there are accounts, and none of that name.
        """
        if transaction.row("SELECT name FROM users WHERE disabled = 0") is None:
            return None
        row = transaction.row("SELECT * FROM users WHERE name = :name AND disabled = 0", name=name)
        if row is None:
            raise NotFound(f"there is no user '{name}'")
        return _user(row).role

    def add(self, name: str, role: str, password: str) -> User:
        """Add a user. Raises InvalidReview for a bad name, role or password, Outdated where the
        name (in any case of letters) is taken.
        """
        who = people.person(name, role)
        hashed = self._hash(password)
        created = self._now().astimezone(UTC).isoformat(timespec="seconds")
        with self._database.writing() as transaction:
            row = transaction.row(
                "SELECT name FROM users WHERE folded = :folded", folded=who.name.casefold()
            )
            if row is not None:
                raise Outdated(f"there is a user '{row['name']}' already")
            transaction.run(
                "INSERT INTO users (name, folded, role, password, disabled, created) "
                "VALUES (:name, :folded, :role, :password, 0, :created)",
                name=who.name,
                folded=who.name.casefold(),
                role=who.role,
                password=hashed,
                created=created,
            )
        return User(name=who.name, role=who.role, disabled=False, created=created)

    def set_password(self, name: str, password: str) -> None:
        """Give a user a new password, and end their sessions."""
        hashed = self._hash(password)
        with self._database.writing() as transaction:
            self._update(transaction, "password = :value", name, hashed)

    def set_role(self, name: str, role: str) -> None:
        """Give a user another role, from their next request on, and end their sessions."""
        known = people.person(name, role).role
        with self._database.writing() as transaction:
            self._update(transaction, "role = :value", name, known)

    def set_disabled(self, name: str, *, disabled: bool) -> None:
        """Let a user log in no more, or again, and end their sessions."""
        with self._database.writing() as transaction:
            self._update(transaction, "disabled = :value", name, int(disabled))

    def _update(self, transaction: Transaction, what: str, name: str, value: str | int) -> None:
        sql = f"UPDATE users SET {what} WHERE name = :name"  # noqa: S608 - constants alone
        if not transaction.run(sql, name=name, value=value):
            raise NotFound(f"there is no user '{name[:80]}'")
        transaction.run("DELETE FROM sessions WHERE name = :name", name=name)

    def _hash(self, password: str) -> str:
        faults = list(_password_faults(password))
        if faults:
            raise InvalidReview(faults)
        return self._hasher.hash(password)

    def login(self, name: str, password: str, *, origin: str = "") -> Session:
        """Open a session. `origin` is where the request comes from, for the limit.

        Raises NotAllowed with the same words for a wrong name and a wrong password; and with
        `retry_after` where there were too many tries.
        """
        now = self._now().timestamp()
        keys = _limit_keys(_spelled(name), origin)
        with self._database.writing() as transaction:
            self._attempts.begin(transaction, keys, now)
            row = transaction.row(
                "SELECT * FROM users WHERE name = :name AND disabled = 0", name=_spelled(name)
            )
        hashed = self._nobody if row is None else str(row["password"])
        if not self._matches(hashed, password) or row is None:
            raise NotAllowed("the name or the password is wrong")
        with self._database.writing() as transaction:
            self._attempts.succeeded(transaction, keys)
            if self._hasher.check_needs_rehash(hashed):
                transaction.run(
                    "UPDATE users SET password = :value WHERE name = :name AND password = :old",
                    name=row["name"],
                    value=self._hasher.hash(password),
                    old=hashed,
                )
            return self._open_session(transaction, row, now)

    def _matches(self, hashed: str, password: str) -> bool:
        from argon2 import exceptions

        if not 0 < len(password) <= LONGEST_PASSWORD:
            password = ""
        try:
            return self._hasher.verify(hashed, password.encode("utf-8", "surrogatepass"))
        except (exceptions.VerificationError, exceptions.InvalidHashError):
            return False

    def _open_session(self, transaction: Transaction, row: Row, now: float) -> Session:
        token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        transaction.run("DELETE FROM sessions WHERE expires < :now", now=now)
        transaction.run(
            "INSERT INTO sessions (token, name, csrf, seen, expires) "
            "VALUES (:token, :name, :csrf, :seen, :expires)",
            token=_hidden(token),
            name=row["name"],
            csrf=csrf,
            seen=now,
            expires=now + LASTS,
        )
        return _session(token, csrf, _user(row), now + LASTS)

    def session(self, token: str) -> Session | None:
        """Return the session of a token; None where there is none, or it has expired: 12 hours
        after the login, or an hour after the last request.
        """
        now = self._now().timestamp()
        hidden = _hidden(token)
        with self._database.reading() as transaction:
            row = transaction.row(
                "SELECT u.*, s.csrf AS csrf, s.seen AS seen, s.expires AS expires "
                "FROM sessions s JOIN users u ON u.name = s.name "
                "WHERE s.token = :token AND u.disabled = 0",
                token=hidden,
            )
        if row is None:
            return None
        if now >= row["expires"] or now >= row["seen"] + IDLE:
            self.logout(token)
            return None
        if now >= row["seen"] + _SEEN_EVERY:
            with self._database.writing() as transaction:
                sql = "UPDATE sessions SET seen = :now WHERE token = :token"
                transaction.run(sql, now=now, token=hidden)
        return _session(token, str(row["csrf"]), _user(row), float(row["expires"]))

    def logout(self, token: str) -> None:
        """End a session."""
        with self._database.writing() as transaction:
            transaction.run("DELETE FROM sessions WHERE token = :token", token=_hidden(token))

    @staticmethod
    def csrf_matches(session: Session, given: str) -> bool:
        """Whether a form's token is the session's, compared in constant time."""
        return hmac.compare_digest(session.csrf.encode(), given.encode("utf-8", "replace"))


def _password_faults(password: str) -> Sequence[Fault]:
    place = Place(path="password")
    if len(password) < SHORTEST_PASSWORD:
        return [Fault(f"should have at least {SHORTEST_PASSWORD} characters", place)]
    if len(password) > LONGEST_PASSWORD:
        return [Fault(f"has more than {LONGEST_PASSWORD} characters", place)]
    return []


def _limit_keys(name: str, origin: str) -> tuple[str, str, str]:
    """Return what tries are counted by: this name from there, anything from there, this name."""
    return (_hidden(f"{name}\n{origin}"), _hidden(f"from\n{origin}"), _hidden(f"name\n{name}"))


def _spelled(name: str) -> str:
    """Return a name as users are stored; one that none can have finds none."""
    plain = name.replace("\x00", "?").encode("utf-8", "replace").decode()
    return people.spelled(plain)


def _hidden(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _user(row: Row) -> User:
    plain = {**row, "disabled": bool(row["disabled"])}
    return msgspec.convert(plain, User)


def _session(token: str, csrf: str, user: User, expires: float) -> Session:
    return Session(
        token=token,
        csrf=csrf,
        person=Person(user.name, user.role),
        expires=datetime.fromtimestamp(expires, UTC).isoformat(timespec="seconds"),
    )
