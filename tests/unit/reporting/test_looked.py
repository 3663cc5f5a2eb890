"""Which text the spans of a verdict point into: the exact hit, or an honest why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from probare.model.case import Case, Check
from probare.model.event import Message
from probare.model.outcome import Outcome, Transcript
from probare.model.verdict import Span
from probare.reporting.html.trials import small, trial_page
from probare.reporting.looked import looked_at

Build = dict[str, Callable[..., Any]]


def contains(text: str, **other: Any) -> Check:
    return Check(grader="contains", args={"text": text}, **other)


def look(build: Build, *checks: Check, output: Any = "say hello", forbid: tuple[Check, ...] = ()):
    case = Case(id="c", expect=checks, forbid=forbid)
    verdict = build["verdict"]
    verdicts = [verdict("pass", grader=check.grader, spans=(Span(4, 9),)) for check in checks]
    verdicts += [
        verdict("fail", grader=check.grader, list="forbid", spans=(Span(0, 3),)) for check in forbid
    ]
    return looked_at(case, verdicts, Transcript(case="c", outcome=Outcome(output=output)))


def test_a_check_without_in_looked_at_the_text(build: Build) -> None:
    [found] = look(build, contains("hello"))
    assert (found.place, found.text, found.why) == ("$text", None, None)


def test_a_check_of_a_part_brings_that_part(build: Build) -> None:
    output = {"text": "other", "error": {"message": "say hello"}}
    [found] = look(build, contains("hello", look_in="$error.message"), output=output)
    assert (found.place, found.text) == ("$error.message", "say hello")


def test_a_transform_or_no_text_says_why_there_is_no_place(build: Build) -> None:
    [found] = look(build, contains("hello", transform="strip_fences"))
    assert "changed text" in (found.why or "")
    [found] = look(build, contains("hello", look_in="$state"))
    assert found.why == "$state is no text"


def test_masked_text_shows_no_place_since_places_moved(build: Build) -> None:
    [found] = look(build, contains("hello"), output="[secret:KEY] say hello")
    assert "masked" in (found.why or "")


def test_inner_checks_that_look_at_one_text_keep_their_place(build: Build) -> None:
    both = Check(grader="any_of", checks=(contains("a"), contains("b")))
    [found] = look(build, both)
    assert found.place == "$text"
    mixed = Check(grader="any_of", checks=(contains("a"), contains("b", look_in="$state")))
    [found] = look(build, mixed)
    assert found.why


def test_a_check_of_one_turn_brings_what_was_said_in_it(build: Build) -> None:
    case = Case(id="c", expect=(contains("hello", turn=0), contains("more", turn=1)))
    verdicts = [
        build["verdict"]("pass", grader="contains", label="turn 1: contains", spans=(Span(4, 9),)),
        build["verdict"]("pass", grader="contains", label="turn 2: contains", spans=(Span(0, 4),)),
    ]
    said = [("user", "hi", 1), ("assistant", "say hello", 1), ("user", "and", 2)]
    events = tuple(
        Message(role=role, content=text, source="observed", attributes={"turn": turn})
        for role, text, turn in said
    )
    transcript = Transcript(case="c", events=events, outcome=Outcome(output="more"))
    first, second = looked_at(case, verdicts, transcript)
    assert (first.place, first.text) == ("$turns[0].text", "say hello")
    assert second.why == "$turns[1].text is no text"


def test_verdicts_find_their_checks_past_case_wide_ones(build: Build) -> None:
    case = Case(
        id="c",
        expect=(Check(grader="identical_traces"), contains("a", look_in="$output.x")),
        forbid=(contains("b"),),
    )
    spans = (Span(0, 1),)
    verdicts = [
        build["verdict"]("pass", spans=spans),
        build["verdict"]("fail", list="forbid", spans=spans),
    ]
    transcript = Transcript(case="c", outcome=Outcome(output={"x": "abc"}))
    found = looked_at(case, verdicts, transcript)
    assert [(each.verdict, each.place) for each in found] == [(0, "$output.x"), (1, "$text")]


def test_a_huge_trial_is_cut_and_says_how_much_is_gone(build: Build) -> None:
    record = build["record"]("c", 0, "failed", build["verdict"]("fail"))
    long = Transcript(case="c", outcome=Outcome(output="x" * 100_000))
    text = trial_page(record, long, None)
    assert "[80,000 more characters]" in text
    from probare.model.event import Note
    from probare.reporting.html.trials import TrialPage

    notes = tuple(Note(text="y" * 3_000) for _ in range(2_000))
    page = small(TrialPage(trial=0, status="failed", stop="completed", events=notes))
    assert "[1,800 events are not in this file]" in page or "too large" in page
    assert len(page) < 800_000
