"""What a server or a command echoes of its secrets stays out of the run; a masked run regrades to
the verdicts it had.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

TOKEN = "tokenOfTheHeader-778899"
LITERAL = "literal-header-value-445566"
VARIABLE = "variable-of-the-child-112233"
CANARIES = (TOKEN, LITERAL, VARIABLE)


class _Echo(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        echoed = dict(self.headers.items())
        half = len(TOKEN) // 2
        if self.path == "/error":
            body = json.dumps({"error": echoed}).encode()
        else:
            pieces = [
                {"event": {"kind": "message", "role": "assistant", "content": piece}}
                for piece in (TOKEN[:half], TOKEN[half:], *LITERAL)
            ]
            events = [*pieces, {"output": {"headers": echoed, "list": list(map(str, echoed))}}]
            body = "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()
        self.send_response(418 if self.path == "/error" else 200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Set-Cookie", f"sid={LITERAL}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base names it so
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}"
        listening.shutdown()
        thread.join()


def texts(folder: Path) -> str:
    return "\n".join(path.read_text() for path in folder.rglob("*") if path.is_file())


def streamed(folder: Path) -> str:
    line = (folder / "transcripts.jsonl").read_text().splitlines()[0]
    events = json.loads(line).get("events", [])
    return "".join(event["content"] for event in events if event["kind"] == "message")


@pytest.mark.parametrize("path", ["/echo", "/error"])
def test_headers_that_a_server_echoes(
    probare: Callable[..., Any],
    write_suite: Any,
    only_run: Callable[[], Path],
    server: str,
    path: str,
) -> None:
    write_suite(
        f"""
suite: http
target:
  http: "{server}{path}"
  headers: {{Authorization: "Bearer ${{HELP_TOKEN}}", X-Session-Secret: {LITERAL}}}
cases: [{{id: a, input: x, expect: [contains: nothing]}}]
"""
    )
    result = probare("run", "demo", env={"HELP_TOKEN": TOKEN})
    assert result.code in (1, 3), result
    run = only_run()
    whole = texts(run) + result.out + result.err
    assert not [canary for canary in CANARIES if canary in whole]
    if path == "/echo":
        assert not [canary for canary in CANARIES if canary in streamed(run)]
        assert "[secret:HELP_TOKEN#" in streamed(run)
        assert "[secret:X-Session-Secret#" in streamed(run)
        assert "Bearer [secret:HELP_TOKEN#" in (run / "transcripts.jsonl").read_text()


COMMAND = """
import json, os, sys
sys.stdin.read()
value = os.environ["CHILD_TOKEN"]
print(value, file=sys.stderr)
print("noise with " + value)
for piece in (value[:9], value[9:]):
    print(json.dumps({"event": {"kind": "message", "role": "assistant", "content": piece}}))
if "crash" in sys.argv:
    sys.exit("gave up with " + value)
print(json.dumps({"output": dict(os.environ)}))
"""


@pytest.mark.parametrize("more", ["", ", crash"])
def test_variables_that_a_command_prints(
    probare: Callable[..., Any],
    write_suite: Any,
    only_run: Callable[[], Path],
    more: str,
) -> None:
    write_suite(
        f"""
suite: command
target: {{command: [python3, tool.py{more}], env: {{CHILD_TOKEN: {VARIABLE}}}}}
cases: [{{id: a, input: x, expect: [contains: nothing]}}]
""",
        tool__py=COMMAND,
    )
    result = probare("run", "demo", env={"PARENT_PASSWORD": LITERAL})
    assert result.code in (1, 3), result
    run = only_run()
    whole = texts(run) + result.out + result.err
    assert not [canary for canary in CANARIES if canary in whole]
    assert VARIABLE not in streamed(run)
    assert "[secret:CHILD_TOKEN#" in streamed(run)


AGENT = """
import asyncio, base64

