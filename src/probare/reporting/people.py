"""The part of `report.md` that is for people to judge: what was asked, what was replied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.grading.placeholders import text_of
from probare.model.case import Case
from probare.model.record import TrialRecord
from probare.model.score import CaseSummary
from probare.model.verdict import people_verdict
from probare.ports.reporter import Material
from probare.reporting.details import telling
from probare.reporting.escaping import fenced, text
from probare.reporting.words import plural, status

_REPLIES_SHOWN = 200
_ASKED = 4_000


def for_people(material: Material) -> Iterator[str]:
    """Yield the replies of the cases that people judge (`review: always`), and of the trials
    that the harness could not; not those that people have judged. Reads the records once more;
    keeps at most `_REPLIES_SHOWN`.
    """
    per_case = material.summary.per_case
    asked = {name for name, case in per_case.items() if case.review == "always"}
    unknown = material.summary.trials.needs_review
    if not asked and not unknown:
        return
    shown: list[TrialRecord] = []
    total = 0
    for record in material.records():
        said = people_verdict(record.verdicts)
        settled = said is not None and said.result != "unknown"
        if not settled and (record.case in asked or record.status == "needs_review"):
            total += 1
            if len(shown) < _REPLIES_SHOWN:
                shown.append(record)
    order = {name: number for number, name in enumerate(per_case)}
    shown.sort(key=lambda record: (order.get(record.case, len(order)), record.trial))
    cases = {case.id: case for case in material.suite.cases}
    if not total:
        return
    yield f"## For people: {plural(total, 'trial')}\n\n"
    yield "Automatic checks do not settle these; people do.\n\n"
    for record in shown:
        yield from _reply(material, record, cases.get(record.case), per_case)
    if total > len(shown):
        yield f"… and {total - len(shown):,} more in `transcripts.jsonl`.\n\n"


def _reply(
    material: Material, record: TrialRecord, case: Case | None, per_case: Mapping[str, CaseSummary]
) -> Iterator[str]:
    summary = per_case.get(record.case)
    word = f" ({status(summary)})" if summary is not None else ""
    yield f"### {text(record.case)}, trial {record.trial}{word}\n\n"
    if case is not None and case.description:
        yield f"{text(case.description)}\n\n"
    if record.error is not None:
        yield f"- {record.stop.replace('_', ' ')}: {text(record.error.message)}\n\n"
    if case is not None:
        yield f"Asked:\n\n{fenced(_asked(case.input), _ASKED)}\n"
    verdicts = telling(record.verdicts, "unknown", "fail", "error")
    for verdict in verdicts:
        yield f"- {verdict.result}: {text(verdict.label)}: {text(verdict.reason)}\n"
    yield "\n" if verdicts else ""
    reply = _replied(material, record)
    yield "Replied nothing.\n\n" if reply is None else f"Replied:\n\n{fenced(reply)}\n"


def _asked(given: Any) -> str:
    """Return the message of an input where it has one, else the whole input."""
    if isinstance(given, str):
        return given
    message = mapping(given).get("message")
    if isinstance(message, str) and message:
        return message
    return jsonbytes.encode(given).decode()


def _replied(material: Material, record: TrialRecord) -> str | None:
    """Return the whole reply, which the record itself may hold only in part."""
    output = material.transcript(record).outcome.output
    return None if output is UNSET or output is None else str(text_of(output))
