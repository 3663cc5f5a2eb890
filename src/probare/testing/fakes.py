"""Fakes for tests of agents, judges and suites: chat models that say what they are told to say.

    models = FakeModels("Hello!", Reply(tool_calls=(("look", {"city": "Oslo"}),)))

The answers are given in order, the last one again and again. An answer may be a text, a `Reply`,
an exception to be raised, or a function that is called with the request and returns one of these.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from probare.errors import InputError
from probare.model.outcome import UsageTotal
from probare.ports.chat import ChatReply, ChatRequest, ChatToolCall, Finish

_PRICED = UsageTotal(input_tokens=10, output_tokens=5, cost_usd=0.001)


class Reply(msgspec.Struct, frozen=True):
    """What a fake model replies.

    `tool_calls` are names with arguments. `finish` is by default `tool_calls` where there are
    some, `refused` where there is a refusal, else `stop`. `usage` null: the provider told none.
    """

    text: str | None = None
    tool_calls: tuple[tuple[str, Any], ...] = ()
    refusal: str | None = None
    finish: Finish | None = None
    usage: UsageTotal | None = _PRICED
    model: str | None = None
    cached: bool = False


Scripted: TypeAlias = "str | Reply | ChatReply | Exception"
Answer: TypeAlias = "Scripted | Callable[[ChatRequest], Scripted]"


class FakeModels:
    """`probare.ports.chat.ChatModels` without a provider. Thread-safe.

    `by_model` holds the answers of single models by name; all others answer with `answers`
    ("Hello." where there are none). `missing` maps models that cannot be had to the variable
    that is not set. `requests` are what was asked, in order.
    """

    def __init__(
        self,
        *answers: Answer,
        by_model: Mapping[str, Sequence[Answer]] | None = None,
        missing: Mapping[str, str] | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._rest: list[Answer] = list(answers or ("Hello.",))
        self._own = {name: list(script) for name, script in (by_model or {}).items()}
        self._missing = dict(missing or {})
        self._calls = 0
        self.requests: list[ChatRequest] = []

    def asked(self, model: str) -> list[ChatRequest]:
        """Return what one model was asked."""
        return [request for request in self.requests if request.model == model]

    def check(self, model: str) -> None:
        """Raise InputError where the model is one of those that cannot be had."""
        variable = self._missing.get(model)
        if variable is not None:
            raise InputError(f"the model '{model}' needs {variable}, which is not set")

    async def complete(
        self, request: ChatRequest, on_piece: Callable[[str], None] | None = None
    ) -> ChatReply:
        """Return the next reply; its text is told word by word."""
        reply = self.ask(request)
        if on_piece is not None and reply.text:
            head, *rest = reply.text.split(" ")
            for piece in (head, *(f" {word}" for word in rest)):
                on_piece(piece)
        return reply

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the next reply, or raise what stands in its place."""
        self.check(request.model)
        with self._lock:
            self.requests.append(request)
            script = self._own.get(request.model, self._rest)
            chosen = script.pop(0) if len(script) > 1 else script[0]
        if callable(chosen):
            chosen = chosen(request)
        if isinstance(chosen, Exception):
            raise chosen
        if isinstance(chosen, ChatReply):
            return chosen
        return self._made(Reply(chosen) if isinstance(chosen, str) else chosen, request)

    def _made(self, reply: Reply, request: ChatRequest) -> ChatReply:
        calls: list[ChatToolCall] = []
        for name, arguments in reply.tool_calls:
            with self._lock:
                self._calls += 1
                number = self._calls
            calls.append(ChatToolCall(id=f"fake_{number}", name=name, arguments=arguments))
        usual: Finish = "tool_calls" if calls else "refused" if reply.refusal else "stop"
        return ChatReply(
            text=reply.text,
            model=reply.model or request.model.partition(":")[2] or request.model,
            finish=reply.finish or usual,
            tool_calls=tuple(calls),
            refusal=reply.refusal,
            structured=request.output is not None,
            usage=reply.usage,
            cached=reply.cached,
        )
