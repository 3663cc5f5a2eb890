from __future__ import annotations

from typing import Any

import pytest

from probare.errors import GraderError
from probare.graders.grounding import NumbersGrounded


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("cut costs by 40%", "a saving of 40 percent"),
        ("cut costs by 40 per cent", "40%"),
        ("1.2k users", "1,200 users"),
        ("1,200 users", "1.2k users"),
        ("1200 users", {"users": 1200}),
        ("$5M budget", "a budget of 5 million dollars"),
        ("down 5%", "-5%"),
        ("40-50% faster", "from 40% to 50%"),
        ("40% of it", {"share": 0.4}),
        ("since 2019", "2019-05-01"),
        ("2019–2021", "2019-05-01 to 2021-06-30"),
        ("٤٠ people", "40 people"),
        ("open 24/7", "support 24/7"),
        ("1. First\n2) Second", "nothing"),
        ("GPT-4 on S3, the 3rd time", "nothing"),
        ("no numbers", "nothing"),
        ("", ""),
        ({"years": 5, "note": "x"}, "for 5 years"),
    ],
)
def test_grounded(ask: Any, text: Any, source: Any) -> None:
    verdict = ask(NumbersGrounded, text, source=source)
    assert (verdict.result, verdict.score) == ("pass", 1.0), verdict.reason


@pytest.mark.parametrize(
    ("text", "source", "named"),
    [
        ("cut costs by 45%", "40%", "'45%'"),
        ("40 engineers", "40% of them", "'40'"),
        ("40% of them", "40 engineers", "'40%'"),
        ("25 people", "2,500 people", "'25'"),
        ("5 people", "25 people", "'5'"),
        ("1.2k users", "1,234 users", "'1.2k'"),
        ("10x faster", "10 times", "'10x'"),
        ("40-55% faster", "40% then 50%", "'55%'"),
        ("since 2018", "2019-05-01", "'2018'"),
        ("7", "", "'7'"),
        ("we grew 3. times", "", "'3'"),
        ({"saved": "30%"}, {"saved": "3%"}, "'30%'"),
    ],
)
def test_invented(ask: Any, text: Any, source: Any, named: str) -> None:
    verdict = ask(NumbersGrounded, text, source=source)
    assert verdict.result == "fail"
    assert named in verdict.reason


def test_the_score_is_the_share_and_the_places_are_the_texts(ask: Any) -> None:
    text = "Led 12 people, saved 99% in 4 years"
    verdict = ask(NumbersGrounded, text, source="12 people for 4 years")
    assert verdict.score == pytest.approx(2 / 3)
    assert [text[span.start : span.end] for span in verdict.spans] == ["99%"]
    assert verdict.reason == "not in the source: '99%' (1 of 3 numbers)"


def test_neighbours_in_a_value_do_not_join(ask: Any) -> None:
    assert ask(NumbersGrounded, "40%", source={"n": 40, "percent": True}).result == "fail"
    assert ask(NumbersGrounded, "5 200", source=[5, 200]).result == "fail"


def test_nothing_is_an_error(ask: Any) -> None:
    with pytest.raises(GraderError, match="no source"):
        ask(NumbersGrounded, "5", source=None)
    with pytest.raises(GraderError, match="no text"):
        ask(NumbersGrounded, None, source="5")
