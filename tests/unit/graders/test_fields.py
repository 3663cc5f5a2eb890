"""field_present, field_equals, field_length."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from probare.errors import GraderError
from probare.graders.fields import FieldEquals, FieldLength, FieldPresent
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView

TRIAL = TrialView(case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings())
SEEN = {
    "user": {"name": "Ana", "age": 0, "ok": False, "note": " ", "gone": None},
    "items": [{"id": 1}, {"id": 2.0}],
    "none": [],
    "empty": {},
}


def grade(kind: type[Grader], seen: Any, **args: Any) -> Verdict:
    return msgspec.convert(args, kind).grade(seen, TRIAL)


@pytest.mark.parametrize("path", ["user.name", "user.age", "user.ok", "items[0].id", "items[-1]"])
def test_present(path: str) -> None:
    assert grade(FieldPresent, SEEN, path=path).result == "pass"


@pytest.mark.parametrize("path", ["user.note", "user.gone", "none", "empty"])
def test_there_but_empty(path: str) -> None:
    verdict = grade(FieldPresent, SEEN, path=path)
    assert verdict.result == "fail"
    assert "there, but empty" in verdict.reason


@pytest.mark.parametrize("path", ["user.nam", "items[2]", "user[0]", "user.name.first", "items.id"])
@pytest.mark.parametrize(
    ("kind", "more"),
    [(FieldPresent, {}), (FieldEquals, {"value": None}), (FieldLength, {"min": 0})],
)
def test_a_path_that_leads_nowhere_fails(
    kind: type[Grader], more: dict[str, Any], path: str
) -> None:
    verdict = grade(kind, SEEN, path=path, **more)
    assert verdict.result == "fail"
    assert verdict.reason.startswith(f"no field {path}: $")


def test_an_index_may_come_first() -> None:
    assert grade(FieldEquals, [{"id": 7}], path="[0].id", value=7).result == "pass"


def test_a_near_name_is_suggested() -> None:
    assert "did you mean 'name'?" in grade(FieldPresent, SEEN, path="user.nam").reason


@pytest.mark.parametrize(
    "text", ['{"a": {"b": 0}}', '```json\n{"a": {"b": 0}}\n```', ' {"a":{"b":0}}']
)
def test_a_text_that_is_json_is_looked_into(text: str) -> None:
    assert grade(FieldEquals, text, path="a.b", value=0).result == "pass"
    assert grade(FieldPresent, text, path="a.c").result == "fail"


@pytest.mark.parametrize("text", ["", "a: 1", 'see {"a": 1}', '{"a": NaN}', "{'a': 1}"])
def test_any_other_text_has_no_fields(text: str) -> None:
    verdict = grade(FieldPresent, text, path="a")
    assert verdict.result == "fail"
    assert "not JSON" in verdict.reason


def test_a_key_named_twice_cannot_be_judged() -> None:
    with pytest.raises(GraderError, match="duplicate key 'a'"):
        grade(FieldPresent, '{"a": null, "a": 1}', path="a")


def test_records_are_looked_into() -> None:
    assert grade(FieldEquals, [Case(id="x")], path="[0].id", value="x").result == "pass"


@pytest.mark.parametrize(
    ("path", "value", "result"),
    [
        ("items[1].id", 2, "pass"),
        ("user.age", 0, "pass"),
        ("user.age", False, "fail"),
        ("user.ok", 0, "fail"),
        ("user.ok", False, "pass"),
        ("user.age", "0", "fail"),
        ("user.gone", None, "pass"),
        ("items", [{"id": 1}, {"id": 2}], "pass"),
        ("user.name", "ana", "fail"),
    ],
)
def test_equals(path: str, value: Any, result: str) -> None:
    assert grade(FieldEquals, SEEN, path=path, value=value).result == result


def test_equals_names_the_first_difference() -> None:
    reason = grade(FieldEquals, SEEN, path="items", value=[{"id": 1}, {"id": 3}]).reason
    assert reason == "field items: at [1].id: expected 3, got 2.0"


@pytest.mark.parametrize(
    ("path", "args", "result"),
    [
        ("items", {"equals": 2}, "pass"),
        ("items", {"equals": 1}, "fail"),
        ("user.name", {"min": 3, "max": 3}, "pass"),
        ("user.name", {"max": 2}, "fail"),
        ("user", {"min": 6}, "fail"),
        ("none", {"max": 0}, "pass"),
        ("none", {"min": 1}, "fail"),
        ("user.age", {"min": 0}, "fail"),
        ("user.gone", {"max": 5}, "fail"),
    ],
)
def test_length(path: str, args: dict[str, int], result: str) -> None:
    assert grade(FieldLength, SEEN, path=path, **args).result == result


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"path": "a"}, "name `equals`"),
        ({"path": "a", "equals": 1, "min": 0}, "stands alone"),
        ({"path": "a", "min": 3, "max": 2}, "more than"),
        ({"path": "a b", "min": 3}, "not a path"),
        ({"path": "", "min": 3}, "not a path"),
        ({"path": "a", "min": -1}, ">= 0"),
    ],
)
def test_refused_at_load(args: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(args, FieldLength)


def test_nothing_to_look_at_is_an_error() -> None:
    with pytest.raises(GraderError, match="nothing to look at"):
        grade(FieldPresent, UNSET, path="a")
