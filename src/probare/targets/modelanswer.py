"""One model in one trial: it is asked, its tools are run, it is asked again, until it answers."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from probare.encoding.jsonbytes import decode_strict
from probare.errors import LimitReached, TargetError
from probare.model.event import Message
from probare.model.outcome import Outcome
from probare.ports.chat import ChatMessage, ChatModels, ChatReply, ChatRequest
from probare.ports.target import TrialCall
from probare.targets.answering import settle
from probare.targets.conversation import record_answer, record_usage
from probare.targets.modelsettings import ModelSettings
from probare.targets.modeltools import Toolbox
from probare.targets.recorder import Recorder


class Speaker:
    """The model's side of one trial. `messages` are what it was told and said so far."""

    def __init__(
        self,
        settings: ModelSettings,
        model: str,
        chat: ChatModels,
        tools: Toolbox,
        call: TrialCall,
        recorder: Recorder,
        messages: list[ChatMessage],
    ) -> None:
        self._settings = settings
        self._model = model
        self._chat = chat
        self._tools = tools
        self._call = call
        self._recorder = recorder
        self._messages = messages

    async def answer(self, said: str, turn: int) -> Any:
        """Return the model's answer to a message of the user, recorded as the outcome.

        Raises LimitReached where it asks for tools without end or its answer is cut off,
        TargetError where its answer is withheld, InfraError where the provider fails.
        """
        self._messages.append(ChatMessage(role="user", content=said))
        for _ in range(self._settings.max_steps):
            reply = await self._asked(turn)
            if not reply.tool_calls:
                return self._final(reply, turn)
            await self._run_tools(reply)
        steps = self._settings.max_steps
        replies = "its only reply" if steps == 1 else f"each of {steps} replies"
        raise LimitReached(
            f"the model asked for tools in {replies} and gave no answer",
            hint="does it loop? else raise the target's max_steps",
        )

    async def _asked(self, turn: int) -> ChatReply:
        settings, recorder = self._settings, self._recorder
        seed = self._call.seed if settings.seed == "trial" else settings.seed
        request = ChatRequest(
            model=self._model,
            messages=tuple(self._messages),
            tools=self._tools.told,
            output=settings.output,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            seed=seed,
            case=self._call.case.id,
            trial=self._call.trial,
            turn=turn,
        )
        pieces = _Pieces(recorder)
        reply = await self._chat.complete(request, pieces.take)
        record_usage(recorder, reply, attributes={})
        if reply.cached and pieces.first:
            recorder.restart(first_token=False)
        if pieces.fault is not None:
            raise pieces.fault
        return reply

    async def _run_tools(self, reply: ChatReply) -> None:
        self._messages.append(
            ChatMessage(role="assistant", content=reply.text or "", tool_calls=reply.tool_calls)
        )
        if reply.text:
            self._recorder.append(
                Message,
                source="replayed" if reply.cached else "observed",
                role="assistant",
                content=reply.text,
            )
        for asked in reply.tool_calls:
            told = await self._tools.call(asked, self._recorder)
            self._messages.append(
                ChatMessage(role="tool", content=told, call_id=asked.id, name=asked.name)
            )

    def _final(self, reply: ChatReply, turn: int) -> Any:
        text = reply.text or reply.refusal or ""
        self._messages.append(ChatMessage(role="assistant", content=text))
        output = text if self._settings.output is None else _parsed(text)
        cut = reply.finish in ("length", "content_filter")
        attributes: dict[str, Any] = {}
        if reply.refusal is not None or reply.finish == "refused":
            attributes["refusal"] = True
        if cut:
            attributes["finish"] = reply.finish
        record_answer(
            self._recorder,
            output,
            turn,
            source="replayed" if reply.cached else "observed",
            attributes=attributes,
        )
        if cut:
            self._recorder.finish(Outcome(output=output if text else UNSET, truncated=True))
            raise _cut_off(reply)
        settle(Outcome(output=output), self._recorder)
        return output


class _Pieces:
    """Takes the pieces of one reply as they come. What a piece raises is kept: whoever tells of
    pieces is not the one to be told.
    """

    def __init__(self, recorder: Recorder) -> None:
        recorder.restart()
        self._recorder = recorder
        self.first = recorder.first_token_ms is None
        self.fault: LimitReached | None = None

    def take(self, text: str) -> None:
        if self.fault is None:
            try:
                self._recorder.piece(text)
            except LimitReached as error:
                self.fault = error


def _parsed(text: str) -> Any:
    """Return the JSON value that a text is, or the text where it is none: checks judge it."""
    try:
        return decode_strict(text)
    except (ValueError, RecursionError):
        return text


def _cut_off(reply: ChatReply) -> LimitReached | TargetError:
    if reply.finish == "length":
        return LimitReached(
            "the model's answer was cut off at its limit of tokens",
            hint="raise the target's max_tokens, or ask for less",
        )
    return TargetError(
        "the provider's content filter withheld the model's answer",
        hint="what was not said cannot be judged",
    )
