from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.graders.judges.facts import FactsForm
from probare.graders.judges.replies import Unreadable
from probare.testing.fakes import FakeModels

CLAIMS = ["It is Paris.", "It has 2 million people.", "It lies on the Seine."]


def numbered(*words: str) -> list[dict[str, Any]]:
    return [{"claim": at, "finding": word} for at, word in enumerate(words, 1)]


def named(*words: str) -> list[dict[str, Any]]:
    return [{"claim": f"claim {at}", "finding": word} for at, word in enumerate(words, 1)]


@pytest.mark.parametrize(
    ("words", "result", "score"),
    [
        (("supported", "supported", "supported"), "pass", 1.0),
        (("supported", "contradicted", "supported"), "fail", pytest.approx(2 / 3)),
        (("supported", "missing", "Supported "), "fail", pytest.approx(2 / 3)),
        (("supported", "unknown", "supported"), "unknown", None),
        (("contradicted", "unknown", "supported"), "fail", pytest.approx(1 / 3)),
        (("supported", "probably", "supported"), "error", None),
        (("supported", "supported"), "error", None),
        (("supported", "supported", "supported", "supported"), "error", None),
    ],
)
def test_claims_that_are_given(
    judged: Any, says: Any, words: tuple[str, ...], result: str, score: Any
) -> None:
    verdict = judged("judge_facts", "Paris.", says(numbered(*words)), reference=CLAIMS)
    assert (verdict.result, verdict.score) == (result, score)
    if result == "fail":
        assert "contradicted: " in verdict.reason or "missing: It has 2" in verdict.reason


@pytest.mark.parametrize(
    "claims",
    [
        [],
        [{"claim": 1, "finding": "supported"}] * 3,
        [{"claim": at, "finding": "supported"} for at in (0, 1, 2)],
        [{"claim": at, "finding": "supported"} for at in (True, 2, 3)],
        [{"claim": None, "finding": "supported"}] * 3,
        [{"finding": "supported"}] * 3,
        ["supported"] * 3,
    ],
)
def test_findings_that_are_none(judged: Any, says: Any, claims: Any) -> None:
    for in_list in ("expect", "forbid"):
        verdict = judged("judge_facts", "x", says(claims), reference=CLAIMS, in_list=in_list)
        assert verdict.result == "error"


def test_claims_that_the_judge_finds(judged: Any, says: Any) -> None:
    models = FakeModels(says(named("supported", "missing")))
    keys = {"models": models, "reference": "It is Paris, on the Seine."}
    verdict = judged("judge_facts", "Paris.", **keys)
    assert (verdict.result, verdict.score) == ("fail", 0.5)
    assert "missing: claim 2" in verdict.reason
    assert judged("judge_facts", "Paris.", missing_at_most=1, **keys).result == "pass"
    assert "split the reference" in models.requests[0].messages[-1].content
    assert judged("judge_facts", "x", says([]), reference="It is Paris.").result == "error"


def test_several_votes(judged: Any, says: Any) -> None:
    good, bad = (
        says(numbered(*["supported"] * 3)),
        says(numbered("contradicted", *["supported"] * 2)),
    )
    verdict = judged("judge_facts", "x", good, bad, good, reference=CLAIMS, votes=3)
    assert (verdict.result, verdict.score) == ("pass", 1.0)
    assert judged("judge_facts", "x", good, bad, reference=CLAIMS, votes=2).result == "unknown"


@pytest.mark.parametrize("reference", [None, "", [], {}])
def test_no_reference_is_an_error(judged: Any, says: Any, reference: Any) -> None:
    verdict = judged("judge_facts", "x", says(numbered("supported")), reference=reference)
    assert verdict.result == "error"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["claims", "claim", "finding", "x"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(JSON)
@settings(max_examples=200, deadline=None)
def test_any_object_is_read_or_refused(claims: Any) -> None:
    for form in (FactsForm(()), FactsForm(("a", "b"))):
        found = form.read({"claims": claims})
        assert isinstance(found, Unreadable) or found.details
