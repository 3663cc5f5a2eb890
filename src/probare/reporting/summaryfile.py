"""`summary.json`: the decision and every score, for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.model.score import Summary
from probare.ports.reporter import Material
from probare.reporting.files import write_whole


class SummaryReporter:
    """Writes the summary, a case a line, so that it diffs well and stays small."""

    name = "json"
    filename = "summary.json"

    def write(self, path: Path, material: Material) -> None:
        """Write the file."""
        write_whole(path, _pieces(material.summary))


def _pieces(summary: Summary) -> Iterator[str]:
    head = msgspec.structs.replace(summary, per_case={})
    text = msgspec.json.format(jsonbytes.encode(head), indent=1).decode()
    before, _, after = text.partition('"per_case": {}')
    yield before + '"per_case": {'
    separator = "\n"
    for name, case in summary.per_case.items():
        yield f"{separator}  {jsonbytes.encode(name).decode()}: {jsonbytes.encode(case).decode()}"
        separator = ",\n"
    yield "\n }" + after + "\n"
