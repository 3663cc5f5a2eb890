"""What trusted claims may be taken for, and what they may not."""

from __future__ import annotations

from typing import Any

import pytest

from probare.grading.evidence import INCOMPLETE, NOT_OBSERVABLE, doubt, doubt_of_acts
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Check
from probare.model.event import Event, Message, Note, Retrieval, ToolCall
from probare.pipeline.catalogue import BuiltCatalogue
from probare.ports.grader import GradingSettings

GRADERS = BuiltCatalogue().graders
CALL = ToolCall(name="send", arguments={"to": "Ada"})
BARE = ToolCall(name="send", attributes={NOT_OBSERVABLE: ["arguments"]})


def _note(kind: str, *channels: str) -> Note:
    return Note(text="so it is", source="observed", data={"kind": kind, "channels": [*channels]})


def _verdict(view: Any, check: Check, *events: Event, trust: Any = "claimed", **more: Any) -> Any:
    ready = make_ready(check, more.pop("in_list", "expect"), GRADERS, GradingSettings())
    return judge(ready, view("x", events=events, trust=trust, **more))


def _called(name: str, **args: Any) -> Check:
    return Check(grader="tool_called", args={"name": name} | ({"args": args} if args else {}))


def test_trusted_claims_and_their_absence_count(view: Any) -> None:
    assert _verdict(view, _called("send"), CALL).result == "pass"
    assert _verdict(view, _called("delete"), CALL, in_list="forbid").result == "pass"


def test_absence_is_unknown_where_the_source_could_not_have_told(view: Any) -> None:
    note = _note(NOT_OBSERVABLE, "tools")
    verdict = _verdict(view, _called("delete"), note, in_list="forbid")
    assert verdict.result == "unknown"
    assert "so it is" in verdict.reason
    other = _note(NOT_OBSERVABLE, "retrievals")
    assert _verdict(view, _called("delete"), other, in_list="forbid").result == "pass"


def test_what_was_told_all_the_same_counts(view: Any) -> None:
    assert _verdict(view, _called("send"), CALL, _note(NOT_OBSERVABLE, "tools")).result == "pass"


def test_what_the_harness_sees_itself_is_no_gap(view: Any) -> None:
    note = _note(NOT_OBSERVABLE, "tools")
    verdict = _verdict(view, _called("delete"), note, in_list="forbid", observes=("tools",))
    assert verdict.result == "pass"


def test_where_events_may_be_missing_nothing_is_known(view: Any) -> None:
    note = _note(INCOMPLETE, "tools")
    assert _verdict(view, _called("send"), CALL, note).result == "unknown"
    assert _verdict(view, _called("delete"), CALL, note, in_list="forbid").result == "unknown"


@pytest.mark.parametrize("in_list", ["expect", "forbid"])
@pytest.mark.parametrize(
    "check",
    [
        _called("send", to="Ada"),
        Check(grader="tool_calls", args={"calls": [{"name": "send", "args": {}}]}),
        Check(grader="no_repeated_calls"),
    ],
)
def test_arguments_that_nobody_saw_are_an_error(view: Any, check: Check, in_list: str) -> None:
    verdict = _verdict(view, check, BARE, in_list=in_list)
    assert (verdict.result, verdict.score) == ("error", None)
    assert "the arguments of send" in verdict.reason


@pytest.mark.parametrize(
    ("check", "result"),
    [
        (_called("send"), "pass"),
        (_called("delete"), "fail"),
        (Check(grader="tool_calls", args={"calls": ["send"]}), "pass"),
        (Check(grader="tool_calls", args={"calls": [], "args": "ignore"}), "fail"),
        (Check(grader="max_tool_calls", args={"limit": 1}), "pass"),
        (Check(grader="first_tool", args={"name": "send"}), "pass"),
    ],
)
def test_names_are_enough_where_only_names_are_asked_for(
    view: Any, check: Check, result: str
) -> None:
    assert _verdict(view, check, BARE).result == result


def test_claims_that_are_not_trusted_stay_unknown_with_or_without_notes(view: Any) -> None:
    for events in ((CALL,), (BARE,), (CALL, _note(INCOMPLETE, "tools")), ()):
        assert _verdict(view, _called("send"), *events, trust="observed").result == "unknown"


def test_doubt_of_content(view: Any) -> None:
    query = Retrieval(query=None, attributes={NOT_OBSERVABLE: ["query", "documents"]})
    trial = view("x", events=(query,), trust="claimed")
    found = doubt(trial, "retrievals")
    assert found is not None
    assert found.result == "error"
    assert "the query of retriever" in found.reason
    message = Message(role="user", content=None, attributes={NOT_OBSERVABLE: ["content"]})
    found = doubt(view("x", events=(message,), trust="claimed"), "messages")
    assert found is not None
    assert "the content of message" in found.reason


def test_results_and_documents_that_nobody_saw_are_no_doubt_of_what_was_passed(view: Any) -> None:
    query = Retrieval(query="q", attributes={NOT_OBSERVABLE: ["documents"]})
    assert doubt(view("x", events=(query,), trust="claimed"), "retrievals") is None


def test_doubt_of_acts_heeds_gaps(view: Any) -> None:
    events = (CALL, _note(INCOMPLETE, "retrievals"))
    assert doubt_of_acts(view("x", events=events, trust="claimed")) is not None
    assert doubt_of_acts(view("x", events=(CALL,), trust="claimed")) is None


def test_odd_notes_are_no_gap(view: Any) -> None:
    for data in (None, "x", {"kind": NOT_OBSERVABLE}, {"kind": NOT_OBSERVABLE, "channels": 3}):
        note = Note(text="t", data=data)
        assert doubt(view("x", events=(note,), trust="claimed"), "tools") is None
