"""Arguments held against a tool's JSON Schema before anything is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

from governed.action import Action, Ruling


class ArgumentCheck:
    """The schemas of all tools, compiled once. Raises SchemaError on a schema that is none."""

    def __init__(self, schemas: Mapping[str, Mapping[str, Any]]) -> None:
        self._validators: dict[str, Draft202012Validator] = {}
        for name, schema in schemas.items():
            Draft202012Validator.check_schema(schema)
            self._validators[name] = Draft202012Validator(schema)

    def faults(self, name: str, arguments: Any) -> list[str]:
        """Return what is wrong with a call's arguments, by path; nothing for an unknown tool.

        Says where and which rule, never the value: a wrong argument may be an identifier.
        """
        validator = self._validators.get(name)
        if validator is None:
            return []
        errors = sorted(validator.iter_errors(arguments), key=lambda e: (e.json_path, e.validator))
        return [f"{error.json_path} breaks '{error.validator}'" for error in errors]

    def rule(self, action: Action) -> Ruling:
        """Return an allow, or a deny that says what is wrong."""
        faults = self.faults(action.name, action.arguments)
        if faults:
            return Ruling("deny", "tool_schema", "; ".join(faults))
        return Ruling("allow", "tool_schema", "the arguments fit the tool's schema")
