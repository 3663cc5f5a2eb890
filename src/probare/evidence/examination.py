"""What an examination found: findings that name a file and a line, and what the proof shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from probare.evidence.manifest import Manifest
from probare.evidence.paths import shown

Signature: TypeAlias = Literal["good", "bad", "absent", "not checked"]

MOST_A_FILE = 25


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the file, the line in it (from 1) where it applies, and what."""

    file: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        where = shown(self.file) if self.line is None else f"{shown(self.file)}:{self.line}"
        return f"{where}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """The answer of `verify`.

    `checked` and `unchecked` are sentences; so are `shows` and `shows_not`, which say what the
    proof is worth. `counts` has files, bytes, trials and planned. `key_id` is that of the key
    that signed, as the bundle says where the signature was not checked.
    """

    kind: Literal["bundle", "excerpt"]
    run_id: str | None = None
    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    shows_not: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict[str, int])
    signature: Signature = "absent"
    key_id: str | None = None
    manifest: Manifest | None = None
    manifest_sha256: str | None = None
    readable: bool = False

    @property
    def intact(self) -> bool:
        """Whether nothing was found to be wrong."""
        return not self.findings

    def plus(
        self,
        *,
        findings: Iterable[Finding] = (),
        checked: Iterable[str] = (),
        unchecked: Iterable[str] = (),
        shows: Iterable[str] = (),
        shows_not: Iterable[str] = (),
    ) -> Examination:
        """Return the examination with more found, checked or said."""
        return replace(
            self,
            findings=(*self.findings, *findings),
            checked=(*self.checked, *checked),
            unchecked=(*self.unchecked, *unchecked),
            shows=(*self.shows, *shows),
            shows_not=(*self.shows_not, *shows_not),
        )


class Findings:
    """Findings as they are made; of one file the first MOST_A_FILE are kept, the rest counted."""

    def __init__(self) -> None:
        self._kept: list[Finding] = []
        self._counts: Counter[str] = Counter()
        self.checked: list[str] = []
        self.unchecked: list[str] = []

    def add(self, file: str, what: str, line: int | None = None) -> None:
        """Keep a finding, once."""
        finding = Finding(file, what, line)
        if self._counts[file] < MOST_A_FILE:
            if finding in self._kept:
                return
            self._kept.append(finding)
        self._counts[file] += 1

    def names(self, *files: str) -> bool:
        """Return whether anything was found in one of these files."""
        return any(self._counts[file] for file in files)

    def below(self, folder: str) -> bool:
        """Return whether anything was found of a folder or of what is in it."""
        return any(file == folder or file.startswith(f"{folder}/") for file in self._counts)

    def all(self) -> tuple[Finding, ...]:
        """Return the findings by file and line, with a count of those that were not kept."""
        more = [
            Finding(file, f"and {count - MOST_A_FILE:,} more findings in this file")
            for file, count in self._counts.items()
            if count > MOST_A_FILE
        ]
        kept = sorted(self._kept, key=lambda f: (f.file, f.line or 0))
        return (*kept, *more)
