"""A review from queue to outcome, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from probare.errors import InvalidReview, NotAllowed, NotFound, Outdated
from probare.model.review import Person, QueueItem, Submission, Wanted
from probare.model.rubric import Rubric
from probare.review.desk import ReviewDesk
from probare.review.validating import LONGEST_COMMENT

Put = Callable[..., QueueItem]
Fill = Callable[..., Submission]


def test_one_review_settles_an_item(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    assert (item.state, item.reviews_in) == ("waiting", 0)
    work = desk.begin(team.ann, item.id)
    assert (work.purpose, work.visible, work.own, work.draft) == ("reviewed", False, None, None)
    done = desk.submit(team.ann, filled(item, 4, 3, 3, comments={"law": "right", "": " "}))
    assert done.item.state == "done"
    review = done.review
    assert (review.reviewer, review.role, review.meaning) == ("Ann", "reviewer", "reviewed")
    assert (review.rubric, review.transcript) == (item.rubric, item.transcript)
    assert (review.rubric_id, review.rubric_version) == ("hr_answer", "1")
    assert review.when == "2026-12-01T04:00:00.000+00:00"
    assert review.comments == {"law": "right"}
    assert review.blind
    (outcome,) = desk.outcomes(item.run)
    assert (outcome.result, outcome.decided_by) == ("passed", "reviewed")
    assert outcome.scores == {"accuracy": 4, "safety": 3, "law": 3}
    assert desk.outcome(team.ann, item.id) == outcome


@pytest.mark.parametrize(
    ("scores", "result"),
    [((4, 4, 2), "failed"), ((2, 2, 2), "failed"), ((3, 3, 3), "passed")],
)
def test_the_pass_rule_decides(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, scores: Any, result: str
) -> None:
    item = queue_one()
    desk.submit(team.ann, filled(item, *scores))
    assert desk.outcome(team.ann, item.id).result == result


def test_a_disagreement_is_adjudicated_by_somebody_else(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    first = desk.submit(team.ada, filled(item, 4, 4, 4)).review
    assert desk.submit(team.ben, filled(item, 2, 4, 4)).item.state == "adjudication"
    outcome = desk.outcome(team.ben, item.id)
    assert (outcome.result, outcome.decided_by) == ("incomplete", None)
    assert [(each.dimension, each.words) for each in outcome.disagreements] == [
        ("accuracy", "2 and 4 are 2 levels apart")
    ]
    decision = filled(item, 3, 4, 4, meaning="adjudicated")
    with pytest.raises(NotAllowed, match="has reviewed this item"):
        desk.submit(team.ada, decision)
    with pytest.raises(NotAllowed, match="may not adjudicate"):
        desk.submit(team.cat, decision)
    boss = Person("Bo", "adjudicator")
    assert desk.next_item(boss) == desk.item(boss, item.id)
    work = desk.begin(boss, item.id)
    assert (work.purpose, len(work.others), work.visible) == ("adjudicated", 2, True)
    done = desk.submit(boss, decision)
    assert done.review.settles == (first.id, work.others[1].id)
    assert desk.outcome(team.ben, item.id).result == "passed"
    assert desk.outcome(team.ben, item.id).decided_by == "adjudicated"
    assert len(desk.all_reviews(item.run)) == 3
    assert desk.check_log(item.run) == []


def test_an_item_is_adjudicated_only_where_it_must_be(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    with pytest.raises(Outdated, match="not to be adjudicated"):
        desk.submit(team.ada, filled(item, meaning="adjudicated"))
    desk.submit(team.ann, filled(item))
    with pytest.raises(Outdated, match="it is done"):
        desk.submit(team.ada, filled(item, meaning="adjudicated"))


def test_unsure_never_passes_and_waits_for_an_adjudicator(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    assert desk.submit(team.ann, filled(item, 4, "unsure", 4)).item.state == "adjudication"
    assert desk.outcome(team.ann, item.id).result == "incomplete"
    desk.submit(team.ada, filled(item, 4, "unsure", 4, meaning="adjudicated"))
    outcome = desk.outcome(team.ann, item.id)
    assert (outcome.state, outcome.result) == ("done", "unsure")


def test_drafts_are_kept_and_go_with_the_submission(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    desk.begin(team.ann, item.id)
    said: dict[str, Any] = {"rubric": item.rubric, "transcript": item.transcript}
    desk.save_draft(team.ann, item.id, scores={"law": 2}, comments={"": "hm"}, **said)
    desk.save_draft(team.ann, item.id, scores={"law": "unsure"}, comments={}, **said)
    draft = desk.draft(team.ann, item.id)
    assert draft is not None
    assert (draft.scores, draft.comments, draft.purpose) == ({"law": "unsure"}, {}, "reviewed")
    assert desk.begin(team.ann, item.id).draft == draft
    assert desk.draft(team.ben, item.id) is None
    desk.submit(team.ann, filled(item))
    assert desk.draft(team.ann, item.id) is None


def test_a_draft_outlives_a_lost_connection_and_can_be_thrown_away(
    desk: ReviewDesk, queue_one: Put, team: Any, where: str
) -> None:
    item = queue_one()
    desk.claim(team.ann, item.id)
    said: dict[str, Any] = {"rubric": item.rubric, "transcript": item.transcript}
    desk.save_draft(team.ann, item.id, scores={"law": 2}, comments={"": "half"}, **said)
    with ReviewDesk.open(where) as again:
        draft = again.draft(team.ann, item.id)
        assert draft is not None
        assert draft.comments == {"": "half"}
        again.discard_draft(team.ann, item.id)
    assert desk.draft(team.ann, item.id) is None


def test_only_what_is_on_the_scale_is_drafted_and_only_by_who_has_the_item(
    desk: ReviewDesk, queue_one: Put, team: Any
) -> None:
    item = queue_one()
    said: dict[str, Any] = {"rubric": item.rubric, "transcript": item.transcript}
    with pytest.raises(NotAllowed, match="not assigned to you"):
        desk.save_draft(team.ann, item.id, scores={}, comments={}, **said)
    desk.claim(team.ann, item.id)
    with pytest.raises(InvalidReview) as caught:
        desk.save_draft(team.ann, item.id, scores={"law": 9}, comments={}, **said)
    assert [fault.place.path for fault in caught.value.faults] == ["scores.law"]


@pytest.mark.parametrize("score", [0, 5, -1, 10**30, True, 3.0, "3", "Unsure", "", None, [4]])
def test_a_score_outside_the_scale(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, score: Any
) -> None:
    item = queue_one()
    with pytest.raises(InvalidReview) as caught:
        desk.submit(team.ann, filled(item, 4, score, 4))
    (fault,) = caught.value.faults
    assert fault.place.path == "scores.safety"
    assert "not on the scale" in fault.message
    assert "1, 2, 3, 4, or unsure" in fault.hint
    assert desk.all_reviews(item.run) == ()


def test_every_fault_is_told_at_once(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    given = filled(item, scores={"accuracy": 4, "safty": 4}, comments={"x": "", "law": "a\x00b"})
    with pytest.raises(InvalidReview) as caught:
        desk.submit(team.ann, given)
    assert [(fault.place.path, fault.message) for fault in caught.value.faults] == [
        ("scores.safty", "the rubric has no such dimension"),
        ("scores.safety", "has no score"),
        ("scores.law", "has no score"),
        ("comments.x", "the rubric has no such dimension"),
        ("comments.law", "the comment holds a NUL character"),
    ]
    assert "did you mean 'safety'?" in str(caught.value)


@pytest.mark.parametrize("where_said", ["", "law"])
def test_a_comment_of_one_megabyte(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, where_said: str
) -> None:
    item = queue_one()
    with pytest.raises(InvalidReview, match="1,000,000 characters; at most 20,000"):
        desk.submit(team.ann, filled(item, comments={where_said: "x" * 1_000_000}))
    most = "é" * LONGEST_COMMENT
    done = desk.submit(team.ann, filled(item, comments={where_said: most}))
    assert done.review.comments == {where_said: most}


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "'; DROP TABLE log; --", "\u202e🙂", "a\r\nb"]
)
def test_markup_stays_what_it_was(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any, text: str
) -> None:
    item = queue_one(case=text)
    desk.submit(team.ann, filled(item, comments={"": text}))
    (review,) = desk.reviews(team.ann, item.id)
    assert (review.case, review.comments) == (text, {"": text})
    assert desk.check_log(item.run) == []


def test_half_a_character_is_refused(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    with pytest.raises(InvalidReview, match="lone surrogate"):
        desk.submit(team.ann, filled(item, comments={"": "\ud800"}))


def test_a_rubric_that_changed_after_the_review_started(
    desk: ReviewDesk,
    queue_one: Put,
    filled: Fill,
    team: Any,
    rubric: Rubric,
    wanted: Any,
    run_id: str,
) -> None:
    item = queue_one()
    desk.begin(team.ann, item.id)
    newer = msgspec.structs.replace(rubric, version="2")
    result = desk.enqueue(team.lead, run_id, newer, [wanted()])
    assert (result.added, result.known, result.changed) == (0, 0, 1)
    said: dict[str, Any] = {"rubric": item.rubric, "transcript": item.transcript}
    desk.save_draft(team.ann, item.id, scores={"law": 4}, comments={}, **said)
    with pytest.raises(Outdated, match="the rubric changed"):
        desk.submit(team.ann, filled(item))
    assert desk.draft(team.ann, item.id) is not None
    again = desk.begin(team.ann, item.id)
    assert again.rubric.version == "2"
    assert desk.submit(team.ann, filled(again.item)).review.rubric_version == "2"


def test_a_rubric_does_not_change_under_finished_reviews_unsaid(
    desk: ReviewDesk,
    queue_one: Put,
    filled: Fill,
    team: Any,
    rubric: Rubric,
    wanted: Any,
    run_id: str,
) -> None:
    item = queue_one()
    old = desk.submit(team.ann, filled(item)).review
    newer = msgspec.structs.replace(rubric, version="2")
    with pytest.raises(Outdated, match="1 item has reviews"):
        desk.enqueue(team.lead, run_id, newer, [wanted()])
    assert desk.item(team.lead, item.id).state == "done"
    desk.enqueue(team.lead, run_id, newer, [wanted()], new_rubric=True)
    now = desk.item(team.lead, item.id)
    assert (now.state, now.reviews_in) == ("waiting", 0)
    with pytest.raises(Outdated, match="does not stand"):
        desk.correct(team.ann, old.id, filled(now, 3, 3, 3))
    done = desk.submit(team.ann, filled(now, 3, 3, 3))
    assert done.item.state == "done"
    assert desk.check_log(run_id) == []


def test_a_transcript_that_changed(
    desk: ReviewDesk,
    queue_one: Put,
    filled: Fill,
    team: Any,
    rubric: Rubric,
    wanted: Any,
    run_id: str,
) -> None:
    item = queue_one()
    with pytest.raises(Outdated, match="the transcript changed"):
        desk.submit(team.ann, filled(item, transcript="e" * 64))
    desk.submit(team.ann, filled(item))
    desk.enqueue(team.lead, run_id, rubric, [wanted(transcript="e" * 64)])
    now = desk.item(team.lead, item.id)
    assert (now.state, now.transcript) == ("waiting", "e" * 64)
    desk.submit(team.ann, filled(now, 2, 2, 2))
    assert desk.outcome(team.ann, item.id).scores == {"accuracy": 2, "safety": 2, "law": 2}
    desk.enqueue(team.lead, run_id, rubric, [wanted()])
    assert desk.outcome(team.ann, item.id).scores == {"accuracy": 4, "safety": 4, "law": 4}
    assert desk.check_log(run_id) == []


def test_the_same_again_is_kept_once_and_another_is_refused(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    first = desk.submit(team.ann, filled(item))
    again = desk.submit(team.ann, filled(item))
    assert (first.new, again.new) == (True, False)
    assert again.review == first.review
    with pytest.raises(Outdated, match="has reviewed this item already"):
        desk.submit(team.ann, filled(item, 3, 3, 3))
    assert len(desk.all_reviews(item.run)) == 1


def test_a_correction_supersedes_and_keeps_the_old(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    old = desk.submit(team.ann, filled(item, 4, 4, 4)).review
    new = desk.correct(team.ann, old.id, filled(item, 3, 4, 4))
    assert (new.review.supersedes, new.review.blind) == (old.id, True)
    assert new.item.reviews_in == 1
    assert desk.reviews(team.ann, item.id) == (old, new.review)
    assert desk.begin(team.ann, item.id).own == new.review
    assert desk.correct(team.ann, new.review.id, filled(item, 3, 4, 4)).new is False
    with pytest.raises(Outdated, match="does not stand any more"):
        desk.correct(team.ann, old.id, filled(item, 2, 4, 4))
    with pytest.raises(NotAllowed, match="whoever made it"):
        desk.correct(team.ben, new.review.id, filled(item))
    with pytest.raises(NotFound):
        desk.correct(team.ann, "gone", filled(item))
    with pytest.raises(Outdated, match="this review is reviewed"):
        desk.correct(team.ann, new.review.id, filled(item, meaning="adjudicated"))


def test_a_correction_after_seeing_others_says_so(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    old = desk.submit(team.ann, filled(item, 4, 4, 4)).review
    desk.submit(team.ben, filled(item, 3, 4, 4))
    new = desk.correct(team.ann, old.id, filled(item, 1, 4, 4))
    assert new.review.blind is False
    assert new.item.state == "adjudication"


def test_reviewers_do_not_settle_a_disagreement_by_corrections(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one(overlap=2)
    old = desk.submit(team.ann, filled(item, 4, 4, 4)).review
    desk.submit(team.ben, filled(item, 1, 4, 4))
    with pytest.raises(Outdated, match="an adjudicator decides"):
        desk.correct(team.ann, old.id, filled(item, 1, 4, 4))
    decided = desk.submit(team.ada, filled(item, 1, 4, 4, meaning="adjudicated")).review
    with pytest.raises(Outdated, match="has been adjudicated"):
        desk.correct(team.ann, old.id, filled(item, 1, 4, 4))
    again = desk.correct(team.ada, decided.id, filled(item, 2, 4, 4, meaning="adjudicated"))
    assert again.review.supersedes == decided.id
    assert desk.outcome(team.ann, item.id).scores["accuracy"] == 2
    assert desk.check_log(item.run) == []


def test_whoever_reviews_alone_may_still_become_sure(
    desk: ReviewDesk, queue_one: Put, filled: Fill, team: Any
) -> None:
    item = queue_one()
    old = desk.submit(team.ann, filled(item, 4, "unsure", 4)).review
    assert desk.correct(team.ann, old.id, filled(item, 4, 3, 4)).item.state == "done"


def test_what_is_not_there(desk: ReviewDesk, team: Any, queue_one: Put) -> None:
    queue_one()
    for call in (desk.item, desk.begin, desk.claim, desk.reviews, desk.visible_to, desk.outcome):
        with pytest.raises(NotFound, match="no item 'nothing'"):
            call(team.lead, "nothing")
    with pytest.raises(NotFound):
        desk.rubric("0" * 64)
    with pytest.raises(NotFound):
        desk.incident(team.lead, "inc-1")
    assert desk.export_log("another run") == []
    assert desk.check_log("another run") == []
    assert desk.outcomes("another run") == ()


def test_the_log_is_of_one_run(
    desk: ReviewDesk, team: Any, rubric: Rubric, wanted: Callable[..., Wanted], filled: Fill
) -> None:
    for run in ("one", "two"):
        desk.enqueue(team.lead, run, rubric, [wanted()])
    for item in desk.queue(team.lead):
        desk.submit(team.ann, filled(item))
    assert desk.runs() == ("one", "two")
    for run in ("one", "two"):
        assert len(desk.export_log(run)) == 3
        assert desk.check_log(run) == []
        assert len(desk.all_reviews(run)) == 1
    assert desk.find("one", "leave", 0) is not None
    assert desk.find("one", "leave", 1) is None
