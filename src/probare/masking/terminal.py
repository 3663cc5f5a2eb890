"""Standard output and standard error of the command line, masked: whoever writes there.

What Probare prints of a run is masked already. This is for the rest: tracebacks, warnings, log
lines, what an agent's own threads print, messages of errors that quote a setting.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from probare.masking.disguises import SHORT
from probare.masking.environ import secrets_from_environ
from probare.masking.folding import fold
from probare.masking.masker import Masker
from probare.masking.planted import PlantedMask


class _Known:
    """What this process has learnt to keep off the terminal. It only grows."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}
        self._planted: set[tuple[str, str]] = set()
        self.masker = Masker({})
        self.planted = PlantedMask(())

    def add(self, secrets: Mapping[str, str]) -> None:
        if secrets.items() - self._secrets.items():
            self._secrets = {**self._secrets, **secrets}
            self.masker = Masker(self._secrets)

    def add_planted(self, pairs: Iterable[tuple[str, str]]) -> None:
        new = {pair for pair in pairs if _is_told(pair[1])} - self._planted
        if new:
            self._planted |= new
            self.planted = PlantedMask(sorted(self._planted))


_known = _Known()


def _is_told(identifier: str) -> bool:
    folded = fold(identifier).replace(" ", "")
    return len(folded) >= SHORT or not folded.isdecimal()


def keep_off(secrets: Mapping[str, str], planted: Iterable[tuple[str, str]] = ()) -> None:
    """Mask these on the terminal from now on: secrets by name, and planted identifiers as pairs of
    name and value, save those of under six digits, which would be found in counts.
    """
    _known.add(secrets)
    _known.add_planted(planted)


class MaskedStream:
    """Stands in for a text stream. JSON stays JSON. Planted identifiers are looked for where
    `prose` says that people read it, not in numbers that programs do.
    """

    def __init__(self, behind: TextIO, *, prose: bool) -> None:
        self._behind = behind
        self._prose = prose

    def write(self, text: str) -> int:
        """Write a text masked."""
        data = text.encode("utf-8", "surrogatepass")
        masked = _known.masker.mask_bytes(data)
        shown = text if masked is data else masked.decode("utf-8", "surrogatepass")
        if self._prose and _known.planted and not shown.isspace():
            shown = _known.planted.mask_text(shown)
        self._behind.write(shown)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts masked."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._behind, name)


@contextmanager
def masked_terminal() -> Generator[None]:
    """Mask what this process prints, for as long as it lasts."""
    keep_off(secrets_from_environ(os.environ))
    out, err = sys.stdout, sys.stderr
    masked_out, masked_err = MaskedStream(out, prose=False), MaskedStream(err, prose=True)
    sys.stdout, sys.stderr = masked_out, masked_err  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield
    finally:
        if sys.stdout is masked_out:
            sys.stdout = out
        if sys.stderr is masked_err:
            sys.stderr = err
