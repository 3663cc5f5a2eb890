"""`report.html` in a real browser: it works from a file, asks for nothing, reads well."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

HardToUse = Callable[..., list[str]]
At = Callable[..., str]


def test_it_asks_for_nothing_but_itself(watched: Any, governed: Path, at: At) -> None:
    watched.page.goto(at(governed))
    assert watched.requests == [at(governed)]
    assert watched.page.title() == "leave-desk: failed – Probare"
    assert watched.page.evaluate("document.querySelectorAll('td.plot svg').length") > 4


def test_the_policy_stops_what_a_hole_would_let_in(watched: Any, governed: Path, at: At) -> None:
    page = watched.page
    page.goto(at(governed))
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.hit = 1';"
        "document.body.append(s); const i = new Image(); i.src = 'https://example.org/x.png';"
        "document.body.append(i); }"
    )
    assert page.evaluate("window.hit") is None
    page.wait_for_timeout(200)
    refused = [text for text in watched.errors if "Content Security Policy" in text]
    assert [text for text in refused if "script-src" in text]
    assert [text for text in refused if "img-src" in text]
    watched.errors.clear()


def test_the_worst_case_is_open_with_the_hit_marked(page: Page, governed: Path, at: At) -> None:
    page.goto(at(governed, "case=urgent_is_no_reason"))
    detail = page.locator("#detail")
    assert detail.locator("h3").inner_text() == "urgent_is_no_reason"
    marks = detail.locator("mark.bad").all_inner_texts()
    assert marks
    # the emoji before the hit is one character to Python and two units to JavaScript
    assert set(marks) == {"Dana Whitfield"}
    kinds = detail.locator(".timeline .kind").all_inner_texts()
    assert {"message", "retrieval", "usage", "attempt", "decision", "approval", "tool"} <= set(
        kinds
    )
    sources = detail.locator(".timeline .source").all_inner_texts()
    assert {"observed", "claimed"} == set(sources)
    assert "require approval" in detail.locator(".ruling").all_inner_texts()


def test_a_deep_link_opens_the_case_and_the_trial(page: Page, governed: Path, at: At) -> None:
    page.goto(at(governed, "case=flaky&trial=1"))
    detail = page.locator("#detail")
    assert detail.locator("h3").inner_text() == "flaky"
    assert detail.locator('[aria-pressed="true"]').inner_text() == "1"
    assert "It is on its way." in detail.inner_text()
    assert page.locator('#rows [aria-selected="true"] b').inner_text() == "flaky"
    detail.get_by_role("button", name="trial 2, passed").click()
    assert page.evaluate("location.hash") == "#case=flaky&trial=2"
    page.evaluate("location.hash = '#case=nothing%20of%20the%20kind'")
    page.wait_for_function("document.getElementById('count').textContent.includes('no case')")


def test_an_error_stands_apart_from_failures(page: Page, governed: Path, at: At) -> None:
    page.goto(at(governed, "case=crash"))
    words = page.locator("#detail").inner_text()
    assert "STOPPED: TARGET ERROR" in words
    assert "the balance could not be read" in words
    assert "WHAT FAILED" not in words


def test_hostile_data_stays_text(page: Page, governed: Path, at: At) -> None:
    page.add_init_script("window.alert = () => { window.alerted = true; }")
    page.goto(at(governed))
    page.locator("#q").fill("onerror")
    page.keyboard.press("Enter")
    detail = page.locator("#detail")
    assert "hostile <img src=x onerror=alert(1)>" in detail.locator("h3").inner_text()
    assert "\\u2028 \\u202e" in detail.locator(".description").inner_text()
    assert detail.locator("pre").count() >= 2
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.querySelectorAll('script').length") == page.evaluate(
        "document.querySelectorAll('script[type]').length + 2"
    )
    assert page.evaluate("window.alerted") is None


def test_the_keyboard_does_it_all(page: Page, governed: Path, at: At) -> None:
    page.goto(at(governed))
    first = page.locator("#detail h3").inner_text()
    page.keyboard.press("j")
    second = page.locator("#detail h3").inner_text()
    assert second != first
    page.keyboard.press("k")
    assert page.locator("#detail h3").inner_text() == first
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("declined")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "list"
    assert page.locator("#detail h3").inner_text() == "declined"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "detail"
    page.keyboard.press("]")
    assert page.locator('#detail [aria-pressed="true"]').inner_text() == "1"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "list"
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()


def test_filters_say_what_is_shown(page: Page, governed: Path, at: At) -> None:
    page.goto(at(governed))
    count = page.locator("#count")
    assert count.inner_text() == "6 of 6 cases"
    page.locator("#f-status").select_option("flaky")
    assert count.inner_text() == "1 of 6 cases"
    assert page.locator("#list").get_attribute("aria-rowcount") == "2"
    page.locator("#q").fill("nothing like it")
    assert "No case fits" in count.inner_text()
    page.get_by_role("button", name="Clear").click()
    assert count.inner_text() == "6 of 6 cases"
    page.locator('.statuses [data-status="errored"]').click()
    assert count.inner_text() == "1 of 6 cases"
    page.get_by_role("button", name="Clear").click()
    page.locator("#f-category").select_option(label="none (1)")
    assert page.locator("#rows b").all_inner_texts() == ["hello"]
    page.get_by_role("button", name="Clear").click()
    page.locator("#f-split").select_option("carried_over")
    assert page.locator("#rows b").all_inner_texts() == ["declined"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_headings_tables_and_contrast(
    page: Page, governed: Path, at: At, scheme: Any, hard_to_use: HardToUse
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(at(governed, "case=urgent_is_no_reason"))
    assert hard_to_use(page) == []
    levels = page.evaluate(
        "() => [...document.querySelectorAll('h1,h2,h3,h4')].filter((h) => h.checkVisibility())"
        ".map((h) => +h.tagName[1])"
    )
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in zip([0, *levels], levels, strict=False))
    tables = page.evaluate(
        "() => [...document.querySelectorAll('table')].map((t) => [!!t.caption, "
        "t.querySelectorAll('th[scope=col]').length, t.querySelectorAll('th[scope=row]').length])"
    )
    assert tables
    assert all(caption and columns and rows for caption, columns, rows in tables)
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.evaluate(
        "new Set([...document.querySelectorAll('[id]')].map((n) => n.id)).size === "
        "document.querySelectorAll('[id]').length"
    )


def test_focus_is_seen_and_the_active_row_is_named(page: Page, governed: Path, at: At) -> None:
    page.goto(at(governed))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.locator("#list").focus()
    page.keyboard.press("ArrowDown")
    active = page.locator("#list").get_attribute("aria-activedescendant")
    assert active
    assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"


def test_colours_follow_the_system_and_the_button(page: Page, governed: Path, at: At) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    page.goto(at(governed))
    light = page.evaluate(paper)
    page.get_by_role("button", name="Change to dark colours").click()
    assert page.evaluate(paper) != light
    page.get_by_role("button", name="Change to light colours").click()
    assert page.evaluate(paper) == light
    page.evaluate("() => { try { localStorage.clear() } catch {} }")
    page.emulate_media(color_scheme="dark")
    page.evaluate("delete document.documentElement.dataset.theme")
    assert page.evaluate(paper) != light


def test_it_works_where_storage_is_refused(page: Page, governed: Path, at: At) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })"
    )
    page.goto(at(governed))
    page.get_by_role("button", name=re.compile("Change to")).click()
    assert page.locator("#count").inner_text() == "6 of 6 cases"


def test_paper_has_the_decision_the_scores_and_the_failures(
    page: Page, governed: Path, at: At
) -> None:
    page.goto(at(governed))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for hidden in (".top", "#filters", "#explorer", "#help"):
        assert not page.locator(hidden).is_visible(), hidden
    for shown in ("#decision", "#scores", "#verify", "#print-cases"):
        assert page.locator(shown).is_visible(), shown
    printed = page.locator("#print-cases h3").all_inner_texts()
    assert "urgent_is_no_reason" in printed
    assert "declined" not in printed
    assert page.locator("#print-cases mark.bad").count() > 0


def test_a_small_screen_shows_the_list_then_the_case(page: Page, governed: Path, at: At) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(at(governed))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not page.locator("#detail").is_visible()
    page.locator("#rows [role=row]").first.click()
    assert page.locator("#detail").is_visible()
    page.get_by_role("button", name="Back to the list").click()
    assert not page.locator("#detail").is_visible()


def test_without_scripts_the_decision_and_the_scores_stand(
    chromium: Any, governed: Path, at: At
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at(governed))
    words = page.locator("main").inner_text()
    assert "Failed" in words
    assert "pass rate" in words
    assert "report.md" in words
    context.close()


@pytest.mark.slow
def test_ten_thousand_cases(watched: Any, large: Path, at: At) -> None:
    page = watched.page
    assert large.stat().st_size < 25_000_000
    page.goto(at(large))
    assert watched.requests == [at(large)]
    count = page.locator("#count")
    assert count.inner_text() == "10,000 of 10,000 cases"
    assert page.locator("#rows [role=row]").count() < 60
    page.locator("#f-status").select_option("failed")
    failed = len([n for n in range(10_000) if n % 97 == 5 and n % 61 != 7])
    assert count.inner_text() == f"{failed} of 10,000 cases"
    page.locator("#f-status").select_option("errored")
    assert count.inner_text() == f"{len([n for n in range(10_000) if n % 61 == 7])} of 10,000 cases"
    page.get_by_role("button", name="Clear").click()
    page.locator("#q").fill("case-0999")
    assert count.inner_text() == "10 of 10,000 cases"
    page.get_by_role("button", name="Clear").click()
    page.locator("#list").focus()
    page.keyboard.press("End")
    assert page.locator("#rows [role=row]").count() < 80
    page.locator("#order").select_option("suite")
    page.evaluate("location.hash = '#case=case-05000'")
    page.wait_for_function("document.querySelector('#detail h3').textContent === 'case-05000'")
    row = page.locator('#rows [aria-selected="true"]')
    assert row.get_attribute("aria-rowindex") == "5002"
    page.goto(at(large, "case=case-00005"))
    page.reload()
    assert "good day 5 <img src=x onerror=alert(1)>" in page.locator("#detail").inner_text()
    assert page.locator("img").count() == 0
    note = page.locator("#left-out").inner_text()
    assert "are left out to keep the file small" in note
    assert "probare show" in note
