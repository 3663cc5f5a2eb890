import httpx
import pytest

from probare.testing.servers import Reply, serving

TIMEOUT = httpx.Timeout(10)


def ask(url: str, **more: object) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=TIMEOUT) as client:
        return client.post(url, json=more)


def test_answers_come_in_order_and_the_last_stays() -> None:
    with serving(Reply(503, headers={"Retry-After": "0"}), Reply.of({"a": 1})) as server:
        first, second, third = (ask(server.url + "x", n=n) for n in range(3))
    assert (first.status_code, first.headers["retry-after"]) == (503, "0")
    assert second.json() == third.json() == {"a": 1}
    assert [request.value for request in server.requests] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert server.requests[0].path == "/x"


def test_a_function_answers_the_request() -> None:
    with serving(lambda request: Reply.of(request.value)) as server:
        assert ask(server.url, q="hi").json() == {"q": "hi"}


def test_streams() -> None:
    with serving(Reply.sse("a", {"b": 1}), Reply.jsonl({"c": 2})) as server:
        first, second = ask(server.url), ask(server.url)
    assert first.headers["content-type"] == "text/event-stream"
    assert first.text == 'data: a\n\ndata: {"b": 1}\n\n'
    assert second.text == '{"c": 2}\n'


@pytest.mark.parametrize("ends", ["cut", "reset"])
def test_replies_that_break_off(ends: str) -> None:
    reply = Reply.text("half", ends=ends)
    with serving(reply) as server, pytest.raises(httpx.TransportError):
        ask(server.url)


def test_a_reply_whose_end_is_the_close() -> None:
    with serving(Reply.text("whole", ends="unmarked")) as server:
        assert ask(server.url).text == "whole"


@pytest.mark.parametrize("reply", [Reply(silent=True), Reply.text("a", ends="never")])
def test_a_server_that_hangs_stops_with_its_block(reply: Reply) -> None:
    with (
        serving(reply) as server,
        httpx.Client(trust_env=False, timeout=httpx.Timeout(10, read=0.05)) as client,
        pytest.raises(httpx.ReadTimeout),
    ):
        client.post(server.url)
    with pytest.raises(httpx.ConnectError):
        ask(server.url)


def test_a_server_needs_an_answer() -> None:
    with pytest.raises(ValueError, match="at least one answer"), serving():
        pass
