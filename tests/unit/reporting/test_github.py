"""`--format github`: short, and nothing in the data is markup or calls anyone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from probare.model.score import Regression
from probare.ports.reporter import Material
from probare.reporting.github import GithubReporter, lines

Build = dict[str, Callable[..., Any]]


def test_it_tells_the_decision_the_scores_and_the_first_failures(
    every_kind: Material, snapshot: Callable[[str, str], None]
) -> None:
    snapshot("github.md", "\n".join(lines(every_kind)) + "\n")


def test_it_stays_within_sixty_lines_however_much_there_is(build: Build) -> None:
    case, verdict, record = build["case"], build["verdict"], build["record"]
    names = [f"case {number}" for number in range(50)]
    rates = {str(k): build["rate"](1, 2) for k in range(1, 9)}
    scores = build["scores"](1, 4, pass_at=rates, pass_hat=rates)
    fell = [
        Regression(what=n, score="status", baseline=None, now=None, drop=None, words=f"{n} fell")
        for n in names
    ]
    whole = build["summary"](
        {name: case("failed", 0, 2) for name in names},
        scores=scores,
        why=tuple(names),
        notes=tuple(names),
        trust="claimed",
        regressions=tuple(fell),
        baseline={"words": "regressed"},
    )
    records = [
        record(name, trial, status, *[verdict("fail", f"check {n}") for n in range(9)])
        for name in names
        for trial, status in ((0, "failed"), (1, "errored"))
    ]
    found = list(lines(build["material"](whole, records)))
    assert len(found) <= 60
    assert not [line for line in found if "\n" in line]
    text = "\n".join(found)
    assert "… and 45 more" in text
    assert "Trust: claimed" in text
    assert "and 47 reasons more" in text


def test_data_is_never_markup_never_a_mention(hostile: Material) -> None:
    text = "\n".join(lines(hostile))
    without_ours = re.sub(r"</?(details|summary|sub)>", "", text)
    assert not re.search(r"(?<!\\)<", without_ours)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    columns = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
    assert columns == {5}


def test_nobody_is_called_by_name(build: Build) -> None:
    name = "@octocat please see #12 and acme/probare#3"
    case = build["case"]("failed", 0, 1)
    record = build["record"](name, 0, "failed", build["verdict"]("fail", name, reason=name))
    whole = build["summary"]({name: case}, suite=name, why=(name,), notes=(name,), target=name)
    text = "\n".join(lines(build["material"](whole, [record])))
    body = re.sub(r"(?m)^#+ ", "", text)
    assert "octocat" in body
    assert not re.search(r"@\w", body)
    assert not re.search(r"#\d", body)


def test_an_all_passed_run_says_so_and_names_no_failure(build: Build, tmp_path: Path) -> None:
    whole = build["summary"](
        {"right": build["case"]("passed", 1, 1)}, decision="passed", exit_code=0, why=("all held",)
    )
    whole = msgspec.structs.replace(
        whole, trials=build["counts"](planned=1, run=1, graded=1, passed=1)
    )
    GithubReporter().write(tmp_path / "g.md", build["material"](whole, []))
    text = (tmp_path / "g.md").read_text(encoding="utf-8")
    assert text.startswith("### ✅ demo: PASSED\n")
    assert "<details>" not in text
