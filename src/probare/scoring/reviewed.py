"""What people's reviews of a run tell: how far they agree, and how automatic verdicts do beside
theirs.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from probare.scoring.agreement import Agreement
from probare.scoring.calibration import Calibration, Corrected, calibrate, corrected
from probare.scoring.judgechecks import Compared, disagreements


class Disputed(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension of an item that reviewers did not settle among themselves, and whether an
    adjudicator has.
    """

    case: str
    trial: int
    dimension: str
    words: str
    adjudicated: bool


class JudgeBeside(msgspec.Struct, frozen=True, kw_only=True):
    """An automatic judgement beside people's, on the items that both judged.

    `check` is a check's label, empty for all automatic checks of a trial together. `dimension` is
    the one that both speak of, empty where it is the whole. Of the compared items, `drawn` were
    drawn at random; the others were sent to people because of something. `rate` corrects the
    judgement's pass rate over all of the run; `apart` are the disagreements to read.
    """

    check: str
    dimension: str
    found: Calibration
    drawn: int
    rate: Corrected | None
    apart: tuple[Compared, ...]


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """What the reviews with one rubric tell, over the items whose reviews are all in.

    `items` were asked for, `complete` have all their reviews, `settled` an outcome, of which
    `passed`, `failed` and `unsure` tell. `dimensions` has how far reviewers agree on each,
    `result` on whether an answer passes; `unblinded` counts reviews that were left out of this
    because their authors could see the others'. `levels` is the scale of each dimension.
    """

    run: str
    rubric: str
    version: str
    digest: str
    items: int
    complete: int
    settled: int
    passed: int
    failed: int
    unsure: int
    reviewers: tuple[str, ...]
    unblinded: int
    dimensions: dict[str, Agreement]
    result: Agreement
    disputed: tuple[Disputed, ...]
    judges: tuple[JudgeBeside, ...]


def beside(
    check: str,
    dimension: str,
    compared: Iterable[Compared],
    *,
    drawn: int,
    rate: tuple[int, int] | None,
) -> JudgeBeside:
    """Return how a judgement does beside people's. `rate` are its passes over the run, as (passes,
    of how many).
    """
    pairs = list(compared)
    found = calibrate((each.label, each.answer) for each in pairs)
    return JudgeBeside(
        check=check,
        dimension=dimension,
        found=found,
        drawn=drawn,
        rate=None if rate is None else corrected(found, *rate),
        apart=disagreements(pairs),
    )
