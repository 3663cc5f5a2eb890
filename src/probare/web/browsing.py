"""Runs, their cases and trials, their seals, and two of them compared.

What is blind to whoever asks is left out, and so is every number that it is part of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from probare.errors import InputError, NotFound, ProbareError
from probare.model.record import RunPlan, TrialRecord
from probare.model.score import CaseSummary, DiffCase, Summary
from probare.pipeline.comparing import diff_runs
from probare.pipeline.verifying import verify
from probare.web.asking import Ask
from probare.web.marking import marked
from probare.web.seeing import Blind, blind_in
from probare.web.shelf import StoredRun
from probare.web.telling import tell

if TYPE_CHECKING:
    from starlette.responses import Response

PAGE = 100
STATUSES = ("failed", "flaky", "errored", "needs_review", "ungraded", "passed")
HIDDEN = "hidden"


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """A run in the list. `summary` is null where it has not ended or is hidden."""

    name: str
    plan: RunPlan | None = None
    summary: Summary | None = None
    ended: bool = False
    sealed: bool = False
    blind: int = 0
    queued: int = 0
    done: int = 0
    holds: int = 0
    broken: str = ""


class CaseRow(msgspec.Struct, frozen=True, kw_only=True):
    """A case in the list; its status is `hidden` and its scores null while it is blind."""

    name: str
    status: str
    planned: int
    case: CaseSummary | None


def runs(ask: Ask) -> Response:
    """List the runs of the folder, the latest first."""
    names = ask.shelf.names()
    number = ask.number("page", 1, 1)
    pages = max(1, -(-len(names) // 50))
    number = min(number, pages)
    shown = names[(number - 1) * 50 : number * 50]
    return ask.page(
        "runs.html",
        rows=[_row(ask, name) for name in shown],
        total=len(names),
        number=number,
        pages=pages,
        progress=ask.desk.progress(ask.person),
    )


def _row(ask: Ask, name: str) -> RunRow:
    try:
        found = ask.shelf.run(name)
        plan, summary = found.plan, found.summary
    except ProbareError as error:
        return RunRow(name=name, broken=error.message)
    blind = blind_in(ask.desk, ask.shelf, ask.person, found)
    progress = ask.desk.progress(ask.person, plan.run_id)
    return RunRow(
        name=name,
        plan=plan,
        summary=None if blind.trials else summary,
        ended=summary is not None,
        sealed=found.reader.sealed,
        blind=len(blind.trials),
        queued=progress.total,
        done=progress.done,
        holds=len(_holding(ask, plan.run_id)),
    )


def _holding(ask: Ask, run_id: str) -> list[Any]:
    """Return the open incidents that hold a run's gate, as far as the person may know of them."""
    found = ask.desk.incidents(ask.person, run_id)
    return [each for each in found if each.open and each.holds_gate]


