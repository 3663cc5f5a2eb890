"""Turning recorded work into a suite plus transcripts for the `replay` target."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from probare.errors import InputError, did_you_mean
from probare.loading.importing.chat import read_chat
from probare.loading.importing.inspect_logs import read_inspect
from probare.loading.importing.recording import Recording, Written, write_suite
from probare.loading.importing.tau_bench import read_tau_bench

FORMATS: dict[str, Callable[[Path], Iterable[Recording]]] = {
    "tau_bench": read_tau_bench,
    "inspect": read_inspect,
    "chat": read_chat,
}


def import_file(format_name: str, file: Path, out: Path) -> Written:
    """Read `file` in a known format and write a suite into the new folder `out`.

    Raises InputError where the format is unknown, the file is not of it, or `out` holds files.
    """
    if format_name not in FORMATS:
        hint = did_you_mean(format_name, FORMATS) or f"there are: {', '.join(FORMATS)}"
        raise InputError(f"there is no format '{format_name}'", hint=hint)
    if not file.is_file():
        raise InputError(f"there is no file {file}")
    try:
        return write_suite(FORMATS[format_name](file), out, origin=f"{format_name}: {file.name}")
    except OSError as error:
        raise InputError(f"{error.filename or file}: {error.strerror or error}") from error
