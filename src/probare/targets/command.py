"""The `command` target: a program that reads one JSON object and prints its answer.

The program is started anew for each attempt, without a shell, as the leader of a group of
processes that is killed when it ends, or at the deadline. On standard input it is given
`{"input", "case", "trial", "seed", "config", "model", "workspace"}`, and `runner` where the case
has one; what it may print is told in `probare.targets.stdout`. Pieces join to the output if the
program ends well without an `{"output": …}` line. An exit code other than 0 is a target error,
whatever was printed before.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InfraError, InputError, TargetError
from probare.model.suite import TargetSpec
from probare.ports.target import Services, Target, TrialCall, TrialRecorder
from probare.targets import body, determinism, spawn
from probare.targets.answer import Answer
from probare.targets.otel.remote import RemoteSpans
from probare.targets.otel.settings import Captures, OtlpSettings
from probare.targets.stdout import StandardOutput
from probare.targets.tape import Tape

_SHOWN_LINES = 5
_SHOWN_LENGTH = 600


class CommandSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of a `command` target.

    `command` is a list of arguments, or a text that is split as a shell would split it (and
    nothing more: no variables, no pipes). `cwd` is the working folder, relative to the suite's;
    by default the trial's workspace if its case has one, else the suite's folder. `env` is
    added to the environment. With `capture: otel` (or `otlp`, which says more) the program finds
    in its environment where to send its OpenTelemetry spans, and these become events.
    """

    command: list[str] | str
    cwd: str | None = None
    env: dict[str, str | int | float] = {}
    capture: Captures | None = None
    otlp: OtlpSettings | None = None


class CommandKind:
    """The `command` adapter."""

    name: ClassVar[str] = "command"
    settings: ClassVar[type[msgspec.Struct]] = CommandSettings

    def build(self, spec: TargetSpec, settings: Any) -> Target:
        """Return the target. Raises InputError where the command is empty or ill quoted."""
        assert isinstance(settings, CommandSettings)
        return CommandTarget(spec, settings)


