"""The help guide itself: from a request to a streamed reply. It knows nothing of tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import writer
from chat_model import ChatModel, Usage
from prompt import chat_messages, instructions
from situation import Situation


def _ignore(_usage: Usage) -> None:
    """Report usage to nobody."""


@dataclass(frozen=True)
class HelpGuide:
    """Replies with a chat model where there is one, else with the offline writer."""

    model: ChatModel | None = None
    system: str = field(default_factory=instructions, repr=False)

    @property
    def writer_name(self) -> str:
        """Who writes the replies."""
        return writer.NAME if self.model is None else f"chat model {self.model.model}"

    def reply(
        self, situation: Situation, on_usage: Callable[[Usage], None] = _ignore
    ) -> AsyncIterator[str]:
        """Return the reply's pieces as they are written. Raises ModelFailure while streaming."""
        if self.model is None:
            return writer.stream(situation)
        return self.model.stream(chat_messages(situation, self.system), on_usage)
