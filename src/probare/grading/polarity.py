"""Polarity: `forbid` and `not` turn a verdict round (DESIGN section 3)."""

from __future__ import annotations

from probare.model.verdict import Result, Verdict

_OPPOSITE: dict[Result, Result] = {"pass": "fail", "fail": "pass"}


def invert(verdict: Verdict) -> Verdict:
    """Swap pass and fail and take 1 − score; error, unknown and skipped pass through."""
    opposite = _OPPOSITE.get(verdict.result)
    if opposite is None:
        return verdict
    score = None if verdict.score is None else min(1.0, max(0.0, 1.0 - verdict.score))
    reason = f"forbidden, and yet: {verdict.reason}" if opposite == "fail" else verdict.reason
    return Verdict(opposite, score, reason, verdict.spans, verdict.judged)
