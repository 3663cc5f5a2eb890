"""What is kept of the records is bounded and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from probare.model.record import CaseRecord, TrialRecord
from probare.ports.reporter import Material
from probare.reporting.details import Notes, details, not_run, telling

Build = dict[str, Callable[..., Any]]


def test_kinds_are_kept_apart_and_counted(every_kind: Material) -> None:
    found = details(
        every_kind.summary.trials, every_kind.records(), every_kind.case_records(), limit=2
    )
    assert [(r.case, r.trial) for r in found.failed] == [("wrong", 0), ("wrong", 1)]
    assert [r.case for r in found.errored] == ["broken", "late"]
    assert [r.case for r in found.needs_review] == ["unclear"]
    assert found.totals == {
        "passed": 2, "failed": 3, "errored": 2, "needs_review": 1, "ungraded": 2
    }  # fmt: skip
    assert [wide.case for wide in found.wide["fail"]] == ["wrong"]
    assert [wide.case for wide in found.wide["error"]] == ["broken"]
    assert "pass" not in found.wide


def test_notes_are_those_of_cases_to_read_and_told_once(every_kind: Material) -> None:
    found = details(
        every_kind.summary.trials,
        every_kind.records(),
        every_kind.case_records(),
        cases=every_kind.suite.cases,
    )
    assert found.notes == {"wrong": {"version": "1.0.0", "intent": "A user is in a hurry."}}
    notes = Notes(found)
    assert notes.of("wrong") == found.notes["wrong"]
    assert notes.of("wrong") == notes.of("right") == {}


def test_memory_is_bounded_and_counts_are_whole(build: Build) -> None:
    bad = build["verdict"]("fail")
    records = [build["record"](f"c{n}", 0, "failed", bad) for n in range(50)]
    wide = [CaseRecord(case=f"c{n}", verdicts=(bad,)) for n in range(50)]
    found = details(build["counts"](run=50), records, wide, limit=5)
    assert len(found.failed) == 5
    assert found.totals == {"failed": 50}
    assert len(found.wide["fail"]) == 5
    assert found.wide_totals == {"fail": 50}


def test_where_all_passed_no_record_is_read(build: Build) -> None:
    def unreadable() -> Iterator[TrialRecord]:
        raise AssertionError("read")
        yield

    assert details(build["counts"](run=3, passed=3), unreadable()).totals == {}


def test_required_verdicts_come_first(build: Build) -> None:
    optional = build["verdict"]("fail", "a", required=False)
    required = build["verdict"]("fail", "b")
    other = build["verdict"]("error", "c")
    assert telling([optional, other, required], "fail") == [required, optional]


def test_what_did_not_run_is_told(every_kind: Material) -> None:
    assert not_run(every_kind.summary) == {"late": 2}
