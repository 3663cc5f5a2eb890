"""The agent behind HTTP: what it streams, what it refuses, and that it stops."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
serving = usercode.load("server:serving", FOLDER)
ClinicalAgent = usercode.load("agent:ClinicalAgent", FOLDER)
SEND = {"tool": "send_record", "arguments": {"record": "visit-note", "recipient": "eye"}}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def streamed(url: str, **body: Any) -> list[dict[str, Any]]:
    """Return the data of each event of the stream; an error's under its own key."""
    reply = httpx.post(url, json=body, timeout=20)
    assert reply.headers["content-type"] == "text/event-stream"
    lines = [line for line in reply.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def test_events_come_in_order_and_the_output_last(url: str) -> None:
    *events, last = streamed(url, input={"query": "first treatment of asthma"})
    kinds = [item["event"]["kind"] for item in events]
    assert kinds == ["note", "decision", "retrieval"]
    assert events[2]["event"]["documents"]
    assert last["output"]["status"] == "complete"


def test_files_lie_in_the_workspace_of_the_body(url: str, tmp_path: Path) -> None:
    request = {"query": "asthma", "summary": "visit.md"}
    *_, last = streamed(url, input=request, workspace=str(tmp_path))
    assert last["output"]["status"] == "complete"
    assert sorted(path.name for path in (tmp_path / "artifacts").iterdir()) == [
        "manifest.json",
        "visit.md",
    ]


def test_an_error_is_said_in_the_stream(url: str) -> None:
    assert streamed(url, input={"policy": "none"}) == [
        {"error": "PolicyInvalid: there is no policy 'none' for rules (there are "
         "['healthcare_minimum'])"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"input": 3}', b'{"input": {}, "workspace": "/no/such/folder"}'],
)
def test_what_is_no_request_is_refused(url: str, content: bytes) -> None:
    assert httpx.post(url, content=content).status_code == 400


def test_a_client_that_goes_away_ends_its_run() -> None:
    over = threading.Event()

    class Watched(ClinicalAgent):
        async def run(self, *args: Any, **kwargs: Any) -> Any:
            try:
                return await super().run(*args, **kwargs)
            finally:
                over.set()

    waiting = {"plan": [SEND], "approver": {"answer": "never"}}
    with serving(agent=Watched()) as address:
        with httpx.stream("POST", address, json={"input": waiting}, timeout=20) as reply:
            line = next(text for text in reply.iter_lines() if "requested" in text)
            assert json.loads(line.removeprefix("data: "))["event"]["kind"] == "approval"
            assert not over.is_set()
        assert over.wait(20)


def test_a_server_that_stops_ends_what_still_runs(tmp_path: Path) -> None:
    waiting = {"plan": [SEND], "approver": {"answer": "never"}}
    body = {"input": waiting, "workspace": str(tmp_path)}
    with serving() as address:
        stream = httpx.stream("POST", address, json=body, timeout=20)
        reply = stream.__enter__()
        assert any("requested" in text for text in reply.iter_lines())
    stream.__exit__(None, None, None)
    assert (tmp_path / "state" / "pending.json").is_file()
