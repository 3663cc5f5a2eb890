"""Roles and what they allow."""

from __future__ import annotations

import pytest

from probare.errors import InvalidReview, NotAllowed
from probare.model.review import Person
from probare.review.people import ACTIONS, ROLES, Action, allow, may, person

# what each role may do, written out by hand
_TABLE = {
    "reviewer": {"read", "review"},
    "adjudicator": {"read", "review", "adjudicate"},
    "lead": set(ACTIONS),
    "auditor": {"read", "export", "read_log"},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", ACTIONS)
def test_a_role_allows_what_the_table_says(role: str, action: Action) -> None:
    who = person("Ann", role)
    assert may(who.role, action) == (action in _TABLE[role])
    if action in _TABLE[role]:
        allow(who, action)
    else:
        with pytest.raises(NotAllowed, match=f"the role {role} may not"):
            allow(who, action)


def test_a_role_that_is_not_known_allows_nothing() -> None:
    assert not any(may("root", action) for action in ACTIONS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "kept"),
    [("Ann", "Ann"), ("  Ann   Lee ", "Ann Lee"), ("A\u0301nn", "\u00c1nn"), ("王芳", "王芳")],
)
def test_a_name_has_one_spelling(given: str, kept: str) -> None:
    assert person(given, "lead") == Person(kept, "lead")


@pytest.mark.parametrize(
    ("name", "role", "words"),
    [
        ("", "lead", "the name is empty"),
        ("\u2003", "lead", "the name is empty"),
        ("x" * 81, "lead", "81 characters"),
        ("a\x00b", "lead", "control characters"),
        ("a\u202eb", "lead", "invisible"),
        ("\ud800", "lead", "invisible"),
        ("Ann", "Lead", "no role 'Lead'"),
    ],
)
def test_a_bad_name_or_role(name: str, role: str, words: str) -> None:
    with pytest.raises(InvalidReview, match=words):
        person(name, role)
