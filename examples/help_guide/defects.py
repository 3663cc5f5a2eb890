"""Broken help guides, one fault each: what the suite must catch.

A fault sits around the guide, in what it is given or in what leaves it; the guide stays as it
is. The target's `config` names the fault: `{defect: english_on_button}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from agent import HelpTarget
from readiness import SENTENCES

Request: TypeAlias = dict[str, Any]


def _english_on_button(request: Request) -> Request:
    """The history is not looked at where the button was pressed, so the default language is."""
    return request if request.get("message") else {**request, "history": []}


def _first_message_decides(request: Request) -> Request:
    """The language of the first message stays, whatever the user writes later."""
    users = [turn for turn in request["history"] if turn["role"] == "user"]
    return {**request, "history": users[:1], "message": None} if users else request


def _button_follows_last_turn(request: Request) -> Request:
    """On the button path the guide's own last words decide, not the user's."""
    if request.get("message"):
        return request
    return {**request, "history": request["history"][-1:]}


def _pasted_text_decides(request: Request) -> Request:
    """Quotations and code count as the user's own words."""

    def bare(text: str) -> str:
        return text.translate({ord(mark): " " for mark in "\"`>“”'"})

    history = [{**turn, "content": bare(turn["content"])} for turn in request["history"]]
    message = request.get("message")
    return {**request, "history": history, "message": bare(message) if message else message}


def _report_when_not_ready(request: Request) -> Request:
    """The readiness report is not looked at."""
    return {**request, "report_ready": {"ready": True, "missing": []}}


def _no_report_when_ready(request: Request) -> Request:
    """The readiness report is out of date: the comparison still counts as missing."""
    if not request["report_ready"]["ready"]:
        return request
    return {**request, "report_ready": {"ready": False, "missing": ["delta"]}}


def _stale_offer_repeated(request: Request) -> Request:
    """What an earlier reply offered is offered again."""
    said = " ".join(t["content"] for t in request["history"] if t["role"] == "assistant").lower()
    offered = "generate the report" in said or "membuat laporan" in said
    return _report_when_not_ready(request) if offered else request


def _empty_reply(_reply: str) -> str:
    """The reply is lost."""
    return ""


def _cut_reply(reply: str) -> str:
    """The stream breaks in the middle, and nobody notices."""
    return reply[: len(reply) // 2]


def _missing_unsaid(reply: str) -> str:
    """What is missing is not said."""
    for sentences in SENTENCES.values():
        for sentence in sentences.values():
            reply = reply.replace(sentence, "")
    return reply


def _report_always_appended(reply: str) -> str:
    """The report is offered at the end of every reply."""
    return f"{reply} You can also generate the report."


BEFORE: dict[str, Callable[[Request], Request]] = {
    "english_on_button": _english_on_button,
    "first_message_decides": _first_message_decides,
    "button_follows_last_turn": _button_follows_last_turn,
    "pasted_text_decides": _pasted_text_decides,
    "report_when_not_ready": _report_when_not_ready,
    "no_report_when_ready": _no_report_when_ready,
    "stale_offer_repeated": _stale_offer_repeated,
}
AFTER: dict[str, Callable[[str], str]] = {
    "empty_reply": _empty_reply,
    "cut_reply": _cut_reply,
    "missing_unsaid": _missing_unsaid,
    "report_always_appended": _report_always_appended,
}


class DefectiveHelp:
    """The help guide with the fault that `config` names."""

    def __init__(self, config: Mapping[str, Any], model: str | None = None) -> None:
        defect = config.get("defect")
        if defect not in BEFORE and defect not in AFTER:
            raise ValueError(f"unknown defect {defect!r} (known: {', '.join([*BEFORE, *AFTER])})")
        self._defect: str = defect
        self._help = HelpTarget(model)

    def set_up(self) -> None:
        """Set the guide up as ever."""
        self._help.set_up()

    def tear_down(self) -> None:
        """Tear it down as ever."""
        self._help.tear_down()

    async def run(
        self,
        input: Mapping[str, Any],  # noqa: A002 - the name that a target is called with
        recorder: Any,
    ) -> str:
        """Return the reply with its fault."""
        recorder.note(f"the guide is broken on purpose: {self._defect}")
        request = BEFORE.get(self._defect, dict)(dict(input))
        replies = self._help.run(request, recorder)
        reply = "".join([piece async for piece in replies if isinstance(piece, str)])
        return AFTER.get(self._defect, str)(reply)
