"""Asking judges: each model, each vote, and again where a reply cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from probare.errors import GraderError, InfraError
from probare.graders.judges.prompts import Prompt, Question, prompt_of
from probare.graders.judges.replies import Answer, Form, Read, read_reply
from probare.model.judged import JudgeReply, Means, Tally, tally
from probare.model.suite import JudgeSettings
from probare.ports.chat import ChatModels, ChatReply, ChatRequest
from probare.ports.grader import GradingSettings, TrialView

RAW_CAP = 8000
_WORDS_CAP = 400


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """Who is asked, and how."""

    models: tuple[str, ...]
    votes: int
    settings: JudgeSettings
    chat: ChatModels


class Meaning(Protocol):
    """Says what an answer counts as."""

    def __call__(self, answer: Answer) -> Literal["pass", "fail", "unknown"]:
        """Return what the answer counts as."""
        ...


class Vote(msgspec.Struct, frozen=True, kw_only=True):
    """What one vote came to: its replies, the last one's answer, and what it counts as."""

    replies: tuple[JudgeReply, ...]
    means: Means
    answer: Answer | None
    problem: str = ""

    @property
    def model(self) -> str:
        """The model that was asked."""
        return self.replies[-1].model


class Votes(msgspec.Struct, frozen=True):
    """All votes on one question."""

    votes: tuple[Vote, ...]

    @property
    def tally(self) -> Tally:
        """What they come to."""
        return tally([vote.means for vote in self.votes])

    @property
    def replies(self) -> tuple[JudgeReply, ...]:
        """All replies, in the order in which they were given."""
        return tuple(reply for vote in self.votes for reply in vote.replies)

    def answers(self) -> list[Answer]:
        """The answers of the votes that say what the tally says."""
        word = self.tally.means
        return [vote.answer for vote in self.votes if vote.answer and vote.means == word]

    def reason(self) -> str:
        """Say what the judges said, and how far they agree."""
        found = self.tally
        told = [vote for vote in self.votes if vote.means == found.means] or list(self.votes)
        if len(self.votes) == 1:
            return f"{told[0].model}: {_said(told[0])}"
        counted = ", ".join(f"{count} {word}" for word, count in found.votes.items())
        parted = " (judges disagree)" if {"pass", "fail"} <= found.votes.keys() else ""
        return f"{len(self.votes)} votes: {counted}{parted}; {told[0].model}: {_said(told[0])}"


def _said(vote: Vote) -> str:
    if vote.answer is None:
        return vote.problem
    why = shortened(vote.answer.reasoning)
    return f"{vote.answer.word}: {why}" if why else vote.answer.word


def shortened(text: str, cap: int = _WORDS_CAP) -> str:
    """Return a text as one line of at most so many characters."""
    one = " ".join(text.split())
    return one if len(one) <= cap else one[: cap - 1] + "…"


def models_of(settings: GradingSettings, own: Sequence[str]) -> tuple[str, ...]:
    """Return whom a check asks: the models of `--judge-model`, else its own, else the suite's."""
    judge = settings.judge or JudgeSettings()
    return judge.override or tuple(own) or judge.models


def panel_of(settings: GradingSettings, own: Sequence[str], votes: int | None) -> Panel:
    """Return whom a check asks, and how. Raises GraderError where there is nobody."""
    judge = settings.judge or JudgeSettings()
    if settings.chat is None:
        raise GraderError("there are no chat models here that could judge")
    return Panel(
        models=models_of(settings, own),
        votes=votes or judge.votes,
        settings=judge,
        chat=settings.chat,
    )


def ask_panel(
    panel: Panel, trial: TrialView, question: Question, form: Form, meaning: Meaning
) -> Votes:
    """Ask every model as often as it votes. Nothing is raised for what a provider does."""
    votes: list[Vote] = []
    for model in panel.models:
        for _ in range(panel.votes):
            votes.append(_vote(panel, trial, question, form, meaning, (model, len(votes))))
    return Votes(tuple(votes))


def _vote(
    panel: Panel,
    trial: TrialView,
    question: Question,
    form: Form,
    meaning: Meaning,
    who: tuple[str, int],
) -> Vote:
    """Ask one model for one vote. A reply that cannot be read is asked for again, one that can is
    taken as it is; so is a refusal.
    """
    model, number = who
    replies: list[JudgeReply] = []
    while True:
        attempt = len(replies)
        occasion = {
            "case": trial.case.id,
            "trial": trial.transcript.trial,
            "model": model,
            "vote": number,
            "attempt": attempt,
        }
        prompt = prompt_of(question, occasion)
        base = JudgeReply(
            model=model,
            prompt_sha256=prompt.sha256,
            means="error",
            asked=question.asked,
            vote=number,
            attempt=attempt,
        )
        try:
            reply = panel.chat.ask(_request(panel, prompt, question, occasion))
        except InfraError as error:
            failed = msgspec.structs.replace(base, problem=f"the provider failed: {error}")
            return _ended((*replies, failed), None)
        read = read_reply(reply, prompt.token, form)
        replies.append(_recorded(base, reply, read, meaning))
        if isinstance(read.found, Answer):
            return _ended(replies, read.found)
        if read.found.means != "error" or len(replies) >= panel.settings.tries:
            return _ended(replies, None)


def _ended(replies: Sequence[JudgeReply], answer: Answer | None) -> Vote:
    last = replies[-1]
    return Vote(replies=tuple(replies), means=last.means, answer=answer, problem=last.problem)


def _request(
    panel: Panel, prompt: Prompt, question: Question, occasion: Mapping[str, Any]
) -> ChatRequest:
    asked = f":{question.asked}" if question.asked else ""
    return ChatRequest(
        model=occasion["model"],
        messages=prompt.messages,
        output=prompt.schema,
        temperature=panel.settings.temperature,
        max_tokens=panel.settings.max_tokens,
        timeout=panel.settings.timeout,
        purpose=f"judge{asked}",
        case=occasion["case"],
        trial=occasion["trial"],
        turn=occasion["vote"] * panel.settings.tries + occasion["attempt"],
    )


def _recorded(base: JudgeReply, reply: ChatReply, read: Read, meaning: Meaning) -> JudgeReply:
    found = read.found
    answered = isinstance(found, Answer)
    return msgspec.structs.replace(
        base,
        answered_by=reply.model,
        means=meaning(found) if answered else found.means,
        answer=found.word if answered else None,
        read_from=read.read_from,
        repair=read.repair,
        problem="" if answered else found.problem,
        raw=_capped(reply.refusal if reply.text is None else reply.text),
        usage=reply.usage,
        cached=reply.cached,
    )


def _capped(text: str | None) -> str | None:
    """Cut a long reply between words, so that no secret is cut in half before it is masked."""
    if text is None or len(text) <= RAW_CAP:
        return text
    kept = text[:RAW_CAP]
    kept = kept[: max(kept.rfind(" "), kept.rfind("\n"), 0)]
    return f"{kept}… [{len(text) - len(kept)} more characters]"
