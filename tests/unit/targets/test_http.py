import asyncio
import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import UNSET

from probare.errors import InfraError, InputError, LimitReached, TargetError
from probare.model.case import Case
from probare.model.event import ToolCall, Usage
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall
from probare.targets.answer import CUT_MARK
from probare.targets.http import HTTP, HttpSettings, HttpTarget
from probare.targets.tape import Tape
from probare.testing.servers import Received, Reply, serving

T = TypeVar("T")


class Nobody:
    async def call(self, function: Callable[[], T]) -> T:
        raise AssertionError("http needs no thread")


def target_of(url: str, config: dict[str, Any] | None = None, **more: Any) -> Any:
    spec = TargetSpec(name="t", kind="http", config=config or {})
    return HTTP.build(spec, msgspec.convert({"http": url, **more}, HttpSettings))


def call_of(case: Case) -> TrialCall:
    return TrialCall(case=case, trial=1, attempt=1, seed=5, timeout=30.0)


CASE = Case(id="c", input={"q": "hi", "n": [1, 2]}, reference="secret")


async def trial(target: HttpTarget, case: Case = CASE, **services: Any) -> Tape:
    await target.open(Services(executor=Nobody(), folder=Path(), **services))
    tape = target.recorder()
    assert isinstance(tape, Tape)
    try:
        await target.run(call_of(case), tape)
    except Exception as error:
        error.tape = tape  # pyright: ignore[reportAttributeAccessIssue]
        raise
    finally:
        await target.close()
    return tape


def asked(reply: Reply | Callable[[Received], Reply], **more: Any) -> Tape:
    with serving(reply) as server:
        return asyncio.run(trial(target_of(server.url, **more)))


def failed(error_type: type[Exception], *replies: Reply, **more: Any) -> Any:
    services = {key: more.pop(key) for key in ("max_output",) if key in more}
    with serving(*replies) as server, pytest.raises(error_type) as caught:
        asyncio.run(trial(target_of(server.url, **more), **services))
    return caught.value


def test_what_the_agent_is_told() -> None:
    with serving(Reply.of({"output": "hi"})) as server:
        target = target_of(server.url + "ask", {"tone": "kind"}, headers={"authorization": "k"})
        tape = asyncio.run(trial(target, model="m"))
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/ask")
    assert request.value == {
        "input": {"q": "hi", "n": [1, 2]},
        "case": "c",
        "trial": 1,
        "seed": 5,
        "config": {"tone": "kind"},
        "model": "m",
        "workspace": None,
    }
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert headers["authorization"] == "k"
    assert headers["content-type"] == "application/json"
    assert tape.outcome.output == "hi"
    assert tape.observes == ()
    assert tape.first_token_ms is None


def test_a_body_of_ones_own() -> None:
    body = {"messages": [{"role": "user", "content": "$input.q"}], "n": "$input.n[1]", "x": "$$y"}
    with serving(Reply.of("ok")) as server:
        headers = {"content-TYPE": "application/vnd.x+json"}
        target = target_of(server.url, body=body, method="PUT", headers=headers)
        asyncio.run(trial(target))
    (request,) = server.requests
    assert request.method == "PUT"
    assert request.value == {"messages": [{"role": "user", "content": "hi"}], "n": 2, "x": "$y"}
    types = [v for k, v in request.headers.items() if k.lower() == "content-type"]
    assert types == ["application/vnd.x+json"]


def test_an_input_that_lacks_what_the_body_names_asks_nothing() -> None:
    with serving(Reply.of("ok")) as server, pytest.raises(InfraError, match="cannot be made"):
        asyncio.run(trial(target_of(server.url, body="$input.absent")))
    assert server.requests == []


