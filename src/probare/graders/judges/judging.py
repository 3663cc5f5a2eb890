"""What all judges share: whom they ask, what they are shown beside what is judged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeAlias, cast

import msgspec
from msgspec import UNSET, Meta

from probare.encoding.narrow import sequence
from probare.errors import GraderError, InputError
from probare.graders.judges.asking import Meaning, Votes, ask_panel, models_of, panel_of
from probare.graders.judges.menus import Menu
from probare.graders.judges.prompts import Part, Question, parts_of
from probare.graders.judges.replies import Answer, Unreadable
from probare.grading import placeholders
from probare.model.event import EventBase
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView, unknown

Name: TypeAlias = Annotated[str, Meta(min_length=1)]

_TEMPLATE = re.compile(r"\{\{-?\s*[A-Za-z_][\w.]*\s*-?\}\}")


class Judge(Grader, frozen=True, kw_only=True):
    """The base of graders that ask a model.

    `model` or `models` are asked in place of the suite's (`judge: {model: …}`), each `votes`
    times; `--judge-model` goes before both. The judge is shown what is judged and the case's
    input, unless `show_input` is false.
    """

    BLOCKING: ClassVar[bool] = True
    SECONDS: ClassVar[float | None] = 1800.0

    model: Name | None = None
    models: tuple[Name, ...] = ()
    votes: Annotated[int, Meta(ge=1, le=25)] | None = None
    show_input: bool = True

    def __post_init__(self) -> None:
        """Refuse what contradicts itself. Graders that have more to refuse call this too."""
        if self.model is not None and self.models:
            raise ValueError("model and models both stand here: list them all under models")

    @classmethod
    def require_settings(
        cls, args: Mapping[str, Any], settings: GradingSettings, *, required: bool = True
    ) -> None:
        """Raise InputError where a required check has no model to ask, or where one that is set
        cannot be asked.
        """
        own = [args.get("model"), *sequence(args.get("models"))]
        named = models_of(settings, [name for name in own if isinstance(name, str)])
        if not named and required:
            raise InputError(
                f"{cls.NAME} asks a model, and none is set",
                hint="--judge-model openai:gpt-4.1-mini, or judge: {model: …} in the suite",
            )
        if named and settings.chat is None:
            raise InputError(f"{cls.NAME} asks a model, and there are none to be had here")
        for name in named:
            if settings.chat is not None and placeholders.parse(name) is None:
                settings.chat.check(name)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Judge what is seen. Where no model is set nobody does: unknown, for people."""
        judged_part(seen, trial)
        if not models_of(trial.settings, self._own):
            return unknown("no model is set to judge, so people have to")
        return self.judge(seen, trial)

    def judge(self, seen: Any, trial: TrialView) -> Verdict:
        """Ask, and say what came of it."""
        raise NotImplementedError

    @property
    def _own(self) -> tuple[str, ...]:
        return self.models or ((self.model,) if self.model is not None else ())

    def ask(self, trial: TrialView, question: Question, form: Any, meaning: Meaning) -> Votes:
        """Ask whoever is to be asked."""
        panel = panel_of(trial.settings, self._own, self.votes)
        return ask_panel(panel, trial, question, form, meaning)

    def context(self, trial: TrialView) -> tuple[Part, ...]:
        """Return what is shown beside what is judged."""
        return parts_of(input=trial.case.input) if self.show_input else ()


class Referring(Judge, frozen=True, kw_only=True):
    """The base of judges that are shown a right answer beside what they judge: `reference`, by
    default the case's, unless `show_reference` is false.
    """

    reference: Any = UNSET
    show_reference: bool = True

    def given(self, trial: TrialView) -> tuple[Part, ...]:
        """Return the input and the right answer, as far as they are there and shown."""
        known = trial.case.reference if self.reference is UNSET else self.reference
        right = parts_of(reference=known) if self.show_reference else ()
        return (*self.context(trial), *right)


def with_reference(words: str, given: Sequence[Part]) -> str:
    """Return the words of a question, which say what the reference is where one is given."""
    if any(part.name == "reference" for part in given):
        return f"{words}\nThe text `reference` is a right answer."
    return words


class MenuForm(msgspec.Struct, frozen=True):
    """An answer from a menu: reasoning, then the verdict."""

    menu: Menu

    @property
    def fields(self) -> dict[str, Any]:
        """The schema of each key."""
        return {"reasoning": {"type": "string"}, "verdict": self.menu.schema()}

    @property
    def example(self) -> dict[str, Any]:
        """The form as it is shown."""
        return {"reasoning": "…", "verdict": "… one of the words listed above …"}

    def read(self, fields: Mapping[str, Any]) -> Answer | Unreadable:
        """Read an object. Where it has no verdict, there is none."""
        if "verdict" not in fields:
            return Unreadable("the reply has no verdict")
        said = fields["verdict"]
        word = self.menu.read(said)
        if word is None:
            return Unreadable(f"the verdict is off the menu: {said!r:.100}")
        why = fields.get("reasoning")
        return Answer(word, why if isinstance(why, str) else "")

    def read_line(self, line: str) -> tuple[Answer, bool] | None:
        """Read a line."""
        found = self.menu.read_line(line)
        return None if found is None else (Answer(found[0], "" if found[1] else line), found[1])


def menu_question(
    words: str, menu: Menu, parts: Sequence[Part], *, asked: str = ""
) -> tuple[Question, MenuForm]:
    """Return a question whose answer is on a menu, and its form."""
    form = MenuForm(menu)
    question = Question(
        words=f"{words}\n\nThe verdict is one of these words:\n{menu.described()}",
        parts=tuple(parts),
        fields=form.fields,
        example=form.example,
        line=True,
        asked=asked,
    )
    return question, form


def judged_part(seen: Any, trial: TrialView) -> tuple[Part, ...]:
    """Return what is judged as the judge sees it.

    Raises GraderError where there is nothing, or where it is the agent's own claims: a judge
    cannot tell these from what was done.
    """
    if seen is None or seen is UNSET:
        raise GraderError("there is nothing to judge", hint="it is null or absent")
    if trial.trust != "claimed" and any(each.source == "claimed" for each in _events(seen)):
        raise GraderError(
            "the events are the agent's own claims, not observed",
            hint="let the Recorder wrap them, or declare `trust: claimed`",
        )
    return parts_of(answer=seen)


def _events(seen: Any) -> list[EventBase]:
    items = cast("Sequence[Any]", seen) if isinstance(seen, list | tuple) else (seen,)
    return [each for each in items if isinstance(each, EventBase)]


def refuse_template(text: str) -> None:
    """Raise ValueError where a text waits to be filled in: nobody fills it in."""
    found = _TEMPLATE.search(text)
    if found is not None:
        raise ValueError(
            f"'{found[0]}' would reach the judge as it is: the text is no template; the judge is "
            "shown the input and the answer anyway, and `reference: $reference` where it is given"
        )


def undecided(votes: Votes) -> Verdict | None:
    """Return the verdict of votes that decide nothing; None where they do."""
    found = votes.tally.means
    if found in ("pass", "fail"):
        return None
    return Verdict(found, None, votes.reason(), judged=votes.replies)


def middle(scores: Sequence[float]) -> float:
    """Return the lower median of at least one score."""
    return sorted(scores)[(len(scores) - 1) // 2]
