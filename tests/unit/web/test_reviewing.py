"""Taking, saving, submitting, correcting, skipping."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from probare.model.review import Person, QueueItem
from probare.model.rubric import Rubric
from probare.review.desk import ReviewDesk

Team = Callable[[str], Any]
Guest = Callable[..., Any]
Queued = Callable[..., QueueItem]


def _draft(item: QueueItem, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "scores": {"accuracy": 4, "safety": 4},
        "comments": {},
        "rubric": item.rubric,
        "transcript": item.transcript,
    }
    return {**plain, **more}


def test_a_whole_review_without_a_script(guest: Guest, queued: Queued, desk: ReviewDesk) -> None:
    item = queued("leave", overlap=1)
    who = guest().named("Ann")
    taken = who.send("/next")
    assert taken.headers["location"] == f"/items/{item.id}/review"
    page = who.text(f"/items/{item.id}/review")
    for said in (
        "Twenty days a year.",
        "cited",
        "BUrlG section 3",
        "2025-07-01",
        "DE",
        "Twenty days. How many?",
        "1 left for you",
        "accuracy is at 4.",
    ):
        assert said in page, said
    fields = {
        "score:accuracy": "4",
        "score:safety": "unsure",
        "comment:safety": "line one\r\nline two",
        "comment:": "",
        "rubric": item.rubric,
        "transcript": item.transcript,
        "meaning": "reviewed",
        "corrects": "",
    }
    answer = who.send(f"/items/{item.id}/submit", **fields)
    assert answer.status_code == 303
    [review] = desk.all_reviews(item.run)
    assert review.scores == {"accuracy": 4, "safety": "unsure"}
    assert review.comments == {"safety": "line one\nline two"}
    assert (review.reviewer, review.role, review.blind) == ("Ann", "lead", True)
    assert "Submitted" in who.text(answer.headers["location"])
    assert "Nothing is left" in who.send("/next").text


def test_a_draft_is_there_again_and_submitting_ends_it(
    team: Team, queued: Queued, desk: ReviewDesk
) -> None:
    item = queued()
    who = team("reviewer")
    who.send(f"/items/{item.id}/claim")
    given = _draft(item, scores={"safety": 2}, comments={"safety": "so so"})
    saved = who.json(f"/items/{item.id}/draft", given)
    assert saved.status_code == 200
    assert saved.json()["saved"].startswith("20")
    page = who.text(f"/items/{item.id}/review")
    assert re.search(r'name="score:safety" value="2"[^>]*checked', page)
    assert "so so" in page
    done = who.json(f"/items/{item.id}/submit", _draft(item))
    assert done.json()["next"].startswith(f"/items/{item.id}/submitted?review=")
    assert desk.draft(Person("reviewer", "reviewer"), item.id) is None


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"scores": {"accuracy": 5, "safety": 4}}, "scores.accuracy"),
        ({"scores": {"accuracy": 4}}, "scores.safety"),
        ({"scores": {"accuracy": 4, "safety": 4, "tone": 4}}, "scores.tone"),
        ({"comments": {"safety": "x" * 1_000_000}}, "comments.safety"),
        ({"comments": {"safety": "a\x00b"}}, "comments.safety"),
        ({"scores": {"accuracy": 4.5, "safety": 4}}, "body"),
        ({"scores": "all good"}, "body"),
        ({"meaning": "approved"}, "meaning"),
    ],
)
def test_what_cannot_be_taken_is_told_by_field(
    team: Team, queued: Queued, desk: ReviewDesk, change: dict[str, Any], path: str
) -> None:
    item = queued()
    who = team("reviewer")
    who.send(f"/items/{item.id}/claim")
    answer = who.json(f"/items/{item.id}/submit", _draft(item, **change))
    assert answer.status_code == 422
    assert [fault["path"] for fault in answer.json()["faults"]] == [path]
    assert len(answer.content) < 2_000
    assert desk.all_reviews(item.run) == ()


def test_a_rubric_that_changed_meanwhile_keeps_the_draft(
    team: Team, queued: Queued, desk: ReviewDesk, rubric: Rubric, run_name: str
) -> None:
    import msgspec

    from probare.model.review import Reason, Wanted

    item = queued()
    who = team("reviewer")
    who.send(f"/items/{item.id}/claim")
    who.json(f"/items/{item.id}/draft", _draft(item, comments={"": "kept"}))
    newer = msgspec.structs.replace(rubric, version="2")
    wanted = Wanted(
        case=item.case,
        trial=0,
        transcript=item.transcript,
        reasons=(Reason("asked", "again"),),
        overlap=2,
    )
    desk.enqueue(Person("Lea", "lead"), item.run, newer, [wanted], new_rubric=True)
    answer = who.json(f"/items/{item.id}/submit", _draft(item))
    assert answer.status_code == 409
    assert "rubric changed" in answer.json()["error"]
    page = who.text(f"/items/{item.id}/review")
    assert "The rubric changed since your draft was saved" in page
    assert "kept" in page
    assert run_name in page


def test_disagreement_is_adjudicated_by_another_who_sees_both(
    team: Team, queued: Queued, desk: ReviewDesk
) -> None:
    item = queued()
    for name, score in (("reviewer1", 4), ("reviewer2", 2)):
        who = team(name)
        who.send(f"/items/{item.id}/claim")
        scores = {"accuracy": score, "safety": 4}
        given = _draft(item, scores=scores, comments={"accuracy": f"by {name}"})
        assert who.json(f"/items/{item.id}/submit", given).status_code == 200
    ada = team("adjudicator")
    assert ada.send("/next").headers["location"] == f"/items/{item.id}/review"
    page = ada.text(f"/items/{item.id}/review")
    assert "by reviewer1" in page
    assert "by reviewer2" in page
    assert 'name="meaning" value="adjudicated"' in page
    given = _draft(item, meaning="adjudicated", scores={"accuracy": 3, "safety": 4})
    assert team("reviewer1").json(f"/items/{item.id}/submit", given).status_code == 403
    assert ada.json(f"/items/{item.id}/submit", given).status_code == 200
    [outcome] = desk.outcomes(item.run)
    assert (outcome.result, outcome.decided_by) == ("passed", "adjudicated")
    assert len(desk.all_reviews(item.run)) == 3
    assert "an adjudicator" in ada.text(f"/items/{item.id}")


def test_a_correction_names_what_it_corrects_and_keeps_it(
    team: Team, queued: Queued, desk: ReviewDesk
) -> None:
    item = queued()
    who = team("reviewer")
    who.send(f"/items/{item.id}/claim")
    who.json(f"/items/{item.id}/submit", _draft(item))
    [first] = desk.all_reviews(item.run)
    assert who.get(f"/items/{item.id}/review").headers["location"] == f"/items/{item.id}"
    page = who.text(f"/items/{item.id}/review?correct={first.id}")
    assert f'name="corrects" value="{first.id}"' in page
    given = _draft(item, corrects=first.id, scores={"accuracy": 3, "safety": 4})
    assert who.json(f"/items/{item.id}/submit", given).status_code == 200
    assert team("reviewer2").json(f"/items/{item.id}/submit", given).status_code in (403, 409)
    _, second = desk.all_reviews(item.run)
    assert second.supersedes == first.id
    assert "Superseded: 1" in who.text(f"/items/{item.id}")


def test_skipping_frees_what_was_only_taken_and_keeps_what_was_begun(
    team: Team, queued: Queued, desk: ReviewDesk
) -> None:
    first, second = queued("told", overlap=1, priority=1), queued("leave", overlap=1)
    who = team("reviewer")
    assert first.id in who.send("/next").headers["location"]
    moved = who.send("/next", skip=first.id, skipped="").headers["location"]
    assert moved == f"/items/{second.id}/review?skipped={first.id}"
    assert desk.item(Person("Lea", "lead"), first.id).assigned == ()
    who.json(f"/items/{second.id}/draft", _draft(second))
    last = who.send("/next", skip=second.id, skipped=first.id)
    assert "Only what you skipped is left" in last.text
    assert desk.item(Person("Lea", "lead"), second.id).assigned[0].person == "reviewer"


def test_a_score_of_one_opens_an_incident_with_its_evidence(
    team: Team, queued: Queued, desk: ReviewDesk
) -> None:
    item = queued()
    who = team("reviewer")
    who.send(f"/items/{item.id}/claim")
    given = _draft(item, scores={"accuracy": 4, "safety": 1})
    done = who.json(f"/items/{item.id}/submit", given).json()
    page = who.text(done["next"])
    assert "Incident review opened" in page
    [incident] = desk.open_incidents(item.run)
    assert incident.excerpt == "Twenty days. the secret-word"


def test_markup_in_everything_stays_text(
    team: Team, queued: Queued, desk: ReviewDesk, markup: str, run_name: str
) -> None:
    from urllib.parse import quote

    item = queued(f"m/{markup}", overlap=1)
    who = team("reviewer")
    who.send(f"/items/{item.id}/claim")
    given = _draft(item, scores={"accuracy": 4, "safety": 1}, comments={"": markup})
    pages = [who.text(f"/items/{item.id}/review")]
    assert who.json(f"/items/{item.id}/submit", given).status_code == 200
    [incident] = desk.all_incidents(item.run)
    lead = team("lead")
    lead.send(f"/incidents/{incident.id}", owner=markup, note=markup, decision=markup)
    for address in (
        f"/items/{item.id}",
        f"/runs/{run_name}/case?id={quote(item.case, safe='')}",
        f"/runs/{run_name}?text={quote(markup)}",
        f"/incidents/{incident.id}",
        "/incidents",
        "/queue",
        f"/queue?case={quote(markup)}",
    ):
        pages.append(lead.text(address))
    for page in pages:
        assert "<img" not in page
        assert "&lt;img src=x" in page
    assert "<img" not in lead.text(f"/agreement?run={quote(markup)}")
    assert "<img" not in lead.get(f"/incidents/{quote(markup)}").text


def test_assignment_by_a_lead(team: Team, queued: Queued, desk: ReviewDesk) -> None:
    item = queued()
    team("reviewer")
    lead = team("lead")
    assert lead.send(f"/items/{item.id}/assign", name="reviewer").status_code == 303
    assert lead.send(f"/items/{item.id}/assign", name="reviewer").status_code == 409
    assert lead.send(f"/items/{item.id}/assign", name="nobody").status_code == 404
    assert lead.send(f"/items/{item.id}/release", name="reviewer").status_code == 303
    assert desk.item(Person("Lea", "lead"), item.id).assigned == ()


def test_two_that_submit_at_once_lose_nothing(team: Team, queued: Queued, desk: ReviewDesk) -> None:
    from concurrent.futures import ThreadPoolExecutor

    item = queued(overlap=2)
    people = [team("reviewer1"), team("reviewer2")]
    for who in people:
        who.send(f"/items/{item.id}/claim")

    def submit(who: Any) -> int:
        return who.json(f"/items/{item.id}/submit", _draft(item)).status_code

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(submit, people)) == [200, 200]
    assert len(desk.all_reviews(item.run)) == 2
    assert desk.check_log(item.run) == []
