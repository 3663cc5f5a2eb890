"""The `model` target: a chat model with a prompt and tools, as the system under test.

The harness asks the model and runs its tools itself, so that every message, every call and every
result is observed. A refusal is an answer, which checks judge.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import msgspec

from probare.errors import HarnessError, InfraError, InputError
from probare.model.case import Case
from probare.model.event import EventBase, Message
from probare.model.suite import TargetSpec
from probare.ports.chat import ChatMessage, ChatModels, name_fault
from probare.ports.target import Services, SettingFault, TrialCall, TrialRecorder
from probare.targets import determinism, modelfunctions, modelprompt, modelsettings, printing
from probare.targets.claims import checked
from probare.targets.conversation import (
    Exchange,
    Script,
    UserSide,
    converse,
    models_for_user,
)
from probare.targets.conversation_user import SimulatedUser
from probare.targets.modelanswer import Speaker
from probare.targets.modelprompt import Template
from probare.targets.modelsettings import ModelSettings
from probare.targets.modeltools import Toolbox
from probare.targets.recorder import CURRENT, Recorder

_WHOLE_INPUT = "{{ input }}"


class ModelKind:
    """The `model` adapter."""

    name: ClassVar[str] = "model"
    settings: ClassVar[type[msgspec.Struct]] = ModelSettings
    text_files: ClassVar[tuple[str, ...]] = ("prompt", "system")

    def build(self, spec: TargetSpec, settings: ModelSettings) -> ModelTarget:
        """Return the target. Asks nobody yet."""
        return ModelTarget(spec, settings)

    def faults(
        self, spec: TargetSpec, settings: ModelSettings, cases: Iterable[Case]
    ) -> Iterator[SettingFault]:
        """Yield what is wrong with the settings, and with the prompts for these cases."""
        return modelsettings.faults(spec, settings, cases)


MODEL = ModelKind()


class ToolRecorder(Recorder):
    """A recorder that only tools have in hand: what they record is no claim of the model's."""

    __slots__ = ()

    def event(self, event: EventBase) -> None:
        """Record an event that a tool made, as observed."""
        self.put(checked(event), source="observed")


class ModelTarget:
    """Asks a chat model. `--model` takes the place of the model that the settings name."""

    converses: ClassVar[bool] = True

    def __init__(self, spec: TargetSpec, settings: ModelSettings) -> None:
        self._spec = spec
        self._settings = settings
        self._opened: _Opened | None = None

    async def open(self, services: Services) -> None:
        """Import the tools, read the prompts, and see that the model can be had.

        Raises InputError where something is missing; a key's variable is named.
        """
        settings = self._settings
        model = services.model or settings.model
        fault = name_fault(model)
        if fault:
            raise InputError(fault)
        chat = services.chat
        if chat is None:
            raise InputError(
                "there are no chat models to be had", hint="pip install 'probare[models]'"
            )
        chat.check(model)
        with contextlib.redirect_stdout(sys.stderr):
            tools = modelfunctions.load(settings.tools, services.folder, services.executor)
        self._opened = _Opened(
            services=services,
            model=model,
            chat=chat,
            tools=tools,
            prompt=_template(settings.prompt or _WHOLE_INPUT),
            system=None if settings.system is None else _template(settings.system),
            messages=tuple((each.role, _template(each.content)) for each in settings.messages),
        )
        printing.capture()

    def recorder(self) -> TrialRecorder:
        """Return a fresh recorder."""
        return ToolRecorder(max_output=self._ready.services.max_output)

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Run one attempt: one message, or a conversation. Raises as `Speaker.answer`, and
        InfraError where the case asks for no model.
        """
        assert isinstance(recorder, Recorder)
        recorder.workspace = call.workspace
        if determinism.asked_for(call.case):
            raise InfraError(
                "the case asks to be answered without a model (input.deterministic)",
                hint="give it to another target",
                retryable=False,
            )
        mine = CURRENT.set(recorder)
        try:
            await self._conversed(call, recorder)
        finally:
            CURRENT.reset(mine)
            recorder.end_prints()

    async def close(self) -> None:
        """Let go of what was opened."""
        if self._opened is not None:
            self._opened = None
            printing.release()

    async def _conversed(self, call: TrialCall, recorder: Recorder) -> None:
        ready = self._ready
        recorder.observe("messages", "tools")
        known = {
            "input": call.case.input,
            "case": call.case.id,
            "trial": call.trial,
            "seed": call.seed,
            "config": self._spec.config,
        }
        messages: list[ChatMessage] = []
        if ready.system is not None:
            text = modelprompt.fill(ready.system, known)
            messages.append(ChatMessage(role="system", content=text))
            recorder.append(Message, source="observed", role="system", content=text)
        for role, template in ready.messages:
            text = modelprompt.fill(template, known)
            messages.append(ChatMessage(role=role, content=text))
        speaker = Speaker(
            self._settings, ready.model, ready.chat, ready.tools, call, recorder, messages
        )

        async def answer(said: str, _so_far: Sequence[Exchange], turn: int) -> Any:
            return await speaker.answer(said, turn)

        user = self._user(call, recorder, known)
        await converse(call.case, user, answer, recorder)

    def _user(self, call: TrialCall, recorder: Recorder, known: dict[str, Any]) -> UserSide:
        case = call.case
        if case.simulate is not None:
            chat = models_for_user(self._ready.services.chat)
            return SimulatedUser(case.simulate, chat, call, recorder)
        return Script(case.turns or [modelprompt.fill(self._ready.prompt, known)])

    @property
    def _ready(self) -> _Opened:
        if self._opened is None:
            raise HarnessError("the target was used before it was opened")
        return self._opened


class _Opened(msgspec.Struct, frozen=True, kw_only=True):
    services: Services
    model: str
    chat: ChatModels
    tools: Toolbox
    prompt: Template
    system: Template | None
    messages: tuple[tuple[Any, Template], ...]


def _template(text: str) -> Template:
    try:
        return modelprompt.parse(text)
    except ValueError as error:
        raise InputError(f"the prompt: {error}") from None
