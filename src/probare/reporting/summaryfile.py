"""`summary.json`: the decision and every score, for scripts."""

from __future__ import annotations

from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.ports.reporter import Material
from probare.reporting.files import write_whole


class SummaryReporter:
    """Writes the summary, a case a line, so that it diffs well and stays small."""

    name = "json"
    filename = "summary.json"

    def write(self, path: Path, material: Material) -> None:
        """Write the file."""
        summary = material.summary
        head = msgspec.structs.replace(summary, per_case={})
        text = msgspec.json.format(jsonbytes.encode(head), indent=1).decode()
        before, _, after = text.partition('"per_case": {}')

        def pieces() -> list[str]:
            lines = [
                f"  {jsonbytes.encode(name).decode()}: {jsonbytes.encode(case).decode()}"
                for name, case in summary.per_case.items()
            ]
            return [before, '"per_case": {\n', ",\n".join(lines), "\n }", after, "\n"]

        write_whole(path, pieces())
