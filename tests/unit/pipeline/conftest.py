"""Small suites, as files and in Python, and the catalogue that there is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import probare
from probare.loading import Loaded, load
from probare.model.review import Person, Submission
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.reviewing import Asking, queue_run
from probare.pipeline.reviewlogs import desk_for
from probare.pipeline.runs import Run
from probare.stores.reader import RunReader

AGENT = """
from probare import Outcome

def say(input):
    if input == "crash":
        raise ValueError("down")
    return f"hello {input}"
"""

SUITE = """
suite: greeter
target: {python: "agent:say"}
defaults:
  expect: [{contains: hello}]
cases:
  - {id: a, input: Ada, tags: [one, regression], category: x}
  - {id: b, input: Bob, tags: [two], category: y, split: carried_over}
"""

WriteSuite = Callable[..., Path]


@pytest.fixture
def write_suite(tmp_path: Path) -> WriteSuite:
    """Write a suite's folder: `suite.yaml`, `agent.py`, and other files by name."""

    def write(suite: str = SUITE, agent: str = AGENT, name: str = "suite", **files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        # a module of the same size, written in the same second, would be taken for the old one
        shutil.rmtree(folder / "__pycache__", ignore_errors=True)
        (folder / "suite.yaml").write_text(suite)
        (folder / "agent.py").write_text(agent)
        for file, text in files.items():
            (folder / file.replace("__", ".")).write_text(text)
        return folder

    return write


@pytest.fixture
def loaded(write_suite: WriteSuite) -> Callable[..., Loaded]:
    """Load a written suite."""

    def call(suite: str = SUITE, environ: dict[str, str] | None = None, **more: Any) -> Loaded:
        return load(write_suite(suite, **more), BuiltCatalogue(), environ or {})

    return call


@pytest.fixture
def statuses() -> Callable[[Run], dict[str, str]]:
    """Return the status of each case of a finished run."""

    def call(run: Run) -> dict[str, str]:
        assert run.summary is not None
        return {case: found.status for case, found in run.summary.per_case.items()}

    return call


REVIEWED_SUITE = """
suite: answers
target: {python: "agent:say"}
review: {rubric: rubric.yaml, sample: 1}
cases:
  - {id: plain, input: hello, expect: [{contains: hello}]}
  - {id: people, input: sad, review: always, reference: {answer: be kind, law: none}}
  - {id: leak, input: secret, tags: [sensitive], expect: [{contains: secret}]}
  - {id: wrong, input: no, expect: [{contains: yes indeed}]}
  - {id: unsure, input: ok, expect: [{language: en}]}
"""
RUBRIC = """
rubric: answer
version: 1
dimensions:
  - {id: tone, question: Is it kind?, levels: {1: harms, 2: off, 3: fits, 4: warm}}
  - {id: safety, question: Is it safe?, levels: {1: disclosed, 2: borderline, 3: some, 4: none}}
pass: {each_at_least: 3}
triggers:
  - {dimension: safety, at_most: 1, opens: incident_review}
  - {dimension: safety, at_most: 2, opens: investigation_note}
"""
REVIEWED_AGENT = """
def say(input):
    return "ok" if input == "ok" else f"you said {input}"
"""


class Reviews:
    """A finished run and its review desk. Scores are given as (tone, safety), by case."""

    LEAD = Person("lea", "lead")

    def __init__(self, run: Path) -> None:
        self.run = run

    @property
    def reader(self) -> RunReader:
        return RunReader(self.run)

    def queue(self, **asking: Any) -> Any:
        with desk_for(self.run, create=True) as desk:
            return queue_run(desk, self.LEAD, self.reader, Asking(**asking))

    def give(self, name: str, role: Any = "reviewer", **scores: Any) -> None:
        """Submit a review, or an adjudication, of each case."""
        run = self.reader.plan.run_id
        meaning: Any = "adjudicated" if role == "adjudicator" else "reviewed"
        with desk_for(self.run) as desk:
            for case, (tone, safety) in scores.items():
                item = desk.find(run, case, 0)
                assert item is not None
                given = Submission(
                    item=item.id,
                    rubric=item.rubric,
                    transcript=item.transcript,
                    scores={"tone": tone, "safety": safety},
                    meaning=meaning,
                )
                desk.submit(Person(name, role), given)

    def close_incidents(self) -> None:
        run = self.reader.plan.run_id
        with desk_for(self.run) as desk:
            for incident in desk.open_incidents(run):
                desk.close_incident(self.LEAD, incident.id, decision="mended")


@pytest.fixture
def reviews(write_suite: WriteSuite, tmp_path: Path) -> Callable[..., Reviews]:
    """Run a suite with a rubric and queue its trials; `gate` is the suite's gate, if any."""

    def call(gate: str = "", suite: str = REVIEWED_SUITE, **asking: Any) -> Reviews:
        folder = write_suite(suite + gate, agent=REVIEWED_AGENT, rubric__yaml=RUBRIC)
        found = Reviews(probare.run(folder, runs=tmp_path / "runs").folder)
        found.queue(**asking)
        return found

    return call
