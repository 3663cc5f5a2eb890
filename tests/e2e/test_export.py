"""`--export otlp`: verdicts go to people's tracing, and never change a decision."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from probare.testing.servers import Reply, serving

SUITE = """
suite: s
target: {python: "agent:say"}
cases:
  - {id: good, input: a, expect: [{contains: hello}]}
  - {id: bad, input: b, expect: [{contains: bye}]}
"""
AGENT = "def say(input):\n    return 'hello'\n"


@pytest.fixture
def suite(write_suite: Any) -> Path:
    return write_suite(SUITE, AGENT)


def test_verdicts_are_sent_and_the_decision_stands(
    probare: Any, suite: Path, only_run: Any
) -> None:
    with serving(Reply()) as server:
        done = probare("run", suite, "--export", f"otlp={server.url}")
        assert done.code == 1
        assert "exported 2 verdicts" in done.err
        sent = b"".join(asked.body for asked in server.requests)
        again = probare("report", only_run(), "--export", f"otlp={server.url}")
        assert again.code == 0
    assert b"gen_ai.evaluation.result" in sent
    assert b"contains: hello" in sent


def test_a_tracing_that_is_down_changes_nothing_and_is_told(probare: Any, suite: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = probare("run", suite, "--case", "good", "--export", f"otlp=http://127.0.0.1:{port}")
    assert done.code == 0
    assert "WARNING: the export failed" in done.err


def test_an_unknown_export_is_refused_before_anything_runs(
    probare: Any, suite: Path, tmp_path: Path
) -> None:
    done = probare("run", suite, "--export", "otpl")
    assert done.code == 2
    assert "otlp" in done.err
    assert not (tmp_path / "runs").exists()
