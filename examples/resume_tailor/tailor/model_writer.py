"""The writer with a model: it words, the master decides what is true.

The model answers with a summary and with bullets that each name their source. A bullet with a
number or a technical term that its source lacks gives way to the source itself, a summary that
the master does not cover to the deterministic one; names, titles and dates are never the model's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from probare.ports.chat import ChatReply
from tailor import writer
from tailor.critic import invented_in
from tailor.draft_model import DraftModel
from tailor.posting import Analysis
from tailor.resume import Bullet, MasterResume, TailoredResume
from tailor.style import BANNED, plain

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["summary", "bullets"],
    "properties": {
        "summary": {"type": "string"},
        "bullets": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["source", "text"],
                "properties": {"source": {"type": "string"}, "text": {"type": "string"}},
            },
        },
    },
}
INSTRUCTIONS = f"""\
You tailor a résumé to a job posting. You are given what the posting asks for, and the lines of
the person's master résumé, each with its address.

- Choose at most {writer.MOST_BULLETS} lines a position, the most fitting first; reword each so
  that its fit is plain. `source` is the address of the line.
- Say nothing that the line does not say: no number, tool, employer or result of your own.
- `summary`: two sentences, 15 to 60 words, in the third person without a pronoun.
- Use the posting's terms where they are true, never its sentences.
- Do without these words: {", ".join(BANNED)}.
"""


class DraftRejected(ValueError):
    """The model's answer is not what it was asked for."""


def _ignore(_said: Any) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class ModelWriter:
    """Writes with a chat model; call it like `writer.write`.

    `on_reply` is told of the model's reply, `on_replaced` what of it was not grounded and so was
    replaced.
    """

    model: DraftModel
    on_reply: Callable[[ChatReply], None] = _ignore
    on_replaced: Callable[[str], None] = _ignore

    def __call__(self, master: MasterResume, analysis: Analysis) -> TailoredResume:
        """Return a tailored résumé.

        Raises DraftRejected where the answer is of another shape or uses none of the master,
        and what `DraftModel.answer` raises.
        """
        answer = self.model.answer(messages(master, analysis), SCHEMA, self.on_reply)
        summary, bullets = _draft(answer)
        plan = writer.write(master, analysis)
        chosen = self._bullets(bullets, master)
        if not chosen:
            raise DraftRejected("the draft has no bullet whose source is in the master")
        return replace(
            plan,
            summary=self._summary(summary, plan.summary, master),
            experience=tuple(
                replace(job, bullets=tuple(b for b in chosen if _belongs(b, j)))
                for j, job in enumerate(plan.experience)
            ),
        )

    def _summary(self, drafted: str, fallback: str, master: MasterResume) -> str:
        drafted = plain(" ".join(drafted.split()))
        invented = invented_in(drafted, master.text())
        if drafted and not invented:
            return drafted
        self.on_replaced(f"summary: {', '.join(invented) or 'it is empty'}")
        return fallback

    def _bullets(self, drafted: Iterable[Bullet], master: MasterResume) -> list[Bullet]:
        sources = master.sources()
        chosen: dict[str, Bullet] = {}
        for bullet in drafted:
            known = sources.get(bullet.source)
            if known is None or bullet.source in chosen:
                self.on_replaced(f"{bullet.source}: no such line, or a second time")
                continue
            text = plain(" ".join(bullet.text.split()))
            invented = invented_in(text, known)
            if not text or invented:
                self.on_replaced(f"{bullet.source}: {', '.join(invented) or 'it is empty'}")
                text = plain(known)
            chosen[bullet.source] = Bullet(text, bullet.source)
        return list(chosen.values())


def messages(master: MasterResume, analysis: Analysis) -> list[dict[str, str]]:
    """Return what the model is sent. The posting is data; it stands apart from the rules."""
    positions = [f"{job.title}, {job.company}, {job.dates}" for job in master.experience]
    given = {
        "posting": asdict(analysis),
        "positions": positions,
        "skills": master.skill_names(),
        "lines": master.sources(),
    }
    return [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": json.dumps(given, ensure_ascii=False)},
    ]


def _belongs(bullet: Bullet, job: int) -> bool:
    return bullet.source.startswith(f"experience[{job}].")


def _draft(answer: str) -> tuple[str, list[Bullet]]:
    try:
        value = json.loads(answer)
    except ValueError as error:
        raise DraftRejected(f"the draft is not JSON: {error}") from None
    try:
        bullets = [
            Bullet(_string(item, "text"), _string(item, "source")) for item in value["bullets"]
        ]
        return _string(value, "summary"), bullets
    except (TypeError, KeyError) as error:
        raise DraftRejected(f"the draft has not the shape that was asked for: {error!r}") from None


def _string(value: Mapping[str, Any], key: str) -> str:
    found = value[key]
    if not isinstance(found, str):
        raise TypeError(f"{key} is no text")
    return found
