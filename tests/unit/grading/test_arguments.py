"""Arguments of graders with an open field."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import pytest

from probare.grading.arguments import build, gathered
from probare.ports.grader import Grader


class Open(Grader, frozen=True, kw_only=True):
    """Takes anything."""

    NAME: ClassVar[str] = "open"
    OPEN: ClassVar[str | None] = "more"

    fixed: str
    more: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])


class Closed(Grader, frozen=True, kw_only=True):
    """Takes what it names."""

    NAME: ClassVar[str] = "closed"

    fixed: str


def test_unknown_names_go_into_the_open_field() -> None:
    built = build(Open, {"fixed": "a", "strict": True, "more": {"n": 1}})
    assert built == Open(fixed="a", more={"n": 1, "strict": True})
    assert build(Open, {"fixed": "a"}) == Open(fixed="a")


def test_gathering_twice_changes_nothing() -> None:
    once = gathered(Open, {"fixed": "a", "strict": True})
    assert gathered(Open, once) == once


def test_a_closed_grader_refuses_unknown_names() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `strict`"):
        build(Closed, {"fixed": "a", "strict": True})


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"fixed": "a", "n": 1, "more": {"n": 2}}, "beside `more` and inside it"),
        ({"fixed": "a", "n": 1, "more": 3}, "Expected `object`"),
        ({"n": 1}, "missing required field `fixed`"),
        ({"fixed": 1}, "Expected `str`"),
    ],
)
def test_refused(args: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        build(Open, args)
