"""Which trials are sent to people, and why."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.model.case import Case, Check
from probare.model.judged import JudgeReply
from probare.model.record import TranscriptRef, TrialRecord
from probare.model.review import RULES, Rule, Wanted
from probare.model.statuses import trial_status
from probare.model.suite import ReviewSettings, Suite
from probare.model.verdict import CheckVerdict
from probare.review.queueing import PRIORITIES, drawn, threshold_of, wanted

_NOW = datetime(2026, 12, 1, 4, tzinfo=UTC)
_PASS = CheckVerdict(label="ok", grader="equals", grader_version="1", list="expect", result="pass")
_QUIET = ReviewSettings(sample=0.0)


def _verdict(result: Any, label: str = "check", **more: Any) -> CheckVerdict:
    return msgspec.structs.replace(_PASS, result=result, label=label, **more)


def _record(
    *verdicts: CheckVerdict, case: str = "c", trial: int = 0, stop: Any = "completed"
) -> Any:
    return TrialRecord(
        case=case,
        trial=trial,
        stop=stop,
        status=trial_status(stop, verdicts),
        error=None,
        attempts=1,
        verdicts=verdicts,
        started="2026-12-01T04:00:00.000+00:00",
        duration_ms=1.0,
        first_token_ms=None,
        usage=None,
        output_text="yes",
        transcript=TranscriptRef(0, 10, f"{trial:064x}"),
        salt="",
    )


def _case(name: str = "c", **more: Any) -> Case:
    return Case(id=name, expect=(Check(grader="equals"),), **more)


def _ask(
    cases: Iterable[Case],
    records: Iterable[TrialRecord],
    settings: ReviewSettings = _QUIET,
    **more: Any,
) -> list[Wanted]:
    suite = Suite(name="s", cases=tuple(cases))
    said: dict[str, Any] = {"seed": 7, "now": _NOW, **more}
    return wanted(suite, settings, records, **said)


def _reasons(found: list[Wanted]) -> list[tuple[str, str]]:
    return [(reason.rule, reason.words) for each in found for reason in each.reasons]


def _judged(*means: Any) -> tuple[JudgeReply, ...]:
    return tuple(
        JudgeReply(model="m", prompt_sha256="0" * 64, means=each, vote=number)
        for number, each in enumerate(means)
    )


@pytest.mark.parametrize(
    ("verdicts", "rule", "words"),
    [
        ([_verdict("fail", "tone")], "failed", "failed: tone"),
        ([_verdict("error", "tone")], "errored", "could not be judged: tone"),
        ([_verdict("skipped", "tone")], "errored", "could not be judged: tone"),
        ([_PASS, _verdict("unknown", "lang")], "undecided", "unknown: lang"),
        (
            [_verdict("unknown", "judge", judged=_judged("unknown"))],
            "judge_unknown",
            "a judge is unsure: judge",
        ),
        (
            [_verdict("pass", "judge", judged=_judged("pass", "fail", "pass"))],
            "judges_disagree",
            "judges disagree: judge",
        ),
        (
            [
                _PASS,
                _verdict("unknown", "phi", grader="suspected_phi", list="forbid", required=False),
            ],
            "suspected_phi",
            "looks like PHI: phi",
        ),
        ([], "undecided", "no required check judges it"),
        ([_verdict("fail", "a", required=False)], "undecided", "no required check judges it"),
    ],
)
def test_a_flag_calls_people(verdicts: list[CheckVerdict], rule: str, words: str) -> None:
    found = _ask([_case()], [_record(*verdicts)])
    assert (rule, words) in _reasons(found)
    assert found[0].transcript == f"{0:064x}"
    off: tuple[Rule, ...] = tuple(each for each in RULES if each != rule)
    rest = _ask([_case()], [_record(*verdicts)], ReviewSettings(sample=0.0, rules=off))
    assert rule not in [reason for reason, _ in _reasons(rest)]


@pytest.mark.parametrize("stop", ["timeout", "limit", "target_error", "infra_error"])
def test_a_trial_that_did_not_complete(stop: str) -> None:
    found = _ask([_case()], [_record(stop=stop)])
    assert ("errored", f"stopped by {stop.replace('_', ' ')}") in _reasons(found)


def test_a_pass_without_a_flag_is_not_queued() -> None:
    assert _ask([_case()], [_record(_PASS)]) == []
    assert _ask([_case()], [_record(_PASS, case="of another suite")]) == []


def test_a_case_asks_for_it() -> None:
    found = _ask([_case(review="always")], [_record(_PASS), _record(_PASS, trial=1)])
    assert [each.trial for each in found] == [0, 1]
    assert _reasons(found)[0] == ("asked", "the case asks for it (review: always)")


def test_tags_send_a_case() -> None:
    case = _case(tags=("x", "escalation", "sensitive"))
    assert _reasons(_ask([case], [_record(_PASS)])) == [("tagged", "tagged escalation, sensitive")]
    other = ReviewSettings(sample=0.0, tags=("x",))
    assert _reasons(_ask([case], [_record(_PASS)], other)) == [("tagged", "tagged x")]


def test_never_is_never_queued() -> None:
    never = _case(review="never", tags=("sensitive",))
    loud = ReviewSettings(when="always", sample=1.0)
    assert _ask([never], [_record(_verdict("fail"))], loud) == []


def test_when_holds_for_cases_that_do_not_say() -> None:
    cases = [
        _case("a", review="always"),
        _case("f", tags=("sensitive",)),
        _case("n", review="never"),
    ]
    records = [_record(_PASS, case=each.id) for each in cases]
    always = _ask(cases, records, ReviewSettings(when="always", sample=0.0))
    assert [each.case for each in always] == ["a", "f"]
    assert ("asked", "the suite sends every trial (when: always)") in _reasons(always)
    never = _ask(cases, records, ReviewSettings(when="never", sample=1.0))
    assert [each.case for each in never] == ["a"]


def test_case_wide_verdicts_call_people_to_all_trials() -> None:
    wide = {"c": [_verdict("fail", "identical")]}
    found = _ask([_case()], [_record(_PASS), _record(_PASS, trial=1)], case_wide=wide)
    assert _reasons(found) == [("failed", "failed: identical")] * 2


@pytest.mark.parametrize(
    ("which", "score", "near"),
    [
        ("expect", 0.80, True),
        ("expect", 0.85, True),
        ("expect", 0.75, True),
        ("expect", 0.86, False),
        ("expect", 0.7, False),
        ("expect", None, False),
        ("forbid", 0.2, True),
        ("forbid", 0.8, False),
    ],
)
def test_near_a_threshold_on_either_side(which: Any, score: float | None, near: bool) -> None:
    check = Check(grader="judge", label="j", threshold=0.8)
    case = msgspec.structs.replace(Case(id="c"), **{which: (check,)})
    found = _ask([case], [_record(_verdict("pass", "j", list=which, score=score))])
    assert [rule for rule, _ in _reasons(found)] == (["near_threshold"] if near else [])


def test_thresholds() -> None:
    assert threshold_of(Check(grader="similar", args={"to": "x", "at_least": 0.9})) == 0.9
    assert threshold_of(Check(grader="similar", args={"to": "x", "at_least": "$x"})) is None
    assert threshold_of(Check(grader="equals", args={"at_least": 0.9})) is None
    assert threshold_of(Check(grader="similar", args={"at_least": 0.9}, threshold=0.5)) == 0.5


def test_overlap_distance_due_and_priority_come_from_the_settings() -> None:
    settings = ReviewSettings(
        sample=0.0, overlap=3, distance=0, due=86_400.0, priorities={"failed": 9}
    )
    (each,) = _ask([_case()], [_record(_verdict("fail"))], settings)
    assert (each.overlap, each.distance, each.priority) == (3, 0, 9)
    assert each.due == "2026-12-02T04:00:00+00:00"
    phi = _verdict("unknown", "phi", grader="suspected_phi")
    (first,) = _ask([_case()], [_record(_verdict("fail"), phi)])
    assert (first.priority, first.due) == (1, None)
    assert set(PRIORITIES) == set(RULES)


def test_a_sample_of_the_passes_is_drawn_by_the_seed() -> None:
    cases = [_case(f"c{number}") for number in range(40)]
    records = [_record(_PASS, case=each.id) for each in cases]
    quarter = ReviewSettings(sample=0.25)
    found = _ask(cases, records, quarter)
    assert len(found) == 10
    assert {rule for rule, _ in _reasons(found)} == {"sampled"}
    assert "25% of the passes (seed 7)" in found[0].reasons[0].words
    assert _ask(cases, reversed(records), quarter) == found
    assert _ask(cases, records, quarter, seed=8) != found
    assert len(_ask(cases[:3], records[:3], quarter)) == 1
    assert len(_ask(cases, records, ReviewSettings(sample=1.0))) == 40
    off: tuple[Rule, ...] = tuple(each for each in RULES if each != "sampled")
    assert _ask(cases, records, ReviewSettings(sample=1.0, rules=off)) == []


def test_what_is_flagged_is_not_drawn_too() -> None:
    cases = [_case("a", tags=("sensitive",)), _case("b")]
    found = _ask(
        cases, [_record(_PASS, case=each.id) for each in cases], ReviewSettings(sample=1.0)
    )
    assert [[reason.rule for reason in each.reasons] for each in found] == [["tagged"], ["sampled"]]


@given(
    keys=st.sets(st.tuples(st.text(max_size=5), st.integers(0, 9)), max_size=30),
    share=st.floats(0, 1),
    seed=st.integers(),
)
def test_a_drawn_share_is_rounded_up_and_grows(
    keys: set[tuple[str, int]], share: float, seed: int
) -> None:
    try:
        [name.encode() for name, _ in keys]
    except UnicodeEncodeError:
        return
    found = drawn(keys, share, seed)
    assert set(found) <= keys
    assert len(found) == len(set(found))
    assert len(found) - 1 < len(keys) * share <= len(found) + 1e-6
    assert drawn(keys, 1.0, seed)[: len(found)] == found
