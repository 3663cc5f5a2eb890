"""A suite as loaded and resolved: what `suite.jsonl` keeps."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from probare.model.case import Case, Isolation, ReviewRule
from probare.model.review import RULES, Rule
from probare.model.rubric import Rubric

Trust: TypeAlias = Literal["observed", "claimed"]


class TargetSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How to reach a system under test.

    `kind` is the adapter (`python`, `command`, `http`, `replay`, ...); `settings` are the
    adapter's own, with its main one under the adapter's name (`{"python": "agent:Help"}`).
    `config` is handed to the agent, so that one agent has variants. `trust: claimed` says that
    what the agent reports of itself may be graded as evidence. `secrets` are the values that
    came from `${NAME}`, by name; they are never written. `missing` are the variables that are
    not set: a target that has any cannot be run.
    """

    name: str
    kind: str
    settings: dict[str, Any] = {}
    config: dict[str, Any] = {}
    trust: Trust = "observed"
    isolation: Isolation | None = None
    secrets: dict[str, str] = {}
    missing: tuple[str, ...] = ()


class Gate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rule that turns scores and baseline into a decision (DESIGN section 6).

    `max_drop` is relative: 0.10 means no more than 10 % under the baseline's value. `minimum`
    (written `min`) maps a score's name to its least value. `coverage` is graded / planned of
    what is graded automatically.
    """

    max_drop: float = 0.10
    new_failures: Literal["any", "significant"] = "any"
    minimum: dict[str, float] = msgspec.field(default_factory=dict[str, float], name="min")
    coverage: float = 1.0
    reviews: Literal["optional", "required"] = "optional"
    require: Literal["none", "conclusive"] = "none"


class Limits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Run-wide limits: `cost` in US dollars, `time` in seconds, `errors_in_a_row` a count."""

    cost: float | None = None
    time: float | None = None
    errors_in_a_row: int | None = None


class Privacy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept out of a run directory. `mask`: the identifiers planted in its cases."""

    mask: bool = False


class JudgeSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a suite's judges are asked, where a check does not say else.

    Each of `models` is asked `votes` times; a reply that cannot be read is asked for again, until
    `tries` replies were given. `timeout` is in seconds a reply. `examples` is a file of labelled
    examples on which the judge is checked. `override` are the models of `--judge-model`, which
    are asked in place of all others; a suite's file does not set it.
    """

    models: tuple[str, ...] = ()
    votes: int = 1
    tries: int = 2
    temperature: float | None = 0.0
    max_tokens: int | None = 2000
    timeout: float = 60.0
    examples: str | None = None
    override: tuple[str, ...] = ()


class ReviewSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which trials are sent to people, and how they review them.

    `rubric` is a file. `when` holds for cases that do not say always or never: `flagged` sends
    those that one of `rules` finds. `tags` send a case whole. `near` is how close to its threshold
    a score calls people. `sample` is the share of the unflagged passes that are drawn, by the
    run's seed, for calibration. `overlap` is the number of reviewers an item needs, `distance` how
    far apart (in levels) they may score. `due` is in seconds after queueing. `priorities` says,
    by rule, how early an item comes (1 first); an item has the least of its rules.
    """

    rubric: str | None = None
    when: ReviewRule = "flagged"
    tags: tuple[str, ...] = ("sensitive", "escalation")
    rules: tuple[Rule, ...] = RULES
    near: float = 0.05
    sample: float = 0.1
    overlap: int = 1
    distance: int = 1
    due: float | None = None
    priorities: dict[Rule, int] = {}


class Suite(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A named set of cases with targets, defaults and a gate.

    `target` is the name of the default one among `targets`; null where the suite has none.
    `timeout` is in seconds a trial. `judge` says how judges are asked, `review` what people
    review, `rubric` is the content of the file that it names; each is null where the suite does
    not. `extras` are keys that belong to other commands (`prove`, `criteria`), kept as written.
    """

    name: str
    description: str = ""
    targets: dict[str, TargetSpec] = {}
    target: str | None = None
    trials: int = 1
    timeout: float = 60.0
    concurrency: int | None = None
    isolation: Isolation | None = None
    equivalent_languages: tuple[tuple[str, ...], ...] = ()
    language_detector: str | None = None
    gate: Gate = Gate()
    limits: Limits = Limits()
    privacy: Privacy = Privacy()
    judge: JudgeSettings | None = None
    review: ReviewSettings | None = None
    rubric: Rubric | None = None
    extras: dict[str, Any] = {}
    cases: tuple[Case, ...] = ()