def test_a_chat_completion() -> None:
    reply = {
        "choices": [{"message": {"content": "hello"}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2},
    }
    tape = asked(Reply.of(reply), output="choices[0].message.content")
    assert tape.outcome.output == "hello"
    (usage,) = tape.events
    assert isinstance(usage, Usage)
    assert (usage.input_tokens, usage.source) == (10, "claimed")


@pytest.mark.parametrize(
    "reply",
    [
        Reply.sse({"event": {"kind": "tool_call", "name": "x"}}, {"piece": "a"}, "b", "[DONE]"),
        Reply.jsonl({"event": {"kind": "tool_call", "name": "x"}}, {"piece": "a"}, {"text": "b"}),
    ],
)
def test_streams(reply: Reply) -> None:
    tape = asked(reply)
    assert tape.outcome.output == "ab"
    assert not tape.outcome.truncated
    assert tape.first_token_ms is not None
    (call,) = tape.events
    assert isinstance(call, ToolCall)
    assert call.source == "claimed"


def test_a_stream_may_be_declared() -> None:
    reply = Reply.text('{"piece": "a"}\n', "application/octet-stream")
    assert asked(reply, stream="jsonl").outcome.output == "a"
    reply = Reply.sse({"a": 1})
    assert "not JSON" in failed(TargetError, reply, stream="none").message


def test_nothing_is_awaited_after_the_mark_of_the_end() -> None:
    tape = asked(Reply.sse("a", "[DONE]", ends="never"))
    assert tape.outcome.output == "a"


def test_bytes_that_come_one_by_one() -> None:
    whole = Reply.sse({"piece": "h\u00e9"}, "[DONE]")
    data = b"".join(whole.chunks).replace(b"h\\u00e9", "hé".encode())
    pieces = [data[i : i + 1] for i in range(len(data))]
    tape = asked(msgspec.structs.replace(whole, chunks=pieces))
    assert tape.outcome.output == "hé"


@pytest.mark.parametrize("ends", ["cut", "reset"])
@pytest.mark.parametrize("kind", [Reply.sse, Reply.jsonl])
def test_a_stream_that_breaks_is_truncated(ends: str, kind: Callable[..., Reply]) -> None:
    error = failed(InfraError, kind({"piece": "once"}, {"piece": " upon"}, ends=ends, delay=0.02))
    assert error.retryable
    assert "broke off" in error.message
    assert error.tape.outcome.output == "once upon" + CUT_MARK
    assert error.tape.outcome.truncated


def test_a_break_after_the_output_is_a_break() -> None:
    error = failed(InfraError, Reply.jsonl({"output": 1}, ends="cut"))
    assert error.tape.outcome.output == 1
    assert error.tape.outcome.truncated


def test_a_stream_must_end_as_it_was_declared() -> None:
    reply = Reply.sse("a", ends="unmarked")
    assert asked(reply).outcome.output == "a"
    error = failed(InfraError, reply, done="[DONE]")
    assert "before its end was marked" in error.message
    assert error.tape.outcome.truncated


def test_a_stream_of_nothing() -> None:
    said = failed(TargetError, Reply.sse({"event": {"kind": "note", "text": "t"}})).message
    assert "without an output" in said


def test_a_document_that_breaks() -> None:
    error = failed(InfraError, Reply.of({"output": "hi"}, ends="cut"))
    assert "broke off" in error.message
    assert error.retryable
    assert error.tape.outcome.truncated


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
def test_statuses_that_may_pass(status: int) -> None:
    error = failed(InfraError, Reply(status, (b"busy\nnow",), {"Retry-After": "7"}))
    assert error.retryable
    assert error.retry_after == 7.0
    assert f"answered {status}" in error.message
    assert error.message.endswith(": busy now")
    assert error.tape.outcome.output is UNSET


def test_a_date_to_wait_for_and_none() -> None:
    past = {"Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"}
    assert failed(InfraError, Reply(503, headers=past)).retry_after == 0.0
    assert failed(InfraError, Reply(503, headers={"Retry-After": "soon"})).retry_after is None


@pytest.mark.parametrize("status", [300, 304, 400, 401, 403, 404, 405, 409, 418, 422])
def test_statuses_that_say_nothing_of_the_agent(status: int) -> None:
    body = () if status == 304 else (b'{"output": "looks like an answer"}',)
    error = failed(InfraError, Reply(status, body, {"Content-Type": "application/json"}))
    assert not error.retryable
    assert error.tape.outcome.output is UNSET
    if status == 401:
        assert "credentials" in error.hint


def test_the_body_of_a_refusal_is_cut_and_not_awaited() -> None:
    error = failed(InfraError, Reply(500, (b"x" * 5_000,), ends="never"))
    assert error.message.endswith("x" * 300)
    assert len(error.message) < 400


def test_no_content() -> None:
    assert "the reply is empty" in failed(TargetError, Reply(204)).message


def test_redirects_within_the_origin_keep_the_question() -> None:
    there = Reply(307, headers={"Location": "/there"})
    with serving(there, Reply.of({"output": 1})) as server:
        assert asyncio.run(trial(target_of(server.url))).outcome.output == 1
    assert [request.path for request in server.requests] == ["/", "/there"]
    assert server.requests[0].body == server.requests[1].body


def test_redirects_to_elsewhere_are_not_followed() -> None:
    with serving(Reply.of({"output": "stolen"})) as other:
        for status, place in ((307, other.url), (302, "/there"), (308, "http://[bad")):
            error = failed(InfraError, Reply(status, headers={"Location": place}))
            assert not error.retryable
            assert "final address" in error.hint
    assert other.requests == []


def test_redirects_in_a_circle() -> None:
    error = failed(InfraError, Reply(308, headers={"Location": "/"}))
    assert "in a circle" in error.message
    assert not error.retryable


def test_cookies_do_not_join_trials() -> None:
    with serving(Reply.of("ok", headers={"Set-Cookie": "session=1; Path=/"})) as server:
        target = target_of(server.url)

        async def twice() -> None:
            await target.open(Services(executor=Nobody(), folder=Path()))
            for _ in range(2):
                await target.run(call_of(CASE), target.recorder())
            await target.close()

        asyncio.run(twice())
    assert len(server.requests) == 2
    assert not any("cookie" in map(str.lower, r.headers) for r in server.requests)


def test_loopback_needs_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert asked(Reply.of({"output": 1})).outcome.output == 1


def test_nobody_there() -> None:
    with serving(Reply()) as server:
        pass
    with pytest.raises(InfraError, match="gave no answer") as caught:
        asyncio.run(trial(target_of(server.url)))
    assert caught.value.retryable
    assert "running" in caught.value.hint


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_compressed_reply_that_nobody_asked_for(coding: str) -> None:
    packed = (gzip if coding == "gzip" else zlib).compress(b'{"output": "hi"}')
    headers = {"Content-Encoding": coding}
    reply = Reply.text(packed, "application/json", headers=headers)
    assert asked(reply).outcome.output == "hi"
    half = Reply.text(packed[:-6], "application/json", headers=headers)
    assert "broke off" in failed(InfraError, half).message
    odd = Reply.text(b"{}", "application/json", headers={"Content-Encoding": "br"})
    assert "compressed as br" in failed(InfraError, odd).message
    bad = Reply.text(b"{}", "application/json", headers=headers)
    assert "compression is damaged" in failed(InfraError, bad).message


@pytest.mark.parametrize(
    "reply",
    [
        Reply.text("x" * 5_000),
        Reply.text(gzip.compress(b"x" * 3_000_000), headers={"Content-Encoding": "gzip"}),
        Reply.sse(*["x" * 100] * 50),
        Reply.jsonl(*[{"piece": "x" * 100}] * 50),
        Reply(chunks=[b"x" * 1000] * 10_000),
    ],
)
def test_floods_are_cut_at_the_limit(reply: Reply) -> None:
    error = failed(LimitReached, reply, max_output=1_000)
    assert "1,000 bytes" in error.message
    output = error.tape.outcome.output
    assert output.endswith("x" + CUT_MARK)
    assert len(output) <= 1_000 + len(CUT_MARK)
    assert error.tape.outcome.truncated


def test_a_cancelled_stream_keeps_what_came() -> None:
    async def cancelled(url: str) -> Tape:
        target = target_of(url)
        await target.open(Services(executor=Nobody(), folder=Path()))
        tape = Tape()
        task = asyncio.create_task(target.run(call_of(CASE), tape))
        while tape.first_token_ms is None:
            await asyncio.sleep(0.01)
            assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await target.close()
        return tape

    with serving(Reply.sse("once", ends="never")) as server:
        tape = asyncio.run(cancelled(server.url))
    assert tape.outcome.output == "once" + CUT_MARK
    assert tape.outcome.truncated


def test_many_at_once() -> None:
    def echo(request: Received) -> Reply:
        return Reply.of({"output": request.value["input"]})

    async def all_of_them(url: str) -> list[Any]:
        target = target_of(url)
        await target.open(Services(executor=Nobody(), folder=Path()))

        async def one(number: int) -> Any:
            tape = Tape()
            await target.run(call_of(Case(id="c", input=number)), tape)
            return tape.outcome.output

        outputs = await asyncio.gather(*(one(number) for number in range(60)))
        await target.close()
        return outputs

    with serving(echo) as server:
        assert asyncio.run(all_of_them(server.url)) == list(range(60))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"http": "example.org/x"}, "not one of HTTP"),
        ({"http": "ftp://example.org"}, "not one of HTTP"),
        ({"http": "http://"}, "not one of HTTP"),
        ({"http": "http://example.org:99999"}, "not one of HTTP"),
        ({"headers": {"X-Key": "k\n"}}, "line break"),
        ({"headers": {"X-Key": "clé"}}, "a header of the target cannot be"),
        ({"body": {"a": "$inputs"}}, "did you mean 'input'"),
        ({"body": "$config.tone"}, "no key 'tone'"),
        ({"output": "a..b"}, "not a path"),
        ({"piece": "a b"}, "not a path"),
        ({"verify": "no-such-file.pem"}, "file of authorities"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], said: str) -> None:
    url = settings.pop("http", "http://127.0.0.1:9/")
    with pytest.raises(InputError, match=said):
        asyncio.run(trial(target_of(url, **settings)))
