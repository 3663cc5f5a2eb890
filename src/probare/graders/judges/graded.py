"""`judge`, `judge_yes_no`, `judge_choice`: one question whose answer is on a menu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from probare.graders.judges.judging import (
    Judge,
    Name,
    Referring,
    judged_part,
    menu_question,
    middle,
    refuse_template,
    undecided,
    with_reference,
)
from probare.graders.judges.menus import (
    PASS_FAIL,
    UNKNOWN,
    YES_NO,
    Entry,
    Menu,
    ScaleArgument,
    scale_of,
)
from probare.graders.judges.replies import Answer
from probare.model.verdict import Verdict
from probare.ports.grader import FileKind, TrialView


class JudgeRubric(Referring, frozen=True, kw_only=True):
    """A model finds that the answer meets the rubric: a text, or the name of a text file (`.md`,
    `.txt`) beside the suite.

    `scale` is what the judge may answer: `pass_fail`; whole numbers (`1..5`); names, worst first;
    or a mapping from whole numbers to what they mean. Its score is (level − lowest) / (highest −
    lowest). It holds from the level `at_least` on; without one, at the highest level only. (The
    check's `threshold` speaks of the score, and goes before.)

    The judge may answer `unknown`, which goes to people, as does a disagreement of several votes.
    A reply that cannot be read is an error. `reference`, by default the case's, is shown to the
    judge as a right answer.
    """

    NAME: ClassVar[str] = "judge"
    VERSION: ClassVar[str] = "2"
    MAIN: ClassVar[str | None] = "rubric"
    FILES: ClassVar[Mapping[str, FileKind]] = {"rubric": "text"}

    rubric: Name
    scale: ScaleArgument = "pass_fail"
    at_least: int | str | None = None

    def __post_init__(self) -> None:
        """Refuse scales that are none, levels that are not on them, and templates."""
        Judge.__post_init__(self)
        refuse_template(self.rubric)
        self._least(scale_of(self.scale))

    def judge(self, seen: Any, trial: TrialView) -> Verdict:
        """Ask whether the answer meets the rubric, and how well."""
        menu = scale_of(self.scale)
        least = self._least(menu)
        words = (
            "Does the text `answer` meet this criterion?"
            if menu is PASS_FAIL
            else "How well does the text `answer` meet this criterion?"
        )
        given = self.given(trial)
        words = with_reference(f"{words}\n\nCriterion:\n{self.rubric}", given)
        question, form = menu_question(words, menu, (*given, *judged_part(seen, trial)))

        def meaning(answer: Answer) -> Literal["pass", "fail", "unknown"]:
            if answer.word == UNKNOWN:
                return "unknown"
            return "pass" if menu.position(answer.word) >= least else "fail"

        votes = self.ask(trial, question, form, meaning)
        known = [
            menu.entry(vote.answer.word).score
            for vote in votes.votes
            if vote.answer is not None and vote.answer.word != UNKNOWN
        ]
        return undecided(votes) or Verdict(
            votes.tally.means, middle(known), votes.reason(), judged=votes.replies
        )

    def _least(self, menu: Menu) -> int:
        """Return the position from which on the rubric is met."""
        if self.at_least is None:
            return len(menu.entries) - 1
        word = menu.read(self.at_least)
        if word is None or word == UNKNOWN:
            listed = ", ".join(menu.words[:-1][:10])
            raise ValueError(f"at_least: {self.at_least} is no level of the scale ({listed})")
        return menu.position(word)


class JudgeYesNo(Referring, frozen=True, kw_only=True):
    """A model answers a question about the answer with yes, or with what `right` says.

    The judge may answer `unknown`, which goes to people. `reference`, by default the
    case's, is shown to it as a right answer.
    """

    NAME: ClassVar[str] = "judge_yes_no"
    MAIN: ClassVar[str | None] = "question"

    question: Name
    right: Literal["yes", "no"] = "yes"

    def __post_init__(self) -> None:
        """Refuse templates."""
        Judge.__post_init__(self)
        refuse_template(self.question)

    def judge(self, seen: Any, trial: TrialView) -> Verdict:
        """Ask the question."""
        return _chosen(self, self.question, YES_NO, (self.right,), (seen, trial))


class JudgeChoice(Referring, frozen=True, kw_only=True):
    """A model chooses one of several answers to a question about the answer, and chooses a right
    one.

    `choices` are words, or a mapping from words (or letters) to what they mean; `right` is one of
    the words, or several. The judge may answer `unknown`, which goes to people.
    """

    NAME: ClassVar[str] = "judge_choice"
    MAIN: ClassVar[str | None] = None

    question: Name
    choices: list[Name] | dict[str, str]
    right: Name | list[Name]

    def __post_init__(self) -> None:
        """Refuse menus with a word twice, with `unknown`, or without a wrong answer."""
        Judge.__post_init__(self)
        refuse_template(self.question)
        menu = _menu(self.choices)
        right = self._right(menu)
        if not right or len(right) == len(menu.entries):
            raise ValueError("right should name some of the choices, and not all of them")

    def judge(self, seen: Any, trial: TrialView) -> Verdict:
        """Ask for a choice."""
        menu = _menu(self.choices)
        return _chosen(self, self.question, menu, self._right(menu), (seen, trial))

    def _right(self, menu: Menu) -> tuple[str, ...]:
        given = [self.right] if isinstance(self.right, str) else self.right
        for each in given:
            if each not in menu.words[:-1]:
                listed = ", ".join(menu.words[:-1])
                raise ValueError(f"right: '{each}' is none of the choices ({listed})")
        return tuple(dict.fromkeys(given))


def _menu(choices: list[str] | dict[str, str]) -> Menu:
    meanings = choices if isinstance(choices, dict) else dict.fromkeys(choices, "")
    listed = [*choices, *(text for text in meanings.values() if text)]
    folded = [name.strip().casefold() for name in listed]
    if len(set(folded)) < len(folded) or not all(folded):
        raise ValueError("each choice should have a word and a meaning of its own")
    if UNKNOWN in folded:
        raise ValueError(f"'{UNKNOWN}' is offered to every judge and is no choice of its own")
    if len(choices) < 2:
        raise ValueError("there should be at least two choices")
    return Menu(entries=tuple(Entry(word.strip(), text) for word, text in meanings.items()))


def _chosen(
    judge: Referring,
    asked: str,
    menu: Menu,
    right: tuple[str, ...],
    about: tuple[Any, TrialView],
) -> Verdict:
    seen, trial = about
    words = f"Answer this question about the text `answer`:\n{asked}"
    given = judge.given(trial)
    parts = (*given, *judged_part(seen, trial))
    question, form = menu_question(with_reference(words, given), menu, parts)

    def meaning(answer: Answer) -> Literal["pass", "fail", "unknown"]:
        if answer.word == UNKNOWN:
            return "unknown"
        return "pass" if answer.word in right else "fail"

    votes = judge.ask(trial, question, form, meaning)
    return undecided(votes) or Verdict(
        votes.tally.means,
        1.0 if votes.tally.means == "pass" else 0.0,
        votes.reason(),
        judged=votes.replies,
    )
