"""What records add to the summary: strips of trials, reasons, embedded pages. Streams once."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from probare.model.case import Case
from probare.model.record import TrialRecord, TrialStatus
from probare.model.score import CaseSummary
from probare.model.verdict import CheckVerdict
from probare.ports.reporter import Material
from probare.reporting.details import telling
from probare.reporting.html.choosing import Chooser
from probare.reporting.html.chunks import Chunks
from probare.reporting.html.embedding import encoded
from probare.reporting.html.trials import case_page, trial_page
from probare.reporting.words import one_line

LETTERS: dict[TrialStatus, int] = {
    "passed": ord("p"),
    "failed": ord("f"),
    "errored": ord("e"),
    "needs_review": ord("n"),
    "ungraded": ord("u"),
}
_MISSING = ord("-")
_REASON = 200
_WIDE_PASSED = 500

Place = tuple[int, int]


class Told(msgspec.Struct):
    """What is known of one case beyond its summary.

    `strip` has a letter a trial, or is null where all that ran passed; `reason` is the first
    thing that went wrong; `page` and `trials` are places of what is embedded.
    """

    strip: bytearray | None = None
    reason: str = ""
    page: Place | None = None
    trials: list[tuple[int, int, int]] = []


class Telling:
    """Reads the records and yields the blocks of what is embedded; then knows the rest."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.told: dict[str, Told] = {}
        self.sources = {"observed": 0, "claimed": 0, "replayed": 0}
        self.chooser = Chooser(len(material.summary.per_case))
        self._chunks = Chunks()
        self._cases: dict[str, Case] = {}
        self._wide: dict[str, tuple[CheckVerdict, ...]] = {}

    def blocks(self) -> Iterator[str]:
        """Yield the data blocks of trials and cases."""
        summary = self.material.summary
        self._read_wide()
        trials, cases = summary.trials, summary.cases
        all_passed = trials.passed == trials.planned and cases.passed == cases.planned
        for record in self.material.records():
            case = summary.per_case.get(record.case)
            if case is None:
                continue
            if all_passed and not self.chooser.wants_passed:
                self.chooser.left_out_passed = trials.run - self.chooser.embedded
                break
            self._one(record, case)
            yield from self._chunks.full()
        for name, case in summary.per_case.items():
            if case.status != "passed":
                self._case(name, case)
                yield from self._chunks.full()
        yield from self._chunks.rest()

    def _read_wide(self) -> None:
        for record in self.material.case_records():
            bad = telling(record.verdicts, "fail", "error", "unknown", "skipped")
            if bad or len(self._wide) < _WIDE_PASSED:
                self._wide[record.case] = record.verdicts
            if bad:
                told = self.told.setdefault(record.case, Told())
                told.reason = one_line(f"all trials: {bad[0].label}: {bad[0].reason}", _REASON)

    def _one(self, record: TrialRecord, case: CaseSummary) -> None:
        status = record.status
        told = self.told.get(record.case)
        taken = 0 if told is None else len(told.trials)
        wanted = self.chooser.wants(record, case, taken)
        if not wanted and status == "passed" and case.run == case.trials:
            return
        if told is None:
            told = self.told[record.case] = Told()
        if status != "passed" or case.run < case.trials:
            _mark(told, record, case)
        if status != "passed" and not told.reason:
            told.reason = one_line(_reason(record), _REASON)
        if wanted:
            self._embed(record, case, told)

    def _embed(self, record: TrialRecord, case: CaseSummary, told: Told) -> None:
        self._case(record.case, case)
        transcript = self.material.transcript(record)
        for event in transcript.events:
            self.sources[event.source] += 1
        text = trial_page(record, transcript, self._case_of(record.case))
        told.trials = [*told.trials, (record.trial, *self._chunks.add(text))]
        self.chooser.took(case, len(text))

    def _case(self, name: str, summary: CaseSummary) -> None:
        told = self.told.setdefault(name, Told())
        case = self._case_of(name)
        if told.page is not None or case is None or not self.chooser.case_fits(summary):
            return
        text = encoded(case_page(case, self._wide.get(name, ())), self.material.mask)
        told.page = self._chunks.add(text)
        self.chooser.took(summary, len(text), trial=False)

    def description(self, name: str) -> str:
        """Return a case's description on one line, for the search."""
        case = self._case_of(name)
        return one_line(case.description, _REASON) if case is not None and case.description else ""

    def _case_of(self, name: str) -> Case | None:
        if not self._cases:
            self._cases = {case.id: case for case in self.material.suite.cases}
        return self._cases.get(name)


def _mark(told: Told, record: TrialRecord, case: CaseSummary) -> None:
    if told.strip is None:
        start = _MISSING if case.run < case.trials else LETTERS["passed"]
        told.strip = bytearray([start]) * case.trials
    if record.trial < len(told.strip):
        told.strip[record.trial] = LETTERS[record.status]


def _reason(record: TrialRecord) -> str:
    error = record.error
    found = telling(record.verdicts, "fail") or telling(record.verdicts, "error", "unknown")
    if record.status == "failed" or (found and error is None):
        return f"{found[0].label}: {found[0].reason}" if found else ""
    if error is not None:
        return f"{record.stop.replace('_', ' ')}: {error.type}: {error.message}"
    return ""
