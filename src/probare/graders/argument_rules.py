"""Rules for the arguments of single tools, with their functions loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probare.errors import GraderError
from probare.graders.call_matching import ArgumentRules, Comparison, ToolRule
from probare.grading import usercode
from probare.ports.grader import TrialView


def loaded(rules: Mapping[str, ArgumentRules], trial: TrialView) -> dict[str, ToolRule]:
    """Return the rules with the functions that they name, looked up beside the suite first.

    Raises InputError where one cannot be had.
    """
    return {
        tool: ToolRule(
            frozenset(rule.ignore),
            {name: _comparison(reference, trial) for name, reference in rule.compare.items()},
        )
        for tool, rule in rules.items()
    }


def _comparison(reference: str, trial: TrialView) -> Comparison:
    function = usercode.load(reference, trial.settings.folder)
    if not callable(function):
        raise GraderError(f"{reference} is {type(function).__name__}, which cannot be called")

    def agree(gold: Any, made: Any) -> bool:
        answer: Any = function(gold, made)
        if type(answer).__module__ == "numpy" and hasattr(answer, "item"):
            answer = answer.item()
        if not isinstance(answer, bool):
            raise GraderError(f"{reference} returned {answer!r:.100}", hint="return True or False")
        return answer

    return agree
