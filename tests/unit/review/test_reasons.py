from __future__ import annotations

from probare.model.review import Reason
from probare.review.reasons import blind_reasons

ASKED = Reason("asked", "the case asks for it")
FAILED = Reason("failed", "failed: a check of its tone")


def test_what_a_verdict_would_tell_is_not_told() -> None:
    assert blind_reasons([ASKED]) == "the case asks for it"
    assert blind_reasons([FAILED]) == "chosen by an automatic rule"
    assert blind_reasons([ASKED, FAILED]) == "the case asks for it; chosen by an automatic rule"
