"""A compact row a case: what the list shows, filters by and searches in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from probare.model.score import CaseSummary
from probare.reporting.html.embedding import block, encoded
from probare.reporting.html.telling import Telling, Told

COLUMNS = (
    "id", "status", "strip", "trials", "passed", "category", "tags", "split", "review",
    "accuracy", "safety", "ms", "reason", "description", "page", "pages", "at",
)  # fmt: skip
ROW_BYTES = 6_000_000
_A_BLOCK = 500
_NOTHING = Told()


class Rows:
    """Yields the rows in blocks; cases that did not pass come first, and fit first."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self.blocks_written = 0
        self.left_out = 0
        self._size = 0

    def blocks(self) -> Iterator[str]:
        """Yield the rows as data blocks `rows-0`, `rows-1`, …"""
        waiting: list[Any] = []
        for at, name, case in self._worst_first():
            if self._size >= ROW_BYTES:
                self.left_out += 1
                continue
            waiting.append(self._row(at, name, case))
            if len(waiting) == _A_BLOCK:
                yield self._block(waiting)
                waiting = []
        if waiting:
            yield self._block(waiting)

    def _worst_first(self) -> Iterator[tuple[int, str, CaseSummary]]:
        per_case = self._telling.material.summary.per_case
        for passed in (False, True):
            for at, (name, case) in enumerate(per_case.items()):
                if (case.status == "passed") is passed:
                    yield at, name, case

    def _block(self, rows: list[Any]) -> str:
        text = encoded(rows, self._telling.material.mask)
        self._size += len(text)
        self.blocks_written += 1
        return block(f"rows-{self.blocks_written - 1}", text)

    def _row(self, at: int, name: str, case: CaseSummary) -> tuple[Any, ...]:
        told = self._telling.told.get(name, _NOTHING)
        return (
            name,
            case.status,
            _strip(told, case),
            case.trials,
            case.passed,
            case.category,
            case.tags,
            case.split,
            case.review,
            case.accuracy,
            case.safety,
            case.avg_duration_ms,
            told.reason,
            self._telling.description(name),
            told.page,
            told.trials,
            at,
        )


def _strip(told: Told, case: CaseSummary) -> str | None:
    """Return a letter a trial; null where all trials ran and passed."""
    if told.strip is not None:
        return told.strip.decode()
    if case.run == case.trials and case.passed == case.trials:
        return None
    return "p" * case.passed + "-" * (case.trials - case.passed)
