"""What the harness costs, as whole processes: CPU, wall time, peak memory. See README.md."""

from __future__ import annotations

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

async def waiting(root: Path) -> None:
    """Share of the ideal time reached with an agent that waits 50 ms."""
    suite(root / "one", "waiting", 1)
    start = median(lambda: probare(root / "one", 1)).wall - 0.05
    for trials, concurrency in ((2_000, 100), (20_000, 1_000)):
        _waiting(root / f"wait-{trials}", trials, concurrency, start)


def _waiting(folder: Path, trials: int, concurrency: int, start: float) -> None:
    suite(folder, "waiting", trials)
    ideal = trials / concurrency * 0.05
    ours = median(lambda: probare(folder, concurrency)).wall - start
    loop = median(lambda: bare(folder, trials, concurrency, 0.05)).wall
    loop -= median(lambda: bare(folder, 1, 1, 0.0)).wall
    print(
        f"waiting  {trials} x 50 ms at {concurrency}: {ours:.2f} s over start-up, ideal "
        f"{ideal:.2f}: {ideal / ours:.0%}   (bare loop {ideal / loop:.0%})"
    )


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
