"""Suites around real agents of three frameworks, run as a user runs them.

The conversation is the same for all: the user asks for the weather in Paris, the model calls
`get_weather`, and says what it found. The agents (`agents/`) know nothing of Probare.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.model.event import Event
from probare.model.outcome import Transcript
from probare.testing.model_server import Asked, Say, model_server

AGENTS = Path(__file__).with_name("agents")
QUESTION = "What is the weather in Paris?"


class Ran(msgspec.Struct, frozen=True):
    """What a run of one suite left: its transcript, the verdicts by label, what was printed."""

    transcript: Transcript
    verdicts: dict[str, dict[str, Any]]
    said: str

    @property
    def events(self) -> tuple[Event, ...]:
        return self.transcript.events

    def result(self, label: str) -> str:
        return self.verdicts[label]["result"]


def _answer(asked: Asked) -> Say:
    if any(message["role"] == "tool" for message in asked.messages):
        return Say("It is sunny in Paris.", cached_tokens=0)
    return Say(tool_calls=(("get_weather", {"city": "Paris"}),))


Suite = Callable[..., Ran]


@pytest.fixture
def run_suite(tmp_path: Path) -> Suite:
    """Run a suite of one case: `run_suite(target, expect=…, forbid=…, HIDE="1")`."""

    def run(
        target: dict[str, Any],
        *,
        expect: list[Any] | None = None,
        forbid: list[Any] | None = None,
        **environment: str,
    ) -> Ran:
        case = {"id": "weather", "input": QUESTION}
        case |= {"expect": expect or [{"contains": "sunny"}], "forbid": forbid or []}
        suite = {"suite": "weather", "target": target, "timeout": "120s", "cases": [case]}
        (tmp_path / "suite.json").write_text(json.dumps(suite))
        for file in AGENTS.iterdir():
            if file.suffix == ".py":
                shutil.copy(file, tmp_path)
        with model_server(_answer) as server:
            done = subprocess.run(
                [sys.executable, "-m", "probare", "run", "suite.json", "--no-table"],
                cwd=tmp_path,
                env={**os.environ, "MODEL_URL": server.url, **environment},
                capture_output=True,
                text=True,
                timeout=240,
                check=False,
            )
        said = done.stdout + done.stderr
        assert done.returncode in (0, 1, 3), said
        (folder,) = (tmp_path / "runs").iterdir()
        record = json.loads((folder / "trials.jsonl").read_text())
        line = (folder / "transcripts.jsonl").read_bytes()
        transcript = msgspec.json.decode(line, type=Transcript)
        assert record["stop"] == "completed" or "BREAK" in environment, record
        verdicts = {verdict["label"]: verdict for verdict in record["verdicts"]}
        return Ran(transcript, verdicts, said)

    return run


@pytest.fixture
def served() -> Any:
    """Serve the agent, its spans going to a free port, as long as a `with` block lasts."""

    @contextlib.contextmanager
    def serve() -> Generator[tuple[str, int]]:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = int(probe.getsockname()[1])
        process = subprocess.Popen(
            [sys.executable, str(AGENTS / "server.py"), str(port)],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/", port
        finally:
            process.kill()
            process.communicate()

    return serve
