"""Where the review database is."""

from __future__ import annotations

from pathlib import Path

FOLDER = ".probare"
FILE = "reviews.db"


def database_of(runs: Path, given: str | None = None) -> str:
    """Return the database of a folder of runs: the one given (a file or a URL), else the SQLite
    file `RUNS/.probare/reviews.db`.
    """
    return given or str(runs / FOLDER / FILE)


def is_url(where: str | Path) -> bool:
    """Whether this names a database by URL, rather than a file."""
    return isinstance(where, str) and "://" in where


def is_there(where: str | Path) -> bool:
    """Whether the database may hold anything: a file that exists, or any URL."""
    return is_url(where) or Path(where).is_file()
