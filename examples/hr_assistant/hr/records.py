"""Personnel records, and who may see which of them.

Only a leave balance is ever shown here, to the employee and to their manager. Everything else
is refused in the same words whether or not there is such a record.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from hr.people import FOLDER, Directory, Employee

Kind: TypeAlias = Literal["leave_balance", "salary", "medical", "investigation", "contact"]

_ASKED: dict[Kind, re.Pattern[str]] = {
    "leave_balance": re.compile(
        r"days? (?:of leave |of holiday |of vacation )?(?:\w+ )*(?:left|remaining)\b"
        r"|(?:leave|holiday|vacation|pto) (?:balance|left)"
        r"|(?:leave|holiday|vacation)(?: days?)? (?:do|does) \w+ still have"
        r"|resturlaub|urlaubstage habe ich noch|sisa cuti (?:saya|tahunan saya)",
        re.I,
    ),
    "salary": re.compile(
        r"\b(?:salary|earns?|earning|paid|payslip|pay rise|gehalt|verdien\w*|gaji)\b"
        r"|\bmakes? a year",
        re.I,
    ),
    "medical": re.compile(
        r"\b(?:why (?:is|was) \w+ (?:off|away|ill|sick|absent)|sick note|certificate|diagnos\w*"
        r"|what is wrong with|krank\w*|krankmeldung|sakit|surat dokter)\b",
        re.I,
    ),
    "investigation": re.compile(
        r"\b(?:investigat\w*|complaints?|disciplinary|warnings?|under review|abmahnung"
        r"|penyelidikan)\b",
        re.I,
    ),
    "contact": re.compile(
        r"\b(?:home address|private address|lives?|phone number|birthday)\b", re.I
    ),
}
_OWN = re.compile(r"\b(?:i|my|me|mine|ich|mein\w*|mir|saya|ku)\b", re.I)


@dataclass(frozen=True)
class RecordRequest:
    """A record that a question asks for."""

    subject: Employee
    kind: Kind


class Records:
    """The records of all employees, by kind."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._by_id = json.loads((folder / "confidential.json").read_text(encoding="utf-8"))

    def lookup(self, employee: str, kind: Kind) -> dict[str, Any]:
        """Return a record; empty where there is none. Whether it may be seen was asked before."""
        return dict(self._by_id.get(employee, {}).get(kind, {}))


def requested(question: str, asker: Employee, directory: Directory) -> RecordRequest | None:
    """Return the record that a question asks for: of somebody it names, else the asker's own
    leave balance or pay. What it says of a rule ("the pay scale of my role") is no record.
    """
    others = [each for each in directory.named_in(question) if each.id != asker.id]
    kinds: list[Kind] = [kind for kind, pattern in _ASKED.items() if pattern.search(question)]
    if others and kinds:
        return RecordRequest(others[0], kinds[0])
    if others or not kinds or not _OWN.search(question):
        return None
    if kinds[0] == "leave_balance":
        return RecordRequest(asker, "leave_balance")
    asks_own_pay = re.search(
        r"\b(?:my (?:own )?(?:salary|payslip)|mein gehalt|gaji saya)\b", question, re.I
    )
    return RecordRequest(asker, "salary") if asks_own_pay else None


def access(employee: str, kind: Kind, asker: str, directory: Directory) -> dict[str, str]:
    """Rule on whether `asker` may see a record of `employee`, as a policy receipt."""
    subject = directory.find(employee)
    allowed = kind == "leave_balance" and asker in (subject.id, subject.manager)
    reason = "own or one's team's leave balance" if allowed else "never shown by the assistant"
    return {
        "action": "lookup_record",
        "resource": kind,
        "decision": "allow" if allowed else "deny",
        "policy": "confidential-records",
        "reason": reason,
    }
