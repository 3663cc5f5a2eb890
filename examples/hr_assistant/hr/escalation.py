"""What goes to people: rules that look for an experience, not for a topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from hr.words import Language

FILE = Path(__file__).parent.parent / "rules" / "escalation.yaml"
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Rule:
    """Who is told of what, and how soon."""

    category: str
    to: str
    urgency: str
    anonymous: bool
    ask: Mapping[Language, str]
    tells: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]

    def holds(self, sentence: str) -> bool:
        """Whether a sentence tells of such an experience."""
        text = sentence.replace("’", "'")
        return any(each.search(text) for each in self.tells) and not any(
            each.search(text) for each in self.unless
        )


@dataclass(frozen=True)
class Triage:
    """What a message comes to: the rule that holds, if any, and what else it asks."""

    rule: Rule | None
    rest: str


class Triager:
    """Applies rules, the first ones first."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)

    def triage(self, message: str) -> Triage:
        """Return the first rule that holds of any sentence, and the questions among the others."""
        sentences = _SENTENCE.split(message)
        for rule in self.rules:
            if any(rule.holds(sentence) for sentence in sentences):
                rest = [each for each in sentences if each.endswith("?") and not self._tells(each)]
                return Triage(rule, " ".join(rest))
        return Triage(None, message)

    def _tells(self, sentence: str) -> bool:
        return any(rule.holds(sentence) for rule in self.rules)


def read_rules(file: Path = FILE) -> Triager:
    """Read the rules."""
    written = cast("list[dict[str, Any]]", yaml.safe_load(file.read_text(encoding="utf-8")))
    return Triager(
        Rule(
            category=each["category"],
            to=each["to"],
            urgency=each["urgency"],
            anonymous=each.get("anonymous", False),
            ask=each["ask"],
            tells=_patterns(each["tells"]),
            unless=_patterns(each.get("unless", {})),
        )
        for each in written
    )


def _patterns(by_language: Mapping[str, Iterable[str]]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.I) for texts in by_language.values() for text in texts)
