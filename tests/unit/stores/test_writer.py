"""What is written is what is hashed, whole, and read back."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.errors import RunDirectoryError
from probare.model.record import RunPlan
from probare.model.suite import Suite
from probare.stores import directory, layout
from probare.stores.reader import RunReader
from probare.stores.writer import RecordWriter


def unmasked(line: bytes) -> bytes:
    return line


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = directory.create(tmp_path / "runs", "demo-1")
    plan = RunPlan(
        run_id="demo-1",
        suite="demo",
        suite_digest="0",
        target="default",
        target_kind="python",
        trust="observed",
        created="now",
        seed=0,
        cases={"a": 1},
        options={},
        versions={},
    )
    directory.write_plan(folder, plan, Suite(name="demo"), unmasked)
    return folder


def write(run: Path, make_trial: Any, count: int) -> None:
    writer = RecordWriter(run, unmasked)
    for number in range(count):
        writer.append(*make_trial(f"c{number}"))
    writer.close()


def test_records_and_transcripts_come_back(run: Path, make_trial: Any) -> None:
    write(run, make_trial, 5)
    reader = RunReader(run)
    records = list(reader.records())
    assert [record.case for record in records] == [f"c{n}" for n in range(5)]
    assert reader.transcript(records[3]).case == "c3"
    line = (run / layout.TRANSCRIPTS).read_bytes().splitlines()[3]
    assert records[3].transcript.sha256 == hashlib.sha256(line).hexdigest()
    assert records[3].transcript.length == len(line)


def test_lines_are_masked_before_they_are_hashed(run: Path, make_trial: Any) -> None:
    writer = RecordWriter(run, lambda line: line.replace(b"secret", b"[...]"))
    record = writer.append(*make_trial("a", output="my secret"))
    writer.close()
    line = (run / layout.TRANSCRIPTS).read_bytes().rstrip(b"\n")
    assert b"secret" not in line
    assert b"secret" not in (run / layout.TRIALS).read_bytes()
    assert record.transcript.sha256 == hashlib.sha256(line).hexdigest()


def test_large_texts_stand_in_blobs_and_come_back(run: Path, make_trial: Any) -> None:
    large = "x" * 300_000
    writer = RecordWriter(run, unmasked)
    writer.append(*make_trial("a", output=large))
    writer.close()
    assert (run / layout.TRANSCRIPTS).stat().st_size < 2_000
    reader = RunReader(run)
    assert reader.transcript(next(reader.records())).outcome.output == large


def test_a_blob_reference_cannot_reach_outside(run: Path, make_trial: Any) -> None:
    (run / "other").write_text("not for you")
    forged = {"$blob": "../other", "size": 11}
    writer = RecordWriter(run, unmasked)
    writer.append(*make_trial("a", output=forged))
    writer.close()
    reader = RunReader(run)
    assert reader.transcript(next(reader.records())).outcome.output == forged


@pytest.mark.parametrize("key", ["$blob", "$$blob"])
@pytest.mark.parametrize("size", [1, 300_000])
def test_what_an_agent_writes_in_the_form_of_a_reference_is_what_it_wrote(
    run: Path, make_trial: Any, key: str, size: int
) -> None:
    """In a small line and beside a text that is really put away."""
    written = {"own": {key: "0" * 64, "size": 5}, "text": "x" * size}
    writer = RecordWriter(run, unmasked)
    writer.append(*make_trial("a", output=written))
    writer.close()
    reader = RunReader(run)
    assert reader.transcript(next(reader.records())).outcome.output == written


@pytest.mark.parametrize("change", ["gone", "other"])
def test_a_large_text_that_is_lost_is_no_text(run: Path, make_trial: Any, change: str) -> None:
    """Left as a reference it would pass any check of what the text must not hold."""
    writer = RecordWriter(run, unmasked)
    writer.append(*make_trial("a", output="x" * 300_000))
    writer.close()
    [blob] = (run / layout.BLOBS).iterdir()
    blob.unlink()
    if change == "other":
        blob.write_text("other")
    reader = RunReader(run)
    with pytest.raises(RunDirectoryError, match=r"a large text .* is lost"):
        reader.transcript(next(reader.records()))


def test_a_second_writer_is_refused(run: Path) -> None:
    writer = RecordWriter(run, unmasked)
    with pytest.raises(RunDirectoryError, match="another process"):
        RecordWriter(run, unmasked)
    writer.close()
    RecordWriter(run, unmasked).close()


def test_a_full_disk_is_told_with_how_to_go_on(
    run: Path, make_trial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = RecordWriter(run, unmasked)
    writer.append(*make_trial("a"))

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(RunDirectoryError, match="No space left") as caught:
            writer.append(*make_trial("b"))
    writer.close()
    assert "--resume" in caught.value.hint
    assert [record.case for record in RunReader(run).records()] == ["a"]


def test_a_run_directory_is_never_written_over(tmp_path: Path) -> None:
    directory.create(tmp_path, "one")
    with pytest.raises(RunDirectoryError, match="never overwritten"):
        directory.create(tmp_path, "one")


def test_what_is_no_run_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunDirectoryError, match="not a run directory"):
        RunReader(tmp_path)


def test_a_changed_transcript_is_refused(run: Path, make_trial: Any) -> None:
    write(run, make_trial, 1)
    path = run / layout.TRANSCRIPTS
    path.write_bytes(path.read_bytes().replace(b"hi", b"ho"))
    reader = RunReader(run)
    with pytest.raises(RunDirectoryError, match="not the recorded one"):
        reader.transcript(next(reader.records()))


def test_a_corrupt_line_is_named(run: Path, make_trial: Any) -> None:
    write(run, make_trial, 3)
    path = run / layout.TRIALS
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{broken\n" + lines[2])
    with pytest.raises(RunDirectoryError, match=r"trials\.jsonl:2"):
        list(RunReader(run).records())
    with pytest.raises(RunDirectoryError, match=r"trials\.jsonl:2"):
        directory.cut_back(run)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trials_cut=st.integers(0, 2000), transcripts_cut=st.integers(0, 1000))
def test_a_kill_at_any_byte_leaves_whole_pairs(
    tmp_path_factory: pytest.TempPathFactory,
    make_trial: Any,
    trials_cut: int,
    transcripts_cut: int,
) -> None:
    folder = tmp_path_factory.mktemp("run")
    (folder / layout.RUN).write_text("{}")
    write(folder, make_trial, 6)
    for name, cut in ((layout.TRIALS, trials_cut), (layout.TRANSCRIPTS, transcripts_cut)):
        size = (folder / name).stat().st_size
        os.truncate(folder / name, max(0, size - cut))
    RecordWriter(folder, unmasked).close()
    reader = RunReader(folder)
    records = list(reader.records())
    assert [record.case for record in records] == [f"c{n}" for n in range(len(records))]
    for record in records:
        assert reader.transcript(record).case == record.case
    last = records[-1].transcript if records else None
    end = last.offset + last.length + 1 if last else 0
    assert (folder / layout.TRANSCRIPTS).stat().st_size == end


def test_dropped_trials_leave_the_others_whole(run: Path, make_trial: Any) -> None:
    writer = RecordWriter(run, unmasked)
    for number in range(6):
        status = "errored" if number % 2 else "passed"
        writer.append(*make_trial(f"c{number}", status=status))
    writer.close()
    dropped = directory.drop_trials(run, lambda record: record.status == "errored")
    assert dropped == 3
    reader = RunReader(run)
    records = list(reader.records())
    assert [record.case for record in records] == ["c0", "c2", "c4"]
    assert [reader.transcript(record).case for record in records] == ["c0", "c2", "c4"]
    writer = RecordWriter(run, unmasked)
    writer.append(*make_trial("c1"))
    writer.close()
    assert reader.transcript(list(reader.records())[-1]).case == "c1"


def test_the_suite_comes_back(run: Path) -> None:
    assert RunReader(run).suite() == Suite(name="demo")
    assert RunReader(run).plan.run_id == "demo-1"


def test_a_corrupt_plan_is_refused(run: Path) -> None:
    (run / layout.RUN).write_text('{"run_id": 5}')
    with pytest.raises(RunDirectoryError, match="corrupt"):
        _ = RunReader(run).plan


def test_run_ids_are_safe_names() -> None:
    name = layout.new_run_id("../../etc/ pass wd")
    assert "/" not in name
    assert not name.startswith(".")
    assert layout.new_run_id("a") != layout.new_run_id("a")
