"""Checks that would demand what their grader prohibits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from probare.loading.explain import Finding
from probare.loading.known import inner_checks
from probare.model.case import Check
from probare.model.verdict import CheckList
from probare.ports.grader import Grader


def reversed_findings(
    check: Check, written: Any, graders: Mapping[str, type[Grader]], under: CheckList
) -> Iterator[Finding]:
    """Yield the checks whose grader states a prohibition that `forbid` or `not` turns around.

    `banned_words` says that the text is free of them; under `forbid` it would ask for one.
    """
    kind = graders.get(check.grader)
    if kind is not None and kind.PROHIBITS and under == "forbid":
        message = f"{check.grader} says itself that something must not be there"
        hint = "under forbid, or inside not, it would ask for it: write it under expect"
        yield Finding((check.grader,) if isinstance(written, dict) else (), message, hint)
    if not check.checks:
        return
    inside: CheckList = under
    if check.grader == "not":
        inside = "expect" if under == "forbid" else "forbid"
    for steps, inner, inner_written in inner_checks(check, written):
        for finding in reversed_findings(inner, inner_written, graders, inside):
            yield finding._replace(steps=(*steps, *finding.steps))
