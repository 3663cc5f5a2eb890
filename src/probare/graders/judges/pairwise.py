"""`judge_pairwise`: which of two answers is better, asked in both orders."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from msgspec import UNSET

from probare.errors import GraderError
from probare.graders.judges.asking import Vote, shortened
from probare.graders.judges.judging import (
    Judge,
    Name,
    judged_part,
    menu_question,
    refuse_template,
)
from probare.graders.judges.menus import UNKNOWN, Entry, Menu
from probare.graders.judges.prompts import Part, text_of
from probare.graders.judges.replies import Answer
from probare.model.judged import Means, tally
from probare.model.verdict import Verdict
from probare.ports.grader import TrialView

_MENU = Menu(
    entries=(
        Entry("first", "the text `first` is better"),
        Entry("second", "the text `second` is better"),
        Entry("tie", "neither is better"),
    )
)
_SCORES: dict[str, float] = {"better": 1.0, "tie": 0.5, "worse": 0.0}


class JudgePairwise(Judge, frozen=True, kw_only=True):
    """A model finds the answer better than another one (`against`), by `question`.

    It is asked twice, with each of the two first: judges prefer what stands where. It holds where
    the answer wins both times. A tie both times is a tie, which does not hold unless `tie` is
    `pass` (as good is good enough); where the order changes the verdict, that is a tie of which
    nothing follows: unknown, for people. The score is 1, 0.5 or 0.
    """

    NAME: ClassVar[str] = "judge_pairwise"
    MAIN: ClassVar[str | None] = "against"

    against: Any
    question: Name = "Which text is the better answer to the input?"
    tie: Literal["fail", "pass"] = "fail"

    def __post_init__(self) -> None:
        """Refuse templates."""
        Judge.__post_init__(self)
        refuse_template(self.question)

    def judge(self, seen: Any, trial: TrialView) -> Verdict:
        """Ask in both orders, as often as there are votes."""
        if self.against is None or self.against is UNSET:
            raise GraderError("there is no other answer", hint="it is null or absent")
        own, other = judged_part(seen, trial)[0].text, text_of(self.against)
        leading = self._asked(trial, "first", (own, other))
        trailing = self._asked(trial, "second", (other, own))
        pairs = [_paired(one, two) for one, two in zip(leading, trailing, strict=True)]
        found = tally([self._means(word) for word in pairs])
        replies = tuple(r for vote in (*leading, *trailing) for r in vote.replies)
        reason = _reason(pairs, (*leading, *trailing))
        if found.means not in ("pass", "fail"):
            return Verdict(found.means, None, reason, judged=replies)
        scores = [_SCORES[word] for word in pairs if self._means(word) == found.means]
        return Verdict(found.means, min(scores), reason, judged=replies)

    def _asked(
        self, trial: TrialView, place: Literal["first", "second"], texts: tuple[str, str]
    ) -> tuple[Vote, ...]:
        """Ask with the answer in one place."""
        parts = (*self.context(trial), Part("first", texts[0]), Part("second", texts[1]))
        question, form = menu_question(self.question, _MENU, parts, asked=f"answer {place}")

        def meaning(answer: Answer) -> Literal["pass", "fail", "unknown"]:
            if answer.word == UNKNOWN:
                return "unknown"
            return self.tie if answer.word == "tie" else "pass" if answer.word == place else "fail"

        return self.ask(trial, question, form, meaning).votes

    def _means(self, word: str) -> Means:
        known: dict[str, Means] = {
            "better": "pass",
            "worse": "fail",
            "tie": self.tie,
            "error": "error",
        }
        return known.get(word, "unknown")


def _paired(leading: Vote, trailing: Vote) -> str:
    """Return what one vote came to in both orders: better, worse, tie, parted, unknown, error."""
    if leading.means == "error" or trailing.means == "error":
        return "error"
    if leading.answer is None or trailing.answer is None:
        return UNKNOWN
    said = (leading.answer.word, trailing.answer.word)
    known = {("first", "second"): "better", ("second", "first"): "worse", ("tie", "tie"): "tie"}
    if UNKNOWN in said:
        return UNKNOWN
    return known.get(said, "parted")


_WORDS = {
    "better": "better than the other in both orders",
    "worse": "worse than the other in both orders",
    "tie": "a tie in both orders",
    "parted": "a tie: the verdict changes with the order",
    UNKNOWN: "the judge cannot tell",
    "error": "not judged",
}


def _reason(pairs: list[str], votes: tuple[Vote, ...]) -> str:
    counts = {word: pairs.count(word) for word in dict.fromkeys(pairs)}
    told = [
        _WORDS[word] if len(pairs) == 1 else f"{count} of {len(pairs)} votes: {_WORDS[word]}"
        for word, count in counts.items()
    ]
    said = next((v.answer.reasoning for v in votes if v.answer and v.answer.reasoning), "")
    problem = next((vote.problem for vote in votes if vote.problem), "")
    models = ", ".join(dict.fromkeys(vote.model for vote in votes))
    return "; ".join(filter(None, [f"{models}: {', '.join(told)}", problem, shortened(said)]))
