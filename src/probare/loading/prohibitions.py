"""Checks that would demand what their grader prohibits, or what it can only suspect."""

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
    """Yield the checks whose grader's statement stands the wrong way round.

    `banned_words` says that the text is free of them; under `forbid` it would ask for one.
    `suspected_phi` says that something may be there; under `expect` it could never pass.
    """
    kind = graders.get(check.grader)
    steps = (check.grader,) if isinstance(written, dict) else ()
    if kind is not None and kind.PROHIBITS and under == "forbid":
        message = f"{check.grader} says itself that something must not be there"
        hint = "under forbid, or inside not, it would ask for it: write it under expect"
        yield Finding(steps, message, hint)
    if kind is not None and kind.SUSPECTS and under == "expect":
        message = f"{check.grader} looks for what must not be there, so here it could never pass"
        yield Finding(steps, message, "write it under forbid")
    if not check.checks:
        return
    inside: CheckList = under
    if check.grader == "not":
        inside = "expect" if under == "forbid" else "forbid"
    for steps, inner, inner_written in inner_checks(check, written):
        for finding in reversed_findings(inner, inner_written, graders, inside):
            yield finding._replace(steps=(*steps, *finding.steps))
