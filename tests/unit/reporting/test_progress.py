"""Progress: counts that add up, a live bar, plain lines, silence."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from probare.model.outcome import UsageTotal
from probare.model.record import TrialError
from probare.ports.progress import Progress
from probare.reporting.progress import Bar, Lines, Silent
from probare.reporting.tallying import Tallying

Build = dict[str, Callable[..., Any]]


def test_counts_and_time_left(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    tally = Tallying()
    tally.start(10, 2)
    assert tally.words() == "2/10  0 passed  0 failed  0 errored"
    assert tally.seconds_left() is None
    for status in ("passed", "failed", "errored", "needs_review"):
        tally.add(build["record"]("c", 0, status, usage=UsageTotal(cost_usd=0.25)))
    now = 108.0
    assert tally.seconds_left() == pytest.approx(8.0)
    assert tally.words() == ("6/10  1 passed  1 failed  1 errored  1 for people  $1.00  8.0 s left")


def test_a_cost_that_is_not_known_is_not_shown(build: Build) -> None:
    tally = Tallying()
    tally.start(1, 0)
    tally.add(build["record"]("c", 0, "passed", usage=UsageTotal(input_tokens=3)))
    assert "$" not in tally.words()


@pytest.mark.parametrize("kind", ["bar", "lines", "silent"])
def test_a_whole_run(build: Build, kind: str) -> None:
    console = Console(file=io.StringIO(), width=100, force_terminal=True, _environ={})
    stream = io.StringIO()
    tellers: dict[str, Progress] = {
        "bar": Bar(console), "lines": Lines(stream, every=60), "silent": Silent()
    }  # fmt: skip
    teller = tellers[kind]
    teller.started(3, 1)
    teller.ended(build["record"]("a", 0, "passed"))
    teller.ended(build["record"]("b", 0, "failed", build["verdict"]("fail")))
    teller.finished()
    assert isinstance(console.file, io.StringIO)
    drawn = console.file.getvalue()
    if kind == "bar":
        assert "3/3  1 passed  1 failed  0 errored" in drawn
    else:
        assert drawn == ""
    assert stream.getvalue() == (
        "failed: b trial 0: contains hello: what was found: fail\n"
        "3/3  1 passed  1 failed  0 errored\n"
        if kind == "lines"
        else ""
    )
    assert not [t for t in threading.enumerate() if t.name == "probare-progress"]


def test_failures_are_told_up_to_a_cap(build: Build) -> None:
    stream = io.StringIO()
    lines = Lines(stream, every=60)
    lines.started(100, 0)
    error = TrialError("ConnectError", "refused\x1b[2J\nsecond line")
    for trial in range(50):
        lines.ended(build["record"]("c", trial, "errored", error=error))
    lines.finished()
    told = stream.getvalue().splitlines()
    assert told[0] == "errored: c trial 0: ConnectError: refused\\x1b[2J second line"
    assert len(told) == 12
    assert told[10] == "… further failures are counted, not told one by one"
    assert told[11].startswith("50/100  0 passed  0 failed  50 errored")


def test_a_run_that_waits_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([float(n * 6) for n in range(1000)])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    stream = _Waiting("nothing ended for")
    lines = Lines(stream, every=0.001)
    lines.started(4, 1)
    assert stream.seen.wait(10)
    monkeypatch.undo()
    lines.finished()
    assert "3 trials to go" in stream.getvalue()


class _Waiting(io.StringIO):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen = threading.Event()
        self._text = text

    def write(self, s: str, /) -> int:
        if self._text in s:
            self.seen.set()
        return super().write(s)


class _Gone(io.StringIO):
    def write(self, s: str, /) -> int:
        raise BrokenPipeError


def test_a_reader_that_went_away_does_not_end_the_run(build: Build) -> None:
    lines = Lines(_Gone(), every=60)
    lines.started(2, 0)
    lines.ended(build["record"]("c", 0, "failed"))
    lines.finished()


def test_an_empty_run_draws(build: Build) -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, _environ={})
    bar = Bar(console)
    bar.started(0, 0)
    bar.finished()
    assert isinstance(console.file, io.StringIO)
    assert "0/0" in console.file.getvalue()
