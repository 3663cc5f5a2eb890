"""Hosts, sites, sizes, headers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Guest = Callable[..., Any]


def test_a_name_that_was_rebound_to_this_machine_is_not_answered(guest: Guest) -> None:
    who = guest()
    for host in ("evil.example", "127.0.0.1.evil.example:8321", "127.0.0.1", ""):
        assert who.get("/who", host=host).status_code == 421
    assert who.get("/who", host="127.0.0.1:8321").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://127.0.0.1:8321"},
        {"sec-fetch-site": "none"},
    ],
)
def test_requests_of_other_sites_change_nothing(guest: Guest, headers: dict[str, str]) -> None:
    who = guest().named("Ann")
    answer = who.post("/next", {"csrf": who.csrf}, **headers)
    assert answer.status_code == 403
    assert "another site" in answer.text
    own = {"origin": "http://127.0.0.1:8321", "sec-fetch-site": "same-origin"}
    assert who.post("/next", {"csrf": who.csrf}, **own).status_code == 200


def test_large_bodies_are_refused_announced_or_not(guest: Guest) -> None:
    who = guest(largest_body=1_000).named("Ann")
    announced = who.post("/next", {"csrf": who.csrf, "run": "x" * 2_000})
    assert announced.status_code == 413
    assert "1,000 bytes" in announced.text

    def pieces() -> Any:
        for _ in range(100):
            yield b"x" * 100

    kind = {"content-type": "application/x-www-form-urlencoded"}
    streamed = who.client.post("/next", content=pieces(), headers=kind)
    assert streamed.status_code == 422
    assert "1,000 bytes" in streamed.text
    assert who.post("/next", {}, **{"content-length": "-5"}).status_code in (400, 413)


def test_every_answer_carries_the_headers(guest: Guest) -> None:
    who = guest()
    for address, status in (("/who", 200), ("/nowhere", 404), ("/", 303), ("/static/none", 404)):
        answer = who.get(address)
        assert answer.status_code == status
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "server" not in answer.headers
        if not address.startswith("/static"):
            assert answer.headers["cache-control"] == "no-store"


def test_packaged_files_are_kept_by_the_browser_and_nothing_else_is_there(guest: Guest) -> None:
    who = guest()
    style = who.get("/static/style.css")
    assert "immutable" in style.headers["cache-control"]
    assert style.headers["content-type"].startswith("text/css")
    for name in ("..%2fapp.py", "%2e%2e/app.py", "LICENSE-htmx.txt", "../../pyproject.toml"):
        assert who.get(f"/static/{name}").status_code == 404


def test_https_binds_cookies_to_tls(guest: Guest) -> None:
    who = guest("https://reviews.example.org", https=True, hosts=("reviews.example.org",))
    answer = who.get("/who")
    assert answer.headers["strict-transport-security"].startswith("max-age=")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-probare_form=")
    assert "Secure" in cookie
    who.named("Ann")
    plain = {"origin": "http://reviews.example.org"}
    assert who.post("/next", {"csrf": who.csrf}, **plain).status_code == 403


def test_a_json_body_that_is_none_is_told(guest: Guest) -> None:
    who = guest().named("Ann")
    kinds = {"content-type": "application/json", "accept": "application/json"}
    for content in (b"{", b"[" * 200_000, b"\xff"):
        answer = who.client.post("/items/x/draft", content=content, headers=kinds)
        assert answer.status_code == 422
        assert "no JSON" in answer.json()["faults"][0]["words"]
    text = who.client.post("/next", content=b"x", headers={"content-type": "text/plain"})
    assert text.status_code == 422
