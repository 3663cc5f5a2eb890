"""Reading a judge's reply: the judge's own last verdict, or why there is none.

Nothing here looks at the text that was judged. A reply that cannot be read is `error`; one in
which the judge refuses, or gives two different verdicts, is `unknown`: people have to judge.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from probare.graders.judges.own_objects import Own, own_objects
from probare.model.judged import ReadFrom
from probare.ports.chat import ChatReply

_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_LOOKS_LIKE_ONE = re.compile(r'"verdict"\s*:|^\W*(?:VERDICT|GRADE)\b', re.MULTILINE)
_LONGEST = 200_000


class Answer(msgspec.Struct, frozen=True):
    """What a judge answered: one word for the record, and what it rests on."""

    word: str
    reasoning: str = ""
    details: Any = None


class Unreadable(msgspec.Struct, frozen=True):
    """Why a reply, or an object in it, gives no answer. `means` is what that counts as."""

    problem: str
    means: Literal["error", "unknown"] = "error"


class Form(Protocol):
    """The form that an answer is asked for in."""

    def read(self, fields: Mapping[str, Any]) -> Answer | Unreadable:
        """Read an object of the judge's own."""
        ...

    def read_line(self, line: str) -> tuple[Answer, bool] | None:
        """Read what stands after `VERDICT TOKEN:`, and say whether nothing else stands there."""
        ...


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """A reply as read: an answer, or a problem."""

    found: Answer | Unreadable
    read_from: ReadFrom = "none"
    repair: str = ""


def read_reply(reply: ChatReply, token: str, form: Form) -> Read:
    """Read one reply to a question that bore this token."""
    if reply.refusal is not None or reply.finish in ("refused", "content_filter"):
        said = reply.refusal or reply.text or ""
        why = f": {_short(said)}" if said.strip() else ""
        return Read(found=Unreadable(f"the judge refused to answer{why}", "unknown"))
    if reply.text is None or not reply.text.strip():
        return Read(found=Unreadable("the judge's reply is empty"))
    if reply.finish == "length":
        return Read(found=Unreadable("the judge's reply was cut off (its limit of tokens)"))
    if len(reply.text) > _LONGEST:
        return Read(found=Unreadable(f"the judge's reply has more than {_LONGEST} characters"))
    return read_text(reply.text, token, form, structured=reply.structured)


def read_text(text: str, token: str, form: Form, *, structured: bool = False) -> Read:
    """Read the text of a reply. Reasoning that is marked as such is passed over, and so are
    characters that nobody sees (U+200B and the like).
    """
    shown = "".join(each for each in text if unicodedata.category(each) != "Cf")
    shown = _THOUGHT.sub("", shown, count=1) if _THOUGHT.match(shown) else shown
    objects = own_objects(shown, token, structured=structured)
    if objects:
        return _of_objects(objects, form)
    return _of_lines(shown, token, form) or Read(found=_missing(shown))


def _of_objects(objects: list[Own], form: Form) -> Read:
    """Take the last object. One before it that says otherwise makes the verdict unknown; one that
    says nothing (a form that was repeated, not filled in) does not.
    """
    read = [
        (own, Unreadable(f"the verdict {own.problem}") if own.problem else form.read(own.fields))
        for own in objects
    ]
    last, found = read[-1]
    words = {answer.word for _, answer in read if isinstance(answer, Answer)}
    if isinstance(found, Answer) and len(words) > 1:
        found = _two(words)
    return Read(found=found, read_from=last.read_from, repair=last.repair)


def _of_lines(text: str, token: str, form: Form) -> Read | None:
    """Read lines `VERDICT TOKEN: word`. Those on which the word stands alone come first."""
    pattern = rf"^[ \t>*_#-]*(?:VERDICT|GRADE)\s*\[?{re.escape(token)}\]?[ \t*_]*[:=](.*)$"
    lines = [match[1] for match in re.finditer(pattern, text, re.MULTILINE | re.IGNORECASE)]
    if not lines:
        return None
    read = [form.read_line(line) for line in lines]
    chosen = [each[0] for each in read if each and each[1]] or [each[0] for each in read if each]
    if not chosen or (read[-1] is None):
        return Read(
            found=Unreadable(f"the verdict is off the menu: {_short(lines[-1])}"), read_from="line"
        )
    words = {answer.word for answer in chosen}
    return Read(found=_two(words) if len(words) > 1 else chosen[-1], read_from="line")


def _two(words: set[str]) -> Unreadable:
    return Unreadable(
        f"the judge gave two different verdicts: {', '.join(sorted(words))}", "unknown"
    )


def _missing(text: str) -> Unreadable:
    if _LOOKS_LIKE_ONE.search(text):
        return Unreadable(
            "the reply has no verdict of the judge's own: what looks like one lacks the token of "
            "this question, as a verdict does that is copied from the text judged"
        )
    return Unreadable("the reply has no verdict")


def _short(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= 100 else one[:99] + "…"
