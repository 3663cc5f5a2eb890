"""A case and its checks, as loaded: placeholders stand unresolved in the arguments."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET

from probare.encoding import digest

Split: TypeAlias = Literal["held_out", "carried_over"]
ReviewRule: TypeAlias = Literal["always", "flagged", "never"]
Isolation: TypeAlias = Literal["none", "thread", "process"]


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One use of a grader: its name, arguments by name, and what every check takes.

    `look_in` (written `in`) is a placeholder, or null for the grader's own default. `checks`
    are the inner checks of `not`, `any_of` and `all_of`, whose `args` are empty. `turn` (from 0) is
    the one turn of a conversation that the check is about, null where it is about the trial.
    """

    grader: str
    args: dict[str, Any] = {}
    checks: tuple[Check, ...] = ()
    label: str | None = None
    look_in: str | None = msgspec.field(default=None, name="in")
    transform: str | None = None
    weight: float = 1.0
    required: bool = True
    threshold: float | None = None
    turn: int | None = None


class AgentStop(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How an agent ends a conversation: it calls one of the tools, or says one of the texts."""

    tools: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


class Simulation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A user that another model plays.

    `persona` says who the user is and `goal` what they want; `first` is their first message word
    for word, null where the model writes it. The conversation ends when the model says that the
    goal is reached or given up, after `max_turns` messages of the user, or as `stop` says.
    """

    model: str
    goal: str
    persona: str = ""
    first: str | None = None
    max_turns: int = 10
    temperature: float | None = None
    stop: AgentStop = AgentStop()


class Case(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One test. `trials`, `timeout` (seconds) and `isolation` are null where the suite's hold.

    `notes` (a version, an intent, bounds, a rationale) are for whoever reads of a failure.
    `runner` names the step of the target that the case is for; `code` and `model` are Probare's
    own (`probare.pipeline.corerunners`). `turns` are the user's messages of a scripted
    conversation; with `simulate` another model plays the user.
    """

    id: str
    input: Any = None
    expect: tuple[Check, ...] = ()
    forbid: tuple[Check, ...] = ()
    description: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    split: Split = "held_out"
    reference: Any = UNSET
    cluster: str | None = None
    review: ReviewRule = "flagged"
    trials: int | None = None
    timeout: float | None = None
    isolation: Isolation | None = None
    workspace: str | None = None
    planted: dict[str, str] = {}
    notes: dict[str, str] = {}
    runner: str | None = None
    turns: tuple[str, ...] = ()
    simulate: Simulation | None = None

    @property
    def converses(self) -> bool:
        """Whether the case is a conversation, of more than its input alone."""
        return bool(self.turns) or self.simulate is not None

    @property
    def automatic(self) -> bool:
        """Whether at least one required check judges this case by itself."""
        return any(check.required for check in self.expect + self.forbid)

    @property
    def counts_for_compliance(self) -> bool:
        """Whether the case is planned for automatic compliance (DESIGN section 6)."""
        return self.review != "always" and self.automatic

    @property
    def on_the_hill(self) -> bool:
        """Whether the case is a capability still to be won, which need not pass."""
        return "capability" in self.tags and "regression" not in self.tags


def content_digest(case: Case) -> str:
    """Digest what a case asks: input, runner, conversation, checks, reference, planted identifiers,
    workspace.

    Tags, description, notes, split and the number of trials may change without making it another
    case.
    """
    asked: list[Any] = [
        case.input,
        case.expect,
        case.forbid,
        None if case.reference is UNSET else [case.reference],
        case.planted,
        case.workspace,
    ]
    if case.runner is not None:
        asked.append(case.runner)
    if case.turns:
        asked.append({"turns": case.turns})
    if case.simulate is not None:
        asked.append({"simulate": case.simulate})
    return digest.of_value(asked)
