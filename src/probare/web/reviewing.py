"""The page where an item is reviewed or adjudicated: opened, saved, submitted, corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from probare.errors import Fault, InvalidReview, NotAllowed, NotFound, Outdated, Place
from probare.model.review import LevelScore, QueueItem, Review, Submission
from probare.review.desk import Work
from probare.web.asking import Ask, as_json, redirect
from probare.web.seeing import reasons_shown
from probare.web.telling import Told, excerpt_of, tell

if TYPE_CHECKING:
    from starlette.responses import Response

_MOST_SKIPPED = 100


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What a page sends: the scores and comments, and what they are of."""

    rubric: str
    transcript: str
    scores: dict[str, LevelScore]
    comments: dict[str, str]
    meaning: str = "reviewed"
    corrects: str | None = None


def next_item(ask: Ask) -> Response:
    """Take the next item that a person can do, and go there."""
    skipped = _skipped(ask.field("skipped"))
    left = ask.field("skip")
    if left:
        skipped = [*(each for each in skipped if each != left), left][-_MOST_SKIPPED:]
        _give_back(ask, left)
    run = ask.field("run") or None
    found = ask.desk.next_item(ask.person, run, skip=skipped)
    if found is None:
        more = ask.desk.next_item(ask.person, run) is not None
        return ask.page(
            "nothing.html", skipped=more, run=run, progress=ask.desk.progress(ask.person, run)
        )
    try:
        ask.desk.claim(ask.person, found.id)
    except (NotAllowed, Outdated):  # another was quicker
        ask.desk.claim(ask.person, _after(ask, run, [*skipped, found.id]))
    address = f"/items/{found.id}/review"
    return redirect(f"{address}?skipped={','.join(skipped)}" if skipped else address)


def _after(ask: Ask, run: str | None, skipped: list[str]) -> str:
    found = ask.desk.next_item(ask.person, run, skip=skipped)
    if found is None:
        raise NotFound("nothing is left to review")
    return found.id


def _give_back(ask: Ask, name: str) -> None:
    """Free the place that a person took and has not used, when they skip it."""
    item = ask.desk.item(ask.person, name)
    took = any(
        each.person == ask.person.name and each.by == ask.person.name and not each.submitted
        for each in item.assigned
    )
    if took and ask.desk.draft(ask.person, name) is None:
        ask.desk.release(ask.person, name)


def claim(ask: Ask) -> Response:
    """Take a free place at an item, and go there."""
    ask.desk.claim(ask.person, ask.path("item"))
    return redirect(f"/items/{ask.path('item')}/review")


def review(ask: Ask) -> Response:
    """Show an item with its rubric to whoever has a place at it."""
    item = ask.desk.item(ask.person, ask.path("item"))
    if not any(each.person == ask.person.name for each in item.assigned):
        return redirect(f"/items/{item.id}")
    work = ask.desk.begin(ask.person, item.id)
    if work.own is not None and ask.query("correct") != work.own.id:
        return redirect(f"/items/{item.id}")
    shown = trial_of(ask, work.item)
    skipped = _skipped(ask.query("skipped"))
    start = work.draft if work.draft is not None else work.own
    return ask.page(
        "review.html",
        work=work,
        item=work.item,
        rubric=work.rubric,
        told=shown,
        reasons=reasons_shown(item, visible=work.visible),
        progress=ask.desk.progress(ask.person, item.run),
        skipped=",".join(skipped),
        scores=start.scores if start is not None else {},
        comments=start.comments if start is not None else {},
        stale=_stale(work),
        disagreements=_disagreements(ask, work),
        triggers=_triggers(work),
    )


def _stale(work: Work) -> str:
    """Say what changed since the draft was saved."""
    draft = work.draft
    if draft is None:
        return ""
    changed = [
        name
        for name, now, then in (
            ("rubric", work.item.rubric, draft.rubric),
            ("transcript", work.item.transcript, draft.transcript),
        )
        if now != then
    ]
    return " and the ".join(changed)


def _disagreements(ask: Ask, work: Work) -> dict[str, str]:
    if not work.visible:
        return {}
    found = ask.desk.outcome(ask.person, work.item.id).disagreements
    return {each.dimension: each.words for each in found}


def _triggers(work: Work) -> dict[str, list[tuple[int, str]]]:
    found: dict[str, list[tuple[int, str]]] = {}
    for each in work.rubric.triggers:
        said = each.opens.replace("_", " ")
        found.setdefault(each.dimension, []).append((each.at_most, said))
    return found


