from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import GraderError
from probare.graders.overlap import NgramOverlap
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.ports.grader import GradingSettings, TrialView

POSTING = "You will build reliable distributed systems at scale, with care."


def test_a_copied_run_fails_with_its_place(ask: Any) -> None:
    text = "Chosen to BUILD reliable\ndistributed systems at scale."
    verdict = ask(NgramOverlap, text, source=POSTING)
    assert verdict.result == "fail"
    assert verdict.reason.startswith("2 of 4 runs of 5 words stand in the source, at most 0")
    assert verdict.score == 0.5
    (span,) = verdict.spans
    assert text[span.start : span.end] == "BUILD reliable\ndistributed systems at scale"


def test_shorter_runs_are_no_copy(ask: Any) -> None:
    verdict = ask(NgramOverlap, "I build reliable distributed systems daily", source=POSTING)
    assert (verdict.result, verdict.score) == ("pass", 1.0)
    assert ask(NgramOverlap, "build reliable systems", source=POSTING).result == "pass"
    assert ask(NgramOverlap, "", source=POSTING).reason == (
        "the text has 0 words and so no run of 5"
    )


@pytest.mark.parametrize(
    ("at_most", "result"), [(0, "fail"), (1, "fail"), (2, "pass"), (0.4, "fail"), (0.5, "pass")]
)
def test_at_most_is_a_number_or_below_one_a_share(ask: Any, at_most: float, result: str) -> None:
    text = "Chosen to build reliable distributed systems at scale."
    assert ask(NgramOverlap, text, source=POSTING, at_most=at_most).result == result


def test_allowed_terms_are_taken_out_of_both(ask: Any) -> None:
    args = {"source": "Site Reliability Engineering on Google Cloud", "n": 3}
    text = "site reliability engineering since 2019"
    assert ask(NgramOverlap, text, **args).result == "fail"
    allow = ["Site Reliability Engineering"]
    assert ask(NgramOverlap, text, **args, allow=allow).result == "pass"
    around = ask(
        NgramOverlap,
        "we run SRE with great care",
        source="to run SRE with great",
        n=4,
        allow=["SRE"],
    )
    assert around.result == "pass"
    copied = ask(
        NgramOverlap, "run SRE with great care", source="run with great care", n=4, allow=["SRE"]
    )
    assert copied.result == "fail"


def test_a_source_without_words_shows_nothing(ask: Any) -> None:
    with pytest.raises(GraderError, match="no words"):
        ask(NgramOverlap, "one two three four five", source=" - ")
    with pytest.raises(GraderError, match="no words"):
        ask(NgramOverlap, "one two three four five", source=None)


@pytest.mark.parametrize("args", [{"n": 0}, {"at_most": 1.5}, {"at_most": -1}, {"allow": [""]}])
def test_arguments_that_cannot_be(ask: Any, args: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"at_most|allow|>="):
        ask(NgramOverlap, "x", source="y", **args)


@given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), min_size=1))
@settings(max_examples=60)
def test_runs_are_counted_as_by_hand(own: list[str], source: list[str]) -> None:
    grader = NgramOverlap(source=" ".join(source), n=2)
    trial = TrialView(
        case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings()
    )
    pairs = list(pairwise(own))
    there = set(pairwise(source))
    shared = sum(pair in there for pair in pairs)
    verdict = grader.grade(" ".join(own), trial)
    assert verdict.result == ("fail" if shared else "pass")
    assert verdict.score == pytest.approx(1 - shared / max(len(pairs), 1))
