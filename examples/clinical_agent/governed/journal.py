"""The journal: where what is done is written down by whoever watches, as it is done.

Its methods wrap the agent's own callables, and return callables that behave as before. Probare's
`Recorder` is one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Journal(Protocol):
    """Watches the agent's parts."""

    def tool(self, function: F, name: str | None = None) -> F:
        """Watch a tool's own work."""
        ...

    def retriever(self, function: F, name: str | None = None) -> F:
        """Watch what the knowledge base is asked."""
        ...

    def policy(self, function: F) -> F:
        """Watch what decides: its answers are the receipts."""
        ...

    def approver(self, function: F) -> F:
        """Watch who is asked, and what they answer."""
        ...

    def attempts(self, function: F) -> F:
        """Watch how tries are written down."""
        ...

    def metered(self, function: F) -> F:
        """Watch what is paid."""
        ...

    def detector(self, function: F, name: str | None = None) -> F:
        """Watch what identifiers are found."""
        ...

    def tagged(self, **attributes: Any) -> AbstractContextManager[None]:
        """Mark all that is written inside."""
        ...

    def trace_hash(self) -> str:
        """Return the hash of what was written so far."""
        ...