class CommandTarget:
    """Runs a program for each attempt. Needs no set-up beyond finding it."""

    def __init__(self, spec: TargetSpec, settings: CommandSettings) -> None:
        self._spec = spec
        self._settings = settings
        self._argv = _split(settings.command)
        self._environment: dict[str, str] = {}
        self._services: Services | None = None
        self._folder = Path()
        self._spans: RemoteSpans | None = None

    async def open(self, services: Services) -> None:
        """Find the program. Raises InputError where it, or the working folder, is not there."""
        self._services = services
        added = {key: str(value) for key, value in self._settings.env.items()}
        self._environment = {**os.environ, **added}
        self._folder = (services.folder / (self._settings.cwd or "")).resolve()
        if not self._folder.is_dir():
            raise InputError(
                f"the working folder of the command does not exist: {self._folder}",
                hint="`cwd` is relative to the suite's folder",
            )
        program = _find(self._argv[0], services.folder, self._environment.get("PATH"))
        self._argv = [program, *self._argv[1:]]
        if self._settings.capture or self._settings.otlp:
            otlp = self._settings.otlp or OtlpSettings()
            self._spans = RemoteSpans(otlp.checked_port(0), otlp.seconds(0.0))

    def recorder(self) -> TrialRecorder:
        """Return a recorder that observes nothing: what a program says of itself is claimed."""
        return Tape()

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Run the program once.

        Raises TargetError where it fails or answers nothing, LimitReached where it prints too
        much, InfraError where it cannot be started. What came before is kept, truncated.
        """
        assert isinstance(recorder, Tape)
        environment = determinism.environment_for(call.case, self._environment)
        if self._spans is None:
            await self._once(call, recorder, environment)
            return
        async with self._spans.trial(call, recorder) as trace:
            environment |= self._spans.environment(trace, environment)
            await self._once(call, recorder, environment)

    async def _once(self, call: TrialCall, recorder: Tape, environment: dict[str, str]) -> None:
        assert self._services is not None
        told = jsonbytes.encode(body.told(body.values(call, self._spec, self._services))) + b"\n"
        answer = Answer(recorder)
        output = StandardOutput(answer, self._services.max_output)
        argv, folder = self._placed(call.workspace)
        try:
            ended = await spawn.run(
                argv,
                folder=folder,
                environment=environment,
                stdin=told,
                on_output=output.feed,
            )
        except OSError as error:
            raise InfraError(
                f"the command cannot be started: {error}",
                retryable=not isinstance(error, FileNotFoundError | PermissionError),
            ) from error
        except (Exception, asyncio.CancelledError):
            output.cut()
            raise
        _note(answer, ended)
        if ended.code != 0:
            output.cut()
            raise _failed(ended)
        output.end()
        answer.finish()

    async def close(self) -> None:
        """Stop receiving spans. Each attempt took its processes with it."""
        if self._spans is not None:
            self._spans.close()

    def _placed(self, workspace: Path | None) -> tuple[list[str], Path]:
        """Return the arguments and the working folder of one attempt.

        In a workspace, arguments that name a file beside the suite (`agent.py`) become its full
        path, since they would not be found from there.
        """
        assert self._services is not None
        if workspace is None or self._settings.cwd is not None:
            return self._argv, self._folder
        home = self._services.folder.resolve()

        def placed(word: str) -> str:
            beside = (home / word).is_file() and not (workspace / word).exists()
            return str(home / word) if beside else word

        return [placed(word) for word in self._argv], workspace


COMMAND = CommandKind()


def _split(command: list[str] | str) -> list[str]:
    try:
        argv = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise InputError(
            f"the command cannot be split into words: {error}",
            hint="write it as a list, one argument an item",
        ) from None
    if not argv or not argv[0]:
        raise InputError("the command is empty", hint="write [program, argument, …]")
    if any("\0" in word for word in argv):
        raise InputError("the command has a NUL character in it")
    return argv


def _find(program: str, folder: Path, path: str | None) -> str:
    """Return where the program is: beside the suite if it is written as a path, else on PATH.

    Where no `python` is on PATH, it is the one that runs Probare.
    """
    written_as_path = os.sep in program or (os.altsep is not None and os.altsep in program)
    place = folder.resolve() / program
    found = shutil.which(str(place) if written_as_path else program, path=path)
    if found is not None:
        return str(Path(found).absolute())
    if program in ("python", "python3"):
        return sys.executable
    if place.is_file():
        hint = f"it stands beside the suite: write ./{program}, and make it executable (chmod +x)"
        if written_as_path:
            hint = "it is there, but not executable (chmod +x)"
        raise InputError(f"the command's program cannot be run: {program}", hint=hint)
    where = f"in {folder}" if written_as_path else "on PATH"
    raise InputError(
        f"the command's program is not there: {program}",
        hint=f"looked {where}; is it installed, and spelt right?",
    )


def _note(answer: Answer, ended: spawn.Exit) -> None:
    if ended.stderr.strip():
        dropped = ended.stderr_dropped
        cut = f" (the first {dropped:,} bytes were dropped)" if dropped else ""
        answer.note(f"standard error{cut}:\n{ended.stderr.rstrip()}")
    if ended.output_held:
        answer.note("a process that left the command's group still held its output open")


def _failed(ended: spawn.Exit) -> TargetError:
    how = f"exited with code {ended.code}" if ended.code > 0 else _killed_by(-ended.code)
    last = "\n".join(ended.stderr.rstrip().splitlines()[-_SHOWN_LINES:])[-_SHOWN_LENGTH:]
    said = f"; the last it said on standard error:\n{last}" if last else ""
    return TargetError(f"the command {how}{said}")


def _killed_by(number: int) -> str:
    return f"was killed by signal {number}"
