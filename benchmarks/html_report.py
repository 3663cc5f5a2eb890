"""What `report.html` costs: to write, in a browser to load and to filter. Prints, asserts nothing.

python benchmarks/html_report.py [write] [load]
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from probare.pipeline.concluding import material_of
from probare.reporting.html import HtmlReporter
from probare.reporting.markdown import MarkdownReporter
from probare.stores.reader import RunReader

REPEATS = 5
WORDS = ("1", "case-0", "no answer", "billing 99", "nothing of the kind", "")
AGENT = """
def passes(input):
    return "hello"

def mixed(input, trial):
    if input % 61 == 7:
        raise ValueError("no answer")
    if input % 97 == 5:
        return "good day " * 40
    if input % 31 == 4 and trial % 2:
        return "good evening"
    return "hello, this is an answer. " + "It goes on. " * (input % 50)
"""
FILTER = """(word) => {
  const q = document.getElementById("q");
  const began = performance.now();
  q.value = word;
  q.dispatchEvent(new Event("input"));
  document.getElementById("list").offsetHeight;
  return performance.now() - began;
}"""


def run(folder: Path, agent: str, cases: int, trials: int) -> Path:
    """Run a suite and return its run directory."""
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(AGENT)
    (folder / "suite.yaml").write_text(
        f'suite: bench\ntarget: {{python: "agent:{agent}"}}\ntrials: {trials}\n'
        "cases: [cases.jsonl]\ndefaults: {expect: [{contains: hello}]}\n"
    )
    lines = [
        f'{{"id": "case-{n:05d}", "input": {n}, "category": "{("billing", "talk")[n % 2]}", '
        f'"tags": ["regression"]}}\n'
        for n in range(cases)
    ]
    (folder / "cases.jsonl").write_text("".join(lines))
    command = [sys.executable, "-m", "probare", "run", ".", "--no-table"]
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    return next((folder / "runs").iterdir())


def cpu(make: Any) -> float:
    """Return the median CPU time of a call, in seconds."""
    times: list[float] = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_SELF)
        make()
        after = resource.getrusage(resource.RUSAGE_SELF)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def write(root: Path) -> None:
    """CPU of writing the page, a trial; report.md beside it."""
    for name, agent, cases, trials in (
        ("20,000 cases, all pass", "passes", 20_000, 1),
        ("1 case x 20,000 trials, all pass", "passes", 1, 20_000),
        ("10,000 cases x 2, mixed", "mixed", 10_000, 2),
    ):
        folder = run(root / f"{agent}-{cases}", agent, cases, trials)
        reader = RunReader(folder)
        material = material_of(reader, reader.suite(), reader.summary)
        out = root / "out"
        html = cpu(lambda: HtmlReporter().write(out, material))  # noqa: B023
        size = out.stat().st_size
        markdown = cpu(lambda: MarkdownReporter().write(out, material))  # noqa: B023
        print(
            f"write    {name:<34} {html / cases / trials * 1e6:6.1f} µs a trial, "
            f"{size / 1e6:.2f} MB   (report.md {markdown / cases / trials * 1e6:.1f} µs)"
        )


def load(root: Path) -> None:
    """Time until the page is usable, and of each filter until it is laid out."""
    from playwright.sync_api import sync_playwright

    page_of = run(root / "load", "mixed", 10_000, 2) / "report.html"
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments
        )
        loads: list[float] = []
        filters: dict[str, list[float]] = {word: [] for word in WORDS}
        for _ in range(REPEATS):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            began = time.perf_counter()
            page.goto(page_of.as_uri())
            page.wait_for_selector("#rows [role=row]")
            loads.append(time.perf_counter() - began)
            for word in WORDS:
                filters[word].append(page.evaluate(FILTER, word))
            page.close()
        browser.close()
    size = page_of.stat().st_size / 1e6
    print(
        f"load     10,000 cases, {size:.2f} MB: {statistics.median(loads):.2f} s to the first rows"
    )
    for word, times in filters.items():
        print(f"filter   {word!r:<24} {statistics.median(times):6.1f} ms")


ALL = {"write": write, "load": load}


def main() -> None:
    """Run the named benchmarks, or all."""
    for name in sys.argv[1:] or ALL:
        root = Path(tempfile.mkdtemp(prefix="probare-html-"))
        try:
            ALL[name](root)
        finally:
            shutil.rmtree(root)


if __name__ == "__main__":
    main()
