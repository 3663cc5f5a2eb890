"""Users, passwords, sessions, and the limit on logins."""

from __future__ import annotations

from typing import Any

import pytest

from probare.errors import InvalidReview, NotAllowed, NotFound, Outdated
from probare.review.accounts import IDLE, LASTS, Hashing
from probare.review.attempts import FIRST_WAIT, FORGOTTEN, FREE
from probare.review.desk import ReviewDesk

PASSWORD = "correct horse battery"


@pytest.fixture
def ann(desk: ReviewDesk) -> str:
    return desk.accounts.add("Ann", "reviewer", PASSWORD).name


def test_a_login_opens_a_session(desk: ReviewDesk, ann: str) -> None:
    session = desk.accounts.login(ann, PASSWORD, origin="1.2.3.4")
    assert (session.person.name, session.person.role) == ("Ann", "reviewer")
    assert session.expires == "2026-12-01T16:00:00+00:00"
    assert desk.accounts.session(session.token) == session
    assert desk.accounts.csrf_matches(session, session.csrf)
    assert not desk.accounts.csrf_matches(session, session.csrf + "x")
    assert not desk.accounts.csrf_matches(session, "\ud800")
    other = desk.accounts.login(" Ann ", PASSWORD)
    assert (other.token, other.csrf) != (session.token, session.csrf)
    desk.accounts.logout(session.token)
    assert desk.accounts.session(session.token) is None
    assert desk.accounts.session(other.token) is not None


def test_neither_passwords_nor_tokens_are_stored(
    desk: ReviewDesk, ann: str, where: str, tmp_path: Any
) -> None:
    session = desk.accounts.login(ann, PASSWORD)
    with desk._database.reading() as transaction:  # pyright: ignore[reportPrivateUsage]
        stored = str(
            [
                transaction.rows(f"SELECT * FROM {name}")
                for name in ("users", "sessions", "attempts")
            ]
        )
    assert "$argon2id$" in stored
    assert PASSWORD not in stored
    assert session.token not in stored


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Ann", "correct horse batterY"),
        ("Ann", ""),
        ("Ann", "x" * 100_000),
        ("Ann", "\ud800"),
        ("Nobody", PASSWORD),
        ("Ann\x00", PASSWORD),
        ("", ""),
        ("' OR 1=1 --", PASSWORD),
        ("\ud800", PASSWORD),
        ("ann", PASSWORD),
    ],
)
def test_what_is_wrong_is_not_told(desk: ReviewDesk, ann: str, name: str, password: str) -> None:
    with pytest.raises(NotAllowed) as caught:
        desk.accounts.login(name, password)
    assert caught.value.message == "the name or the password is wrong"
    assert caught.value.retry_after is None


def test_a_session_expires(desk: ReviewDesk, ann: str, clock: Any) -> None:
    token = desk.accounts.login(ann, PASSWORD).token
    clock.move(IDLE - 1)
    assert desk.accounts.session(token) is not None
    clock.move(IDLE - 1)
    assert desk.accounts.session(token) is not None
    clock.move(IDLE)
    assert desk.accounts.session(token) is None
    clock.move(-IDLE)
    assert desk.accounts.session(token) is None, "an expired one comes back"


def test_a_session_ends_after_half_a_day_whatever_happens(
    desk: ReviewDesk, ann: str, clock: Any
) -> None:
    token = desk.accounts.login(ann, PASSWORD).token
    for _ in range(round(LASTS / 1800) - 1):
        clock.move(1800)
        assert desk.accounts.session(token) is not None
    clock.move(1800)
    assert desk.accounts.session(token) is None


