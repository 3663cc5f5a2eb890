"""`--format github`: a short comment on a pull request, or a job's summary.

At most sixty lines. Nothing in the data is markup, breaks a table, or calls a person by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from probare.model.record import TrialRecord
from probare.model.score import Summary
from probare.model.verdict import Result
from probare.ports.reporter import Material
from probare.reporting.details import Details, details, telling
from probare.reporting.escaping import cells, text
from probare.reporting.files import write_whole
from probare.reporting.scorelines import score_rows
from probare.reporting.words import count, duration, gap, money, percent, plural, points

_SIGNS = {"passed": "✅", "failed": "❌", "incomplete": "⚠️"}
_WHY = 3
_REGRESSIONS = 5
_SCORES = 8
_TRIALS = 3
_ERRORED = 1
_SHORT = 160
_LONG = 280


class GithubReporter:
    """Writes GitHub's Markdown: decision, scores, what fell, the first failures."""

    name = "github"
    filename = "github.md"

    def write(self, path: Path, material: Material) -> None:
        """Write the file, whole or not at all. Raises RunDirectoryError where it cannot."""
        write_whole(path, (f"{line}\n" for line in lines(material)))


def lines(material: Material) -> Iterator[str]:
    """Yield the comment line by line."""
    summary = material.summary

    def plain(value: str, limit: int = _SHORT) -> str:
        return unmentioned(text(material.mask(value), limit))

    yield from _head(summary, plain)
    yield from _scores(summary)
    yield from _fell(summary, plain)
    found = details(summary.trials, material.records(), material.case_records(), _TRIALS)
    yield from _failures(found, plain)
    if summary.notes:
        yield f"> {plain('; '.join(summary.notes), _LONG)}"
        yield ""
    yield f"<sub>Run {plain(summary.run_id)}: `report.html` in it has every case.</sub>"


def unmentioned(markdown: str) -> str:
    """Return Markdown in which `@name` and `#12` call nobody and link nothing.

    GitHub looks for both in the rendered text; an invisible word joiner comes between.
    """
    return markdown.replace("@", "@\u2060").replace("#", "#\u2060")


def _head(summary: Summary, plain: Callable[..., str]) -> Iterator[str]:
    yield f"### {_SIGNS[summary.decision]} {plain(summary.suite)}: {summary.decision.upper()}"
    yield ""
    for why in summary.why[:_WHY]:
        yield f"- {plain(why, _LONG)}"
    if len(summary.why) > _WHY:
        yield f"- … and {plural(len(summary.why) - _WHY, 'reason')} more"
    yield ""
    cases = summary.cases
    facts = [f"{cases.passed:,} of {plural(cases.planned, 'case')} passed"]
    for number, word in (
        (cases.failed, "failed"),
        (cases.flaky or 0, "flaky"),
        (cases.errored, "errored"),
        (cases.needs_review, "for review"),
        (cases.ungraded, "ungraded"),
    ):
        facts += [f"{number:,} {word}"] if number else []
    facts.append(plural(summary.trials.run, "trial"))
    facts.append(duration(summary.duration_ms))
    facts += [text(money(summary.cost_usd))] if summary.cost_usd is not None else []
    yield f"{' · '.join(facts)} · target {plain(summary.target)}"
    if summary.trust == "claimed":
        yield ""
        yield "**Trust: claimed.** What the agent says of itself was taken as evidence."
    yield ""


def _scores(summary: Summary) -> Iterator[str]:
    yield cells("score", "value", "95 % interval", "of").rstrip()
    yield "|---|--:|--:|--:|"
    rows = score_rows(summary)
    for name, found in rows[:_SCORES]:
        interval = "–"
        if found.interval is not None:
            interval = f"{points(found.interval[0])}–{points(found.interval[1])}"
        of = f"{count(found.numerator)} / {count(found.denominator)}"
        yield cells(text(name), percent(found.value), interval, of).rstrip()
    if len(rows) > _SCORES:
        yield ""
        yield f"… and {plural(len(rows) - _SCORES, 'score')} more in the report"
    yield ""
    found = summary.scores.compliance.gap
    between = gap(found)
    if between is not None:
        words = f" **{text(found.words, _LONG)}**" if found.words else ""
        yield f"Carried over − held out: {between}.{words}"
        yield ""


def _fell(summary: Summary, plain: Callable[..., str]) -> Iterator[str]:
    if summary.baseline is None:
        return
    yield f"**Against the baseline:** {plain(str(summary.baseline.get('words') or ''), _LONG)}"
    yield ""
    for regression in summary.regressions[:_REGRESSIONS]:
        yield f"- {plain(regression.words, _LONG)}"
    more = len(summary.regressions) - _REGRESSIONS
    if more > 0:
        yield f"- … and {more:,} more"
    if summary.regressions:
        yield ""


def _failures(found: Details, plain: Callable[..., str]) -> Iterator[str]:
    kinds: tuple[tuple[str, list[TrialRecord], Result, int], ...] = (
        ("Failures", found.failed, "fail", _TRIALS),
        ("Errored: not judged, neither passes nor violations", found.errored, "error", _ERRORED),
    )
    for heading, shown, result, most in kinds:
        if not shown:
            continue
        total = found.totals.get(shown[0].status, 0)
        yield f"<details><summary>{heading}: {plural(total, 'trial')}</summary>"
        yield ""
        for record in shown[:most]:
            yield f"- **{plain(record.case)}**, trial {record.trial}"
            if record.error is not None:
                what = f"{record.error.type}: {record.error.message}"
                yield f"  - {record.stop.replace('_', ' ')}: {plain(what, _LONG)}"
            for verdict in telling(record.verdicts, result)[:1]:
                yield f"  - {verdict.list} {plain(verdict.label)}: {plain(verdict.reason, _LONG)}"
        if total > most:
            yield f"- … and {total - most:,} more"
        yield ""
        yield "</details>"
        yield ""
