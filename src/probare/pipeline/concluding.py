"""Concluding a run: records are counted, the gate decides, reports are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.model.basis import Basis
from probare.model.record import RunPlan, TrialRecord
from probare.model.score import Baseline, Summary
from probare.model.suite import Suite
from probare.pipeline import baselinefile
from probare.pipeline.peoplereport import reviewed_in
from probare.ports.catalogue import Catalogue
from probare.ports.reporter import Material
from probare.reporting import REPORTERS
from probare.reporting.files import write_whole
from probare.reporting.reviewed import reviewed_markdown
from probare.scoring.summarise import Context, summarise
from probare.scoring.tally import Tally
from probare.stores import layout
from probare.stores.reader import RunReader


class Conclusion(msgspec.Struct, frozen=True, kw_only=True):
    """What concluding needs. `baseline` is a file; without it, the one beside the suite counts,
    and where the run is not `held` against any, none.

    `stopped` says which limit ended the run early, `hung` names threads that did not come back,
    `unmasked` maps the target's secrets that cannot be masked to the reason; `mask` masks the
    others in what is not read back from the records, `mask_note` also what was planted.
    """

    folder: Path
    plan: RunPlan
    suite: Suite
    suite_file: Path | None = None
    baseline: Path | None = None
    held: bool = True
    stopped: str = ""
    hung: tuple[str, ...] = ()
    problem: str = ""
    unmasked: Mapping[str, str] = {}
    mask: Callable[[str], str] = str
    mask_note: Callable[[str], str] = str


def conclude(conclusion: Conclusion, catalogue: Catalogue) -> Summary:
    """Count, decide, and write the summary and the reports into the run directory."""
    basis = basis_of(conclusion, catalogue)
    return _written(conclusion.folder, conclusion.plan, conclusion.suite, basis, conclusion.mask)


def conclude_on(folder: Path, basis: Basis, mask: Callable[[str], str]) -> Summary:
    """Do the same for a run whose plan and suite stand in its directory, on a basis that is known:
    that of the run that it was made from.
    """
    reader = RunReader(folder)
    return _written(folder, reader.plan, reader.suite(), basis, mask)


def _written(
    folder: Path, plan: RunPlan, suite: Suite, basis: Basis, mask: Callable[[str], str]
) -> Summary:
    reader = RunReader(folder)
    summary = counted(reader, plan, suite, basis)
    text = msgspec.json.format(jsonbytes.encode(basis), indent=1).decode()
    write_whole(folder / layout.BASIS, [text, "\n"])
    material = msgspec.structs.replace(material_of(reader, suite, summary), mask=mask)
    for reporter in REPORTERS:
        reporter.write(folder / reporter.filename, material)
    return summary


def basis_of(conclusion: Conclusion, catalogue: Catalogue) -> Basis:
    """Return what the decision rests on besides the records."""
    baseline, note = _baseline(conclusion)
    return Basis(
        baseline=baseline,
        case_wide=tuple(
            sorted(name for name, kind in catalogue.graders.items() if kind.SCOPE == "case")
        ),
        stopped=conclusion.stopped,
        notes=tuple(map(conclusion.mask_note, (note, *_notes(conclusion)))),
    )


def counted(
    reader: RunReader,
    plan: RunPlan,
    suite: Suite,
    basis: Basis,
    change: Callable[[TrialRecord], TrialRecord] | None = None,
) -> Summary:
    """Count all records, as `change` returns them, and decide. Nothing is written."""
    tally = Tally(suite.cases, plan.cases, set(basis.case_wide))
    for record in reader.records():
        tally.add(record if change is None else change(record))
    for record in reader.case_records():
        tally.add_case(record)
    return summed(tally, plan, suite, basis)


def summed(tally: Tally, plan: RunPlan, suite: Suite, basis: Basis) -> Summary:
    """Return the summary of what was counted."""
    return summarise(
        tally,
        Context(
            plan=plan,
            gate=suite.gate,
            baseline=basis.baseline,
            stopped=basis.stopped,
            notes=basis.notes,
            reviewed=frozenset(basis.reviewed),
            waiting=frozenset(basis.waiting),
            open_incidents=basis.open_incidents,
        ),
    )


def material_of(reader: RunReader, suite: Suite, summary: Summary) -> Material:
    """Return what reporters write from."""
    return Material(
        summary=summary,
        plan=reader.plan,
        suite=suite,
        records=reader.records,
        case_records=reader.case_records,
        transcript=reader.transcript,
        people=lambda: reviewed_markdown(reviewed_in(reader)),
    )


def _baseline(conclusion: Conclusion) -> tuple[Baseline | None, str]:
    if not conclusion.held:
        return None, "held against no baseline, as was asked"
    found = baselinefile.chosen(conclusion.baseline, conclusion.suite_file)
    if found is None:
        return None, "no baseline to be held against (make one: probare baseline set RUN)"
    note = f"held against the baseline {found.run_id} of {found.created}"
    if found.target != conclusion.plan.target:
        note += f", which was another target: {found.target}"
    return found, note


def _notes(conclusion: Conclusion) -> list[str]:
    notes: list[str] = []
    if conclusion.plan.trust == "claimed":
        notes.append("trust: claimed: what the agent says of itself was taken as evidence")
    notes += [
        f"the value of {name} is not masked: {reason}"
        for name, reason in conclusion.unmasked.items()
    ]
    if conclusion.problem:
        notes.append(conclusion.problem)
    if conclusion.hung:
        count = len(conclusion.hung)
        what = "1 hung thread was" if count == 1 else f"{count} hung threads were"
        notes.append(f"{what} abandoned: {', '.join(conclusion.hung[:5])}")
    return notes
