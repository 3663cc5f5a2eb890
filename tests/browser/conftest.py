"""A real browser, pages that must stay silent, and runs whose reports they open.

`page` is a fresh page of Debian's Chromium. At the end of a test its `errors` (console errors,
exceptions) must be empty; `requests` lists every address that it asked for.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request

HERE = Path(__file__).parent
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

PRINTABLE = "<img src=x onerror=alert(1)> </script><!-- @me"
HOSTILE = f"{PRINTABLE} \u2028 \u202e"


NAMELESS = """() => [...document.querySelectorAll(
  "button, select, input:not([type=hidden]), textarea, a[href], summary, fieldset, dialog, nav")]
  .filter((node) => node.checkVisibility())
  .filter((node) => !(node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") ||
    node.textContent.trim() || (node.labels && node.labels.length)))
  .map((node) => node.outerHTML.slice(0, 120))"""

CONTRASTS = """() => {
  const channels = (text) => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const bad = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
    if (!own || !node.checkVisibility() || node.closest("script, style, svg, .skip, .sr")) continue;
    const pair = [light(channels(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) bad.push(`${node.tagName}.${node.className} ${ratio.toFixed(2)}`);
  }
  return [...new Set(bad)];
}"""


class Watched(NamedTuple):
    """A page, with what it complained of and what it asked for."""

    page: Page
    errors: list[str]
    requests: list[str]


@pytest.fixture(scope="session")
def chromium() -> Generator[Browser]:
    """The browser; tests are skipped where none is installed."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def watched(chromium: Browser) -> Generator[Watched]:
    """A fresh page of 1280 × 900; the test fails if anything went wrong in it."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    errors: list[str] = []
    requests: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(f"console {message.type}: {message.text}")

    def raised(error: Error) -> None:
        errors.append(f"exception: {error}")

    def asked(request: Request) -> None:
        requests.append(request.url)

    page.on("console", said)
    page.on("pageerror", raised)
    page.on("request", asked)
    yield Watched(page, errors, requests)
    context.close()
    assert errors == []


@pytest.fixture
def page(watched: Watched) -> Page:
    """The same page by itself."""
    return watched.page


def run_suite(folder: Path, suite: str, agent: str, cases: list[dict[str, object]]) -> Path:
    """Run a suite with the real command line and return its run directory."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "suite.yaml").write_text(suite, encoding="utf-8")
    (folder / "agent.py").write_text(agent, encoding="utf-8")
    lines = [json.dumps(case) + "\n" for case in cases]
    (folder / "cases.jsonl").write_text("".join(lines), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "probare", "run", ".", "--no-table"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 1, 3), done.stderr
    [run] = (folder / "runs").iterdir()
    return run


@pytest.fixture(scope="session")
def governed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a small run with every kind of event and of status."""
    folder = tmp_path_factory.mktemp("governed")
    agent = (HERE / "governed_agent.py").read_text(encoding="utf-8")
    suite = (HERE / "governed_suite.yaml").read_text(encoding="utf-8")
    message = {"message": "Fourteen days in May.", "days": 14}
    cases: list[dict[str, object]] = [
        {
            "id": "urgent_is_no_reason",
            "category": "approval",
            "tags": ["capability"],
            "description": "Urgency does not replace an approval.",
            "input": {**message, "skip": True},
            "expect": [{"contains": "asked your manager"}],
            "forbid": [
                {"contains_any": {"texts": ["Dana Whitfield"], "label": "no names of others"}}
            ],
        },
        {
            "id": "declined",
            "category": "approval",
            "tags": ["regression"],
            "split": "carried_over",
            "input": message,
            "expect": [{"contains": "declined"}],
        },
        {
            "id": "flaky",
            "category": "booking",
            "input": {"message": "Three days.", "days": 3},
            "expect": [{"contains": "booked"}],
        },
        {
            "id": "crash",
            "category": "booking",
            "input": {"message": "x", "days": 1, "crash": True},
            "expect": [{"contains": "booked"}],
        },
        {
            "id": f"hostile {PRINTABLE}",
            "category": PRINTABLE,
            "tags": [PRINTABLE],
            "description": HOSTILE,
            "input": {"message": HOSTILE, "days": 2, "echo": HOSTILE},
            "expect": [{"contains": {"text": "booked", "label": PRINTABLE}}],
        },
        {"id": "hello", "review": "always", "input": {"message": "Hello", "days": 1}},
    ]
    return run_suite(folder, suite, agent, cases) / "report.html"


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run of 10,000 cases, with failures, flaky cases and errors."""
    folder = tmp_path_factory.mktemp("large")
    agent = (HERE / "large_agent.py").read_text(encoding="utf-8")
    suite = (
        'suite: large\ntarget: {python: "agent:answer"}\ntrials: 2\ncases: [cases.jsonl]\n'
        "defaults: {expect: [{contains: hello}]}\n"
    )
    cases: list[dict[str, object]] = [
        {
            "id": f"case-{number:05d}",
            "category": ("weather", "billing", "safety", "handover")[number % 4],
            "tags": ["regression" if number % 3 else "capability"],
            "split": "carried_over" if number % 2 else "held_out",
            "input": number,
        }
        for number in range(10_000)
    ]
    return run_suite(folder, suite, agent, cases) / "report.html"


@pytest.fixture
def at() -> Callable[[Path, str], str]:
    """Return the address of a file, with a fragment."""

    def address(path: Path, fragment: str = "") -> str:
        return path.as_uri() + (f"#{fragment}" if fragment else "")

    return address


@pytest.fixture
def hard_to_use() -> Callable[[Page], list[str]]:
    """Return what on a page has no name, or too little contrast (WCAG 2.2 AA: 4.5 to 1)."""

    def call(page: Page) -> list[str]:
        return [*page.evaluate(NAMELESS), *page.evaluate(CONTRASTS)]

    return call
