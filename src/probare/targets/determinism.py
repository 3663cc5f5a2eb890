"""Trials that ask to be independent of any model: `deterministic: true` in their input.

Such a trial is given no model, and a process of its own (`command`, `isolation: process`) does
not see the variables that name one. The harness's own environment is not touched, so that the
trials beside it keep theirs; an agent in this process that reads `os.environ` itself needs
`isolation: process`.
"""

from __future__ import annotations

from collections.abc import Mapping

from probare.encoding.narrow import mapping
from probare.model.case import Case

HIDDEN = ("MODEL", "DRAFT_MODEL")


def asked_for(case: Case) -> bool:
    """Whether a case asks for it."""
    return mapping(case.input).get("deterministic") is True


def model_for(case: Case, model: str | None) -> str | None:
    """Return the model that a trial of the case is given."""
    return None if asked_for(case) else model


def environment_for(case: Case, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that a process for a trial of the case sees."""
    hidden = HIDDEN if asked_for(case) else ()
    return {name: value for name, value in environment.items() if name not in hidden}