def test_a_change_of_the_user_ends_their_sessions(desk: ReviewDesk, ann: str) -> None:
    token = desk.accounts.login(ann, PASSWORD).token
    desk.accounts.set_role(ann, "auditor")
    assert desk.accounts.session(token) is None
    session = desk.accounts.login(ann, PASSWORD)
    assert session.person.role == "auditor"
    desk.accounts.set_password(ann, "another password")
    assert desk.accounts.session(session.token) is None
    with pytest.raises(NotAllowed):
        desk.accounts.login(ann, PASSWORD)
    token = desk.accounts.login(ann, "another password").token
    desk.accounts.set_disabled(ann, disabled=True)
    assert desk.accounts.session(token) is None
    assert not desk.accounts.exist()
    with pytest.raises(NotAllowed):
        desk.accounts.login(ann, "another password")
    desk.accounts.set_disabled(ann, disabled=False)
    assert desk.accounts.exist()
    assert [(user.name, user.role, user.disabled) for user in desk.accounts.users()] == [
        ("Ann", "auditor", False)
    ]


def test_bad_accounts_are_refused(desk: ReviewDesk, ann: str) -> None:
    with pytest.raises(Outdated, match="there is a user 'Ann' already"):
        desk.accounts.add("ANN", "lead", PASSWORD)
    with pytest.raises(InvalidReview, match="at least 12 characters"):
        desk.accounts.add("Ben", "lead", "short")
    with pytest.raises(InvalidReview, match="more than 1000"):
        desk.accounts.set_password("Ann", "x" * 1_001)
    with pytest.raises(InvalidReview, match="no role 'boss'"):
        desk.accounts.add("Ben", "boss", PASSWORD)
    for call in (
        lambda: desk.accounts.set_role("Ben", "lead"),
        lambda: desk.accounts.set_password("Ben", PASSWORD),
        lambda: desk.accounts.set_disabled("Ben", disabled=True),
    ):
        with pytest.raises(NotFound, match="no user 'Ben'"):
            call()
    assert len(desk.accounts.users()) == 1


def _fail(desk: ReviewDesk, name: str, origin: str) -> float | None:
    with pytest.raises(NotAllowed) as caught:
        desk.accounts.login(name, "wrong password", origin=origin)
    return caught.value.retry_after


def test_too_many_failures_must_wait_and_wait_longer(
    desk: ReviewDesk, ann: str, clock: Any
) -> None:
    for _ in range(FREE[0]):
        assert _fail(desk, ann, "a") is None
    assert _fail(desk, ann, "a") == FIRST_WAIT
    with pytest.raises(NotAllowed, match="too many failed logins; try again in 30 seconds"):
        desk.accounts.login(ann, PASSWORD, origin="a")
    desk.accounts.login(ann, PASSWORD, origin="b")
    clock.move(FIRST_WAIT)
    assert _fail(desk, ann, "a") is None
    assert _fail(desk, ann, "a") == 2 * FIRST_WAIT
    clock.move(2 * FIRST_WAIT)
    desk.accounts.login(ann, PASSWORD, origin="a")
    for _ in range(FREE[0]):
        assert _fail(desk, ann, "a") is None


def test_failures_are_forgotten(desk: ReviewDesk, ann: str, clock: Any) -> None:
    for _ in range(FREE[0] - 1):
        _fail(desk, ann, "a")
    clock.move(FORGOTTEN + 1)
    for _ in range(FREE[0]):
        assert _fail(desk, ann, "a") is None


def test_one_origin_cannot_try_all_names(desk: ReviewDesk, ann: str) -> None:
    for number in range(FREE[1]):
        assert _fail(desk, f"user {number}", "a") is None
    assert _fail(desk, "somebody", "a") == FIRST_WAIT
    desk.accounts.login(ann, PASSWORD, origin="b")


def test_many_origins_cannot_try_one_name(desk: ReviewDesk, ann: str) -> None:
    for number in range(FREE[2]):
        assert _fail(desk, ann, f"origin {number}") is None
    assert _fail(desk, ann, "yet another") == FIRST_WAIT


def test_a_hash_of_older_costs_is_renewed(desk: ReviewDesk, ann: str, where: str) -> None:
    with ReviewDesk.open(where) as other:
        other.accounts.hashing = Hashing(time_cost=2, memory_kib=16, parallelism=1)
        other.accounts.login(ann, PASSWORD)
        with other._database.reading() as transaction:  # pyright: ignore[reportPrivateUsage]
            row = transaction.row("SELECT password FROM users")
    assert row is not None
    assert "m=16,t=2,p=1" in row["password"]
    desk.accounts.login(ann, PASSWORD)
