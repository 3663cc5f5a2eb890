"""The suite and the rubric of `docs/review.md` load as they stand, its table is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from probare.loading import load
from probare.model.statuses import trial_status
from probare.model.verdict import HUMAN_REVIEW, CheckVerdict, Result
from probare.pipeline.catalogue import BuiltCatalogue

PAGE = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
SUITE, RUBRIC = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def test_the_suite_loads_with_its_rubric(tmp_path: Path) -> None:
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubrics" / "answer.yaml").write_text(RUBRIC)
    (tmp_path / "suite.yaml").write_text(SUITE)
    suite = load(tmp_path, BuiltCatalogue(), {}).suite
    assert suite.review is not None
    assert (suite.review.overlap, suite.review.due) == (2, 172_800.0)
    assert suite.rubric is not None
    assert [each.holds_gate for each in suite.rubric.triggers] == [True, False]


def verdict(result: Result, grader: str = "contains") -> CheckVerdict:
    return CheckVerdict(label="l", grader=grader, grader_version="1", list="expect", result=result)


ROWS: dict[str, list[list[CheckVerdict]]] = {
    "pass, or no check judges it": [[verdict("pass")], []],
    "*unknown*": [[verdict("unknown")]],
    "fail": [[verdict("fail")]],
    "error, or it did not complete": [[verdict("error")]],
}
SAID: tuple[Result, ...] = ("pass", "fail", "unknown")


@pytest.mark.parametrize("name", ROWS)
def test_the_table_of_what_people_settle(name: str) -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| {name} |"))
    words = [cell.strip(" *").replace(" ", "_") for cell in line.strip("|").split("|")[1:]]
    for checks in ROWS[name]:
        found = [trial_status("completed", [*checks, verdict(s, HUMAN_REVIEW)]) for s in SAID]
        assert found == words