def run(ask: Ask) -> Response:
    """Show a run: its decision and scores, and its cases."""
    found = ask.shelf.run(ask.path("run"))
    plan, summary = found.plan, found.summary
    blind = blind_in(ask.desk, ask.shelf, ask.person, found)
    everything = _cases(plan, summary, blind)
    wanted = {name: ask.query(name) for name in ("status", "category", "tag", "text")}
    rows = [row for row in everything if _matches(row, wanted)]
    pages = max(1, -(-len(rows) // PAGE))
    number = min(ask.number("page", 1, 1), pages)
    return ask.page(
        "run.html",
        run=found.name,
        plan=plan,
        summary=None if blind.trials else summary,
        ended=summary is not None,
        blind=len(blind.trials),
        sealed=found.reader.sealed,
        counts={s: n for s in (*STATUSES, HIDDEN) if (n := _count(everything, s))},
        rows=rows[(number - 1) * PAGE : number * PAGE],
        total=len(rows),
        planned=len(everything),
        number=number,
        pages=pages,
        wanted=wanted,
        categories=sorted({r.case.category for r in everything if r.case and r.case.category}),
        tags=sorted({tag for row in everything if row.case for tag in row.case.tags}),
        progress=ask.desk.progress(ask.person, plan.run_id),
        holding=_holding(ask, plan.run_id),
    )


def _count(rows: list[CaseRow], status: str) -> int:
    return sum(row.status == status for row in rows)


def _cases(plan: RunPlan, summary: Summary | None, blind: Blind) -> list[CaseRow]:
    hidden = blind.cases
    known = {} if summary is None else summary.per_case
    rows: list[CaseRow] = []
    for name, planned in plan.cases.items():
        case = known.get(name)
        status = "not known" if case is None else case.status
        if name in hidden:
            status, case = HIDDEN, case and _bare(case)
        rows.append(CaseRow(name=name, status=status, planned=planned, case=case))
    order = {status: number for number, status in enumerate(STATUSES)}
    return sorted(rows, key=lambda row: order.get(row.status, len(order)))


def _bare(case: CaseSummary) -> CaseSummary:
    """Return a case without anything that was said of its trials."""
    return msgspec.structs.replace(
        case,
        status="ungraded",
        run=case.trials,
        passed=0,
        graded=None,
        accuracy=None,
        safety=None,
        overall=None,
        pass_rate=None,
        pass_at={},
        pass_hat={},
    )


def _matches(row: CaseRow, wanted: dict[str, str]) -> bool:
    text, case = wanted["text"].casefold(), row.case
    return (
        (not wanted["status"] or row.status == wanted["status"])
        and (not wanted["category"] or (case is not None and case.category == wanted["category"]))
        and (not wanted["tag"] or (case is not None and wanted["tag"] in case.tags))
        and text in row.name.casefold()
    )


def case(ask: Ask) -> Response:
    """Show one case, and one of its trials."""
    found = ask.shelf.run(ask.path("run"))
    name = ask.query("id")
    if name not in found.plan.cases:
        raise NotFound(f"the run has no case '{name[:80]}'")
    blind = blind_in(ask.desk, ask.shelf, ask.person, found)
    trials = found.trials(name)
    if not trials:
        raise NotFound(f"no trial of case '{name[:80]}' has ended yet")
    number = ask.number("trial", trials[0].trial)
    record = next((each for each in trials if each.trial == number), None)
    if record is None:
        raise NotFound(f"the run holds no trial {number} of this case")
    whole = found.case(name)
    transcript = found.transcript(record)
    hidden = (name, record.trial) in blind.trials
    return ask.page(
        "case.html",
        run=found.name,
        name=name,
        case=whole,
        record=record,
        trials=[(each.trial, _status(each, name, blind)) for each in trials],
        told=tell(whole, record, transcript),
        hidden=hidden,
        verdicts=() if hidden else marked(whole, record.verdicts, transcript),
        wide=() if name in blind.cases else found.wide(name),
        item=ask.desk.find(found.plan.run_id, name, record.trial),
        beside=_beside(found, name),
    )


def _status(record: TrialRecord, name: str, blind: Blind) -> str:
    return HIDDEN if (name, record.trial) in blind.trials else record.status


def _beside(found: StoredRun, name: str) -> tuple[str | None, str | None]:
    """Return the cases before and after this one."""
    names = list(found.plan.cases)
    at = names.index(name)
    return names[at - 1] if at else None, names[at + 1] if at + 1 < len(names) else None


def seal(ask: Ask) -> Response:
    """Examine a run's seal and records, and say what was found."""
    found = ask.shelf.run(ask.path("run"))
    blind = blind_in(ask.desk, ask.shelf, ask.person, found)
    examined = verify(found.folder) if found.reader.sealed else None
    return ask.page("seal.html", run=found.name, examined=examined, blind=bool(blind.trials))


def compare(ask: Ask) -> Response:
    """Compare two runs, as far as both may be seen."""
    names = ask.shelf.names()
    before, after = ask.query("before"), ask.query("after")
    values: dict[str, Any] = {"names": names, "before": before, "after": after}
    if not before or not after:
        return ask.page("compare.html", diff=None, error="", hidden=frozenset[str](), **values)
    first, second = ask.shelf.run(before), ask.shelf.run(after)
    hidden = frozenset[str]()
    for each in (first, second):
        hidden |= blind_in(ask.desk, ask.shelf, ask.person, each).cases
    try:
        diff = diff_runs(first.folder, second.folder)
    except InputError as error:
        return ask.page(
            "compare.html", diff=None, error=error.message, hidden=frozenset[str](), **values
        )

    def seen(found: tuple[DiffCase, ...]) -> tuple[DiffCase, ...]:
        return tuple(each for each in found if each.case not in hidden)

    diff = msgspec.structs.replace(
        diff,
        fell=seen(diff.fell),
        rose=seen(diff.rose),
        significant=tuple(each for each in diff.significant if each not in hidden),
        undecided=tuple(each for each in diff.undecided if each not in hidden),
    )
    return ask.page("compare.html", diff=diff, error="", hidden=hidden, **values)
