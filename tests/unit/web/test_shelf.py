"""Runs read from their folder."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from probare.errors import NotFound, RunDirectoryError
from probare.stores.reader import RunReader
from probare.web.shelf import Shelf


@pytest.mark.parametrize(
    "name",
    ["..", ".", "", "../runs", "a/b", "a\\b", ".probare", "nothing", "x" * 300, "a\x00b", "%2e%2e"],
)
def test_only_runs_of_the_folder_are_there(runs: Path, run_name: str, name: str) -> None:
    shelf = Shelf(runs / run_name)
    with pytest.raises(NotFound):
        shelf.run(name)
    assert Shelf(runs).names() == [run_name]
    assert Shelf(runs / "nowhere").names() == []


def test_one_case_is_read_as_the_reader_of_all_reads_it(runs: Path, run_name: str) -> None:
    run, reader = Shelf(runs).run(run_name), RunReader(runs / run_name)
    for record in reader.records():
        assert run.trials(record.case) == [record]
        assert run.transcript(record) == reader.transcript(record)
    assert [run.case(case.id) for case in reader.suite().cases] == list(reader.suite().cases)
    assert run.case("nothing") is None
    assert run.trials("nothing") == []
    assert run.plan == reader.plan
    assert run.summary == reader.summary


def test_what_changed_is_read_anew(runs: Path, run_name: str) -> None:
    run = Shelf(runs).run(run_name)
    assert len(run.trials("leave")) == 1
    path = runs / run_name / "trials.jsonl"
    os.chmod(path, 0o644)
    path.write_bytes(b"")
    assert run.trials("leave") == []
    path.write_bytes(b"{broken\n")
    with pytest.raises(RunDirectoryError, match="cannot be read"):
        run.trials("leave")


def test_a_run_without_an_end_has_no_summary(runs: Path, run_name: str) -> None:
    (runs / run_name / "summary.json").unlink()
    assert Shelf(runs).run(run_name).summary is None


def test_a_family_is_all_that_was_made_from_one_run(runs: Path, run_name: str) -> None:
    plan = RunReader(runs / run_name).plan
    made = {"b": plan.run_id, "c": "b", "d": "gone", "e": "gone", "f": None, "g": "h", "h": "g"}
    for name, parent in made.items():
        (runs / name).mkdir()
        child = msgspec.structs.replace(plan, run_id=name, parent=parent)
        (runs / name / "run.json").write_bytes(msgspec.json.encode(child))
    shelf = Shelf(runs)
    for name in (run_name, "b", "c"):
        assert shelf.family(shelf.run(name)) == {plan.run_id, "b", "c"}
    assert shelf.family(shelf.run("d")) == {"d", "e", "gone"}
    assert shelf.family(shelf.run("f")) == {"f"}
    assert "g" in shelf.family(shelf.run("g"))
    found = shelf.by_id("c")
    assert found is not None
    assert found.name == "c"
    assert shelf.by_id("unknown") is None
