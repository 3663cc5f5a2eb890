"""Records to write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from probare.model.event import Message
from probare.model.outcome import Outcome, Transcript
from probare.model.record import TranscriptRef, TrialRecord

MakeTrial = Callable[..., tuple[Transcript, Callable[[TranscriptRef], TrialRecord]]]


@pytest.fixture
def make_trial() -> MakeTrial:
    """Make a transcript and the draft of its record."""

    def make(
        case: str, trial: int = 0, output: object = "hi", status: str = "passed"
    ) -> tuple[Transcript, Callable[[TranscriptRef], TrialRecord]]:
        transcript = Transcript(
            case=case,
            trial=trial,
            events=(Message(role="assistant", content=output, source="observed"),),
            outcome=Outcome(output=output),
        )

        def draft(reference: TranscriptRef) -> TrialRecord:
            return TrialRecord(
                case=case,
                trial=trial,
                stop="completed",
                status=status,  # pyright: ignore[reportArgumentType]
                error=None,
                attempts=1,
                verdicts=(),
                started="2026-12-01T00:00:00.000+00:00",
                duration_ms=1.0,
                first_token_ms=None,
                usage=None,
                output_text=str(output)[:100],
                transcript=reference,
                salt="00",
            )

        return transcript, draft

    return make
