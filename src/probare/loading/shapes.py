"""The shape of suite files, key by key; also how suites are made in Python.

A shape holds what was written, before it is checked against graders, targets and files. Its
fields are the file's keys.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta

from probare.model.case import Isolation, ReviewRule, Split
from probare.model.review import Rule
from probare.model.suite import Trust

Positive: TypeAlias = Annotated[int, Meta(ge=1)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Name: TypeAlias = Annotated[str, Meta(min_length=1)]

CheckShape: TypeAlias = Any
"""A grader's name alone, or `{name: main argument}`, or `{name: {argument: value}}`, with
`label`, `in`, `transform`, `weight`, `required`, `threshold` beside the name. Checks are read
against the catalogue, not against a type."""

DurationShape: TypeAlias = float | str
"""Seconds, or text such as `60s`, `2m`, `500ms`."""


class TurnShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One turn of a scripted conversation: what the user says, and checks of this turn alone.

    In `expect` and `forbid`, `$text`, `$output`, `$events` and `$usage` are the turn's.
    `no_tool_call: true` says that no tool may be called in it.
    """

    user: Name
    expect: list[CheckShape] = []
    forbid: list[CheckShape] = []
    no_tool_call: bool = False


class AgentStopShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """How the agent ends a conversation: by a call of a `tool`, or by saying a `text` (upper and
    lower case are one).
    """

    tool: Name | list[Name] = []
    text: Name | list[Name] = []


class SimulateShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A user that the `model` (`provider:name`) plays, with a `persona` and a `goal`.

    `first` is the user's first message, word for word; without it the model writes it. The
    conversation ends when the model says that the goal is reached or given up, after `max_turns`
    messages of the user (10), or when the agent ends it as `stop` says.
    """

    model: Name | None = None
    persona: Name | None = None
    goal: Name | None = None
    first: Name | None = None
    max_turns: Annotated[int, Meta(ge=1, le=200)] | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    stop: AgentStopShape | None = None


class CaseShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A case: one test.

    `input` is any JSON value; `expect` are the checks that must hold, `forbid` those that must
    not. `reference` is a right answer, for judges and reviewers. `split` is `held_out` unless
    said otherwise. Cases with one `cluster` share a fixture. `review: always` sends every
    trial to people. `timeout` holds for a trial. `workspace` names a folder that is copied
    fresh for each trial. `planted` maps names to identifiers that must not leak. `notes`
    (a version, an intent, a rationale) are shown where the case fails. `runner` names the step
    of the target that the case is for; `code` answers with `input.__output__`, and `model` asks
    a model. `turns` make the case a scripted conversation; with `simulate` a model plays the user.
    """

    id: Name
    input: Any = None
    expect: list[CheckShape] = []
    forbid: list[CheckShape] = []
    description: str = ""
    category: Name | None = None
    tags: list[Name] = []
    split: Split | None = None
    reference: Any = UNSET
    cluster: str | None = None
    review: ReviewRule | None = None
    trials: Positive | None = None
    timeout: DurationShape | None = None
    isolation: Isolation | None = None
    workspace: Name | None = None
    planted: dict[str, Name] = {}
    notes: dict[str, str] = {}
    runner: Name | None = None
    turns: list[TurnShape] = []
    simulate: SimulateShape | None = None


class DefaultsShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What holds for every case that does not say otherwise.

    A case's own checks, tags and planted identifiers are added after these. `simulate` says what
    a case that has a `simulate` of its own leaves out.
    """

    expect: list[CheckShape] = []
    forbid: list[CheckShape] = []
    category: Name | None = None
    tags: list[Name] = []
    split: Split | None = None
    cluster: str | None = None
    review: ReviewRule | None = None
    trials: Positive | None = None
    timeout: DurationShape | None = None
    isolation: Isolation | None = None
    workspace: Name | None = None
    planted: dict[str, Name] = {}
    simulate: SimulateShape | None = None


class GateShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The rule that decides. `minimum` is written `min`: a score's name and its least value.

    `max_drop` is relative to the baseline's value: 0.10 allows 10 % less.
    """

    max_drop: Share = 0.10
    new_failures: Literal["any", "significant"] = "any"
    minimum: dict[str, Share] = msgspec.field(default_factory=dict[str, float], name="min")
    coverage: Share = 1.0
    reviews: Literal["optional", "required"] = "optional"
    require: Literal["none", "conclusive"] = "none"


class LimitsShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Limits of a whole run: `cost` in US dollars, `time` a duration, `errors_in_a_row`."""

    cost: Annotated[float, Meta(gt=0)] | None = None
    time: DurationShape | None = None
    errors_in_a_row: Positive | None = None


class PrivacyShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What is kept out of run directories: with `mask`, the identifiers planted in cases are
    written as `[planted:NAME]` everywhere.
    """

    mask: bool = False


class LanguagesShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Languages that count as one (`[[id, ms]]`), and a detector (`module:function`)."""

    equivalent: list[Annotated[list[Name], Meta(min_length=2)]] = []
    detector: str | None = None


class ReviewShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """How people review: `rubric` is a file, `when` says which trials are sent to them.

    `flagged` sends what one of `rules` finds: all rules, unless some are listed. Cases with one of
    `tags` (sensitive and escalation, unless others are listed) are sent whole; so are scores
    within `near` of their threshold, and `sample` is the share of the other passes that is drawn.
    An item needs `overlap` reviewers, whose scores may be `distance` levels apart; it is `due` so
    long after it was queued. `priorities` maps rules to how early an item comes, 1 first.
    """

    rubric: Name | None = None
    when: ReviewRule = "flagged"
    tags: list[Name] | None = None
    rules: list[Rule] | None = None
    near: Share = 0.05
    sample: Share = 0.1
    overlap: Annotated[int, Meta(ge=1, le=50)] = 1
    distance: Annotated[int, Meta(ge=0)] = 1
    due: DurationShape | None = None
    priorities: dict[Rule, Annotated[int, Meta(ge=1, le=1000)]] = {}


class JudgeShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """How judges are asked: a `model` (`provider:name`) or several `models`, each `votes` times.

    A reply that cannot be read is asked for again, until there were `tries`. `temperature: null`
    and `max_tokens: null` leave these to the provider; `timeout` holds for a reply. `examples` is
    a file of labelled examples for `probare judge check`.
    """

    model: Name | None = None
    models: list[Name] = []
    votes: Annotated[int, Meta(ge=1, le=25)] = 1
    tries: Annotated[int, Meta(ge=1, le=5)] = 2
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = 0.0
    max_tokens: Positive | None = 2000
    timeout: DurationShape = 60.0
    examples: Name | None = None


class DefectShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A named fault that the suite must catch: each of the cases `must_fail` fails for it.

    The broken agent is a `target` of the suite, or the suite's own target with this `config`
    laid over its own (mappings inside are merged, every other value is replaced); with both,
    that target with this config.
    """

    name: Name
    target: Name | None = None
    config: dict[str, Any] = {}
    must_fail: Annotated[list[Name], Meta(min_length=1)]


class ProveShape(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """How the suite is proved: the target `oracle` passes every case, the target `null` none
    that needs an act (save those of `null_may_pass`), and each defect is caught.
    """

    oracle: Name
    null: Name | None
    defects: list[DefectShape] = []
    null_may_pass: list[Name] = []


class TargetFields(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every target may carry beside the settings of its adapter."""

    config: dict[str, Any] = {}
    trust: Trust = "observed"
    isolation: Isolation | None = None


class SuiteShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A suite: a named set of cases with targets, defaults and a gate.

    `target` is the name of one of `targets`, or a target itself: a mapping from its adapter's
    name to the adapter's main setting, such as `{"python": "agent:Help"}`, with its other
    settings beside. `cases` are cases, or names of files of cases (patterns are allowed).
    `mirrors` names the prompt whose marked examples the carried-over cases mirror. `runners`
    lists the runners that the target has, or maps each to the keys of its output; cases that
    name another, and placeholders that none of these keys answers, are faults. `prove` says how
    the suite is proved to catch broken agents. `criteria` maps plain
    sentences of scenarios to checks, under `pass` and `fail`. `judge` says which models judge,
    `review` what people review, and how.
    """

    suite: Name
    description: str = ""
    target: str | dict[str, Any] | None = None
    targets: dict[str, dict[str, Any]] = {}
    trials: Positive = 1
    timeout: DurationShape = 60.0
    concurrency: Positive | None = None
    isolation: Isolation | None = None
    languages: LanguagesShape = LanguagesShape()
    runners: list[Name] | dict[str, list[Name]] = []
    mirrors: Name | None = None
    defaults: DefaultsShape = DefaultsShape()
    cases: str | list[str | CaseShape] = []
    gate: GateShape = GateShape()
    limits: LimitsShape = LimitsShape()
    privacy: PrivacyShape = PrivacyShape()
    review: ReviewShape | None = None
    prove: ProveShape | None = None
    criteria: Any = UNSET
    judge: JudgeShape | None = None
