from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from probare.errors import InfraError, InputError
from probare.model.case import Case, Check
from probare.model.labelled import Example
from probare.model.rubric import Dimension, Level, PassRule, Rubric
from probare.model.suite import JudgeSettings, Suite
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.judge_checks import check_judge, chosen_use, judge_uses
from probare.pipeline.judge_labels import JudgeUse, PassFrom
from probare.ports.chat import ChatReply, ChatRequest
from probare.ports.grader import GradingSettings
from probare.reporting.judgechecks import rendered_judge_check
from probare.scoring.judgechecks import JudgeCheck, Minimums
from probare.testing.fakes import FakeModels

GRADERS = BuiltCatalogue().graders
POLITE = JudgeUse(Check(grader="judge", args={"rubric": "Is it polite?"}))
RUBRIC = msgspec.to_builtins(
    Rubric(
        id="hr",
        version="1",
        dimensions=tuple(
            Dimension(
                id=name,
                name=name,
                question=f"How is its {name}?",
                levels=tuple(Level(level, f"{level}") for level in (1, 2, 3, 4)),
            )
            for name in ("accuracy", "tone")
        ),
        pass_rule=PassRule(each_at_least=3),
    )
)
BY_RUBRIC = JudgeUse(Check(grader="judge_rubric", args={"rubric": RUBRIC}))


def answering(answers: Callable[[str], Any]) -> FakeModels:
    """A judge whose verdict follows from the request's text."""

    def reply(request: ChatRequest) -> ChatReply:
        asked = request.messages[-1].content
        token = re.search(r"The token is ([0-9a-f]+)\.", asked)
        assert token is not None
        said = answers(asked)
        if isinstance(said, Exception):
            raise said
        text = json.dumps({"reasoning": "r", "verdict": said, "token": token[1]})
        return ChatReply(text=text, model="m", finish="stop")

    return FakeModels(reply)


def by_word(asked: str) -> Any:
    """Says what the answer says of itself: good, bad, odd, lost."""
    for word, said in (("good", "pass"), ("bad", "fail"), ("odd", "unknown")):
        if f"\n{word}\n" in asked:
            return said
    return InfraError("503")


def examples(*pairs: tuple[str, str]) -> list[Example]:
    return [
        Example(id=f"e{at}", output=output, label=label)  # pyright: ignore[reportArgumentType]
        for at, (output, label) in enumerate(pairs)
    ]


def check(
    found: list[Example],
    use: JudgeUse = POLITE,
    models: FakeModels | None = None,
    minimums: Minimums | None = None,
    **keys: Any,
) -> JudgeCheck:
    settings = GradingSettings(
        chat=models or answering(by_word), judge=JudgeSettings(models=("fake:m",))
    )
    return check_judge(
        use, found, GRADERS, settings, minimums=minimums or Minimums(), concurrency=2, **keys
    )


def test_a_table_of_confusion_and_what_to_read() -> None:
    pairs = [("good", "pass")] * 4 + [("bad", "fail")] * 3 + [("bad", "pass"), ("good", "fail")]
    told: list[int] = []
    found = check(examples(*pairs, ("odd", "fail")), told=told.append)
    assert found.whole is not None
    assert found.whole.table == {
        "pass": {"pass": 4, "fail": 1, "unknown": 0, "error": 0},
        "fail": {"pass": 1, "fail": 3, "unknown": 1, "error": 0},
    }
    assert [(each.example, each.label, each.answer) for each in found.disagreements] == [
        ("e8", "fail", "pass"),
        ("e7", "pass", "fail"),
        ("e9", "fail", "unknown"),
    ]
    assert (found.exit_code, found.why, found.models) == (0, (), ("fake:m",))
    assert sorted(told) == list(range(1, 11))


def test_errors_make_it_incomplete_and_stay_in_the_denominators() -> None:
    found = check(examples(("good", "pass"), ("lost", "pass"), ("bad", "fail")))
    assert found.whole is not None
    assert found.whole.sensitivity.value == 0.5
    assert found.exit_code == 3
    assert found.why == ("1 answer could not be had (error)",)


