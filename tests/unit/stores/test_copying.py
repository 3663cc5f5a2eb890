from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import probare
from probare.errors import RunDirectoryError
from probare.stores.copying import copy_records
from probare.stores.reader import RunReader

AGENT = f"def say(input):\n    return 'x' * {300_000} if input == 'long' else input\n"
SUITE = """
suite: copied
target: {python: "agent:say"}
trials: 2
cases:
  - {id: a, input: x, expect: [identical_traces]}
  - {id: b, input: long, expect: [{contains: x}]}
"""


@pytest.fixture
def old(tmp_path: Path) -> RunReader:
    (tmp_path / "suite.yaml").write_text(SUITE)
    (tmp_path / "agent.py").write_text(AGENT)
    return RunReader(probare.run(tmp_path / "suite.yaml", runs=tmp_path / "runs").folder)


def test_transcripts_blobs_and_case_wide_verdicts_are_the_very_same(
    old: RunReader, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    new.mkdir()
    before = {path: path.read_bytes() for path in old.folder.rglob("*") if path.is_file()}
    copy_records(old, new, lambda record: msgspec.structs.replace(record, attempts=9))
    for name in ("transcripts.jsonl", "cases.jsonl"):
        assert (new / name).read_bytes() == (old.folder / name).read_bytes()
    blobs = sorted(path.name for path in (old.folder / "blobs").iterdir())
    assert sorted(path.name for path in (new / "blobs").iterdir()) == blobs != []
    assert {path: path.read_bytes() for path in before} == before


def test_records_are_changed_and_salted_anew(old: RunReader, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    copy_records(old, new, lambda record: msgspec.structs.replace(record, attempts=9))
    decoder: Any = msgspec.json.Decoder()
    lines = (new / "trials.jsonl").read_bytes().splitlines()
    records = [decoder.decode(line) for line in lines]
    mine = list(old.records())
    assert [each["attempts"] for each in records] == [9] * len(mine)
    assert [each["transcript"]["sha256"] for each in records] == [
        each.transcript.sha256 for each in mine
    ]
    assert not {each["salt"] for each in records} & {each.salt for each in mine}


def test_where_it_cannot_be_written_it_says_so(old: RunReader, tmp_path: Path) -> None:
    with pytest.raises(RunDirectoryError, match="cannot write to"):
        copy_records(old, tmp_path / "nowhere", lambda record: record)
