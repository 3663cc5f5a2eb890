"""The HR assistant as a target: hands it each question, and its tools to the harness to watch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from hr.assistant import Assistant, Question, Tools, tools_of
from hr.model_writer import Complete, ModelWriter
from probare.ports.chat import ChatMessage, ChatRequest
from probare.providers import Models


class HrAssistant:
    """Answers with the assistant. Its wording is its own, unless `--model` names a chat model
    (`openai:gpt-4.1-mini`, ...) or `complete` is one: a function from messages to a reply.
    """

    assistant: type[Assistant] = Assistant

    def __init__(self, model: str | None = None, complete: Complete | None = None) -> None:
        self._model = model
        self._complete = complete
        self._models: Models | None = None
        self._made: Assistant | None = None

    def set_up(self) -> None:
        """Read policies, rules and records. Raises InputError where the model cannot be had."""
        if self._model is not None:
            self._models = Models(os.environ)
            self._models.check(self._model)
        self._made = self.made()

    def made(self) -> Assistant:
        """Return the assistant, made for the whole run."""
        return self.assistant()

    def tear_down(self) -> None:
        """Give the models back."""
        if self._models is not None:
            self._models.close()

    async def run(
        self,
        input: Mapping[str, Any],  # noqa: A002 - the name that a target is called with
        recorder: Any,
        trial: int = 0,
        model: str | None = None,
    ) -> dict[str, Any]:
        """Return the answer: its `text`, `language`, `jurisdiction`, `citations`, `escalated`."""
        assert self._made is not None
        assistant = self._worded(self._made, model, trial, recorder)
        question = Question(input["employee"], input["question"], input["asked_on"])
        recorder.message("user", question.text)
        reply = await assistant.reply(question, watched(tools_of(assistant), recorder))
        recorder.message("assistant", reply.text)
        return asdict(reply)

    def _worded(
        self, assistant: Assistant, model: str | None, trial: int, recorder: Any
    ) -> Assistant:
        """Return the assistant with the writer of this trial; a case may ask for none."""
        complete = self._complete
        if complete is None and model is not None and self._models is not None:
            complete = _asking(self._models, model, trial, recorder)
        if complete is None:
            return assistant
        recorder.note("the answer is worded by a chat model", {"model": model})
        return replace(assistant, writer=ModelWriter(complete))


def _asking(models: Models, model: str, trial: int, recorder: Any) -> Complete:
    """Return a function that asks a model, and records what that used."""

    async def complete(messages: list[dict[str, str]]) -> str:
        told = tuple(
            ChatMessage(
                role="system" if each["role"] == "system" else "user", content=each["content"]
            )
            for each in messages
        )
        request = ChatRequest(model=model, messages=told, temperature=0.2, trial=trial)
        answer = await models.complete(request)
        if answer.usage is not None:
            recorder.usage(
                input_tokens=answer.usage.input_tokens,
                output_tokens=answer.usage.output_tokens,
                cost_usd=answer.usage.cost_usd,
                model=answer.model,
            )
        return answer.text or ""

    return complete


def watched(tools: Tools, recorder: Any) -> Tools:
    """Return the tools with the recorder around each."""
    return Tools(
        search_policies=recorder.retriever(tools.search_policies),
        rule_on_access=recorder.policy(tools.rule_on_access),
        lookup_record=recorder.tool(tools.lookup_record),
        escalate=recorder.tool(tools.escalate),
    )
