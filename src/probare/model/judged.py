"""What judges replied: each reply as it is recorded, and what several of them come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from probare.model.outcome import UsageTotal

Means: TypeAlias = Literal["pass", "fail", "unknown", "error"]
ReadFrom: TypeAlias = Literal["structured", "json", "fenced", "tail", "line", "none"]
"""Where in its reply a judge's verdict was read: the reply is one JSON object, which the provider
held to a schema or not; the object stands in a fence, or in text; a line of text; nowhere."""


class JudgeReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One reply of a judge.

    `model` is the one that was asked, `answered_by` what the provider calls the one that answered.
    `asked` is the part of the check that the question was about (a dimension, an order of two
    answers), empty where it has one part only; `vote` counts from 0, `attempt` too: a reply that
    could not be read is asked for again. `prompt_sha256` is the digest of the messages. `answer`
    is what was read, null where nothing could be; `means` is what it counts as; `problem` says why
    it is error or unknown. `repair` says what was mended before it could be read. `raw` is the
    reply's text, capped.
    """

    model: str
    prompt_sha256: str
    means: Means
    answered_by: str = ""
    asked: str = ""
    vote: int = 0
    attempt: int = 0
    answer: str | None = None
    read_from: ReadFrom = "none"
    repair: str = ""
    problem: str = ""
    raw: str | None = None
    usage: UsageTotal | None = None
    cached: bool = False


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """What several votes on one question come to.

    `means` is what more than half of all votes say, those that are unknown or error among them.
    Without such a majority it is unknown where votes contradict each other or are unsure, else
    error. `agreement` is the share of votes that say what most say; null with one vote only.
    """

    means: Means
    votes: dict[Means, int]
    agreement: float | None


def final_replies(judged: Iterable[JudgeReply], asked: str | None = None) -> list[JudgeReply]:
    """Return the last attempt of each vote, on one part or on all."""
    last: dict[tuple[str, int], JudgeReply] = {}
    for reply in judged:
        if asked is None or reply.asked == asked:
            last[reply.asked, reply.vote] = reply
    return list(last.values())


def tally(means: Sequence[Means]) -> Tally:
    """Count the votes on one question. There is at least one."""
    votes = Counter(means)
    word, most = votes.most_common(1)[0]
    if most * 2 <= len(means):
        unsure = "unknown" in votes or {"pass", "fail"} <= votes.keys()
        word = "unknown" if unsure else "error"
    agreement = None if len(means) == 1 else most / len(means)
    return Tally(means=word, votes=dict(votes), agreement=agreement)


def judges_disagree(judged: Iterable[JudgeReply]) -> bool:
    """Whether some votes on one question say pass and others fail."""
    said: dict[str, set[Means]] = {}
    for reply in final_replies(judged):
        said.setdefault(reply.asked, set()).add(reply.means)
    return any({"pass", "fail"} <= means for means in said.values())


def usage_of(judged: Iterable[JudgeReply]) -> UsageTotal | None:
    """Return what judges used, all attempts; None where nobody was asked. A part that is unknown
    of one reply is null for all.
    """
    used = [reply.usage for reply in judged]
    if not used:
        return None
    return UsageTotal(
        input_tokens=_sum([None if each is None else each.input_tokens for each in used]),
        output_tokens=_sum([None if each is None else each.output_tokens for each in used]),
        cached_tokens=sum(each.cached_tokens or 0 for each in used if each) or None,
        cost_usd=_cost([None if each is None else each.cost_usd for each in used]),
    )


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _cost(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
