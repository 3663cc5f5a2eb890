"""The target: the system under test, and what it is given for one trial."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

import msgspec

from probare.model.case import Case
from probare.model.event import Channel, Event
from probare.model.outcome import Outcome
from probare.model.suite import TargetSpec
from probare.ports.chat import ChatModels

T = TypeVar("T")


class Executor(Protocol):
    """Runs blocking code on daemon threads that nobody waits for at exit."""

    async def call(self, function: Callable[[], T]) -> T:
        """Run `function` on a free thread, in the caller's context; return what it returns.

        A cancelled call abandons its thread: the thread is counted, named in the report and
        replaced, and never holds up the run or its end.
        """
        ...


class TrialRecorder(Protocol):
    """Gathers what happens in one trial. Thread-safe; after `close` it takes nothing more.

    Made by the target (`Target.recorder`) for each attempt, read by the engine, so that what
    happened before a crash or a deadline is kept.
    """

    @property
    def events(self) -> tuple[Event, ...]:
        """What has been recorded so far, numbered and timed."""
        ...

    @property
    def outcome(self) -> Outcome:
        """What is left so far; its output is UNSET until there is one."""
        ...

    @property
    def observes(self) -> tuple[Channel, ...]:
        """The kinds of act that would have been seen."""
        ...

    @property
    def first_token_ms(self) -> float | None:
        """Time from the start to the first streamed piece; null where nothing streamed."""
        ...

    def close(self) -> None:
        """Take nothing more: the trial is over."""
        ...


class TrialCall(msgspec.Struct, frozen=True, kw_only=True):
    """What a target is given for one trial. `timeout` is in seconds."""

    case: Case
    trial: int
    attempt: int
    seed: int
    timeout: float
    workspace: Path | None = None


class Services(msgspec.Struct, frozen=True, kw_only=True):
    """What the harness lends a target for the length of a run.

    `folder` is the suite's, where relative names are looked up. `model` is the command's
    `--model`, or null. `max_output` caps an answer, in bytes. `chat` are the models that targets of
    kind `model` and simulated users ask, null where there are none to be had.
    """

    executor: Executor
    folder: Path
    model: str | None = None
    max_output: int = 1_000_000
    chat: ChatModels | None = None


class Target(Protocol):
    """An adapter around one system under test.

    `run` returns when the trial completed, having put its outcome into the recorder; it raises
    TargetError, InfraError or LimitReached, or any other exception (the agent's own, which the
    engine records as a target error). It is cancelled at the deadline.
    """

    async def open(self, services: Services) -> None:
        """Set up once, before the first trial. Raises InputError if the target cannot be had."""
        ...

    def recorder(self) -> TrialRecorder:
        """Return a fresh recorder for one attempt; its clock starts now."""
        ...

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Run one attempt of one trial."""
        ...

    async def close(self) -> None:
        """Tear down after the last trial."""
        ...


class TargetKind(Protocol):
    """An adapter's face in the catalogue.

    `settings` is the struct that a target's settings must fit; its field named like the kind is
    the main one. `build` makes the target from a checked specification.
    """

    name: ClassVar[str]
    settings: ClassVar[type[msgspec.Struct]]

    def build(self, spec: TargetSpec, settings: Any) -> Target:
        """Return the target. Opens nothing yet."""
        ...


class SettingFault(msgspec.Struct, frozen=True):
    """What is wrong with a target's settings: `steps` lead to it."""

    steps: tuple[str | int, ...]
    message: str
    hint: str = ""


@runtime_checkable
class CheckedKind(Protocol):
    """A target kind that can say more of its settings when a suite is loaded.

    `text_files` are settings that may be written as the name of a text file beside the suite,
    whose content takes their place.
    """

    text_files: ClassVar[tuple[str, ...]]

    def faults(
        self, spec: TargetSpec, settings: Any, cases: Iterable[Case]
    ) -> Iterator[SettingFault]:
        """Yield what is wrong with a target of the right shape, and with it for these cases.
        Imports none of the suite's modules.
        """
        ...


@runtime_checkable
class ConversingTarget(Protocol):
    """A target that can hold a conversation: `converses` is true."""

    converses: ClassVar[bool]
