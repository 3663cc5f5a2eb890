"""Employees, and whom a question speaks of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hr.jurisdictions import Jurisdiction, of_workplace

FOLDER = Path(__file__).parent.parent / "records"


class UnknownEmployee(LookupError):
    """Nobody has this number."""


@dataclass(frozen=True)
class Employee:
    """An employee's profile. `country` (ISO 3166) and `state` are of the contract."""

    id: str
    name: str
    country: str
    state: str | None = None
    manager: str | None = None

    @property
    def jurisdiction(self) -> Jurisdiction | None:
        """Where the contract is; None where there are no policies for it."""
        return of_workplace(self.country, self.state)


class Directory:
    """All employees."""

    def __init__(self, employees: Iterable[Employee]) -> None:
        self.by_id = {each.id: each for each in employees}

    def find(self, number: str) -> Employee:
        """Return an employee by number. Raises UnknownEmployee."""
        if number not in self.by_id:
            raise UnknownEmployee(f"there is no employee {number}")
        return self.by_id[number]

    def named_in(self, text: str) -> tuple[Employee, ...]:
        """Return those whose full name, first name or last name stands in a text."""
        words = {word.lower() for word in re.findall(r"[^\W\d_]+", text)}
        return tuple(
            each
            for each in self.by_id.values()
            if any(part.lower() in words for part in each.name.split())
        )


def read_directory(folder: Path = FOLDER) -> Directory:
    """Read the employees."""
    written = json.loads((folder / "employees.json").read_text(encoding="utf-8"))
    return Directory(Employee(**each) for each in written)
