"""The two runs of a comparison, from a summary or a baseline: (passed, graded) for each case."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from probare.model.record import CaseStatus
from probare.model.score import Baseline, Summary


class SideCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case of one run: c passes of n graded trials. `graders` is a digest of versions."""

    digest: str
    status: CaseStatus
    n: int
    c: int
    graders: str | None = None
    tags: tuple[str, ...] = ()


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two runs."""

    run_id: str
    cases: Mapping[str, SideCase]


def side_case(
    *,
    digest: str,
    status: CaseStatus,
    graded: int,
    passed: int,
    graders: str | None,
    tags: tuple[str, ...] = (),
) -> SideCase:
    """Return a case's side. A trial that errored is no fail, and is left out of n.

    The case's status decides where trials alone do not tell: a case that failed by a case-wide
    check has no pass, and one that passed by case-wide checks alone has one of one.
    """
    n = max(graded, 1)
    c = {"passed": n, "flaky": passed}.get(status, 0)
    return SideCase(digest=digest, status=status, n=n, c=c, graders=graders, tags=tags)


def side_of_summary(summary: Summary, graders: Mapping[str, str] | None = None) -> Side:
    """Return a run's side. `graders` may map cases to a digest of the versions that judged
    them, in place of the summary's own.
    """
    cases = {
        name: side_case(
            digest=case.digest,
            status=case.status,
            graded=case.trials if case.graded is None else case.graded,
            passed=case.passed,
            graders=case.graders if graders is None else graders.get(name),
            tags=case.tags,
        )
        for name, case in summary.per_case.items()
    }
    return Side(run_id=summary.run_id, cases=cases)


def side_of_baseline(baseline: Baseline) -> Side:
    """Return a baseline's side."""
    cases = {
        name: side_case(
            digest=case.digest,
            status=case.status,
            graded=case.n if case.graded is None else case.graded,
            passed=case.c,
            graders=case.graders,
        )
        for name, case in baseline.cases.items()
    }
    return Side(run_id=baseline.run_id, cases=cases)
