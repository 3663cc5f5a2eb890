from __future__ import annotations

from typing import Any

import pytest

from probare.errors import GraderError
from probare.graders.judge import Judge


def test_without_a_model_nobody_judged_it(ask: Any) -> None:
    verdict = ask(Judge, "an answer", rubric="is it kind?")
    assert (verdict.result, verdict.score) == ("unknown", None)
    assert "no model is set" in verdict.reason


def test_nothing_is_an_error_and_an_empty_rubric_is_refused(ask: Any) -> None:
    with pytest.raises(GraderError):
        ask(Judge, None, rubric="is it kind?")
    with pytest.raises(ValueError, match="length"):
        ask(Judge, "x", rubric="")
