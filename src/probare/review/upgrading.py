"""Bringing a database's tables to the newest version, by Alembic's migrations beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from probare.errors import MissingExtra, ReviewError

if TYPE_CHECKING:
    from sqlalchemy import Connection

# the migrations in their order; a test holds the list to the files
VERSIONS = ("0001",)
MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 7_702_273


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing, inside the transaction of this connection.

    Alembic is imported only where there are any. Raises ReviewError where the database is of a
    newer Probare.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    version = _version(connection)
    if version == VERSIONS[-1]:
        return
    if version is not None and version not in VERSIONS:
        raise ReviewError(
            f"the review database is of version {version}, which this Probare does not know",
            hint="use the newer Probare that wrote it",
        )
    try:
        from alembic import command
        from alembic.config import Config
    except ImportError as error:
        raise MissingExtra("alembic", "review") from error
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _version(connection: Connection) -> str | None:
    from sqlalchemy import inspect

    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)
