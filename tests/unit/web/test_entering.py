"""Names and logins."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from probare.review.desk import ReviewDesk, utc_now
from probare.web.site import Doors, Site

Guest = Callable[..., Any]
PASSWORD = "a long enough password"


def _form(who: Any, address: str) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', who.text(address))
    assert found is not None
    return found[1]


def test_on_loopback_the_name_is_asked_once(guest: Guest) -> None:
    who = guest()
    asked = who.get("/queue?mine=1")
    assert asked.headers["location"] == "/who?next=%2Fqueue%3Fmine%3D1"
    answer = who.post("/who", {"csrf": _form(who, "/who"), "name": " Ann  Lee ", "next": "/queue"})
    assert answer.headers["location"] == "/queue"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Ann Lee" in who.text("/queue")


def test_a_name_that_cannot_be_kept_is_told(guest: Guest) -> None:
    who = guest()
    for name in ("", "  ", "x" * 81, "a\x00b", "a\u202eb"):
        answer = who.post("/who", {"csrf": _form(who, "/who"), "name": name})
        assert answer.status_code == 422
        assert "the name" in answer.text


def test_no_address_of_another_site_is_gone_on_to(guest: Guest) -> None:
    for after in ("https://evil.example", "//evil.example", "/\\evil", "javascript:x", "/a\nb"):
        who = guest()
        answer = who.post("/who", {"csrf": _form(who, "/who"), "name": "Ann", "next": after})
        assert answer.headers["location"] == "/", after


def test_a_login_says_the_same_for_a_wrong_name_and_a_wrong_password(
    guest: Guest, desk: ReviewDesk
) -> None:
    desk.accounts.add("Ann", "reviewer", PASSWORD)
    for fields in ({"name": "Ann", "password": "wrong"}, {"name": "Bob", "password": PASSWORD}):
        who = guest(accounts=True)
        answer = who.post("/login", {"csrf": _form(who, "/login"), **fields})
        assert answer.status_code == 403
        assert "the name or the password is wrong" in answer.text
        assert PASSWORD not in answer.text


def test_many_wrong_passwords_have_to_wait(guest: Guest, desk: ReviewDesk) -> None:
    desk.accounts.add("Ann", "reviewer", PASSWORD)
    who = guest(accounts=True)
    form = _form(who, "/login")
    fields = {"csrf": form, "name": "Ann", "password": "wrong"}
    answers = [who.post("/login", fields) for _ in range(15)]
    assert answers[0].status_code == 403
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    right = who.post("/login", {**fields, "password": PASSWORD})
    assert right.status_code == 429


def test_a_login_needs_the_form_of_this_browser(guest: Guest, desk: ReviewDesk) -> None:
    desk.accounts.add("Ann", "reviewer", PASSWORD)
    other = _form(guest(accounts=True), "/login")
    who = guest(accounts=True)
    for form in ("", other):
        answer = who.post("/login", {"csrf": form, "name": "Ann", "password": PASSWORD})
        assert answer.status_code == 403
    assert who.get("/").status_code == 303


def test_a_session_ends_by_logout_by_time_and_when_access_is_taken(
    runs: Path, team: Callable[[str], Any], desk: ReviewDesk
) -> None:
    who = team("reviewer")
    cookie = dict(who.client.cookies)
    assert who.send("/logout").headers["location"] == "/login"
    who.client.cookies.update(cookie)
    assert who.get("/").status_code == 303

    again = team("reviewer")
    desk.accounts.set_disabled("reviewer", disabled=True)
    assert again.get("/").status_code == 303
    desk.accounts.set_disabled("reviewer", disabled=False)

    late = team("reviewer")
    tomorrow = ReviewDesk.open(
        runs / ".probare" / "reviews.db", now=lambda: utc_now() + timedelta(days=1)
    )
    with tomorrow:
        late.site.desk, kept = tomorrow, late.site.desk
        assert late.get("/").status_code == 303
        late.site.desk = kept


def test_roles_are_looked_up_at_each_request(team: Callable[[str], Any], desk: ReviewDesk) -> None:
    who = team("lead")
    desk.accounts.set_role("lead", "auditor")
    again = team("lead")
    assert who.get("/queue").status_code == 303
    assert again.send("/next").status_code == 403


def test_a_name_said_on_loopback_is_no_login(guest: Guest, runs: Path, desk: ReviewDesk) -> None:
    who = guest().named("Ann")
    desk.accounts.add("Bob", "lead", PASSWORD)
    who.site.doors = Doors(accounts=True)
    assert who.get("/").headers["location"].startswith("/login")
    assert Site(runs, desk, Doors(accounts=False)).key != who.site.key
