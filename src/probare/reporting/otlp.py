"""Verdicts as OpenTelemetry events `gen_ai.evaluation.result`, in OTLP's JSON form.

https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/: a name, a score's value and
label, an explanation, and the id of the response that was judged where it is known. Each event
belongs to the trace of its trial, where the trial has one.

As log records, which is how the conventions have events; or as events of one span a trial, for
services that take traces alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec

from probare.encoding.narrow import mapping
from probare.grading.traces import TRACE
from probare.model.event import Note
from probare.model.outcome import Transcript
from probare.model.record import CaseRecord, RunPlan, TrialRecord
from probare.model.verdict import CheckVerdict

EVENT = "gen_ai.evaluation.result"
_ID = re.compile(r"(?:[0-9a-f]{16}){1,2}")
_SEVERITY = {"pass": (9, "INFO"), "fail": (13, "WARN"), "error": (17, "ERROR")}


class Link(msgspec.Struct, frozen=True):
    """A trial's trace: ids as hex, and the id of the last response of a model, if known."""

    trace_id: str
    span_id: str
    response_id: str | None = None


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """One trial's verdicts (or, with no trial, a case's), when they were given (nanoseconds of
    Unix time), and the trace that they are of.
    """

    case: str
    trial: int | None
    at_ns: int
    verdicts: tuple[CheckVerdict, ...]
    link: Link | None = None


def of_trial(record: TrialRecord, transcript: Transcript) -> Evaluation:
    """Return what was said of a trial."""
    started = datetime.fromisoformat(record.started).timestamp()
    return Evaluation(
        case=record.case,
        trial=record.trial,
        at_ns=int(started * 1e9) + int(record.duration_ms * 1e6),
        verdicts=record.verdicts,
        link=link_of(transcript),
    )


def of_case(record: CaseRecord, at_ns: int) -> Evaluation:
    """Return what was said of all trials of a case together."""
    return Evaluation(case=record.case, trial=None, at_ns=at_ns, verdicts=record.verdicts)


def link_of(transcript: Transcript) -> Link | None:
    """Return the trace that a transcript names, or None where it names none."""
    for event in reversed(transcript.events):
        if isinstance(event, Note) and event.source != "claimed":
            data = mapping(event.data)
            if data.get("kind") == TRACE:
                return _link(data)
    return None


def _link(data: dict[str, Any]) -> Link | None:
    """Return a note's link; None where an id is none (masked, say)."""
    trace_id, span_id = str(data.get("trace_id")), str(data.get("span_id"))
    if not (_ID.fullmatch(trace_id) and _ID.fullmatch(span_id)):
        return None
    response = data.get("response_id")
    return Link(trace_id, span_id, response if isinstance(response, str) else None)


def as_logs(evaluations: Iterable[Evaluation], plan: RunPlan) -> dict[str, Any]:
    """Return a request of log records, one a verdict."""
    records: list[dict[str, Any]] = []
    for evaluation in evaluations:
        for attributes, verdict in _attributes(evaluation):
            number, word = _SEVERITY.get(verdict.result, (9, "INFO"))
            record: dict[str, Any] = {
                "timeUnixNano": str(evaluation.at_ns),
                "observedTimeUnixNano": str(evaluation.at_ns),
                "eventName": EVENT,
                "severityNumber": number,
                "severityText": word,
                "attributes": attributes,
            }
            if evaluation.link is not None:
                record["traceId"] = evaluation.link.trace_id
                record["spanId"] = evaluation.link.span_id
            records.append(record)
    scoped = {"scope": {"name": "probare"}, "logRecords": records}
    return {"resourceLogs": [{"resource": _resource(plan), "scopeLogs": [scoped]}]}


def as_spans(evaluations: Iterable[Evaluation], plan: RunPlan) -> dict[str, Any]:
    """Return a request of spans, one a trial (or case), with an event for each verdict."""
    spans: list[dict[str, Any]] = []
    for evaluation in evaluations:
        name = f"{plan.run_id}/{evaluation.case}/{evaluation.trial}"
        ids = sha256(name.encode()).hexdigest()
        link = evaluation.link
        span: dict[str, Any] = {
            "traceId": ids[:32] if link is None else link.trace_id,
            "spanId": ids[32:48],
            "name": "probare.evaluation",
            "kind": 1,
            "startTimeUnixNano": str(evaluation.at_ns),
            "endTimeUnixNano": str(evaluation.at_ns),
            "events": [
                {
                    "timeUnixNano": str(evaluation.at_ns),
                    "name": EVENT,
                    "attributes": attributes,
                }
                for attributes, _ in _attributes(evaluation)
            ],
        }
        if link is not None:
            span["parentSpanId"] = link.span_id
        spans.append(span)
    scoped = {"scope": {"name": "probare"}, "spans": spans}
    return {"resourceSpans": [{"resource": _resource(plan), "scopeSpans": [scoped]}]}


def _resource(plan: RunPlan) -> dict[str, Any]:
    facts = {
        "service.name": "probare",
        "service.version": plan.versions.get("probare", ""),
        "probare.suite": plan.suite,
        "probare.run": plan.run_id,
        "probare.target": plan.target,
    }
    return {"attributes": [_pair(key, value) for key, value in facts.items()]}


def _attributes(evaluation: Evaluation) -> Iterator[tuple[list[dict[str, Any]], CheckVerdict]]:
    for verdict in evaluation.verdicts:
        facts: dict[str, Any] = {
            "gen_ai.evaluation.name": verdict.label,
            "gen_ai.evaluation.score.value": verdict.score,
            "gen_ai.evaluation.score.label": verdict.result,
            "gen_ai.evaluation.explanation": verdict.reason or None,
            "gen_ai.response.id": evaluation.link.response_id if evaluation.link else None,
            "error.type": "grader_error" if verdict.result == "error" else None,
            "probare.case": evaluation.case,
            "probare.trial": evaluation.trial,
            "probare.grader": verdict.grader,
            "probare.list": verdict.list,
        }
        yield [_pair(k, value) for k, value in facts.items() if value is not None], verdict


def _pair(key: str, value: Any) -> dict[str, Any]:
    if isinstance(value, int):
        return {"key": key, "value": {"intValue": str(value)}}
    kind = "doubleValue" if isinstance(value, float) else "stringValue"
    return {"key": key, "value": {kind: value}}
