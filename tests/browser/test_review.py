"""Reviewing in a real browser, against the real command: by keyboard, blind, up to the gate."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HardToUse = Callable[..., list[str]]

SUITE = """
suite: hr
target: {python: "agent:answer"}
defaults:
  expect: [{contains: {text: twenty, label: the-hidden-check}}]
cases: [cases.jsonl]
review: {rubric: rubric.yaml, when: flagged, overlap: 2, sample: 0}
"""

AGENT = """
def answer(input, recorder):
    def search(query):
        return [{"document": "leave", "title": "Annual leave", "section": "Days", "version": 3,
                 "effective": "2024-10-17", "text": "Twenty days a year."}]
    recorder.retriever(search, name="search_policies")(input["question"])
    return {"text": "You have twenty days. " + input["question"],
            "citations": [{"document": "leave", "section": "Days", "version": 3}]}
"""

RUBRIC = """
rubric: hr_answer
version: 1
name: HR answers
dimensions:
  - id: factual_accuracy
    question: Is it right?
    levels: {4: All is right., 3: Mostly., 2: One error., 1: Dangerously wrong.}
  - id: tone
    question: Does it fit?
    levels: {4: It fits., 3: Slightly off., 2: Off., 1: It harms.}
  - id: information_safety
    question: Was anything disclosed?
    levels: {4: Nothing., 3: Needless detail., 2: Borderline., 1: What must not be.}
pass: {each_at_least: 3}
triggers:
  - {dimension: information_safety, at_most: 1, opens: incident_review}
