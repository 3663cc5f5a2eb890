"""The same flow without the page: sheets out, sheets in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.errors import InvalidReview, NotAllowed, Place
from probare.model.review import QueueItem, Submission
from probare.model.rubric import Rubric
from probare.review.csvsheets import csv_of, plain, read_csv, safe
from probare.review.desk import ReviewDesk
from probare.review.filled import LARGEST_FILE, Filled
from probare.review.jsonsheets import json_of, read_filled

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]
FORMATS = ("csv", "json")


@pytest.fixture
def fill_in(desk: ReviewDesk, team: Any, run_id: str) -> Callable[..., bytes]:
    """Export what somebody is to fill in, fill it in by case, and return the file's bytes."""

    def fill(form: str, reviewer: str, given_scores: dict[str, Any], **more: Any) -> bytes:
        meaning = more.pop("meaning", "reviewed")
        (sheet,) = desk.sheets(team.lead, run_id, reviewer=reviewer, meaning=meaning)
        rows = [
            msgspec.structs.replace(
                row,
                scores=dict(
                    zip(("accuracy", "safety", "law"), given_scores[row.case], strict=True)
                ),
                **more,
            )
            for row in sheet.rows
            if row.case in given_scores
        ]
        done = msgspec.structs.replace(sheet, rows=tuple(rows))
        return csv_of(done).encode() if form == "csv" else json_of(done)

    return fill


@pytest.mark.parametrize("form", FORMATS)
def test_two_reviewers_a_disagreement_an_incident(
    desk: ReviewDesk, queue_one: Put, fill_in: Any, team: Any, run_id: str, form: str
) -> None:
    queue_one("a", overlap=2)
    queue_one("b", overlap=2)
    ann = fill_in(form, "Ann", {"a": (4, 4, 4), "b": (4, 1, 4)}, comments={"": "=1+1"})
    first = desk.import_reviews(team.lead, read_filled(ann, "ann"))
    assert ([review.reviewer for review in first.added], first.known) == (["Ann", "Ann"], 0)
    assert [each.kind for each in first.incidents] == ["incident_review", "investigation_note"]
    assert {review.comments[""] for review in first.added} == {"=1+1"}
    assert {review.entered_by for review in first.added} == {"Lea"}
    assert len(desk.open_incidents(run_id)) == 1
    ben = fill_in(form, "Ben", {"a": (3, 4, 4), "b": (4, 4, 4)})
    desk.import_reviews(team.lead, read_filled(ben, "ben"))
    assert {each.case: each.state for each in desk.outcomes(run_id)} == {
        "a": "done",
        "b": "adjudication",
    }
    ada = fill_in(form, "Ada", {"b": (4, "unsure", 4)}, meaning="adjudicated")
    desk.import_reviews(team.lead, read_filled(ada, "ada"))
    assert {each.case: each.result for each in desk.outcomes(run_id)} == {
        "a": "passed",
        "b": "unsure",
    }
    before = desk.export_log(run_id)
    for data in (ann, ben, ada):
        again = desk.import_reviews(team.lead, read_filled(data, "again"))
        assert (again.added, again.incidents) == ((), ())
        assert again.known in (1, 2)
    assert desk.export_log(run_id) == before
    assert desk.check_log(run_id) == []
    assert desk.sheets(team.lead, run_id, reviewer="Cat") == []


@pytest.mark.parametrize("form", FORMATS)
def test_all_or_nothing_and_every_fault_by_its_place(
    desk: ReviewDesk, queue_one: Put, fill_in: Any, team: Any, run_id: str, form: str
) -> None:
    for case in ("a", "b", "c"):
        queue_one(case)
    data = fill_in(form, "Ann", {"a": (4, 4, 4), "b": (4, 9, 4), "c": (4, 4, "?")})
    with pytest.raises(InvalidReview) as caught:
        desk.import_reviews(team.lead, read_filled(data, "file"))
    assert desk.all_reviews(run_id) == ()
    rows = ("file:3", "file:4") if form == "csv" else ("file: reviews[1]", "file: reviews[2]")
    assert [str(fault) for fault in caught.value.faults] == [
        f"{rows[0]}: scores.safety: 9 is not on the scale (1, 2, 3, 4, or unsure)",
        f"{rows[1]}: scores.law: '?' is not on the scale (1, 2, 3, 4, or unsure)",
    ]


