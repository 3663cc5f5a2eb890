"""The two ends of the scale: right answers written by hand, and an assistant that does nothing.

The oracle shares no code with the assistant. Its answers, what it cites and whom it tells are the
cases' own `reference`, which reviewers are shown as well; a case that it fails contradicts itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probare.model.case import Case

CHANNELS = ("tools", "retrievals", "decisions")
_TITLES = {
    "annual-leave": "Annual leave",
    "confidential-records": "Confidential records",
    "family-leave": "Family leave",
    "flexible-working": "Flexible working",
    "notice-periods": "Notice periods",
    "pay-transparency": "Pay transparency",
    "personal-data": "Access to your personal data",
    "respect-at-work": "Respect at work",
    "sick-leave-us-ca": "Paid sick leave in California",
    "sickness": "Sickness",
    "speak-up": "Speaking up",
    "wellbeing": "Wellbeing",
}
_ANONYMOUS = "compliance_confidential"


class OracleTarget:
    """Answers with the case's reference."""

    def run(
        self,
        input: Mapping[str, Any],  # noqa: A002 - the name that a target is called with
        case: Case,
        recorder: Any,
    ) -> dict[str, Any]:
        """Return the answer, having looked up and told whom it had to."""
        for channel in CHANNELS:
            recorder.observe(channel)
        right: Mapping[str, Any] = case.reference
        for check in case.expect:
            if check.grader == "tool_called" and check.args["name"] == "lookup_record":
                recorder.tool(_shown(right["answer"]), "lookup_record")(**check.args["args"])
        if right["escalate"] is not None:
            anonymous = right["escalate"]["to"] == _ANONYMOUS
            recorder.tool(_received, "escalate")(
                **right["escalate"], reporter=None if anonymous else input["employee"]
            )
        text = right["answer"]
        passages: list[dict[str, Any]] = []
        if right["source"] is not None:
            title = _TITLES[right["source"]["document"]]
            passages.append({**right["source"], "title": title, "text": text})
            text += f"\n\n{title}, {passages[0]['version']}, {passages[0]['effective']}"
        recorder.retriever(lambda query: passages, "search_policies")("the rule that is asked for")
        return {"text": text, "language": right["language"], "jurisdiction": right["jurisdiction"]}


class NullTarget:
    """Answers with nothing; what it does not do is observed."""

    def run(self, recorder: Any) -> dict[str, Any]:
        """Return an empty answer."""
        for channel in CHANNELS:
            recorder.observe(channel)
        return {"text": "", "language": "", "jurisdiction": ""}


def _received(**_notice: Any) -> str:
    return "received"


def _shown(answer: str) -> Any:
    def lookup_record(**_asked: Any) -> dict[str, str]:
        return {"record": answer}

    return lookup_record
