"""Judges that say what they are told to say, and checks that ask them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from probare.graders.judges import GRADERS
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.outcome import Outcome, Transcript
from probare.model.suite import JudgeSettings, Trust
from probare.model.verdict import CheckList, CheckVerdict
from probare.ports.chat import ChatReply, ChatRequest
from probare.ports.grader import GradingSettings, TrialView
from probare.testing.fakes import FakeModels, Reply

KINDS = {kind.NAME: kind for kind in GRADERS}


def token_of(request: ChatRequest) -> str:
    found = re.search(r"The token is ([0-9a-f]{24})\.", request.messages[-1].content)
    assert found is not None
    return found[1]


def said(value: Any, **keys: Any) -> Callable[[ChatRequest], Reply]:
    """A judge that answers in the form that it is asked for."""

    def reply(request: ChatRequest) -> Reply:
        fields: dict[str, Any] = {"reasoning": "because", "verdict": value, **keys}
        if isinstance(value, list):
            fields = {"reasoning": "because", "claims": value}
        return Reply(json.dumps({**fields, "token": token_of(request)}))

    return reply


@pytest.fixture
def says() -> Callable[..., Callable[[ChatRequest], Reply]]:
    return said


@pytest.fixture
def writes() -> Callable[[str], Callable[[ChatRequest], ChatReply]]:
    """A judge that writes a text, in which TOKEN stands for the token that it was told."""

    def write(text: str) -> Callable[[ChatRequest], ChatReply]:
        def reply(request: ChatRequest) -> ChatReply:
            written = text.replace("TOKEN", token_of(request))
            return ChatReply(text=written, model="a", finish="stop")

        return reply

    return write


Judged = Callable[..., CheckVerdict]


@pytest.fixture
def judged() -> Judged:
    """Ask one check of a judge about one answer; the judges say `answers` in their order."""

    def asked(
        grader: str,
        output: Any,
        *answers: Any,
        models: FakeModels | None = None,
        settings: JudgeSettings | None = None,
        in_list: CheckList = "expect",
        given: Any = "What is the capital of France?",
        case_reference: Any = UNSET,
        threshold: float | None = None,
        look_in: str | None = None,
        trust: Trust = "observed",
        events: Any = (),
        folder: Path | None = None,
        **args: Any,
    ) -> CheckVerdict:
        chat = models or FakeModels(*answers)
        grading = GradingSettings(
            folder=folder, chat=chat, judge=settings or JudgeSettings(models=("fake:a",))
        )
        check = Check(grader=grader, args=args, threshold=threshold, look_in=look_in)
        transcript = Transcript(case="c", events=events, outcome=Outcome(output=output))
        trial = TrialView(
            case=Case(id="c", input=given, reference=case_reference),
            transcript=transcript,
            trust=trust,
            settings=grading,
        )
        return judge(make_ready(check, in_list, KINDS, grading), trial)

    return asked
