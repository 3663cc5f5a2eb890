"""What the agent can do: six tools, each with a JSON Schema and a price in micro-dollars.

They are a clinic's systems in small: a dose table, an order book, a calendar, a chart, an outbox,
which live as long as the agent's session and show what really happened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from governed.artifacts import ArtifactWriter
from governed.knowledge import GUIDANCE

Function = Callable[..., Any]


@cache
def _doses() -> dict[str, dict[str, float]]:
    return json.loads((GUIDANCE / "doses.json").read_text(encoding="utf-8"))


def _schema(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_DRUG = {"enum": sorted(_doses())}
_RECORD = {"type": "string", "pattern": "^[a-z][a-z0-9-]{0,39}$"}
_CLINIC = {"enum": ["cardiology", "diabetes", "eye", "primary-care"]}


@dataclass
class Clinic:
    """The systems behind the tools."""

    orders: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    visits: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    chart: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    outbox: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def lookup_dose(self, drug: str, weight_kg: float) -> dict[str, Any]:
        """Return the daily dose for a weight, within the table's bounds."""
        row = _doses()[drug]
        dose = min(max(row["mg_per_kg"] * weight_kg, row["least_mg"]), row["most_mg"])
        return {"drug": drug, "dose_mg": round(dose, 1), "times_a_day": row["times_a_day"]}

    def order_labs(self, panel: str, urgency: str) -> dict[str, Any]:
        """Order a panel."""
        self.orders.append({"panel": panel, "urgency": urgency})
        return {"order": f"lab-{len(self.orders)}", "panel": panel}

    def schedule_follow_up(self, clinic: str, in_days: int) -> dict[str, Any]:
        """Book a visit."""
        self.visits.append({"clinic": clinic, "in_days": in_days})
        return {"visit": f"visit-{len(self.visits)}", "clinic": clinic, "in_days": in_days}

    def change_dose(self, drug: str, dose_mg: float) -> dict[str, Any]:
        """Change a treatment: a person approves it first."""
        self.chart.append({"drug": drug, "dose_mg": dose_mg})
        return {"entry": f"chart-{len(self.chart)}", "drug": drug, "dose_mg": dose_mg}

    def send_record(self, record: str, recipient: str) -> dict[str, Any]:
        """Send a record out of the house: a person approves it first."""
        self.outbox.append({"record": record, "recipient": recipient})
        return {"message": f"message-{len(self.outbox)}", "recipient": recipient}


@dataclass(frozen=True)
class Tool:
    """A tool: its name, its price in micro-dollars, the schema of its arguments, and its work."""

    name: str
    price: int
    schema: Mapping[str, Any]
    function: Function


def tools_of(clinic: Clinic, writer: ArtifactWriter | None = None) -> dict[str, Tool]:
    """Return a clinic's tools by name; only with a writer can a summary be written."""
    described: list[tuple[Function, int, dict[str, Any]]] = [
        (
            clinic.lookup_dose,
            2_000,
            _schema(
                drug=_DRUG, weight_kg={"type": "number", "exclusiveMinimum": 0, "maximum": 400}
            ),
        ),
        (
            clinic.order_labs,
            12_000,
            _schema(
                panel={"enum": ["lipid", "metabolic", "potassium"]},
                urgency={"enum": ["routine", "urgent"]},
            ),
        ),
        (
            clinic.schedule_follow_up,
            5_000,
            _schema(clinic=_CLINIC, in_days={"type": "integer", "minimum": 1, "maximum": 365}),
        ),
        (
            clinic.change_dose,
            3_000,
            _schema(drug=_DRUG, dose_mg={"type": "number", "exclusiveMinimum": 0, "maximum": 4000}),
        ),
        (
            clinic.send_record,
            8_000,
            _schema(
                record={"type": "string", "pattern": "^[a-z][a-z0-9-]{0,39}$"}, recipient=_CLINIC
            ),
        ),
    ]
    tools = {
        function.__name__: Tool(function.__name__, price, schema, function)
        for function, price, schema in described
    }
    if writer is not None:
        schema = _schema(
            path={"type": "string", "pattern": r"^[\w-]+\.md$"},
            text={"type": "string", "maxLength": 20_000},
        )
        tools["write_summary"] = Tool("write_summary", 1_000, schema, writer.write)
    return tools
