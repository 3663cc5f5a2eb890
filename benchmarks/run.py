"""What the harness costs, as whole processes: CPU, wall time, peak memory. See README.md."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PROBARE = [sys.executable, "-m", "probare"]
REPEATS = 3

AGENT = """
import asyncio

async def instant(input):
    return "hello"

def instant_sync(input):
    return "hello"

async def waiting(input):
    await asyncio.sleep(0.05)
    return "hello"
"""


class Used(NamedTuple):
    """What one process used: seconds of CPU and of wall time, peak memory in MB."""

    cpu: float
    wall: float
    memory: float


def measure(command: Sequence[str], folder: Path) -> Used:
    """Run a command in a folder and return what it used."""
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    wall = time.perf_counter() - began
    return Used(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def median(make: Callable[[], Used]) -> Used:
    """Return the medians over a few runs."""
    runs = [make() for _ in range(REPEATS)]
    return Used(*(statistics.median(values) for values in zip(*runs, strict=True)))


def suite(folder: Path, target: str, cases: int, trials: int = 1) -> None:
    """Write a suite of `cases` cases with one check each."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "agent.py").write_text(AGENT)
    (folder / "suite.yaml").write_text(
        f'suite: bench\ntarget: {{python: "agent:{target}"}}\ntrials: {trials}\n'
        "cases: [cases.jsonl]\ndefaults: {expect: [{contains: hello}]}\n"
    )
    lines = [f'{{"id": "case-{n}", "input": {{"n": {n}}}}}\n' for n in range(cases)]
    (folder / "cases.jsonl").write_text("".join(lines))


def probare(folder: Path, concurrency: int) -> Used:
    """Run the suite in a folder with nothing printed but the summary."""
    shutil.rmtree(folder / "runs", ignore_errors=True)
    arguments = ["run", ".", "--no-table", "--concurrency", str(concurrency)]
    return measure([*PROBARE, *arguments], folder)


def bare(folder: Path, trials: int, concurrency: int, seconds: float) -> Used:
    """Run the bare loop."""
    for old in folder.glob("bare.*"):
        old.unlink()
    arguments = [str(trials), str(concurrency), str(seconds), str(folder / "bare")]
    return measure([sys.executable, str(HERE / "bare.py"), *arguments], folder)


def cost(root: Path) -> None:
    """CPU a trial over start-up, for a coroutine and for a plain function."""
    for target in ("instant", "instant_sync"):
        suite(root / "one", target, 1)
        suite(root / "many", target, 20_000)
        start = median(lambda: probare(root / "one", 10))
        whole = median(lambda: probare(root / "many", 10))
        loop = median(lambda: bare(root / "many", 20_000, 10, 0))
        empty = median(lambda: bare(root / "one", 1, 10, 0))
        ours = (whole.cpu - start.cpu) / 20_000 * 1e6
        theirs = (loop.cpu - empty.cpu) / 20_000 * 1e6
        print(
            f"cost     {target:<13} {ours:6.1f} µs of CPU a trial, bare loop {theirs:.1f}: "
            f"{ours / theirs:.1f} ×   (start-up {start.cpu:.2f} s)"
        )


def waiting(root: Path) -> None:
    """Share of the ideal time reached with an agent that waits 50 ms, from the first trial's
    start to the last one's end, as the run itself records it.
    """
    for trials, concurrency in ((2_000, 100), (20_000, 1_000)):
        folder = root / f"wait-{trials}"
        suite(folder, "waiting", 1, trials)
        ideal = trials / concurrency * 0.05
        ours = statistics.median(recorded_seconds(folder, concurrency) for _ in range(REPEATS))
        loop = median(lambda: bare(folder, trials, concurrency, 0.05)).wall  # noqa: B023
        loop -= median(lambda: bare(folder, 1, 1, 0.0)).wall  # noqa: B023
        print(
            f"waiting  {trials} x 50 ms at {concurrency}: {ours:.2f} s, ideal {ideal:.2f}: "
            f"{ideal / ours:.0%}   (bare loop {ideal / loop:.0%})"
        )


def recorded_seconds(folder: Path, concurrency: int) -> float:
    """Run the suite in a folder and return how long its trials took together."""
    probare(folder, concurrency)
    summary = next((folder / "runs").glob("*/summary.json"))
    return json.loads(summary.read_bytes())["duration_ms"] / 1000


def memory(root: Path) -> None:
    """Peak memory against the number of trials, and of cases."""
    peaks: dict[str, float] = {}
    for name, cases, trials in (
        ("1 case", 1, 1),
        ("1 case x 20,000 trials", 1, 20_000),
        ("20,000 cases", 20_000, 1),
    ):
        suite(root / "mem", "instant", cases, trials)
        peaks[name] = median(lambda: probare(root / "mem", 10)).memory
        print(f"memory   {name:<24} {peaks[name]:6.1f} MB")
    a_case = (peaks["20,000 cases"] - peaks["1 case"]) / 20_000 * 1024
    print(f"memory   {a_case:.2f} KB a case")


def startup(root: Path) -> None:
    """`probare --help` against an empty Python."""
    nothing = median(lambda: measure([sys.executable, "-c", "pass"], root))
    script = shutil.which("probare", path=str(Path(sys.executable).parent))
    command = [script] if script else PROBARE
    ours = median(lambda: measure([*command, "--help"], root))
    ratio = ours.wall / nothing.wall
    print(f"startup  {ours.wall * 1e3:.0f} ms, python {nothing.wall * 1e3:.0f}: {ratio:.1f} ×")


ALL = {"cost": cost, "waiting": waiting, "memory": memory, "startup": startup}


def main() -> None:
    """Run the named benchmarks, or all."""
    for name in sys.argv[1:] or ALL:
        root = Path(tempfile.mkdtemp(prefix="probare-bench-"))
        try:
            ALL[name](root)
        finally:
            shutil.rmtree(root)


if __name__ == "__main__":
    main()
