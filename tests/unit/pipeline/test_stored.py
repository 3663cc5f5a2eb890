"""One case of a run, read back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import InputError, RunDirectoryError
from probare.pipeline.stored import StoredCase, stored_case


@pytest.fixture
def run(tmp_path: Path) -> Path:
    def agent(input: Any, trial: int) -> str:  # noqa: A002
        if input == "odd" and trial == 1:
            raise RuntimeError("no")
        return "yes" if trial != 2 else "no"

    ended = probare.run(
        probare.Suite(
            "s",
            target=agent,
            trials=3,
            cases=[
                probare.Case(id="odd", input="odd", expect=[{"contains": "yes"}]),
                probare.Case(id="even", input="even", expect=["different_traces"]),
            ],
        ),
        runs=tmp_path / "runs",
    )
    return ended.folder


def test_a_case_with_its_trials(run: Path) -> None:
    found = stored_case(run, "odd")
    assert isinstance(found, StoredCase)
    assert [record.trial for record in found.trials] == [0, 1, 2]
    assert [record.status for record in found.worst_first()] == ["failed", "errored", "passed"]
    assert found.case is not None
    assert found.case.input == "odd"
    assert found.wide == ()
    assert found.transcript(found.trial(2)).outcome.output == "no"


def test_case_wide_verdicts(run: Path) -> None:
    (verdict,) = stored_case(run, "even").wide
    assert (verdict.grader, verdict.result) == ("different_traces", "error")


def test_what_is_not_there(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no case 'od'") as caught:
        stored_case(run, "od")
    assert caught.value.hint == "did you mean 'odd'?"
    with pytest.raises(InputError, match="no trial 7 of case 'odd'") as caught:
        stored_case(run, "odd").trial(7)
    assert caught.value.hint == "it holds: 0, 1, 2"
    with pytest.raises(RunDirectoryError, match="not a run directory"):
        stored_case(tmp_path, "odd")


def test_a_case_of_which_nothing_ended(run: Path) -> None:
    (run / "trials.jsonl").write_text("")
    with pytest.raises(InputError, match="no trial of case 'odd' has ended"):
        stored_case(run, "odd")
