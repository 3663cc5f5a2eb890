"""`summary.json`: the decision and every score, for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.model.score import Summary
from probare.ports.reporter import Material
from probare.reporting.files import write_whole

_NO_CASES = '"per_case": {}'


class SummaryReporter:
    """Writes the summary, a case a line, so that it diffs well and stays small."""

    name = "json"
    filename = "summary.json"

    def write(self, path: Path, material: Material) -> None:
        """Write the file, whole or not at all. Raises RunDirectoryError where it cannot."""
        write_whole(path, pieces(material.summary))


def pieces(summary: Summary) -> Iterator[str]:
    """Yield the summary as indented JSON. What is not a number is null, never NaN."""
    head = msgspec.structs.replace(summary, per_case={})
    text = msgspec.json.format(jsonbytes.encode(head), indent=2).decode()
    # a string cannot hold the mark, since its quotes would be escaped in it
    before, _, after = text.partition(_NO_CASES)
    yield f"{before}{_NO_CASES[:-1]}"
    separator = "\n"
    for name, case in summary.per_case.items():
        key, value = jsonbytes.encode(name).decode(), jsonbytes.encode(case).decode()
        yield f"{separator}    {key}: {value}"
        separator = ",\n"
    yield f"\n  }}{after}\n"
