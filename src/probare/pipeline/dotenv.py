"""A `.env` beside the suite fills variables that are not set. It is never copied into a run."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from probare.errors import InputError
from probare.masking import secrets_from_environ
from probare.masking.terminal import keep_off


@contextmanager
def filled_environ(folder: Path) -> Generator[Mapping[str, str]]:
    """Yield the environment with the folder's `.env` filled in, for as long as it lasts."""
    added = _missing(folder / ".env")
    os.environ.update(added)
    keep_off(secrets_from_environ(added))
    try:
        yield dict(os.environ)
    finally:
        for name in added:
            os.environ.pop(name, None)


def _missing(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        values = dotenv_values(path, interpolate=False)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    return {
        name: value
        for name, value in values.items()
        if value is not None and name not in os.environ
    }
