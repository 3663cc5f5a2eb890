"""The model server: what it says, how it misbehaves, what it remembers."""

from __future__ import annotations

import json
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest

from probare.testing.model_server import Asked, Fail, ModelServer, Rate, Raw, Say, model_server


def post(server: ModelServer, **body: Any) -> httpx.Response:
    asked = {"model": "m", "messages": [{"role": "user", "content": "one two"}], **body}
    headers = {"Authorization": "Bearer k"}
    return httpx.post(f"{server.url}/chat/completions", json=asked, headers=headers, timeout=5)


def events(response: httpx.Response) -> list[Any]:
    data = [line[6:] for line in response.text.splitlines() if line.startswith("data: ")]
    assert data.pop() == "[DONE]"
    return [json.loads(item) for item in data]


def test_answers_come_in_order_and_the_last_again_and_again() -> None:
    with model_server("a", lambda asked: f"b{asked.number}") as server:
        texts = [post(server).json()["choices"][0]["message"]["content"] for _ in range(3)]
    assert texts == ["a", "b2", "b3"]
    asked = server.requests[0]
    assert (asked.last, asked.headers["authorization"], asked.schema) == (
        "one two",
        "Bearer k",
        None,
    )


def test_it_says_hello_where_nothing_was_given() -> None:
    with model_server() as server:
        answer = post(server).json()
    assert answer["choices"][0] == {
        "index": 0,
        "message": {"role": "assistant", "content": "Hello.", "refusal": None},
        "finish_reason": "stop",
    }
    assert answer["usage"] == {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}


def test_a_stream_joins_to_the_whole() -> None:
    said = Say("One two three", tool_calls=(("f", {"a": 1}),), refusal="no", cached_tokens=1)
    with model_server(said) as server:
        found = events(post(server, stream=True, stream_options={"include_usage": True}))
    deltas = [event["choices"][0]["delta"] for event in found if event["choices"]]
    assert "".join(delta.get("content", "") for delta in deltas) == "One two three"
    calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
    assert "".join(call["function"]["arguments"] for call in calls) == '{"a": 1}'
    assert [delta["refusal"] for delta in deltas if "refusal" in delta] == ["no"]
    assert found[-2]["choices"][0]["finish_reason"] == "tool_calls"
    assert found[-1]["usage"]["prompt_tokens_details"] == {"cached_tokens": 1}


def test_a_stream_has_usage_only_where_it_is_asked_for() -> None:
    with model_server("a") as server:
        assert all("usage" not in event for event in events(post(server, stream=True)))


def test_a_cut_stream_has_no_finish() -> None:
    cut = model_server(Say("One two", ends="cut"))
    with cut as server, pytest.raises(httpx.RemoteProtocolError):
        post(server, stream=True)


def test_both_forms_of_retry_after() -> None:
    soon = Fail(429, retry_after=2)
    with model_server(soon, Fail(429, retry_after=2, as_date=True), Fail(500)) as server:
        seconds, date, plain = [post(server) for _ in range(3)]
    assert [answer.status_code for answer in (seconds, date, plain)] == [429, 429, 500]
    assert seconds.headers["retry-after"] == "2"
    named = parsedate_to_datetime(date.headers["retry-after"]).timestamp()
    assert abs(named - time.time() - 2) < 2.5
    assert "retry-after" not in plain.headers
    assert plain.json()["error"]["message"] == "not now"


def test_raw_bodies_and_finishes_stand_as_they_are() -> None:
    with model_server(Raw("{oops"), Say("x", finish="length", usage={"total": "?"})) as server:
        assert post(server).text == "{oops"
        odd = post(server).json()
    assert (odd["choices"][0]["finish_reason"], odd["usage"]) == ("length", {"total": "?"})


@pytest.mark.parametrize(
    ("header", "value"),
    [("seconds", r"[1-5]"), ("exact", r"[0-4]\.[0-9]+"), ("none", ""), ("date", r".* GMT")],
)
def test_it_may_be_asked_so_fast_and_no_faster(header: Any, value: str) -> None:
    with model_server("a", rate=Rate(0.2, burst=1, header=header)) as server:
        good, limited = post(server), post(server)
    assert (good.status_code, limited.status_code, server.limited) == (200, 429, 1)
    assert re.fullmatch(value, limited.headers.get("retry-after", ""))


def test_its_bucket_fills_again() -> None:
    with model_server("a", rate=Rate(50, burst=1)) as server:
        assert post(server).status_code == 200
        time.sleep(0.1)
        assert post(server).status_code == 200


def test_every_third_is_refused() -> None:
    with model_server("a", every=(3, Fail(429))) as server:
        statuses = [post(server).status_code for _ in range(6)]
    assert statuses == [200, 200, 429] * 2


@pytest.mark.parametrize("form", ["json_schema", "json_object"])
def test_the_schema_that_was_asked_for(form: str) -> None:
    def answer(asked: Asked) -> str:
        return json.dumps(asked.schema)

    schema = {"type": "object"}
    held = {"json_schema": {"schema": schema}} if form == "json_schema" else {"schema": schema}
    with model_server(answer) as server:
        whole = post(server, response_format={"type": form, **held}).json()
    assert json.loads(whole["choices"][0]["message"]["content"]) == schema


def test_it_stops_with_its_block() -> None:
    with model_server() as server:
        assert server.environment["OPENAI_BASE_URL"] == server.url
    with pytest.raises(httpx.ConnectError):
        post(server)