@pytest.mark.parametrize(
    ("minimums", "code"),
    [
        (Minimums(), 0),
        (Minimums(kappa=0.4, sensitivity=0.5, specificity=1.0), 0),
        (Minimums(kappa=0.9), 1),
        (Minimums(sensitivity=0.51), 1),
        (Minimums(specificity=1.0), 0),
    ],
)
def test_minimums(minimums: Minimums, code: int) -> None:
    pairs = examples(("good", "pass"), ("bad", "pass"), ("bad", "fail"), ("bad", "fail"))
    found = check(pairs, minimums=minimums)
    assert found.exit_code == code
    assert bool(found.why) == bool(code)


def test_a_minimum_that_cannot_be_measured_is_not_met() -> None:
    found = check(examples(("good", "pass")), minimums=Minimums(specificity=0.5))
    assert (found.exit_code, "cannot be measured" in found.why[0]) == (3, True)
    below = check(examples(("bad", "pass"), ("lost", "pass")), minimums=Minimums(sensitivity=0.9))
    assert below.exit_code == 1


def test_labels_are_of_the_record_after_polarity() -> None:
    rude = JudgeUse(Check(grader="judge", args={"rubric": "Is it rude?"}), "forbid")
    found = check(examples(("good", "fail"), ("bad", "pass")), rude)
    assert found.whole is not None
    assert found.whole.agreement.value == 1.0


def by_dimension(asked: str) -> Any:
    at = asked.index("answer ")
    level = re.search(r"accuracy=(\d) tone=(\d)", asked[at:])
    assert level is not None
    return int(level[1] if "respect only, accuracy" in asked else level[2])


def scored(output: str, **scores: int | None) -> Example:
    return Example(id=output, output=output, scores=scores)


def test_a_rubric_is_held_against_people_dimension_by_dimension() -> None:
    found = check(
        [
            scored("accuracy=4 tone=4", accuracy=4, tone=3),
            scored("accuracy=1 tone=4", accuracy=3, tone=4),
            scored("accuracy=3 tone=3 ", accuracy=1, tone=None),
            scored("accuracy=3 tone=2", accuracy=4, tone=None),
        ],
        BY_RUBRIC,
        answering(by_dimension),
    )
    assert list(found.dimensions) == ["accuracy", "tone"]
    accuracy, tone = found.dimensions["accuracy"], found.dimensions["tone"]
    assert accuracy.table["pass"] == {"pass": 2, "fail": 1, "unknown": 0, "error": 0}
    assert accuracy.table["fail"] == {"pass": 1, "fail": 0, "unknown": 0, "error": 0}
    assert (tone.n, tone.agreement.value) == (2, 1.0)
    assert found.whole is not None
    assert found.whole.n == 3
    assert found.unlabelled == 3
    assert {(each.example, each.dimension) for each in found.disagreements} == {
        ("accuracy=1 tone=4", ""),
        ("accuracy=1 tone=4", "accuracy"),
        ("accuracy=3 tone=3 ", ""),
        ("accuracy=3 tone=3 ", "accuracy"),
    }


def test_scores_as_labels_of_a_check_without_dimensions() -> None:
    people = [
        Example(id="a", output="good", scores={"tone": 3}),
        Example(id="b", output="bad", scores={"tone": 2}),
        Example(id="c", output="bad", scores={"tone": None}),
        Example(id="d", output="bad", scores={"accuracy": 4}),
    ]
    found = check(people, pass_from=PassFrom("tone", 3))
    assert found.whole is not None
    assert (found.whole.n, found.unlabelled, found.whole.agreement.value) == (2, 2, 1.0)
    with pytest.raises(InputError, match="no label"):
        check(people)


