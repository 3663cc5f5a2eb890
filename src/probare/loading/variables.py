"""`${NAME}` in a target's settings: read from the environment. `$${NAME}` is that text.

Values are never searched for variables again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from probare.errors import did_you_mean
from probare.loading.documents import Steps
from probare.loading.explain import Finding

_FORM = re.compile(r"\$(\$?)\{([^}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Filling:
    """Fills the texts of one target. `secrets` are the values used, by name; `findings` say
    what is wrong; `missing` are variables that are not set.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.secrets: dict[str, str] = {}
        self.findings: list[Finding] = []
        self.missing: dict[str, Steps] = {}
        self.empty: dict[str, Steps] = {}

    def fill(self, value: Any, steps: Steps = ()) -> Any:
        """Return a JSON value with the variables in its texts replaced."""
        if isinstance(value, str):
            return _FORM.sub(lambda match: self._one(match, steps), value)
        if isinstance(value, dict):
            items = cast("dict[str, Any]", value).items()
            return {key: self.fill(item, (*steps, key)) for key, item in items}
        if isinstance(value, list):
            items = enumerate(cast("list[Any]", value))
            return [self.fill(item, (*steps, index)) for index, item in items]
        return value

    def _one(self, match: re.Match[str], steps: Steps) -> str:
        if match[1]:
            return match[0][1:]
        name = match[2]
        if _NAME.match(name) is None:
            message = f"'{match[0]}' names no variable of the environment"
            self.findings.append(Finding(steps, message, "as plain text it is written $${…}"))
            return match[0]
        value = self._environ.get(name)
        if value is None:
            self.missing.setdefault(name, steps)
            return match[0]
        if value:
            self.secrets[name] = value
        else:
            self.empty.setdefault(name, steps)
        return value

    def masked(self, text: str) -> str:
        """Return a text with the values of variables replaced by their names."""
        for name, value in self.secrets.items():
            text = text.replace(value, f"${{{name}}}")
        return text

    def missing_findings(self) -> list[Finding]:
        """Return a finding for each variable that is not set."""
        return [
            Finding(
                steps,
                f"the environment variable {name} is not set",
                did_you_mean(name, self._environ)
                or f"export {name}=…, or write it into .env beside the suite",
            )
            for name, steps in self.missing.items()
        ]
