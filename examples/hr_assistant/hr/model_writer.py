"""A chat model that words the answers. What it may say was decided before it is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from hr.draft import Draft

Complete: TypeAlias = Callable[[list[dict[str, str]]], Awaitable[str]]
INSTRUCTIONS = Path(__file__).parent.parent / "prompts" / "writer.md"


@dataclass(frozen=True)
class ModelWriter:
    """Asks a model. `complete` takes messages (`role`, `content`) and returns the reply."""

    complete: Complete
    name: str = "chat model"

    async def write(self, question: str, draft: Draft) -> str:
        """Return the model's wording; the draft itself where the model says nothing."""
        asked = f"<question>\n{question}\n</question>\n\n<draft>\n{draft.body}\n</draft>"
        messages = [
            {"role": "system", "content": INSTRUCTIONS.read_text(encoding="utf-8")},
            {"role": "user", "content": asked},
        ]
        return (await self.complete(messages)).strip() or draft.body
