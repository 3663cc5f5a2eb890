"""Importing a file that is written here, and reading back what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from probare.loading.importing import import_file
from probare.loading.importing.recording import Written
from probare.model.outcome import Transcript


class Imported(NamedTuple):
    """What an import left: what it says, its suite's text, cases by id, transcripts in order."""

    written: Written
    suite: str
    cases: dict[str, dict[str, Any]]
    transcripts: list[Transcript]


Import = Callable[..., Imported]


@pytest.fixture
def imported(tmp_path: Path) -> Import:
    """Import content (a JSON value, bytes, or a file) in a format."""

    def call(format_name: str, content: Any, name: str = "recording") -> Imported:
        file = tmp_path / name
        if isinstance(content, Path):
            file = content
        elif isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content if isinstance(content, str) else json.dumps(content))
        out = tmp_path / "out"
        written = import_file(format_name, file, out)
        lines = [json.loads(line) for line in (out / "cases.jsonl").read_text().splitlines()]
        decoder = msgspec.json.Decoder(Transcript)
        return Imported(
            written,
            (out / "suite.yaml").read_text(),
            {line["id"]: line for line in lines},
            [
                decoder.decode(line)
                for line in (out / "transcripts.jsonl").read_bytes().splitlines()
            ],
        )

    return call
