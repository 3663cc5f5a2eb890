"""The help guide as a target: hands it each case, streams its reply, records what it was told."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Mapping
from typing import Any

from chat_model import ChatModel, ModelFailure, ModelMisconfigured, Usage, from_environment
from guide import HelpGuide
from probare.errors import InfraError, InputError, TargetError
from probare.model.outcome import Outcome
from probare.targets.retry_after import seconds_to_wait
from prompt import BUTTON, context
from situation import Situation, situation_of


class HelpTarget:
    """Runs the guide with the model that `--model` or HELP_MODEL names, else offline."""

    def __init__(self, model: str | None = None) -> None:
        self._model = model
        self.guide = HelpGuide()

    def set_up(self) -> None:
        """Find the chat model, if one is named. Raises InputError where it cannot be reached."""
        try:
            found = from_environment(os.environ, self._model)
        except ModelMisconfigured as error:
            raise InputError(
                str(error),
                hint="set it in the environment or in a .env beside the suite, "
                "or unset HELP_MODEL to run offline",
            ) from None
        self.guide = HelpGuide(found)

    async def run(
        self,
        input: Mapping[str, Any],  # noqa: A002 - the name that a target is called with
        recorder: Any,
    ) -> AsyncIterator[str | Outcome]:
        """Yield the reply's pieces, or, where the model answered with nothing, an empty output.

        Raises InfraError where the model's endpoint fails, so that the run may try again, and
        TargetError where the model itself left its reply unfinished.
        """
        situation = situation_of(input)
        _record_request(recorder, self.guide, situation)
        pieces: list[str] = []

        def record_usage(usage: Usage) -> None:
            recorder.usage(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cached_tokens,
                model=usage.model,
            )

        try:
            async for piece in self.guide.reply(situation, record_usage):
                pieces.append(piece)
                yield piece
        except ModelFailure as failure:
            raise _as_trial_error(failure) from failure
        recorder.message("assistant", "".join(pieces))
        if not pieces:
            yield Outcome(output="")


def _record_request(recorder: Any, guide: HelpGuide, situation: Situation) -> None:
    model: ChatModel | None = guide.model
    recorder.note(
        f"the reply is written by the {guide.writer_name}",
        {
            "writer": guide.writer_name,
            "model": model.model if model else None,
            "temperature": model.temperature if model else None,
            "prompt_sha256": hashlib.sha256(guide.system.encode()).hexdigest(),
            "reply_language": situation.language,
        },
    )
    recorder.message("system", context(situation))
    recorder.message("user", situation.message or BUTTON)


def _as_trial_error(failure: ModelFailure) -> InfraError | TargetError:
    if failure.status is None and not failure.retryable:
        return TargetError(str(failure))
    return InfraError(
        str(failure),
        retryable=failure.retryable,
        retry_after=seconds_to_wait(failure.retry_after),
    )
