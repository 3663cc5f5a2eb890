"""Concluding a run: records are counted, the gate decides, reports are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from probare.model.record import RunPlan
from probare.model.score import Baseline, Summary
from probare.model.suite import Suite
from probare.pipeline import baselinefile
from probare.ports.catalogue import Catalogue
from probare.ports.reporter import Material
from probare.reporting import REPORTERS
from probare.scoring.summarise import Context, summarise
from probare.scoring.tally import Tally
from probare.stores.reader import RunReader


class Conclusion(msgspec.Struct, frozen=True, kw_only=True):
    """What concluding needs. `baseline` is a file; without it, the one beside the suite counts.

    `stopped` says which limit ended the run early, `hung` names threads that did not come back,
    `unmasked` maps the target's secrets that cannot be masked to the reason; `mask` masks the
    others in what is not read back from the records.
    """

    folder: Path
    plan: RunPlan
    suite: Suite
    suite_file: Path | None = None
    baseline: Path | None = None
    stopped: str = ""
    hung: tuple[str, ...] = ()
    problem: str = ""
    unmasked: Mapping[str, str] = {}
    mask: Callable[[str], str] = str


def conclude(conclusion: Conclusion, catalogue: Catalogue) -> Summary:
    """Count, decide, and write the summary and the reports into the run directory."""
    summary = summary_of(conclusion, catalogue)
    material = material_of(RunReader(conclusion.folder), conclusion.suite, summary)
    material = msgspec.structs.replace(material, mask=conclusion.mask)
    for reporter in REPORTERS:
        reporter.write(conclusion.folder / reporter.filename, material)
    return summary


def summary_of(conclusion: Conclusion, catalogue: Catalogue) -> Summary:
    """Count all records and decide. Nothing is written."""
    reader = RunReader(conclusion.folder)
    baseline, note = _baseline(conclusion)
    tally = tally_of(reader, conclusion.plan, conclusion.suite, catalogue)
    return summarise(
        tally,
        Context(
            plan=conclusion.plan,
            gate=conclusion.suite.gate,
            baseline=baseline,
            stopped=conclusion.stopped,
            notes=tuple(map(conclusion.mask, (note, *_notes(conclusion)))),
        ),
    )


def tally_of(reader: RunReader, plan: RunPlan, suite: Suite, catalogue: Catalogue) -> Tally:
    """Count all records of a run directory."""
    wide = {name for name, kind in catalogue.graders.items() if kind.SCOPE == "case"}
    tally = Tally(suite.cases, plan.cases, wide)
    for record in reader.records():
        tally.add(record)
    for record in reader.case_records():
        tally.add_case(record)
    return tally


def material_of(reader: RunReader, suite: Suite, summary: Summary) -> Material:
    """Return what reporters write from."""
    return Material(
        summary=summary,
        plan=reader.plan,
        suite=suite,
        records=reader.records,
        case_records=reader.case_records,
        transcript=reader.transcript,
    )


def _baseline(conclusion: Conclusion) -> tuple[Baseline | None, str]:
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
