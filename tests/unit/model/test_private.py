"""A case as it may be written down: names of planted identifiers, never their values."""

from __future__ import annotations

import json

import msgspec
from msgspec import UNSET

from probare.model.case import Case, Check, Simulation, content_digest
from probare.model.private import private_case, private_suite
from probare.model.suite import Privacy, Suite

INNER = Check(grader="contains", args={"text": "JANE DOE"})
CASE = Case(
    id="a",
    input={"who": "Jane Doe", "ssn": 521449083, "year": 1961},
    description="About Jane Doe.",
    reference=["It is Jane", "Doe"],
    notes={"intent": "keep Jane Doe out"},
    expect=(Check(grader="equals", args={"value": "521-44-9083"}, label="of Jane Doe"),),
    forbid=(Check(grader="any_of", checks=(INNER,)),),
    turns=("I am Jane Doe", "My number is 521-44-9083"),
    simulate=Simulation(model="a:b", goal="find Jane Doe", persona="JANE DOE", first="Jane Doe!"),
    planted={"name": "Jane Doe", "ssn": "521-44-9083"},
)


def test_every_place_that_may_hold_an_identifier_is_masked() -> None:
    case = private_case(CASE)
    assert case.planted == {"name": "[planted:name]", "ssn": "[planted:ssn]"}
    assert case.input == {"who": "[planted:name]", "ssn": "[planted:ssn]", "year": 1961}
    assert case.description == "About [planted:name]."
    assert case.reference == ["It is [planted:name]", ""]
    assert case.notes == {"intent": "keep [planted:name] out"}
    assert case.expect[0].args == {"value": "[planted:ssn]"}
    assert case.expect[0].label == "of [planted:name]"
    assert case.forbid[0].checks[0].args == {"text": "[planted:name]"}
    assert case.turns == ("I am [planted:name]", "My number is [planted:ssn]")
    assert case.simulate is not None
    assert case.simulate.goal == "find [planted:name]"
    line = msgspec.json.encode(case).decode().casefold()
    assert not any(value in line for value in ("jane", "doe", "9083"))


def test_doing_it_twice_changes_nothing_and_the_digest_tells_nothing() -> None:
    case = private_case(CASE)
    assert private_case(case) == case
    read = msgspec.json.decode(msgspec.json.encode(case), type=Case)
    assert content_digest(read) == content_digest(case)
    other = json.loads(
        json.dumps(msgspec.to_builtins(CASE)).replace("521-44-9083", "987-65-4329")
        .replace("521449083", "987654329")
    )  # fmt: skip
    assert content_digest(private_case(msgspec.convert(other, Case))) == content_digest(case)
    assert content_digest(CASE) != content_digest(case)


def test_a_case_with_nothing_planted_is_left_alone() -> None:
    plain = Case(id="b", input="Jane Doe")
    assert private_case(plain) is plain
    assert private_case(msgspec.structs.replace(CASE, reference=UNSET)).reference is UNSET


def test_a_suite_is_masked_only_where_it_says_so() -> None:
    suite = Suite(name="s", cases=(CASE,))
    assert private_suite(suite) is suite
    masked = private_suite(msgspec.structs.replace(suite, privacy=Privacy(mask=True)))
    assert masked.cases == (private_case(CASE),)
