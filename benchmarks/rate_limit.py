"""500 trials against a chat model whose provider limits them: the wall time against the limit.

python rate_limit.py [TRIALS] [CONCURRENCY]

The server runs in a process of its own. Its own limit is the time in which its token bucket gives
out as many tokens as there are trials; for "every third", the time that the replies take where
none is refused.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import probare
from probare.testing.model_server import Fail, Rate, Say, model_server

SUITE = """\
suite: limited
target: {python: "agent:Asks"}
timeout: 5s
cases: [{id: hello, input: {}, expect: [{contains: hello}]}]
"""
AGENT = """\
from probare.ports.chat import ChatMessage, ChatRequest
from probare.providers import Models

class Asks:
    def __init__(self, model): self.models, self.model = Models(), model
    def tear_down(self): self.models.close()
    async def run(self, case, trial):
        message = ChatMessage(role="user", content="Say hello.")
        request = ChatRequest(model=self.model, messages=(message,), case=case.id, trial=trial)
        return (await self.models.complete(request)).text
"""
DELAY = 1.0
THIRD = (3, Fail(429, "slow down", retry_after=0))
SERVERS = {
    "no limit": lambda: model_server("hello"),
    "40 a second, whole seconds": lambda: model_server("hello", rate=Rate(40, 40)),
    "40 a second, a date": lambda: model_server("hello", rate=Rate(40, 40, "date")),
    "40 a second, exact, no burst": lambda: model_server("hello", rate=Rate(40, 4, "exact")),
    "40 a second and every third": lambda: model_server("hello", rate=Rate(40, 40), every=THIRD),
    "every third, 1 s a reply": lambda: model_server(Say("hello", delay=DELAY), every=THIRD),
}


def limit(name: str, trials: int, concurrency: int) -> float | None:
    """Return the server's own limit in seconds."""
    if name.startswith("40 a second"):
        return (trials - (4 if "no burst" in name else 40)) / 40
    return trials / concurrency * DELAY if name.startswith("every third") else None


def measured(name: str, trials: int, concurrency: int) -> str:
    """Run the trials; return what to print."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "suite.yaml").write_text(SUITE)
        (folder / "agent.py").write_text(AGENT)
        command = [sys.executable, __file__, "serve", name]
        pipe = subprocess.PIPE
        server = stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        model = f"openai-compatible:any@{url}"
        began = time.perf_counter()
        result = probare.run(
            folder, model=model, trials=trials, concurrency=concurrency, runs=folder / "runs"
        )
        took = time.perf_counter() - began
        counts, _ = server.communicate()
        statuses = {record.status for record in result.records()}
    own = limit(name, trials, concurrency)
    ratio = f"{own:6.1f} s  ratio {took / own:4.2f}" if own else "      -            "
    return f"{name:30} {took:6.1f} s  limit {ratio}  {counts.strip()}  {statuses}"


def serve(name: str) -> None:
    """Serve until standard input closes."""
    with SERVERS[name]() as server:
        print(server.url, flush=True)
        sys.stdin.read()
        print(f"{len(server.requests)} requests, {server.limited} refused", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    else:
        numbers = [int(text) for text in sys.argv[1:]]
        wanted = (*numbers, *(500, 50)[len(numbers) :])
        for each in SERVERS:
            print(measured(each, *wanted), flush=True)
