"""Every address × every role: nobody reads or writes more than their role allows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from probare.model.review import QueueItem
from probare.review.people import ROLES, may
from probare.web.pages import PAGES, Page

Team = Callable[[str], Any]
CHANGING = [page for page in PAGES if page.method == "POST"]
KNOWN = [page for page in PAGES if page.needs not in ("anybody", "a_form")]


def _address(page: Page, item: str, run: str) -> str:
    names = {"item": item, "run": run, "incident": "inc-none", "name": "style.css"}
    return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], page.path)


@pytest.mark.parametrize("role", ROLES)
def test_every_page_allows_a_role_what_people_may_and_no_more(
    role: str, team: Team, queued: Callable[..., QueueItem], run_name: str
) -> None:
    item = queued()
    for page in KNOWN:
        if page.path == "/logout":
            continue
        who = team(role)
        address = _address(page, item.id, run_name)
        answer = who.send(address) if page.method == "POST" else who.get(address)
        allowed = may(role, page.needs)  # type: ignore[arg-type]
        if not allowed:
            assert answer.status_code == 403, (role, page.path, answer.status_code)
            assert "may not" in answer.text
        else:
            assert answer.status_code in (200, 303, 403, 404, 409, 422), (role, page.path)
            assert "the role" not in answer.text, (role, page.path)


@pytest.mark.parametrize("page", KNOWN, ids=lambda page: f"{page.method} {page.path}")
def test_whoever_is_not_logged_in_gets_nothing(
    page: Page, guest: Callable[..., Any], queued: Callable[..., QueueItem], run_name: str
) -> None:
    item = queued()
    nobody = guest(accounts=True)
    address = _address(page, item.id, run_name)
    answer = nobody.post(address) if page.method == "POST" else nobody.get(address)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/login")
    asked = nobody.client.request(page.method, address, headers={"accept": "application/json"})
    assert asked.status_code == 401
    assert asked.json()["why"] == "login"


@pytest.mark.parametrize("page", CHANGING, ids=lambda page: page.path)
def test_nothing_changes_without_the_forms_token(
    page: Page, team: Team, queued: Callable[..., QueueItem], run_name: str, desk: Any
) -> None:
    item = queued()
    lead = team("lead")
    before = desk.export_log(item.run)
    for token in ({}, {"csrf": "wrong"}, {"csrf": "ü" * 40}):
        answer = lead.post(_address(page, item.id, run_name), token)
        if page.path == "/who":
            assert answer.status_code in (303, 403)
            continue
        assert answer.status_code == 403, (page.path, token)
    assert desk.export_log(item.run) == before
    assert lead.get("/").status_code == 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.method} {page.path}")
def test_other_methods_are_refused(page: Page, team: Team, run_name: str) -> None:
    who = team("lead")
    address = _address(page, "0" * 16, run_name)
    for method in ("PUT", "DELETE", "PATCH"):
        assert who.client.request(method, address).status_code == 405


def test_a_state_is_never_changed_by_get() -> None:
    changing = {page.path for page in CHANGING}
    both = {page.path for page in PAGES if page.method == "GET"} & changing
    assert both == {"/login", "/who", "/incidents/{incident}"}
