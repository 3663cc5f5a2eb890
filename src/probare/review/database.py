"""The database: SQLite by file, PostgreSQL by URL, through SQLAlchemy.

All SQL of this room is plain and the same for both; what differs (locks, pragmas) stands here.
SQLAlchemy is imported when a database is opened, not before.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from probare.errors import MissingExtra, NotFound, Outdated, ReviewError
from probare.review.places import is_url
from probare.review.upgrading import upgrade

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

Row: TypeAlias = dict[str, Any]

_BUSY_MS = 30_000
_BEGIN = "probare_begin"


class Transaction:
    """One transaction. Values are always bound, never written into the SQL."""

    def __init__(self, connection: Connection, dialect: str) -> None:
        self.connection = connection
        self._dialect = dialect

    def rows(self, sql: str, **values: Any) -> list[Row]:
        """Return the rows of a query, by column name."""
        from sqlalchemy import text

        result = self.connection.execute(text(sql), values)
        return [dict(row) for row in result.mappings()]

    def row(self, sql: str, **values: Any) -> Row | None:
        """Return the first row of a query, or None."""
        found = self.rows(sql, **values)
        return found[0] if found else None

    def run(self, sql: str, **values: Any) -> int:
        """Run a statement; return how many rows it touched."""
        from sqlalchemy import text

        return self.connection.execute(text(sql), values).rowcount

    def run_many(self, sql: str, values: list[Row]) -> None:
        """Run a statement once for each set of values."""
        from sqlalchemy import text

        if values:
            self.connection.execute(text(sql), values)

    def locking(self, sql: str) -> str:
        """Return a query that locks its rows until the end. SQLite writers hold the whole file."""
        return f"{sql} FOR UPDATE" if self._dialect == "postgresql" else sql


class Database:
    """An open database, at the newest version of its tables. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True) -> Database:
        """Open a database, and bring its tables up to date.

        Raises MissingExtra where SQLAlchemy or the driver is not installed, NotFound where the
        file does not exist and is not to be made, ReviewError where it cannot be opened.
        """
        if not is_url(where) and not Path(where).is_file():
            if not create:
                raise NotFound(f"there is no review database {where}")
            try:
                Path(where).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ReviewError(f"cannot make the review database {where}: {error}") from error
        engine = _engine(where)
        database = cls(engine)
        try:
            with database.writing() as transaction:
                upgrade(transaction.connection)
        except BaseException:
            engine.dispose()
            raise
        return database

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Generator[Transaction]:
        """Open a transaction that only reads."""
        with self._transaction("DEFERRED") as transaction:
            yield transaction

    @contextmanager
    def writing(self) -> Generator[Transaction]:
        """Open a transaction that is kept as a whole, or not at all where the block raises."""
        with self._transaction("IMMEDIATE") as transaction:
            yield transaction

    @contextmanager
    def _transaction(self, kind: str) -> Generator[Transaction]:
        from sqlalchemy import exc

        try:
            with self._engine.connect() as plain:
                connection = plain.execution_options(**{_BEGIN: kind})
                with connection.begin():
                    yield Transaction(connection, self._engine.dialect.name)
        except exc.IntegrityError as error:
            message = "somebody else changed this at the same moment; nothing was kept"
            raise Outdated(message, hint="look at it again") from error
        except exc.DBAPIError as error:
            shown = self._engine.url.render_as_string(hide_password=True)
            raise ReviewError(f"the review database {shown}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    cause = getattr(error, "orig", None) or error
    return (str(cause).strip() or type(cause).__name__).splitlines()[0]


def _engine(where: str | Path) -> Engine:
    try:
        import sqlalchemy
        from sqlalchemy import URL, exc
    except ImportError as error:
        raise MissingExtra("sqlalchemy", "review") from error
    try:
        if not is_url(where):
            url = URL.create("sqlite", database=str(where))
        else:
            url = sqlalchemy.make_url(str(where))
        if url.get_backend_name() not in ("sqlite", "postgresql", "postgres"):
            name = url.get_backend_name()
            hint = "a file, sqlite:///FILE or postgresql://USER@HOST/NAME"
            raise ReviewError(f"no database '{name}' is known", hint=hint)
        if url.get_backend_name() in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
            return sqlalchemy.create_engine(url, pool_pre_ping=True)
        return _sqlite(sqlalchemy.create_engine(url))
    except exc.ArgumentError as error:
        raise ReviewError(f"this is no address of a database: {error}") from error
    except ImportError as error:
        raise MissingExtra("psycopg", "postgres") from error


def _sqlite(engine: Engine) -> Engine:
    """Make SQLite keep foreign keys, wait for its writers, and begin as it is told."""
    from sqlalchemy import event

    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in (
            f"busy_timeout = {_BUSY_MS}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begun(connection: Connection) -> None:
        kind = connection.get_execution_options().get(_BEGIN, "DEFERRED")
        connection.exec_driver_sql(f"BEGIN {kind}")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
