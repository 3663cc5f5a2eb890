"""One process of its own group: fed, read as it writes, and killed with its children.

Nobody outlives the call: when the process has ended, or the call is cancelled, its whole group
is killed. A grandchild that has left the group (`setsid`) is out of reach; it cannot hold up
the call.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

import msgspec

_KEPT_OF_STDERR = 8_192
_PATIENCE = 1.0
_REAPING = 5.0


class Exit(msgspec.Struct, frozen=True):
    """How a process ended: its exit code (negative: the signal), the end of its standard error,
    how many bytes of that were dropped, and whether somebody still held its output.
    """

    code: int
    stderr: str
    stderr_dropped: int
    output_held: bool


class _Child(asyncio.SubprocessProtocol):
    def __init__(self, on_output: Callable[[bytes], None]) -> None:
        self._on_output = on_output
        loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = loop.create_future()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.drained: asyncio.Future[None] = loop.create_future()
        self.failure: Exception | None = None
        self.received = 0
        self.stderr = bytearray()
        self.stderr_dropped = 0
        self._open = {1, 2}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.received += len(data)
        if fd == 2:
            self.stderr += data
            spare = len(self.stderr) - _KEPT_OF_STDERR
            if spare > 0:
                del self.stderr[:spare]
                self.stderr_dropped += spare
        elif self.failure is None:
            try:
                self._on_output(data)
            except Exception as error:
                self.failure = error
                _settle(self.over)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._open.discard(fd)
        if not self._open:
            _settle(self.drained)

    def process_exited(self) -> None:
        _settle(self.exited)
        _settle(self.over)


async def run(
    argv: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    stdin: bytes,
    on_output: Callable[[bytes], None],
    pass_fds: Sequence[int] = (),
) -> Exit:
    """Run a program to its end, handing what it writes to `on_output` as it comes.

    What `on_output` raises ends the process and is raised here. Raises OSError where the
    program cannot be started.
    """
    loop = asyncio.get_running_loop()
    transport, child = await loop.subprocess_exec(
        lambda: _Child(on_output),
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
        pass_fds=pass_fds,
    )
    try:
        try:
            _feed(transport, stdin)
            await child.over
        finally:
            _kill_group(transport)
        await _drain(child)
    finally:
        try:
            await asyncio.wait([child.exited], timeout=_REAPING)
        finally:
            transport.close()
    if child.failure is not None:
        raise child.failure
    code = transport.get_returncode()
    return Exit(
        code=-signal.SIGKILL if code is None else code,
        stderr=child.stderr.decode(errors="backslashreplace"),
        stderr_dropped=child.stderr_dropped,
        output_held=not child.drained.done(),
    )


def _feed(transport: asyncio.SubprocessTransport, data: bytes) -> None:
    """Write the input; a process that never reads it, or is gone already, is fine."""
    pipe = cast("asyncio.WriteTransport | None", transport.get_pipe_transport(0))
    if pipe is not None:
        pipe.write(data)
        pipe.close()


def _kill_group(transport: asyncio.SubprocessTransport) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(transport.get_pid(), signal.SIGKILL)
        else:
            transport.kill()


async def _drain(child: _Child) -> None:
    """Read what the process left in its pipes; give up where nothing more comes."""
    while not child.drained.done():
        before = child.received
        await asyncio.wait([child.drained], timeout=_PATIENCE)
        if child.received == before:
            return


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