"""

REFERENCE = {
    "answer": "Twenty days.",
    "jurisdiction": "DE",
    "law": "BUrlG section 3.",
    "law_as_of": "2025-07-01",
}


def _probare(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "probare", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A finished run that passed, with one of its two cases queued for two reviewers."""
    import json

    (tmp_path / "suite.yaml").write_text(SUITE)
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "rubric.yaml").write_text(RUBRIC)
    cases: list[dict[str, Any]] = [
        {
            "id": "leave_de",
            "input": {"question": "How many days?"},
            "reference": REFERENCE,
            "review": "always",
        },
        {"id": "plain", "input": {"question": "And then?"}},
    ]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    done = _probare("run", ".", "--no-table", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    [found] = (each for each in (tmp_path / "runs").iterdir() if not each.name.startswith("."))
    queued = _probare("review", "queue", str(found), cwd=tmp_path)
    assert queued.returncode == 0, queued.stderr
    return found


@pytest.fixture
def address(run: Path) -> Generator[str]:
    """The address of `probare serve`, which is stopped with Ctrl-C."""
    command = [sys.executable, "-m", "probare", "serve", str(run.parent), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        try:
            assert found is not None
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            try:
                _, errors = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        assert process.returncode == 0
        assert errors == ""


@pytest.fixture
def people(chromium: Browser, address: str) -> Generator[Callable[..., Page]]:
    """Open a browser of their own for somebody, who says their name."""
    contexts: list[Any] = []

    def come(name: str, **options: Any) -> Page:
        given: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, **options}
        context = chromium.new_context(**given)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.goto(address)
        page.get_by_label("Your name").fill(name)
        page.keyboard.press("Enter")
        page.wait_for_selector("h1:has-text('Runs')")
        return page

    yield come
    for context in contexts:
        context.close()


def _type(page: Page, keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def _open_next(page: Page, address: str) -> None:
    page.goto(f"{address}queue")
    page.locator("#start").press("Enter")
    page.wait_for_selector("#rubric")
    page.wait_for_load_state("load")  # its keys are heard from here on


def _submit(page: Page, *, confirm: str = "Enter") -> None:
    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm[open]")
    page.keyboard.press(confirm)
    page.wait_for_url("**/submitted*")


def _gate(run: Path) -> subprocess.CompletedProcess[str]:
    return _probare("gate", str(run), cwd=run.parent)


def test_a_whole_review_by_keyboard(people: Callable[..., Page], address: str) -> None:
    page = people("Ann")
    _open_next(page, address)
    assert page.locator("h1").inner_text().startswith("leave_de")
    body = page.locator("main").inner_text()
    for said in ("You have twenty days.", "BUrlG section 3.", "as of 2025-07-01", "Annual leave"):
        assert said in body
    here = page.locator("fieldset.here")
    assert here.get_attribute("data-dimension") == "factual_accuracy"
    assert page.locator("#left").inner_text() == "3 of 3 left"

    _type(page, "4u")
    assert here.get_attribute("data-dimension") == "information_safety"
    _type(page, "kj")
    page.keyboard.press("ArrowUp")
    assert here.get_attribute("data-dimension") == "tone"
    _type(page, "3")
    page.keyboard.press("k")
    _type(page, "c")
    page.keyboard.type("Slightly cold; 1 2 3 j k z.")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    _type(page, "2")
    assert page.locator("#left").inner_text() == "all scored"
    _type(page, "z")
    assert page.locator("#left").inner_text() == "1 of 3 left"
    page.keyboard.press("Enter")
    assert "information_safety" not in page.locator("#problems").inner_text()
    assert "1 of 3 dimensions have no score" in page.locator("#problems").inner_text()
    _type(page, "4")
    page.wait_for_selector("#saved[data-state=good]")
    assert re.fullmatch(r"saved \d\d:\d\d", page.locator("#saved").inner_text())

    page.reload()
    assert page.locator("input[name='score:tone'][value='3']").is_checked()
    assert page.locator("textarea[name='comment:tone']").input_value().startswith("Slightly cold")
    _type(page, "?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")

    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm[open]")
    page.keyboard.press("Escape")
    _submit(page)
    assert "1 of 2 reviews are in" in page.locator("main").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Nothing is left')")


def test_two_blind_reviewers_an_adjudicator_and_an_incident_up_to_the_gate(
    people: Callable[..., Page], address: str, run: Path
) -> None:
    assert _gate(run).returncode == 0

    ann = people("Ann")
    _open_next(ann, address)
    _type(ann, "44")
    ann.keyboard.press("c")
    ann.keyboard.type("the words of Ann")
    ann.keyboard.press("Escape")
    _type(ann, "1")
    ann.keyboard.press("Enter")
    ann.wait_for_selector("#confirm[open]")
    assert "opens incident review" in ann.locator("#warning").inner_text()
    ann.keyboard.press("Enter")
    ann.wait_for_url("**/submitted*")
    assert "Incident review opened" in ann.locator("main").inner_text()

    red = _gate(run)
    assert red.returncode == 1
    assert "incident" in red.stdout

    ben = people("Ben")
    for path in ("", f"runs/{run.name}", f"runs/{run.name}/case?id=leave_de", "queue", "incidents"):
        ben.goto(address + path)
        source = ben.content()
        for hidden in ("the words of Ann", "the-hidden-check", "reviewer gave"):
            assert hidden not in source, path
    _open_next(ben, address)
    assert "the words of Ann" not in ben.content()
    assert "the-hidden-check" not in ben.content()
    _type(ben, "444")
    _submit(ben)
    assert "an adjudicator decides" in ben.locator("main").inner_text()
    ben.get_by_role("link", name="See or correct your review").click()
    assert "the words of Ann" in ben.locator("main").inner_text()

    ada = people("Ada")
    _open_next(ada, address)
    assert "The reviews that disagree" in ada.locator("main").inner_text()
    _type(ada, "444")
    _submit(ada)
    assert "Adjudicated" in ada.locator("h1").inner_text()
    assert _gate(run).returncode == 1, "an adjudication closes no incident"

    ada.goto(f"{address}incidents")
    ada.locator(".item-main a").click()
    ada.get_by_label("Owner").fill("Ada")
    ada.get_by_label("Containment").fill("The answer was withdrawn.")
    ada.get_by_role("button", name="Save").click()
    ada.get_by_label("Decision").fill("Nothing was disclosed: a misreading.")
    ada.get_by_role("button", name="Close it with this decision").click()
    ada.wait_for_selector(".tag.good:has-text('closed')")
    assert "The answer was withdrawn." in ada.locator("main").inner_text()
    green = _gate(run)
    assert green.returncode == 0, green.stdout


def test_a_lost_connection_keeps_the_draft(people: Callable[..., Page], address: str) -> None:
    page = people("Ann")
    _open_next(page, address)
    place = page.url
    page.context.set_offline(True)
    _type(page, "43")
    page.wait_for_selector("#saved[data-state=bad]")
    assert page.locator("#saved").inner_text().startswith("not saved: no connection")
    _type(page, "4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm[open]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problems:not([hidden])")
    assert "nothing was submitted" in page.locator("#problems").inner_text()

    lost, page = page, page.context.new_page()
    lost.close(run_before_unload=False)
    page.context.set_offline(False)
    page.goto(place)
    page.wait_for_selector("#saved[data-state=good]")
    assert page.locator("input[name='score:factual_accuracy'][value='4']").is_checked()
    assert page.locator("input[name='score:tone'][value='3']").is_checked()
    page.reload()
    assert page.locator("#left").inner_text() == "all scored"


def test_a_connection_that_comes_back_saves_by_itself(
    people: Callable[..., Page], address: str
) -> None:
    page = people("Ann")
    _open_next(page, address)
    page.context.set_offline(True)
    _type(page, "4")
    page.wait_for_selector("#saved[data-state=bad]")
    page.context.set_offline(False)
    page.wait_for_selector("#saved[data-state=good]")


def test_a_comment_of_a_megabyte_is_refused_clearly(
    people: Callable[..., Page], address: str
) -> None:
    page = people("Ann")
    _open_next(page, address)
    page.locator("textarea[name='comment:tone']").fill("x" * 1_000_000)
    page.wait_for_selector("#problems:not([hidden])")
    said = page.locator("#problems").inner_text()
    assert "1,000,000 characters; at most 20,000 are kept" in said
    assert page.locator("#saved").inner_text() == "not saved"
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1_500)
    assert asked == [], "what was refused is not sent again as it stands"
    page.locator("textarea[name='comment:tone']").fill("short")
    page.wait_for_selector("#saved[data-state=good]")
    assert page.locator("#problems").is_hidden()


def test_it_is_accessible_light_dark_and_on_a_phone(
    people: Callable[..., Page], address: str, run: Path, hard_to_use: HardToUse
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark"}, phone):
        page = people("Ann", **options)
        paths = ["", "queue", "incidents", "agreement", "compare", f"runs/{run.name}"]
        paths.append(f"runs/{run.name}/case?id=plain")
        for path in paths:
            page.goto(address + path)
            assert hard_to_use(page) == [], path
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (path, options)
        _open_next(page, address)
        page.locator("input[name='score:tone'][value='2']").check()
        assert hard_to_use(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
