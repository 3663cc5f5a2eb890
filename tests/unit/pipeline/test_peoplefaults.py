"""A run with reviews graded in, changed by a forger: the recount tells, whatever the seal says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import probare
from probare.pipeline.applying import apply_reviews
from probare.pipeline.recounting import recount
from probare.review.log import line_of, make, read_line
from probare.stores.reader import RunReader


@pytest.fixture
def run(reviews: Any) -> Path:
    """Plain was passed by people, leak was failed and opened an incident."""
    found = reviews()
    found.give("ann", plain=(4, 4), leak=(4, 1))
    return apply_reviews(found.run, key=None).folder


def told(run: Path) -> list[str]:
    return [f"{found.file}:{found.line}: {found.what}" for found in recount(RunReader(run))]


def lines_of(run: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (run / name).read_text().splitlines()]


def write(run: Path, name: str, values: list[Any]) -> None:
    text = "".join(
        json.dumps(v, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n"
        for v in values
    )
    (run / name).write_text(text)


def rechained(run: Path, change: Callable[[Any], None]) -> None:
    """Write the whole log anew, each hash right: a forger who knows how."""
    path = run / "reviews.jsonl"
    records = [read_line(line) for line in path.read_bytes().splitlines()]
    prev, out = records[0].prev, b""
    for record in records:
        body = dict(record.body)
        change((record.kind, body))
        again = make(record.run, record.seq, prev, record.kind, body)
        prev = again.hash
        out += line_of(again) + b"\n"
    path.write_bytes(out)


def test_as_it_was_written_nothing_is_found(run: Path) -> None:
    assert told(run) == []


def test_a_changed_record_of_the_log(run: Path) -> None:
    path = run / "reviews.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if '"tone":4' in line)
    lines[number] = lines[number].replace('"tone":4', '"tone":1')
    path.write_text("".join(lines))
    assert f"reviews.jsonl:{number + 1}: was changed" in "\n".join(told(run))


@pytest.mark.parametrize("number", [2, -1])
def test_a_record_left_out(run: Path, number: int) -> None:
    path = run / "reviews.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    del lines[number]
    path.write_text("".join(lines))
    assert any(each.startswith(("reviews.jsonl", "basis.json")) for each in told(run))


def test_a_log_written_anew_does_not_fit_the_verdicts(run: Path) -> None:
    def change(record: Any) -> None:
        kind, body = record
        if kind == "review" and body["case"] == "plain":
            body["scores"] = {"tone": 1, "safety": 4}

    rechained(run, change)
    assert any("case plain trial 0 tells what people said of it otherwise" in t for t in told(run))


def test_an_incident_that_was_taken_out_of_a_log_written_anew(run: Path) -> None:
    path = run / "reviews.jsonl"
    records = [read_line(line) for line in path.read_bytes().splitlines()]
    prev, out = records[0].prev, b""
    for seq, record in enumerate(each for each in records if each.kind != "incident"):
        again = make(record.run, seq, prev, record.kind, record.body)
        prev, out = again.hash, out + line_of(again) + b"\n"
    path.write_bytes(out)
    found = told(run)
    assert any("opens an incident, and there is none" in each for each in found)
    assert any("open_incidents: does not follow" in each for each in found)


def test_another_verdict_of_people_than_the_log_gives(run: Path) -> None:
    lines = lines_of(run, "trials.jsonl")
    leak = next(line for line in lines if line["case"] == "leak")
    leak["verdicts"][-1]["result"] = "pass"
    leak["status"] = "passed"
    write(run, "trials.jsonl", lines)
    assert any("case leak trial 0 tells what people said of it otherwise" in t for t in told(run))


def test_a_verdict_of_people_left_out(run: Path) -> None:
    lines = lines_of(run, "trials.jsonl")
    leak = next(line for line in lines if line["case"] == "leak")
    leak["verdicts"].pop()
    leak["status"] = "passed"
    write(run, "trials.jsonl", lines)
    assert any("case leak trial 0 lacks what people said of it" in each for each in told(run))


def test_a_verdict_of_people_made_up(run: Path) -> None:
    lines = lines_of(run, "trials.jsonl")
    said = next(line for line in lines if line["case"] == "plain")["verdicts"][-1]
    unsure = next(line for line in lines if line["case"] == "unsure")
    unsure["verdicts"].append(said)
    unsure["status"] = "passed"
    write(run, "trials.jsonl", lines)
    assert any("case unsure trial 0 says that people judged it" in each for each in told(run))


def test_a_log_that_is_gone(run: Path) -> None:
    (run / "reviews.jsonl").unlink()
    assert any("reviews.jsonl:None: it is missing" in each for each in told(run))


def test_an_incident_closed_in_the_basis_alone(run: Path) -> None:
    basis = json.loads((run / "basis.json").read_text())
    basis["open_incidents"] = []
    (run / "basis.json").write_text(json.dumps(basis))
    assert any("open_incidents: does not follow from reviews.jsonl" in each for each in told(run))


def test_a_log_in_a_run_that_no_reviews_were_graded_into(
    run: Path, write_suite: Any, tmp_path: Path
) -> None:
    plain = probare.run(write_suite(name="other"), runs=tmp_path / "more").folder
    (plain / "reviews.jsonl").write_bytes((run / "reviews.jsonl").read_bytes())
    found = told(plain)
    assert any("no reviews were graded into" in each for each in found)
    assert any("people were asked for case leak trial 0, which is not" in each for each in found)


def test_a_basis_that_tells_of_reviews_without_a_log(write_suite: Any, tmp_path: Path) -> None:
    plain = probare.run(write_suite(), runs=tmp_path / "runs").folder
    basis = json.loads((plain / "basis.json").read_text())
    basis["reviewed"] = ["a"]
    (plain / "basis.json").write_text(json.dumps(basis))
    assert any("tells of reviews, and there is no reviews.jsonl" in each for each in told(plain))


def test_a_log_that_is_not_even_one(run: Path) -> None:
    (run / "reviews.jsonl").write_bytes(b"\xff\xfe{]")
    assert any("reviews.jsonl:1: cannot be read" in each for each in told(run))
