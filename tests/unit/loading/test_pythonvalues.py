from __future__ import annotations

from datetime import date
from typing import Any

from probare.loading.documents import Origin, PythonDocument
from probare.loading.faultlist import Faults
from probare.loading.pythonvalues import named, plain
from probare.loading.shapes import CaseShape, DefaultsShape, GateShape, SuiteShape


def made(value: Any) -> tuple[Any, list[str]]:
    faults = Faults()
    return plain(value, Origin(PythonDocument()), faults), [str(fault) for fault in faults]


def test_shapes_are_what_a_file_would_hold() -> None:
    suite = SuiteShape(
        "s",
        gate=GateShape(minimum={"accuracy": 1.0}),
        defaults=DefaultsShape(tags=["t"]),
        cases=["a.yaml", CaseShape(id="a", input=(1, 2), reference=None, split=None)],
    )
    assert made(suite) == (
        {
            "suite": "s",
            "gate": {"min": {"accuracy": 1.0}},
            "defaults": {"tags": ["t"]},
            "cases": ["a.yaml", {"id": "a", "input": [1, 2], "reference": None}],
        },
        [],
    )


def test_what_is_no_json_is_told_with_its_path() -> None:
    case = CaseShape(id="a", input={"when": date(2024, 5, 20), "x": [float("inf")], 5: 1})
    _, faults = made(SuiteShape("s", cases=[case]))
    assert faults == [
        "cases[0].input.when: a Python date is no JSON value",
        "cases[0].input.x[0]: inf is not JSON",
        "cases[0].input: a key should be a text, is 5",
    ]


def test_targets_may_hold_python_objects() -> None:
    value, faults = made(SuiteShape("s", target={"python": made}, targets={"a": {"python": len}}))
    assert faults == []
    assert value["target"] == {"python": made}
    assert named(value["targets"]) == {"a": {"python": "builtins:len"}}
    assert named([made, 1, None]) == [f"{__name__}:made", 1, None]