def test_a_correction_comes_the_same_way(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, run_id: str
) -> None:
    item = queue_one()
    old = desk.submit(team.ann, filled(item, 4, 4, 4)).review
    row = Filled(
        where=Place(),
        item=item.id,
        case="",
        trial=0,
        rubric=item.rubric,
        transcript=item.transcript,
        reviewer="Ann",
        meaning="reviewed",
        scores={"accuracy": 3, "safety": 4, "law": 4},
        comments={},
        supersedes=old.id,
    )
    done = desk.import_reviews(team.lead, [row])
    assert done.added[0].supersedes == old.id
    assert desk.import_reviews(team.lead, [row]).known == 1
    assert len(desk.all_reviews(run_id)) == 2


def test_only_who_may_enters_for_others(
    desk: ReviewDesk, queue_one: Put, fill_in: Any, team: Any, run_id: str
) -> None:
    queue_one()
    with pytest.raises(NotAllowed, match="may not export"):
        desk.sheets(team.ann, run_id, reviewer="Ben")
    with pytest.raises(NotAllowed, match="may not review"):
        desk.sheets(team.auditor, run_id)
    rows = read_filled(fill_in("csv", "Ben", {"leave": (4, 4, 4)}), "f")
    with pytest.raises(InvalidReview, match="may not enter the reviews of others"):
        desk.import_reviews(team.ann, rows)
    own = [msgspec.structs.replace(row, reviewer="") for row in rows]
    assert desk.import_reviews(team.ann, own).added[0].reviewer == "Ann"
    assert desk.all_reviews(run_id)[0].entered_by is None


def test_accounts_say_who_anybody_is(
    desk: ReviewDesk, queue_one: Put, fill_in: Any, team: Any
) -> None:
    queue_one()
    rows = read_filled(fill_in("csv", "Ben", {"leave": (4, 4, 4)}), "f")
    desk.accounts.add("Lea", "lead", "a long password")
    with pytest.raises(InvalidReview, match="there is no user 'Ben'"):
        desk.import_reviews(team.lead, rows)
    desk.accounts.add("Ben", "auditor", "a long password")
    with pytest.raises(InvalidReview, match="the role auditor may not review"):
        desk.import_reviews(team.lead, rows)
    desk.accounts.set_role("Ben", "adjudicator")
    assert desk.import_reviews(team.lead, rows).added[0].role == "adjudicator"


def test_sheets_hold_ones_own_draft_and_context_and_nothing_of_others(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, run_id: str
) -> None:
    item = queue_one(overlap=2)
    desk.submit(team.ben, filled(item, 4, 3, 4, comments={"": "secret"}))
    desk.claim(team.ann, item.id)
    said: dict[str, Any] = {"rubric": item.rubric, "transcript": item.transcript}
    desk.save_draft(team.ann, item.id, scores={"law": 2}, comments={"law": "old"}, **said)
    context = {item.id: {"asked": "=cmd", "replied": "@x"}, "other": {"asked": "no"}}
    (sheet,) = desk.sheets(team.ann, run_id, context=context)
    text = csv_of(sheet)
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["score:law"], row["score:safety"], row["comment:law"]) == ("2", "", "old")
    assert (row["context:asked"], row["context:replied"]) == ("'=cmd", "'@x")
    assert row["why"] == "the case asks for it (review: always)"
    plain_json = json.loads(json_of(sheet))
    assert plain_json["reviews"][0]["scores"] == {"accuracy": None, "safety": None, "law": 2}
    assert plain_json["reviews"][0]["context"] == {"asked": "=cmd", "replied": "@x"}
    assert plain_json["rubric"]["dimensions"][0]["levels"][0]["text"] == "accuracy is at 1."
    assert "secret" not in text + str(plain_json)
    assert "no" not in str(plain_json["reviews"][0]["context"])
    desk.unblind(team.lead, item.id)
    assert desk.sheets(team.lead, run_id) == []


def test_a_draft_for_another_transcript_is_not_put_into_the_sheet(
    desk: ReviewDesk, queue_one: Put, team: Any, rubric: Rubric, wanted: Any, run_id: str
) -> None:
    item = queue_one()
    desk.claim(team.ann, item.id)
    said: dict[str, Any] = {"rubric": item.rubric, "transcript": item.transcript}
    desk.save_draft(team.ann, item.id, scores={"law": 2}, comments={}, **said)
    assert desk.sheets(team.ann, run_id)[0].rows[0].scores == {"law": 2}
    desk.enqueue(team.lead, run_id, rubric, [wanted(transcript="e" * 64)])
    assert desk.sheets(team.ann, run_id)[0].rows[0].scores == {}


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_not_filled_in_is_left(
    desk: ReviewDesk, queue_one: Put, team: Any, run_id: str, form: str
) -> None:
    queue_one()
    (sheet,) = desk.sheets(team.ann, run_id)
    data = csv_of(sheet).encode() if form == "csv" else json_of(sheet)
    done = desk.import_reviews(team.ann, read_filled(data, "f"))
    assert (done.added, done.known) == ((), 0)


