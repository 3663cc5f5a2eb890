"""The policy engine: declarative rules, read from a file, that decide on each action.

Denied by default. A rule that denies wins over one that asks for approval, and that over one
that allows. A rule that cannot be evaluated, since the context lacks what it asks for, denies:
leaving something out is no way past a policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import yaml

from governed.action import Action, Ruling, Word, strictest

POLICIES = Path(__file__).parent / "policies"
_KEYS = {"id", "effect", "actions", "when", "reason"}


class Policy(Protocol):
    """Decides on actions."""

    def decide(self, action: Action) -> Ruling:
        """Return the ruling on an action."""
        ...


class PolicyInvalid(ValueError):
    """There is no such policy, or its file cannot be understood."""


class _Lacks(LookupError):
    """The context lacks what a rule asks for."""


@dataclass(frozen=True)
class Rule:
    """One rule: it holds for these actions (`*` is any), where the context has these values."""

    id: str
    effect: Word
    actions: tuple[str, ...]
    when: Mapping[str, Any]
    reason: str

    def holds(self, action: Action) -> bool:
        """Whether the rule applies. Raises LookupError where the context lacks what it names."""
        if "*" not in self.actions and action.name not in self.actions:
            return False
        missing = [name for name in self.when if name not in action.context]
        if missing:
            raise _Lacks(f"the context does not say '{missing[0]}'")
        return all(_fits(action.context[name], value) for name, value in self.when.items())


class RulePolicy:
    """A policy of declarative rules."""

    def __init__(self, name: str, rules: tuple[Rule, ...]) -> None:
        self.name = name
        self.rules = rules

    def decide(self, action: Action) -> Ruling:
        """Return the ruling of the rules that hold, or a deny where none does."""
        rulings: list[Ruling] = []
        for rule in self.rules:
            policy = f"{self.name}/{rule.id}"
            try:
                if rule.holds(action):
                    rulings.append(Ruling(rule.effect, policy, rule.reason))
            except _Lacks as lack:
                rulings.append(Ruling("deny", policy, str(lack)))
        if not rulings:
            return Ruling("deny", f"{self.name}/default", f"no rule allows '{action.name}'")
        return strictest(rulings)


def load(name: str, engine: str = "rules", folder: Path = POLICIES) -> Policy:
    """Return the policy of this name for an engine, `rules` or `cedar`.

    Raises PolicyInvalid where there is none, or where its file is wrong.
    """
    if engine not in ("rules", "cedar"):
        raise PolicyInvalid(f"there is no policy engine '{engine}' (there are rules, cedar)")
    suffix = ".yaml" if engine == "rules" else ".cedar"
    known = sorted(path.stem for path in folder.glob(f"*{suffix}"))
    if name not in known:
        raise PolicyInvalid(f"there is no policy '{name}' for {engine} (there are {known})")
    text = (folder / f"{name}{suffix}").read_text(encoding="utf-8")
    if engine == "rules":
        return parsed(name, text)
    from governed.cedar import CedarPolicy

    return CedarPolicy(name, text)


def parsed(name: str, text: str) -> RulePolicy:
    """Return the policy that a text of rules describes. Raises PolicyInvalid."""
    try:
        entries = yaml.safe_load(text)["rules"]
        return RulePolicy(name, tuple(_rule(entry) for entry in entries))
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise PolicyInvalid(f"policy '{name}' cannot be read: {error}") from error


def _rule(entry: dict[str, Any]) -> Rule:
    strange = set(entry) - _KEYS
    if strange or entry["effect"] not in ("allow", "deny", "require_approval"):
        raise PolicyInvalid(f"rule '{entry.get('id')}' has a key or an effect that nobody knows")
    return Rule(
        id=entry["id"],
        effect=cast("Word", entry["effect"]),
        actions=tuple(entry["actions"]),
        when=entry.get("when", {}),
        reason=entry["reason"],
    )


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a value is the wanted one, or one of several; True is no 1 here."""
    options = cast("list[Any]", wanted) if isinstance(wanted, list) else [wanted]
    return any(type(value) is type(option) and value == option for option in options)
