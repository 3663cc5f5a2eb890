"""The matrix of a proof: broken agents down, cases across, a mark where they meet."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from probare.model.proof import DefectResult, Outcome, ProofResult
from probare.reporting.words import plural


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """One character each: for a case that must fail, and for any other."""

    caught: str = "✗"
    flaky: str = "≈"
    missed: str = "○"
    also: str = "x"
    passed: str = "·"
    alike: str = "="
    errored: str = "!"
    needs_review: str = "?"
    ungraded: str = "–"
    none: str = " "

    def of(self, outcome: Outcome | None, *, must_fail: bool) -> str:
        """Return the mark of an outcome; null is a case that did not run."""
        if outcome is None:
            return self.none
        if outcome in ("failed", "flaky"):
            return (
                self.also if not must_fail else self.caught if outcome == "failed" else self.flaky
            )
        if must_fail and outcome in ("passed", "ungraded"):
            return self.missed
        return str(getattr(self, outcome))


UNICODE = Marks()
ASCII = Marks(caught="X", flaky="~", missed="O", passed=".", ungraded="-")

_WORDS = {
    "caught": "fails, as it must",
    "flaky": "must fail, and does in some trials",
    "missed": "must fail, and does not",
    "also": "fails too",
    "passed": "passed",
    "alike": "fails just as it does for the healthy agent",
    "errored": "no answer, which catches nothing",
    "needs_review": "needs review",
    "ungraded": "ungraded",
}


def columns(result: ProofResult, most: int | None = None) -> tuple[str, ...]:
    """Return the cases that matter, in the suite's order: that must fail for a defect, or did
    not pass for one. Where there are too many, those that must fail come before the others.
    """
    asked = {case for defect in result.defects for case in defect.must_fail}
    named = set(asked)
    for outcomes in result.matrix.values():
        named.update(case for case, outcome in outcomes.items() if outcome != "passed")
    found = [case for case in result.cases if case in named]
    if most is not None and len(found) > most:
        kept = set(sorted(found, key=lambda case: case not in asked)[:most])
        found = [case for case in found if case in kept]
    return tuple(found)


def not_shown(result: ProofResult, shown: tuple[str, ...]) -> Iterator[str]:
    """Yield what has no column, in words."""
    matter = frozenset(columns(result))
    ran = {case for outcomes in result.matrix.values() for case in outcomes}
    rest = [case for case in result.cases if case not in matter]
    untouched = sum(case in ran for case in rest)
    for count, words in (
        (len(matter) - len(shown), "more than there is room for"),
        (untouched, "that no defect touches"),
        (len(rest) - untouched, "that no defect was run in"),
    ):
        if count:
            yield f"{plural(count, 'case')} {words}"


def row(result: ProofResult, defect: DefectResult, cases: tuple[str, ...], marks: Marks) -> str:
    """Return the marks of one defect, a character a case."""
    outcomes = result.matrix.get(defect.name, {})
    asked = frozenset(defect.must_fail)
    return "".join(marks.of(outcomes.get(case), must_fail=case in asked) for case in cases)


def legend(rows: str, marks: Marks) -> Iterator[tuple[str, str]]:
    """Yield each mark that occurs, with its meaning."""
    for name, words in _WORDS.items():
        mark = str(getattr(marks, name))
        if mark in rows:
            yield mark, words


def result_words(defect: DefectResult) -> str:
    """Return "caught 8/8", "SURVIVED 7/8" or "unproven 0/8"."""
    word = "SURVIVED" if defect.result == "survived" else defect.result
    return f"{word} {len(defect.failed)}/{len(defect.must_fail)}"
