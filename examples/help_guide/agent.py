"""The help guide as a target: hands it each case, streams its reply, records what it was told."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

from guide import HelpGuide
from guide_model import GuideModel, ModelStopped, name_of
from probare.errors import TargetError
from probare.model.case import Case
from probare.model.outcome import Outcome
from probare.ports.chat import ChatReply
from probare.providers import Models
from prompt import BUTTON, context
from situation import Situation, situation_of


class HelpTarget:
    """Runs the guide with the model that `--model` or HELP_MODEL names, else offline."""

    def __init__(self, model: str | None = None) -> None:
        self._model = model
        self._models: Models | None = None
        self.guide = HelpGuide()

    def set_up(self) -> None:
        """Find the chat model, if one is named. Raises InputError where it cannot be reached."""
        name = name_of(os.environ, self._model)
        if name is None:
            self.guide = HelpGuide()
            return
        models = Models()
        models.check(name)
        self._models = models
        self.guide = HelpGuide(GuideModel(name, models))

    def tear_down(self) -> None:
        """Close the connections to the model."""
        if self._models is not None:
            self._models.close()

    async def run(
        self,
        input: Mapping[str, Any],  # noqa: A002 - the name that a target is called with
        recorder: Any,
        case: Case | None = None,
        trial: int = 0,
    ) -> AsyncIterator[str | Outcome]:
        """Yield the reply's pieces, or, where the model answered with nothing, an empty output.

        Raises InfraError where the model's provider fails, so that the run may try again, and
        TargetError where the model itself left its reply unfinished.
        """
        situation = situation_of(input)
        guide = self.guide
        if guide.model is not None:
            guide = replace(
                guide, model=replace(guide.model, case=case.id if case else "", trial=trial)
            )
        _record_request(recorder, guide, situation)
        pieces: list[str] = []

        def record_usage(reply: ChatReply) -> None:
            if reply.usage is not None:
                recorder.usage(
                    input_tokens=reply.usage.input_tokens,
                    output_tokens=reply.usage.output_tokens,
                    cached_tokens=reply.usage.cached_tokens,
                    cost_usd=reply.usage.cost_usd,
                    model=reply.model,
                )

        try:
            async for piece in guide.reply(situation, record_usage):
                pieces.append(piece)
                yield piece
        except ModelStopped as failure:
            raise TargetError(str(failure)) from failure
        recorder.message("assistant", "".join(pieces))
        if not pieces:
            yield Outcome(output="")


def _record_request(recorder: Any, guide: HelpGuide, situation: Situation) -> None:
    model = guide.model
    recorder.note(
        f"the reply is written by the {guide.writer_name}",
        {
            "writer": guide.writer_name,
            "model": model.name if model else None,
            "temperature": model.temperature if model else None,
            "prompt_sha256": hashlib.sha256(guide.system.encode()).hexdigest(),
            "reply_language": situation.language,
        },
    )
    recorder.message("system", context(situation))
    recorder.message("user", situation.message or BUTTON)
