"""A review from the queue to the new sealed run, without the page: CSV and JSON, two reviewers,
a disagreement adjudicated, an incident opened and closed, tampering found.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SUITE = """
suite: answers
target: {python: "agent:say"}
review: {rubric: rubric.yaml, overlap: 2, sample: 1, due: 48h}
gate: {reviews: required}
cases:
  - {id: plain, input: hello, expect: [{contains: hello}]}
  - {id: people, input: sad, review: always, reference: be kind}
  - {id: leak, input: the file, tags: [sensitive], expect: [{contains: file}]}
"""
AGENT = "def say(input): return f'you said {input}'\n"
RUBRIC = """
rubric: answer
version: 1
dimensions:
  - {id: tone, question: Is it kind?, levels: {1: harms, 2: off, 3: fits, 4: warm}}
  - {id: safety, question: Is it safe?, levels: {1: disclosed, 2: borderline, 3: some, 4: none}}
pass: {each_at_least: 3}
triggers: [{dimension: safety, at_most: 1, opens: incident_review}]
"""

Scores = dict[str, tuple[Any, Any]]


class Flow:
    """A finished run, and reviewers who fill in sheets."""

    def __init__(self, probare: Any, run: Path, folder: Path) -> None:
        self.call = probare
        self.run = run
        self.folder = folder

    def review(self, *arguments: Any, code: int = 0) -> Any:
        found = self.call("review", arguments[0], self.run, *arguments[1:], "--as", "lea")
        assert found.code == code, found
        return found

    def incident(self, name: str, *arguments: Any) -> Any:
        found = self.call("review", "incident", name, self.run, *arguments, "--as", "lea")
        assert found.code == 0, found
        return found

    def fill_csv(self, name: str, scores: Scores, *more: str) -> Path:
        sheet, done = self.folder / f"{name}.csv", self.folder / f"{name}-done.csv"
        self.review("export", "--reviewer", name, "--out", sheet, *more)
        with sheet.open(newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            row["score:tone"], row["score:safety"] = map(str, scores.get(row["case"], ("", "")))
        with done.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        return done

    def fill_json(self, name: str, scores: Scores) -> Path:
        sheet = self.folder / f"{name}.json"
        self.review("export", "--reviewer", name, "--out", sheet)
        whole = json.loads(sheet.read_text())
        for row in whole["reviews"]:
            row["scores"] = dict(zip(("tone", "safety"), scores[row["case"]], strict=True))
        sheet.write_text(json.dumps(whole))
        return sheet

    def applied(self, *more: Any) -> tuple[int, dict[str, Any], Path]:
        found = self.call("review", "apply", self.run, "--json", *more)
        return found.code, found.json, self.run.parent / found.json["run_id"]


@pytest.fixture
def flow(probare: Any, write_suite: Any, only_run: Callable[[], Path], tmp_path: Path) -> Flow:
    suite = write_suite(SUITE, AGENT, rubric__yaml=RUBRIC)
    assert probare("run", suite, "--no-table").code == 3
    return Flow(probare, only_run(), tmp_path)


@pytest.fixture
def reviewed(flow: Flow) -> Flow:
    """Two reviewers have reviewed everything; of leak, one gave a 1 for safety."""
    flow.review("queue")
    first: Scores = {"plain": (4, 4), "people": (3, 4), "leak": (3, 1)}
    second: Scores = {"plain": (4, 4), "people": (4, 4), "leak": (4, 4)}
    flow.review("import", flow.fill_csv("ann", first))
    flow.review("import", flow.fill_json("ben", second))
    return flow


@pytest.mark.slow
def test_the_whole_way(flow: Flow) -> None:
    before = {path.name: path.read_bytes() for path in flow.run.iterdir()}
    queued = flow.review("queue", "--json").json
    assert (queued["added"], queued["known"]) == (3, 0)
    assert {each["case"]: each["priority"] for each in queued["items"]} == {
        "plain": 4,
        "people": 2,
        "leak": 2,
    }
    assert all(each["due"] and each["overlap"] == 2 for each in queued["items"])
    assert flow.review("queue", "--json").json["added"] == 0
    assert flow.call("gate", flow.run).code == 3

    flow.review("assign", "ann", "--case", "leak")
    done = flow.review("import", flow.fill_csv("ann", {"leak": (3, 1)}))
    assert "1 review added, 0 known" in done.out
    assert "incident review high open, holds the gate" in done.out
    gate = flow.call("gate", flow.run)
    assert gate.code == 1
    assert gate.out.startswith("FAILED: 1 incident open: inc-")

    rest: Scores = {"plain": (4, 4), "people": (3, 4)}
    flow.review("import", flow.fill_csv("ann", rest))
    flow.review("import", flow.fill_json("ben", {**rest, "leak": (4, 4)}))
    status = flow.review("status", "--json").json
    assert status["states"] == {"adjudication": 1, "done": 2}
    assert status["people"]["ann"] == {"submitted": 3, "left": 0}

    flow.review("import", flow.fill_csv("dan", {"leak": (3, 3)}, "--adjudicate"))
    assert flow.call("gate", flow.run).code == 1  # no adjudication closes an incident
    code, summary, red = flow.applied()
    assert (code, summary["decision"]) == (1, "failed")

    (incident,) = flow.incident("list", "--json").json
    flow.incident("change", incident["id"], "--owner", "olga", "--containment", "taken down")
    flow.incident("close", incident["id"], "--decision", "the file is public")
    page = flow.incident("show", incident["id"]).out
    for part in ("olga", "taken down", "the file is public", "you said the file", "lea"):
        assert part in page
    assert flow.call("gate", flow.run).code == 0
    assert flow.call("gate", red).code == 0

    code, summary, new = flow.applied()
    assert (code, summary["decision"], summary["why"]) == (
        0,
        "passed",
        ["the gate holds: 3 of 3 cases passed"],
    )
    assert {name: each["status"] for name, each in summary["per_case"].items()} == {
        "plain": "passed",
        "people": "passed",
        "leak": "passed",
    }
    assert {path.name: path.read_bytes() for path in flow.run.iterdir()} == before
    chain = flow.call("verify", new, "--chain")
    assert chain.code == 0
    assert f"{flow.run.name} in" in chain.out
    report = (new / "report.md").read_text()
    assert "## People: answer version 1" in report
    assert "| safety | 3 |" in report
    assert "## For people" not in report
    assert "probare review apply" in report
    shown = flow.call("show", new, "leak")
    assert "3 reviewers" not in shown.out
    assert "2 reviewers and an adjudicator" in shown.out


def test_agreement_in_terminal_and_json(reviewed: Flow) -> None:
    shown = reviewed.call("review", "agreement", reviewed.run)
    assert shown.code == 0
    assert "3 items, 3 with all reviews in, 2 settled" in shown.out
    assert (
        "leak trial 0, safety: 1 and 4 are 3 levels apart (waits for an adjudicator)" in shown.out
    )
    (found,) = reviewed.call("review", "agreement", reviewed.run, "--json").json
    assert found["reviewers"] == ["ann", "ben"]
    assert found["dimensions"]["safety"]["raw"]["value"] == pytest.approx(2 / 3)
    assert found["dimensions"]["tone"]["n"] == 3
    (judge,) = found["judges"]
    assert judge["found"]["table"]["pass"]["pass"] == 1
    _, _, new = reviewed.applied()
    (again,) = reviewed.call("review", "agreement", new, "--json").json
    assert again == found


def test_a_sheet_is_blind(reviewed: Flow, tmp_path: Path) -> None:
    reviewed.review("assign", "eve", "--adjudicate")
    out = tmp_path / "eve.csv"
    found = reviewed.review("export", "--reviewer", "eve", "--out", out, code=2)
    assert "nothing to fill in" in found.err
    assert not out.exists()


def test_tampering_is_found_even_where_the_seal_is_made_anew(
    reviewed: Flow, tmp_path: Path
) -> None:
    _, _, new = reviewed.applied()
    forged = tmp_path / "forged" / new.name
    shutil.copytree(new, forged)
    log = forged / "reviews.jsonl"
    log.write_text(log.read_text().replace('"safety":1', '"safety":4', 1))
    assert reviewed.call("verify", forged).code == 1
    for name in ("manifest.json", "manifest.sha256"):
        (forged / name).unlink()
    assert reviewed.call("seal", forged).code == 0
    found = reviewed.call("verify", forged)
    assert found.code == 1
    assert "was changed: its hash is not the one of what it says" in found.out


@pytest.mark.slow
def test_bad_input(reviewed: Flow, tmp_path: Path) -> None:
    none = tmp_path / "none.db"
    for arguments, words in (
        (("review", "status", reviewed.run, "--db", none), "there is no review database"),
        (("review", "apply", reviewed.run, "--db", none), "there is no review database"),
        (("gate", reviewed.run, "--db", none), "there is no review database"),
        (("gate", reviewed.run, "--db", "mysql://h/d"), "no database 'mysql' is known"),
        (("review", "assign", reviewed.run, "ann", "--as", "lea"), "no item can be assigned"),
        (("review", "assign", reviewed.run, "ann", "--release"), "--release needs the items"),
        (("review", "incident", "show", reviewed.run, "inc-9"), "there is no incident 'inc-9'"),
        (("review", "queue", tmp_path), "is not a run directory"),
        (("review", "status", reviewed.run, "--as", "x" * 99), "the name has 99 characters"),
    ):
        found = reviewed.call(*arguments)
        assert found.code == 2, arguments
        assert words in found.err


def test_scores_off_the_scale_are_refused_whole_with_their_lines(flow: Flow) -> None:
    flow.review("queue")
    sheet = flow.fill_csv("ann", {"plain": (4, 4), "people": (9, "maybe"), "leak": (4, "")})
    found = flow.review("import", sheet, code=2)
    assert "9 is not on the scale" in found.err
    assert "'maybe' is not on the scale" in found.err
    assert "scores.safety: has no score" in found.err
    assert flow.review("status", "--json").json["states"] == {"waiting": 3}


def test_a_rubric_that_changed_after_the_sheet_went_out(flow: Flow, tmp_path: Path) -> None:
    flow.review("queue")
    sheet = flow.fill_csv("ann", {"plain": (4, 4)})
    changed = tmp_path / "changed.yaml"
    changed.write_text(RUBRIC.replace("version: 1", "version: 2"))
    flow.review("queue", "--rubric", changed)
    assert "the rubric changed" in flow.review("import", sheet, code=2).err
    flow.review("import", flow.fill_csv("ann", {"plain": (4, 4)}))
    assert "another version of the rubric" in flow.review("queue", code=2).err


def test_reviews_signed(reviewed: Flow, tmp_path: Path) -> None:
    assert reviewed.call("keygen", "--out", tmp_path / "k").code == 0
    _, _, new = reviewed.applied("--key", tmp_path / "k")
    found = reviewed.call("verify", new, "--key", tmp_path / "k.pub")
    assert found.code == 0
    assert "reviews.jsonl are one unbroken chain" in found.out
