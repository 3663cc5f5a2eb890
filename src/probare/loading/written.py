"""Checks of a case as they are read, with what is written and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from probare.loading.checks import CheckReader
from probare.loading.conversations import Turned
from probare.loading.documents import Origin
from probare.model.case import Check


class Written:
    """The checks of one list, with what is written and where. The defaults' come first."""

    __slots__ = ("checks", "items", "origin", "some_bound")

    def __init__(self, items: Sequence[Any], origin: Origin, reader: CheckReader) -> None:
        read = [reader.read(item, origin.below(index)) for index, item in enumerate(items)]
        self.items = [
            (check, item, origin.below(index))
            for index, (check, item) in enumerate(zip(read, items, strict=True))
            if check is not None
        ]
        self.checks: tuple[Check, ...] = tuple(check.check for check, _, _ in self.items)
        self.some_bound = any(check.case_bound for check, _, _ in self.items)


class TurnChecks:
    """The checks of the turns of one case, stamped with their turns, and as they are written."""

    __slots__ = ("expect", "forbid", "written")

    def __init__(self) -> None:
        self.expect: tuple[Check, ...] = ()
        self.forbid: tuple[Check, ...] = ()
        self.written: tuple[Written, ...] = ()

    def add(
        self, expect: Sequence[Written], forbid: Sequence[Written], turned: Turned, turn: int
    ) -> None:
        """Add the checks of one turn."""
        for written in expect:
            self.expect += turned.checks(written.checks, turn)
        for written in forbid:
            self.forbid += turned.checks(written.checks, turn)
        self.written += (*expect, *forbid)
