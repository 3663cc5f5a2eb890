"""The help guide itself: from a request to a streamed reply. It knows nothing of tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import writer
from guide_model import GuideModel
from probare.ports.chat import ChatReply
from prompt import chat_messages, instructions
from situation import Situation


def _ignore(_reply: ChatReply) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class HelpGuide:
    """Replies with a chat model where there is one, else with the offline writer."""

    model: GuideModel | None = None
    system: str = field(default_factory=instructions, repr=False)

    @property
    def writer_name(self) -> str:
        """Who writes the replies."""
        return writer.NAME if self.model is None else f"chat model {self.model.name}"

    def reply(
        self, situation: Situation, on_reply: Callable[[ChatReply], None] = _ignore
    ) -> AsyncIterator[str]:
        """Return the reply's pieces as they are written. Raises as `GuideModel.stream`."""
        if self.model is None:
            return writer.stream(situation)
        return self.model.stream(chat_messages(situation, self.system), on_reply)
