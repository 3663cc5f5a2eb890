"""Reviewing without the page: queue, assignment, sheets out and in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError, InvalidReview, NotFound, Outdated, SelectionError
from probare.model.review import Person, Reason
from probare.pipeline.applying import apply_reviews
from probare.pipeline.reviewing import (
    Asking,
    all_items,
    assign_items,
    import_files,
    queue_run,
    sheets_of,
)
from probare.pipeline.reviewlogs import desk_for
from probare.review.csvsheets import csv_of
from probare.review.desk import ReviewDesk
from probare.review.jsonsheets import json_of
from probare.review.reasons import blind_reasons

LEAD = Person("lea", "lead")


@pytest.fixture
def found(reviews: Any) -> Any:
    return reviews(overlap=2)


@pytest.fixture
def desk(found: Any) -> Iterator[ReviewDesk]:
    with desk_for(found.run) as opened:
        yield opened


class TestQueue:
    def test_rules_put_trials_in_once(self, found: Any, desk: ReviewDesk) -> None:
        items = {item.case: item for item in all_items(desk, LEAD, found.run.name)}
        rules = {case: [each.rule for each in item.reasons] for case, item in items.items()}
        assert rules == {
            "plain": ["sampled"],
            "people": ["asked", "undecided"],
            "leak": ["tagged"],
            "wrong": ["failed"],
            "unsure": ["undecided"],
        }
        assert {item.overlap for item in items.values()} == {2}
        again = found.queue(overlap=2)
        assert (again.added, again.known, again.changed) == (0, 5, 0)

    def test_the_command_line_says_otherwise_than_the_suite(self, reviews: Any) -> None:
        found = reviews(overlap=3, sample=0.0, due=3600.0)
        with desk_for(found.run) as desk:
            items = all_items(desk, LEAD, found.run.name)
        assert {item.case for item in items} == {"people", "leak", "wrong", "unsure"}
        assert {item.overlap for item in items} == {3}
        assert all(item.due is not None for item in items)

    def test_a_suite_without_a_rubric_needs_one(self, reviews: Any, tmp_path: Path) -> None:
        suite = 'suite: s\ntarget: {python: "agent:say"}\ncases: [{id: a, review: always}]\n'
        with pytest.raises(InputError, match="names no rubric"):
            reviews(suite=suite)
        file = tmp_path / "suite" / "rubric.yaml"
        assert reviews(suite=suite, rubric=file).queue(rubric=file).known == 1

    def test_a_rubric_that_changed_after_a_review_is_refused(
        self, found: Any, desk: ReviewDesk, tmp_path: Path
    ) -> None:
        found.give("ann", plain=(4, 4))
        other = tmp_path / "other.yaml"
        text = (tmp_path / "suite" / "rubric.yaml").read_text()
        other.write_text(text.replace("version: 1", "version: 2"))
        with pytest.raises(Outdated, match="another version of the rubric"):
            found.queue(overlap=2, rubric=other)
        changed = found.queue(overlap=2, rubric=other, new_rubric=True)
        assert (changed.added, changed.changed) == (0, 5)

    def test_a_run_with_reviews_graded_in_is_not_queued(self, found: Any, desk: ReviewDesk) -> None:
        found.give("ann", plain=(4, 4))
        new = apply_reviews(found.run, key=None)
        found.run = new.folder
        with pytest.raises(InputError, match="cannot be queued"):
            queue_run(desk, LEAD, found.reader, Asking())


class TestAssign:
    def test_all_that_have_a_free_place_in_the_order_of_the_queue(
        self, found: Any, desk: ReviewDesk
    ) -> None:
        run = found.run.name
        order = [item.id for item in all_items(desk, LEAD, run)]
        first = assign_items(desk, LEAD, run, "ann", count=2)
        assert [item.id for item in first] == order[:2]
        rest = assign_items(desk, LEAD, run, "ann")
        assert [item.id for item in rest] == order[2:]
        with pytest.raises(SelectionError, match="no item can be assigned to 'ann'"):
            assign_items(desk, LEAD, run, "ann")

    def test_those_of_some_cases(self, found: Any, desk: ReviewDesk) -> None:
        items = assign_items(desk, LEAD, found.run.name, "ann", cases=["p*"])
        assert {item.case for item in items} == {"plain", "people"}

    def test_an_item_named_twice_is_refused(self, found: Any, desk: ReviewDesk) -> None:
        run = found.run.name
        (item, *_) = all_items(desk, LEAD, run)
        assign_items(desk, LEAD, run, "ann", items=[item.id])
        with pytest.raises(Outdated, match="assigned to 'ann' already"):
            assign_items(desk, LEAD, run, "ann", items=[item.id])
        assign_items(desk, LEAD, run, "ben", items=[item.id])
        with pytest.raises(Outdated, match="needs no more"):
            assign_items(desk, LEAD, run, "cyd", items=[item.id])

    def test_an_item_of_another_run_is_refused(self, found: Any, desk: ReviewDesk) -> None:
        (item, *_) = all_items(desk, LEAD, found.run.name)
        with pytest.raises(NotFound, match="of another run"):
            assign_items(desk, LEAD, "other", "ann", items=[item.id])

    def test_who_reviewed_does_not_adjudicate(self, found: Any, desk: ReviewDesk) -> None:
        found.give("ann", plain=(4, 4))
        found.give("ben", plain=(1, 4))
        run = found.run.name
        with pytest.raises(SelectionError) as caught:
            assign_items(desk, LEAD, run, "ann", purpose="adjudicated")
        assert "has reviewed this item" in caught.value.hint
        (item,) = assign_items(desk, LEAD, run, "dan", purpose="adjudicated")
        assert item.case == "plain"


class TestSheets:
    def test_a_sheet_has_question_reply_and_reference(self, found: Any, desk: ReviewDesk) -> None:
        (sheet,) = sheets_of(desk, LEAD, found.reader, reviewer="ann")
        rows = {row["case"]: row for row in csv.DictReader(io.StringIO(csv_of(sheet)))}
        assert rows["people"]["context:asked"] == "sad"
        assert rows["people"]["context:reply"] == "you said sad"
        assert rows["people"]["context:reference"] == "answer: be kind\nlaw: none"
        assert {row["reviewer"] for row in rows.values()} == {"ann"}

    def test_it_is_blind(self, found: Any, desk: ReviewDesk) -> None:
        found.give("ann", wrong=(1, 3), people=(3, 3))
        (sheet,) = sheets_of(desk, LEAD, found.reader, reviewer="ben")
        text = csv_of(sheet) + json_of(sheet).decode()
        assert "failed" not in text
        assert "unknown" not in text
        assert "ann" not in text
        whys = {row.case: row.why for row in sheet.rows}
        assert whys["wrong"] == whys["plain"] == "chosen by an automatic rule"
        assert whys["leak"] == "tagged sensitive"

    def test_an_adjudicator_is_told_why(self, found: Any, desk: ReviewDesk) -> None:
        found.give("ann", wrong=(4, 4))
        found.give("ben", wrong=(1, 4))
        (sheet,) = sheets_of(desk, LEAD, found.reader, reviewer="dan", meaning="adjudicated")
        (row,) = sheet.rows
        assert row.why.startswith("failed: ")

    def test_reasons_tell_only_what_the_suite_says(self) -> None:
        asked, failed = Reason("asked", "asked for"), Reason("failed", "failed: leak")
        assert blind_reasons([asked]) == "asked for"
        assert blind_reasons([asked, failed]) == "asked for; chosen by an automatic rule"
        assert blind_reasons([failed]) == "chosen by an automatic rule"


def filled(found: Any, desk: ReviewDesk, name: str, scores: dict[str, Any], out: Path) -> Path:
    """Write a sheet as a reviewer fills it in; `out` says in which form."""
    (sheet,) = sheets_of(desk, LEAD, found.reader, reviewer=name)
    if out.suffix == ".json":
        whole = json.loads(json_of(sheet))
        for row in whole["reviews"]:
            given = scores.get(row["case"], {})
            row["scores"] = {dim: given.get(dim) for dim in row["scores"]}
        out.write_text(json.dumps(whole))
        return out
    rows = list(csv.DictReader(io.StringIO(csv_of(sheet))))
    for row in rows:
        row.update({f"score:{dim}": str(v) for dim, v in scores.get(row["case"], {}).items()})
    with out.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return out


class TestImport:
    @pytest.mark.parametrize("name", ["ann.csv", "ann.json"])
    def test_what_was_filled_in_is_submitted_once(
        self, found: Any, desk: ReviewDesk, tmp_path: Path, name: str
    ) -> None:
        scores = {"plain": {"tone": 4, "safety": 4}, "leak": {"tone": 3, "safety": 1}}
        file = filled(found, desk, "ann", scores, tmp_path / name)
        done = import_files(desk, LEAD, found.reader, [file])
        assert {each.case for each in done.added} == {"plain", "leak"}
        assert {(each.reviewer, each.entered_by) for each in done.added} == {("ann", "lea")}
        (incident,) = [each for each in done.incidents if each.holds_gate]
        assert incident.excerpt == "you said secret"
        again = import_files(desk, LEAD, found.reader, [file])
        assert (again.added, again.known) == ((), 2)

    def test_several_files_are_taken_whole_or_not_at_all(
        self, found: Any, desk: ReviewDesk, tmp_path: Path
    ) -> None:
        good = filled(found, desk, "ann", {"plain": {"tone": 4, "safety": 4}}, tmp_path / "a.csv")
        bad = filled(found, desk, "ben", {"plain": {"tone": 9}}, tmp_path / "b.csv")
        with pytest.raises(InvalidReview) as caught:
            import_files(desk, LEAD, found.reader, [good, bad])
        text = str(caught.value)
        assert "b.csv" in text
        assert "9 is not on the scale" in text
        assert "scores.safety: has no score" in text
        assert desk.all_reviews(found.run.name) == ()

    def test_a_sheet_of_another_run_is_refused(
        self, found: Any, desk: ReviewDesk, tmp_path: Path
    ) -> None:
        file = filled(found, desk, "ann", {"plain": {"tone": 4, "safety": 4}}, tmp_path / "a.csv")
        (item,) = [i for i in all_items(desk, LEAD, found.run.name) if i.case == "plain"]
        file.write_text(file.read_text().replace(item.id, "f" * 16))
        with pytest.raises(InvalidReview, match="1 fault") as caught:
            import_files(desk, LEAD, found.reader, [file])
        assert "is not in the queue of" in str(caught.value)