def trial_of(ask: Ask, item: QueueItem) -> Told | None:
    """Return an item's trial to read; None where its run is not in this folder any more."""
    run = ask.shelf.by_id(item.run)
    if run is None:
        return None
    record = next((each for each in run.trials(item.case) if each.trial == item.trial), None)
    if record is None:
        return None
    return tell(run.case(item.case), record, run.transcript(record))


def save(ask: Ask) -> Response:
    """Keep a draft; answers with the time."""
    given = _given(ask)
    draft = ask.desk.save_draft(
        ask.person,
        ask.path("item"),
        scores=given.scores,
        comments=given.comments,
        rubric=given.rubric,
        transcript=given.transcript,
    )
    return as_json({"saved": draft.saved})


def discard(ask: Ask) -> Response:
    """Forget a draft."""
    ask.desk.discard_draft(ask.person, ask.path("item"))
    return redirect(f"/items/{ask.path('item')}/review")


def submit(ask: Ask) -> Response:
    """Take a review, an adjudication or a correction, and show what it did."""
    given = _given(ask)
    name = ask.path("item")
    item = ask.desk.item(ask.person, name)
    if given.meaning not in ("reviewed", "adjudicated"):
        raise InvalidReview([Fault("no such meaning", Place(path="meaning"))])
    submission = Submission(
        item=name,
        rubric=given.rubric,
        transcript=given.transcript,
        scores=given.scores,
        comments=given.comments,
        meaning="adjudicated" if given.meaning == "adjudicated" else "reviewed",
        excerpt=_excerpt(ask, item),
    )
    if given.corrects:
        done = ask.desk.correct(ask.person, given.corrects, submission)
    else:
        done = ask.desk.submit(ask.person, submission)
    skipped = ",".join(_skipped(ask.query("skipped")))
    address = f"/items/{name}/submitted?review={done.review.id}&skipped={skipped}"
    return as_json({"next": address}) if ask.wants_json else redirect(address)


def submitted(ask: Ask) -> Response:
    """Show what a review did, and lead on."""
    item = ask.desk.item(ask.person, ask.path("item"))
    found = [
        each for each in ask.desk.reviews(ask.person, item.id) if each.id == ask.query("review")
    ]
    if not found or found[0].reviewer != ask.person.name:
        raise NotFound("there is no such review of yours")
    opened = [
        each for each in ask.desk.incidents(ask.person, item.run) if each.review == found[0].id
    ]
    return ask.page(
        "submitted.html",
        item=item,
        review=found[0],
        incidents=opened,
        progress=ask.desk.progress(ask.person, item.run),
        rubric=ask.desk.rubric(found[0].rubric),
        skipped=",".join(_skipped(ask.query("skipped"))),
    )


def _excerpt(ask: Ask, item: QueueItem) -> str:
    run = ask.shelf.by_id(item.run)
    record = None
    if run is not None:
        trials = run.trials(item.case)
        record = next((each for each in trials if each.trial == item.trial), None)
    if run is None or record is None or record.transcript.sha256 != item.transcript:
        return ""
    return excerpt_of(run.transcript(record))


def _given(ask: Ask) -> Given:
    if ask.body.json is None:
        return _from_form(ask)
    try:
        return msgspec.convert(ask.body.json, Given)
    except msgspec.ValidationError as error:
        raise InvalidReview([Fault(str(error), Place(path="body"))]) from None


def _from_form(ask: Ask) -> Given:
    scores: dict[str, Any] = {}
    comments: dict[str, str] = {}
    for name, value in ask.body.fields.items():
        head, _, dimension = name.partition(":")
        if head == "score" and value:
            plain = value.isascii() and value.isdecimal() and len(value) < 10
            scores[dimension] = int(value) if plain else value
        elif head == "comment":
            comments[dimension] = value
    return Given(
        rubric=ask.field("rubric"),
        transcript=ask.field("transcript"),
        scores=cast("dict[str, LevelScore]", scores),
        comments=comments,
        meaning=ask.field("meaning", "reviewed"),
        corrects=ask.field("corrects") or None,
    )


def _skipped(text: str) -> list[str]:
    found = [each for each in text.split(",") if len(each) == 16 and each.isalnum()]
    return found[-_MOST_SKIPPED:]


def latest(reviews: tuple[Review, ...]) -> list[Review]:
    """Return the reviews that no other one of these supersedes."""
    gone = {each.supersedes for each in reviews}
    return [each for each in reviews if each.id not in gone]
