from __future__ import annotations

from probare.model.judged import JudgeReply
from probare.model.outcome import UsageTotal
from probare.model.record import TranscriptRef, TrialRecord
from probare.model.suite import Limits
from probare.model.verdict import CheckVerdict
from probare.running.limits import LimitWatch


def record(cost: float | None, *judges: float | None) -> TrialRecord:
    """A trial that cost so much, with replies of judges that cost so much each."""
    replies = tuple(
        JudgeReply(
            model="m", prompt_sha256="0" * 64, means="pass", usage=UsageTotal(cost_usd=judge)
        )
        for judge in judges
    )
    verdict = CheckVerdict(
        label="j", grader="judge", grader_version="1", list="expect", result="pass", judged=replies
    )
    return TrialRecord(
        case="a",
        trial=0,
        stop="completed",
        status="passed",
        error=None,
        attempts=1,
        verdicts=(verdict,),
        started="2026-01-01T00:00:00+00:00",
        duration_ms=1.0,
        first_token_ms=None,
        usage=None if cost is None else UsageTotal(cost_usd=cost),
        output_text=None,
        transcript=TranscriptRef(0, 0, ""),
        salt="",
    )


def test_what_judges_cost_counts_for_the_limit() -> None:
    watch = LimitWatch(Limits(cost=0.5))
    watch.see(record(0.25))
    watch.see(record(None, None))
    assert watch.reached == ""
    watch.see(record(None, 0.125, 0.125))
    assert watch.reached == "the cost limit: $0.5000 of $0.5000 spent"
