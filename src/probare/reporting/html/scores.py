"""Scores with their intervals, the two splits held against each other, tags and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from probare.model.score import GroupSummary, Rate, Summary
from probare.reporting.html.markup import Ink, head, number, section
from probare.reporting.scorelines import score_rows
from probare.reporting.words import count, coverage, gap, percent, points

_GROUPS = 200
_SPLITS = ("compliance, held out", "compliance, carried over")
_COLUMNS = (
    ("score", ""),
    ("with its interval", "plot"),
    ("value", "n"),
    ("95 % interval", "n"),
    ("of", "n"),
    ("planned / run / graded", "n"),
)


def score_section(summary: Summary, ink: Ink) -> str:
    """Return the scores: each in its own row, with its interval drawn and in numbers."""
    rows = [(name, rate) for name, rate in score_rows(summary) if name not in _SPLITS]
    body = [_table("Scores of the run, worst case", [_row(name, r, ink) for name, r in rows])]
    overall = summary.scores.overall
    if overall is not None and summary.scores.safety.value is not None:
        body.append(
            f'<p class="aside">Overall, the mean of accuracy and safety: '
            f"<strong>{percent(overall)}</strong></p>\n"
        )
    body.append(
        '<p class="aside key">● worst case: what is not graded counts as not passed. '
        "○ best case, where it differs. The line is the 95 % interval.</p>\n"
    )
    return section("scores", "Scores", body)


def split_section(summary: Summary, ink: Ink) -> str:
    """Return held-out against carried-over compliance; nothing where no case is carried over."""
    found = summary.scores.compliance
    if found.carried_over.value is None:
        return ""
    rows = [
        _row("held out", found.held_out, ink),
        _row("carried over", found.carried_over, ink),
    ]
    body = [_table("Compliance by split", rows)]
    between = gap(found.gap)
    if between is not None and found.gap.value is not None:
        low, high = found.gap.interval or (found.gap.value, found.gap.value)
        by = f", by {ink.text(found.gap.method)}" if found.gap.method else ""
        body.append(
            f'<div class="gap"><p>Carried over − held out: <strong>{ink.text(between)}</strong>'
            f'{by}</p><div class="gap-plot" data-value="{found.gap.value:.5f}" '
            f'data-low="{low:.5f}" data-high="{high:.5f}"></div></div>\n'
        )
    if found.gap.words:
        body.append(f'<p class="loud" role="note">{ink.text(found.gap.words)}</p>\n')
    return section("splits", "Held out against carried over", body)


def group_sections(summary: Summary, ink: Ink) -> Iterator[str]:
    """Yield the pass rates by tag and by category."""
    yield _groups("tags", "By tag", "tag", summary.by_tag, ink)
    yield _groups("categories", "By category", "category", summary.by_category, ink)


def optional_section(summary: Summary, ink: Ink) -> str:
    """Return the optional checks beside the trials' statuses, which they do not decide."""
    if not summary.optional_checks:
        return ""
    columns = [("check", "")]
    columns += [
        (words, "n")
        for words in (
            "passed", "failed", "neither", "agree", "passed in failed", "failed in passed"
        )
    ]  # fmt: skip
    rows: list[str] = []
    for label, check in summary.optional_checks.items():
        numbers = (check.passed, check.failed, check.other)
        cells = "".join(number(f"{value:,}") for value in numbers)
        cells += number(f"{check.agree:,} of {check.agree + check.disagree:,}")
        cells += number(f"{check.passed_in_failed:,}") + number(f"{check.failed_in_passed:,}")
        rows.append(f'<tr><th scope="row">{ink.text(label, 200)}</th>{cells}</tr>\n')
    remark = (
        '<p class="aside">Optional checks decide nothing. How often each agrees with the status '
        "of the trials, and how it does not:</p>\n"
    )
    caption = "Optional checks against the trials’ status"
    table = (
        f'<div class="scroll"><table><caption>{caption}</caption>{head(*columns)}'
        f"<tbody>{''.join(rows)}</tbody></table></div>\n"
    )
    return section("optional", "Optional checks", [remark, table])


def _groups(
    identity: str, heading: str, word: str, groups: Mapping[str, GroupSummary], ink: Ink
) -> str:
    if not groups:
        return ""
    rows = [
        _row(name, group.scores.pass_rate, ink, group.words)
        for name, group in list(groups.items())[:_GROUPS]
    ]
    body = [_table(f"Pass rate {heading.lower()}", rows, word)]
    if len(groups) > _GROUPS:
        body.append(f'<p class="aside">… and {len(groups) - _GROUPS:,} more in summary.json.</p>\n')
    return section(identity, heading, body)


def _table(caption: str, rows: list[str], first: str = "score") -> str:
    columns = ((first, ""), *_COLUMNS[1:])
    return (
        f'<div class="scroll"><table class="rates"><caption>{caption}</caption>{head(*columns)}'
        f"<tbody>{''.join(rows)}</tbody></table></div>\n"
    )


def _row(name: str, rate: Rate, ink: Ink, words: str | None = None) -> str:
    said = f'<span class="words">{ink.text(words, 300)}</span>' if words else ""
    first = f'<th scope="row">{ink.text(name, 200)}{said}</th>'
    if rate.value is None:
        why = ink.text(rate.why or "not known", 200)
        return f'<tr>{first}<td class="plot"></td><td colspan="4" class="none">– {why}</td></tr>\n'
    marks = [f'data-value="{rate.value:.5f}"']
    between = "–"
    if rate.interval is not None:
        low, high = rate.interval
        marks.append(f'data-low="{low:.5f}" data-high="{high:.5f}"')
        between = f"{points(low)} – {points(high)}"
    if rate.best is not None and rate.best > rate.value + 1e-9:
        marks.append(f'data-best="{rate.best:.5f}"')
    cells = (
        number(percent(rate.value)),
        number(between),
        number(f"{count(rate.numerator)} / {count(rate.denominator)}"),
        number(coverage(rate)),
    )
    return f'<tr>{first}<td class="plot" {" ".join(marks)}></td>{"".join(cells)}</tr>\n'
