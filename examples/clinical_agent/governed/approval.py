"""The approval gate: an act waits until a person has answered, and not a moment less.

What waits is written to a file before anyone is asked, so that a process that ends meanwhile
loses nothing: whoever has the file can answer later, and the agent goes on from there.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

PENDING = "pending.json"


class NothingPending(LookupError):
    """No approval is waited for in this folder."""


class AnswerMismatch(ValueError):
    """The answer is for another request than the one that waits."""


class Paused(Exception):
    """Nobody is there to answer; the request waits in its file."""


@dataclass(frozen=True)
class Request:
    """What a person is asked: may this act, with these arguments, be done, and why the question.

    `resource` is what is at stake: the act's own tool, or `budget`.
    """

    action: str
    resource: str | None
    arguments: Mapping[str, Any]
    reason: str

    @property
    def id(self) -> str:
        """A digest of what is asked: an answer for one act is none for another."""
        asked = json.dumps([self.action, self.resource, self.arguments], sort_keys=True)
        return hashlib.sha256(asked.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Answer:
    """A person's answer: granted or denied, by whom."""

    state: Literal["granted", "denied"]
    by: str
    reason: str | None = None


class Approver(Protocol):
    """Whoever can answer: a person behind a screen, or a script that stands for one."""

    async def __call__(self, request: Request) -> Answer:
        """Return the answer, whenever it comes."""
        ...


class Gate:
    """Pauses the agent for an approval.

    `folder` is where the pending request is kept, or None where the agent cannot be resumed
    after its process has ended; `progress` tells what a resumed agent needs to go on. A grant by
    someone who is not among the `approvers` is none; without any, every named person's counts.
    """

    def __init__(
        self,
        approver: Approver,
        *,
        approvers: Collection[str] = (),
        folder: Path | None = None,
        progress: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        self._approver = approver
        self._approvers = frozenset(approvers)
        self._folder = folder
        self._progress = progress

    async def ask(self, request: Request) -> Answer:
        """Wait for the answer. The pending file goes once there is one; a cancelled wait, and
        one that raises Paused, leave it.
        """
        if self._folder is not None:
            keep(self._folder, request, self._progress())
        answer = await self._approver(request)
        if self._folder is not None:
            (self._folder / PENDING).unlink(missing_ok=True)
        if answer.state == "granted" and not self._counts(answer.by):
            return Answer("denied", answer.by, "this person may not approve it")
        return answer

    def _counts(self, by: str) -> bool:
        return bool(by) and (not self._approvers or by in self._approvers)


def keep(folder: Path, request: Request, progress: Mapping[str, Any]) -> None:
    """Write a pending request, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    pending = {"id": request.id, "request": asdict(request), "progress": dict(progress)}
    draft = folder / f"{PENDING}.part"
    draft.write_text(json.dumps(pending, indent=1), encoding="utf-8")
    os.replace(draft, folder / PENDING)


def pending(folder: Path) -> tuple[Request, dict[str, Any]]:
    """Return the request that waits in a folder, and how far the agent had come.

    Raises NothingPending where none does, AnswerMismatch where the file was changed.
    """
    try:
        kept = json.loads((folder / PENDING).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NothingPending(f"no approval is waited for in {folder}") from None
    request = Request(**kept["request"])
    if request.id != kept["id"]:
        raise AnswerMismatch("the pending request is not the one that was asked")
    return request, kept["progress"]


@dataclass
class Scripted:
    """A person as a scenario describes one: answers `grant`, `deny` or `never`, after a while.

    `answers` gives the answer for an action by its name; the others get `answer`.
    """

    answer: str = "never"
    after_ms: float = 0
    by: str = "on-call clinician"
    answers: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        for answer in (self.answer, *self.answers.values()):
            if answer not in ("grant", "deny", "never"):
                raise ValueError(f"an approver cannot answer '{answer}' (grant, deny or never)")

    async def __call__(self, request: Request) -> Answer:
        """Answer as the script says; `never` waits until the wait is cancelled."""
        answer = self.answers.get(request.action, self.answer)
        if answer == "never":
            await asyncio.Event().wait()
        await asyncio.sleep(self.after_ms / 1000)
        return Answer("granted" if answer == "grant" else "denied", self.by)


@dataclass(frozen=True)
class Given:
    """An answer that was given while nobody waited: for one request, and for no other."""

    request_id: str
    answer: Answer

    async def __call__(self, request: Request) -> Answer:
        """Return the answer. Raises Paused for another request: nobody has answered that."""
        if request.id != self.request_id:
            raise Paused(f"nobody has answered whether '{request.action}' may be done")
        return self.answer