def leaky(input, recorder):
    @recorder.tool
    def look(who):
        return "found"
    look(base64.b64encode(("about " + input["who"]).encode()).decode())
    look({"first": input["who"].split()[0], "last": input["who"].split()[1]})
    return {"text": "done, " + input["who"].upper() + " was looked up", "id": 521449083}

def careful(input, recorder):
    @recorder.tool
    def look(who):
        return "found"
    look("a patient")
    for piece in ("Avery", "Quillfeather"):
        recorder.message("assistant", piece)
    return {"text": "done, looked up"}
"""

SUITE = """
suite: regraded
privacy: {mask: true}
target: {python: "agent:leaky"}
targets: {careful: {python: "agent:careful"}}
cases:
  - id: a
    planted: {name: Avery Quillfeather, ssn: 521-44-9083}
    input: {who: Avery Quillfeather}
    expect:
      - contains: done
      - contains: looked up
    forbid:
      - {planted_leak: {where: [tools]}, label: in tools}
      - {planted_leak: {where: [output]}, label: in the output}
      - {planted_leak: {where: [messages]}, label: in messages}
      - {contains: avery quillfeather, label: named}
"""


@pytest.mark.parametrize(
    ("target", "results"),
    [
        (None, ["pass", "pass", "fail", "fail", "unknown", "fail"]),
        ("careful", ["pass", "pass", "pass", "pass", "unknown", "pass"]),
    ],
)
def test_a_masked_run_regrades_to_its_verdicts(
    probare: Callable[..., Any],
    write_suite: Any,
    tmp_path: Path,
    target: str | None,
    results: list[str],
) -> None:
    write_suite(SUITE, AGENT)
    chosen = ["--target", target] if target else []
    first = probare("run", "demo", *chosen)
    (run,) = (tmp_path / "runs").iterdir()
    again = probare("regrade", run)
    (new,) = set((tmp_path / "runs").iterdir()) - {run}
    with_suite = probare("regrade", run, "--suite", "demo", "--runs", "more")
    (newest,) = (tmp_path / "more").iterdir()
    assert first.code == again.code == with_suite.code
    for folder in (run, new, newest):
        record = json.loads((folder / "trials.jsonl").read_text())
        assert [verdict["result"] for verdict in record["verdicts"]] == results
        output = json.loads((folder / "transcripts.jsonl").read_text())["outcome"]["output"]
        for verdict in record["verdicts"]:
            for span in verdict.get("spans", []):
                hit = output["text"][span["start"] : span["end"]]
                assert hit in ("done", "looked up", "[planted:name]"), (verdict, hit)
        whole = texts(folder)
        assert "Quillfeather" not in whole
        assert "QUILLFEATHER" not in whole
        assert "521449083" not in whole
    for summary in (new, newest):
        diff = probare("diff", run, summary, "--json").json
        assert (diff["changed"], diff["added"], diff["removed"]) == ([], [], [])
    assert probare("verify", run).code == 0


def test_a_plan_of_a_masked_suite_holds_the_run_and_tells_nothing(
    probare: Callable[..., Any], write_suite: Any, only_run: Callable[[], Path], tmp_path: Path
) -> None:
    suite = write_suite(SUITE, AGENT)
    assert probare("keygen").code == 0
    assert probare("plan", "demo", "--key", "probare.key", "--out", "first.json").code == 0
    written = (suite / "suite.yaml").read_text().replace("521-44-9083", "987-65-4329")
    (suite / "suite.yaml").write_text(written)
    assert probare("plan", "demo", "--key", "probare.key", "--out", "second.json").code == 0
    assert facts(tmp_path / "first.json") == facts(tmp_path / "second.json")
    result = probare("run", "demo", "--plan", "first.json", "--key", "probare.key")
    assert result.code == 1, result
    verified = probare("verify", only_run(), "--key", "probare.pub")
    assert verified.code == 0, verified
    assert "kept to the plan" in verified.out


def facts(plan: Path) -> Any:
    """Return what a plan says, without when it was made."""
    statement = json.loads(base64.b64decode(json.loads(plan.read_text())["payload"]))
    return {**statement["predicate"], "created": None}
