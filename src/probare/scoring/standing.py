"""Where one case stands once its records are counted: status, shares, what judged it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from probare.encoding import digest
from probare.model.case import Case, Check, content_digest
from probare.model.record import CaseStatus, TrialStatus
from probare.model.statuses import case_status
from probare.scoring.tally import CaseTally, Tally

DECIDED: frozenset[CaseStatus] = frozenset(("passed", "failed", "flaky"))

_NEARLY = 1e-9


class Standing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One case, concluded. `planned` is n, `passed` is c, `failed` counts failed trials.

    `graded` counts the trials with an answer (passed or failed). accuracy and safety are in
    [0, 1], null where the case has no such check: the plain one counts what is open (error,
    unknown, skipped, not run) as not passed, the `_best` one as passed.
    `in_pass_rates`: all cases are, save those that people alone judge and have not, and those
    whose only required checks are case-wide, so that no trial of theirs can pass by itself.
    `graders` is a digest of the names and versions of its checks' graders; null where one of
    them gave no verdict in the whole run.
    """

    case: Case
    planned: int
    run: int
    graded: int
    passed: int
    failed: int
    status: CaseStatus
    decided: bool
    accuracy: float | None
    accuracy_best: float | None
    safety: float | None
    safety_best: float | None
    in_pass_rates: bool
    avg_duration_ms: float | None
    digest: str
    graders: str | None

    @property
    def most_passed(self) -> int:
        """How many trials would have passed at best: all that did not fail."""
        return self.planned - self.failed

    @property
    def overall(self) -> float | None:
        """The mean of accuracy and safety, or the accuracy alone."""
        return overall(self.accuracy, self.safety)

    @property
    def overall_best(self) -> float | None:
        """The same at best."""
        return overall(self.accuracy_best, self.safety_best)

    @property
    def covered(self) -> int:
        """How many planned trials have an answer. Where the checks are case-wide alone, all have
        one with the case; where only a case-wide check lacks its answer, none has.
        """
        if self.decided:
            return self.graded if self.in_pass_rates else self.planned
        return self.graded if self.graded < self.planned else 0


def overall(accuracy: float | None, safety: float | None) -> float | None:
    """Return the mean of accuracy and safety, or the accuracy alone."""
    if accuracy is None or safety is None:
        return accuracy
    return (accuracy + safety) / 2


def standings(tally: Tally) -> list[Standing]:
    """Return where each planned case stands, in the suite's order."""
    versions = _Versions(tally.versions)
    return [_conclude(case, tally.case_wide, versions) for case in tally.cases.values()]


def _conclude(tally: CaseTally, case_wide: Collection[str], versions: _Versions) -> Standing:
    case = tally.case
    required = [check for check in (*case.expect, *case.forbid) if check.required]
    wide = sum(check.grader in case_wide for check in required)
    status = _status(tally, wide)
    forbid = _weight(case.forbid) * tally.planned
    whole = _weight(case.expect) * tally.planned + forbid + tally.people_weight
    run = tally.run
    return Standing(
        case=case,
        planned=tally.planned,
        run=run,
        graded=tally.passed + tally.failed,
        passed=tally.passed,
        failed=tally.failed,
        status=status,
        decided=status in DECIDED,
        accuracy=_share(tally.weight_passed, whole),
        accuracy_best=_share(whole - tally.weight_failed, whole),
        safety=_share(tally.forbid_passed, forbid),
        safety_best=_share(forbid - tally.forbid_failed, forbid),
        in_pass_rates=len(required) > wide
        or tally.people > 0
        or (not required and case.review != "always"),
        avg_duration_ms=round(tally.duration_ms / run, 3) if run else None,
        digest=content_digest(case),
        graders=versions.digest_for(case),
    )


def _status(tally: CaseTally, wide: int) -> CaseStatus:
    """The case's status. What was planned and is not there leaves it errored, unless it failed:
    a trial that did not run, a required case-wide check without a verdict.
    """
    counts: tuple[tuple[TrialStatus, int], ...] = (
        ("passed", tally.passed),
        ("failed", tally.failed),
        ("errored", tally.errored),
        ("needs_review", tally.needs_review),
        ("ungraded", tally.ungraded),
    )
    verdicts = tally.wide or ()
    if tally.people_passed == tally.planned:  # people settled what is unknown of the whole, too
        verdicts = tuple(verdict for verdict in verdicts if verdict.result != "unknown")
    found = case_status([status for status, count in counts if count], verdicts)
    lacking = tally.run < tally.planned or sum(v.required for v in tally.wide or ()) < wide
    return "errored" if lacking and found not in ("failed", "flaky") else found


def _weight(checks: Iterable[Check]) -> float:
    return sum(check.weight for check in checks)


def _share(part: float, whole: float) -> float | None:
    """part/whole within [0, 1]; sums of weights that differ by rounding alone are equal."""
    if whole <= 0:
        return None
    if part >= whole * (1 - _NEARLY):
        return 1.0
    return max(0.0, part / whole)


class _Versions:
    """Digests of the graders of a case, computed once for each set of names."""

    def __init__(self, versions: Mapping[str, Collection[str]]) -> None:
        self._versions = versions
        self._found: dict[frozenset[str], str | None] = {}

    def digest_for(self, case: Case) -> str | None:
        names = frozenset([check.grader for check in (*case.expect, *case.forbid)])
        if names not in self._found:
            self._found[names] = self._digest(sorted(names))
        return self._found[names]

    def _digest(self, names: Sequence[str]) -> str | None:
        if not names or any(name not in self._versions for name in names):
            return None
        pairs = [[name, sorted(self._versions[name])] for name in names]
        return digest.of_value(pairs)[:16]
