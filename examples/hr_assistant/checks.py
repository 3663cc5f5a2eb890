"""What only this suite asks: whether an answer stands in what was really retrieved.

Both look at what the harness saw the retriever and the tools return, never at what the assistant
says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from probare.errors import GraderError
from probare.graders.grounding import NumbersGrounded
from probare.model.event import Retrieval, ToolResult
from probare.model.verdict import Verdict
from probare.ports.grader import TrialView


def grounded(text: str, trial: TrialView) -> Verdict:
    """Every number of the answer stands in a passage or a record that was really returned, or in
    the question.
    """
    known: list[Any] = [*_passages(trial), trial.case.input]
    events = trial.transcript.events
    known += [event.result for event in events if isinstance(event, ToolResult)]
    return NumbersGrounded(source=known).grade(text, trial)


def cites(text: str, trial: TrialView, source: Mapping[str, Any] | None) -> tuple[bool, str]:
    """The answer names a policy that was really retrieved: its title and the day it took effect;
    where `source` is given, that document in that version. No other version is named.
    """
    passages = list(_passages(trial))
    cited = [each for each in passages if each["title"] in text and each["effective"] in text]
    if source is None:
        return True, f"no particular source is asked for; {len(cited)} passages are cited"
    wanted = {"document": source["document"], "version": source["version"]}
    named = f"{wanted['document']} version {wanted['version']}"
    versions = {each["version"] for each in cited if each["document"] == wanted["document"]}
    if versions - {wanted["version"]}:
        return False, f"another version than {named} is cited: {_listed(versions)}"
    if versions:
        return True, f"{named} was retrieved, and is cited"
    got = {f"{each['document']} version {each['version']}" for each in passages}
    return False, f"{named} is not cited; retrieved: {_listed(got)}"


def _passages(trial: TrialView) -> Iterator[Mapping[str, Any]]:
    if not trial.observes("retrievals"):
        raise GraderError("nobody saw what was retrieved", hint="let recorder.retriever wrap it")
    for event in trial.transcript.events:
        if isinstance(event, Retrieval) and event.source != "claimed":
            yield from event.documents or ()


def _listed(items: set[Any]) -> str:
    return ", ".join(sorted(map(str, items))) or "nothing"