def test_csv_as_spreadsheets_write_it(
    desk: ReviewDesk, queue_one: Put, fill_in: Any, team: Any
) -> None:
    queue_one()
    data = fill_in("csv", "Ann", {"leave": (4, "unsure", 4)}, comments={"": "yes; no"})
    rows = list(csv.reader(io.StringIO(data.decode())))
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows([*rows, [""] * len(rows[0])])
    done = desk.import_reviews(
        team.lead, read_filled(b"\xef\xbb\xbf" + text.getvalue().encode(), "f")
    )
    assert done.added[0].scores["safety"] == "unsure"
    assert done.added[0].comments == {"": "yes; no"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "has no column 'item'"),
        (b"item,rubric,transcript,scor:law\nx,y,z,1\n", "no column 'scor:law'"),
        (b"item,item,rubric,transcript\n", "the column 'item' stands twice"),
        (b"item,rubric,transcript\nx,y\n", "f:2: has 2 cells; the heading has 3"),
        (b"item,rubric,transcript,meaning\n\na,b,c,read\n", "f:3: meaning: 'read' is neither"),
        (b'item,rubric,transcript\n"a,b,c\n', "cannot be read"),
        (b'item,rubric,transcript,comment\na,b,c,"' + b"x" * 1_000_000 + b'"\n', "field larger"),
        (b"item\xff", "is not UTF-8"),
        (b"{", "is no sheet of reviews"),
        (b"[]", "is no sheet of reviews"),
        (b'{"rubric":{},"reviews":[],"more":1}', "is no sheet of reviews"),
        (b'{"rubric":{},"reviews":[],"format":2}', "is of format 2"),
        (b'{"rubric":{},"reviews":[{"item":"x"}]}', "f: reviews[0]: Object missing"),
        (b'{"rubric":{},"reviews":[{"item":"x","transcript":"t","scores":{"a":1.5}}]}', "scores"),
        (b'{"rubric":{},"rubric":{},"reviews":[]}', "duplicate key"),
    ],
)
def test_a_file_that_is_none(data: bytes, words: str) -> None:
    with pytest.raises(InvalidReview) as caught:
        read_filled(data, "f")
    assert words in str(caught.value)


def test_a_file_that_is_too_large() -> None:
    with pytest.raises(InvalidReview, match="at most 50,000,000 are read"):
        read_csv(b"x" * (LARGEST_FILE + 1), "f")


@pytest.mark.parametrize("cell", ["3.0", "four", "٣", "1e0", "9" * 40, "--1"])
def test_a_score_that_is_no_whole_number(
    desk: ReviewDesk, queue_one: Put, team: Any, cell: str
) -> None:
    item = queue_one()
    head = "item,score:accuracy,score:safety,score:law,rubric,transcript"
    row = f"{item.id},4,{cell},4,{item.rubric},{item.transcript}"
    with pytest.raises(InvalidReview, match=r"f:2: scores\.safety: .* is not on the scale"):
        desk.import_reviews(team.ann, read_filled(f"{head}\n{row}\n".encode(), "f"))


def test_a_sheet_for_another_rubric_or_transcript(
    desk: ReviewDesk,
    queue_one: Put,
    fill_in: Any,
    team: Any,
    rubric: Rubric,
    wanted: Any,
    run_id: str,
) -> None:
    queue_one()
    data = fill_in("csv", "Ann", {"leave": (4, 4, 4)})
    newer = msgspec.structs.replace(rubric, version="2")
    desk.enqueue(team.lead, run_id, newer, [wanted(transcript="e" * 64)])
    with pytest.raises(InvalidReview, match="f:2: the rubric changed"):
        desk.import_reviews(team.lead, read_filled(data, "f"))


def test_two_rows_for_the_last_place(
    desk: ReviewDesk, queue_one: Put, fill_in: Any, team: Any, run_id: str
) -> None:
    queue_one()
    one = read_filled(fill_in("csv", "Ann", {"leave": (4, 4, 4)}), "f")
    two = read_filled(fill_in("csv", "Ben", {"leave": (4, 4, 4)}), "g")
    with pytest.raises(InvalidReview, match="g:2: the item takes no more reviews"):
        desk.import_reviews(team.lead, [*one, *two])
    assert desk.all_reviews(run_id) == ()


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_what_is_safe_comes_back(text: str) -> None:
    assert plain(safe(text)) == text
    assert not safe(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