@pytest.mark.parametrize(
    ("example", "message"),
    [
        (scored("x", accuracy=5), "5 is no level of accuracy"),
        (scored("x", acuracy=3), "no dimension 'acuracy'"),
    ],
)
def test_scores_that_the_rubric_does_not_have(example: Example, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check([example], BY_RUBRIC, answering(by_dimension))


def test_nothing_to_compare_is_incomplete() -> None:
    found = check([scored("accuracy=3 tone=3", accuracy=None)], BY_RUBRIC, answering(by_dimension))
    assert (found.whole, found.exit_code) == (None, 3)


def test_the_corrected_rate_of_other_outputs() -> None:
    pairs = [("good", "pass")] * 8 + [("bad", "pass")] * 2 + [("bad", "fail")] * 9
    found = check(examples(*pairs, ("good", "fail")), rate=(60, 100))
    assert found.rate is not None
    assert found.rate.value == pytest.approx((0.6 - 0.1) / 0.7)


def test_nobody_is_asked_where_the_judge_cannot_be() -> None:
    models = FakeModels(missing={"fake:m": "FAKE_KEY"})
    with pytest.raises(InputError, match="FAKE_KEY"):
        check(examples(("good", "pass")), models=models)
    assert models.requests == []


def test_votes_that_contradict_each_other_are_counted() -> None:
    said = iter(["pass", "fail", "pass", "pass"])
    use = JudgeUse(Check(grader="judge", args={"rubric": "x", "votes": 2}))
    settings = GradingSettings(
        chat=answering(lambda _: next(said)), judge=JudgeSettings(models=("fake:m",))
    )
    people = examples(("good", "pass"), ("fine", "pass"))
    found = check_judge(use, people, GRADERS, settings, minimums=Minimums(), concurrency=1)
    assert found.split_votes == 1
    assert found.whole is not None
    assert found.whole.table["pass"]["unknown"] == 1


def test_which_checks_of_a_suite_ask_a_judge() -> None:
    kind = Check(grader="judge", args={"rubric": "kind?"}, label="kind")
    rude = Check(grader="judge_yes_no", args={"question": "rude?"})
    plain = Check(grader="equals", args={"value": 1})
    within = Check(grader="any_of", checks=(plain, rude))
    suite = Suite(
        name="s",
        cases=(
            Case(id="a", expect=(kind, plain), forbid=(rude,)),
            Case(id="b", expect=(kind, within)),
        ),
    )
    uses = judge_uses(suite, GRADERS)
    assert [(use.label, use.in_list) for use in uses] == [
        ("kind", "expect"),
        ("judge_yes_no: rude?", "forbid"),
        ("judge_yes_no: rude?", "expect"),
    ]
    assert chosen_use(uses, "kind").check == kind
    for label, message in (
        (None, "3 checks that ask a judge"),
        ("kimd", "no check that asks a judge"),
        ("judge_yes_no: rude?", "2 different checks"),
    ):
        with pytest.raises(InputError, match=message):
            chosen_use(uses, label)
    assert chosen_use(uses[:1], None) == uses[0]
    with pytest.raises(InputError, match="no check of the suite"):
        chosen_use([], None)


def test_as_a_person_reads_it() -> None:
    pairs = [("good", "pass")] * 4 + [("bad", "fail")] * 3 + [("good", "fail"), ("lost", "pass")]
    text = rendered_judge_check(check(examples(*pairs), rate=(6, 10)))
    assert "people \\ judge      pass     fail  unknown    error" in text
    assert "  pass                  4        0        0        1" in text
    assert "  fail                  1        3        0        0" in text
    assert "sensitivity  0.800 (4/5)  [0.284, 0.995]" in text
    assert "1 answer unknown or error: counted in every denominator" in text
    assert "e7: people fail, judge pass" in text
    assert "corrected            63.6%" in text
    assert text.endswith("INCOMPLETE: 1 answer could not be had (error)")
    assert "and 1 more" in rendered_judge_check(check(examples(*pairs)), shown=1)
