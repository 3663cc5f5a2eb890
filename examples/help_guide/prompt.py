"""The prompt: what a chat model is sent, and what the run records of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

from language import NAMES
from situation import Situation

ChatMessages: TypeAlias = list[dict[str, str]]

BUTTON = "[The user pressed the help button and wrote nothing.]"

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_PROMPT_FILE = Path(__file__).parent / "prompts" / "help.md"


def instructions(file: Path = _PROMPT_FILE) -> str:
    """Return the prompt's text, without the marks that tie its examples to cases."""
    return _COMMENT.sub("", file.read_text(encoding="utf-8")).strip()


def context(situation: Situation) -> str:
    """Return the block that says in which language to reply, and where the user stands."""
    known = {
        "analysis": situation.analysis,
        "dataset": situation.dataset,
        "goal": situation.goal,
    }
    state = ", ".join(f"{key}: {_line(value)}" for key, value in known.items() if value)
    language = f"{NAMES[situation.language]} ({situation.language})"
    lines = [f"[Reply language] {language}", f"[State] {state}"]
    if situation.readiness.ready:
        lines.append("[Report] ready")
    else:
        lines.append("[Report] not ready. The product shows:")
        lines += [f"- {text}" for text in situation.readiness.sentences(situation.language)]
    return "\n".join(lines)


def chat_messages(situation: Situation, system: str) -> ChatMessages:
    """Return the messages for a chat model: instructions, context, history, the user's turn."""
    return [
        {"role": "system", "content": f"{system}\n\n{context(situation)}"},
        *({"role": turn.role, "content": turn.content} for turn in situation.history),
        {"role": "user", "content": situation.message or BUTTON},
    ]


def _line(value: str) -> str:
    """Keep a value on one line, so that a dataset's name cannot begin a directive of its own."""
    return " ".join(value.split())
