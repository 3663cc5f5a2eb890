"""All faults of a suite, gathered as they are found and raised together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from probare.errors import Fault, LoadError, Place
from probare.loading.words import printable


class Faults:
    """Gathers faults and warnings, each as one printable line.

    Each is kept once; the length counts every telling.
    """

    def __init__(self) -> None:
        self._found: dict[Fault, None] = {}
        self._warnings: dict[str, None] = {}
        self._told = 0

    def add(self, place: Place, message: str, hint: str = "") -> None:
        """Keep a fault."""
        self._told += 1
        place = replace(place, file=printable(place.file), path=printable(place.path))
        self._found[Fault(printable(message), place, printable(hint))] = None

    def warn(self, message: str, place: Place | None = None) -> None:
        """Keep something that is odd but can be run."""
        where = str(place) if place else ""
        self._warnings[printable(f"{where}: {message}" if where else message)] = None

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._found)

    def __len__(self) -> int:
        return self._told

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, in the order they were found."""
        return tuple(self._warnings)

    def raise_if_any(self) -> None:
        """Raise LoadError with all faults: file by file, each in the order of its lines."""
        if not self._found:
            return
        files: dict[str, int] = {}
        for fault in self._found:
            files.setdefault(fault.place.file, len(files))
        raise LoadError(
            sorted(
                self._found,
                key=lambda fault: (
                    files[fault.place.file],
                    fault.place.line or 0,
                    fault.place.column or 0,
                ),
            )
        )
