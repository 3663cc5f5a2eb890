"""The top of the page: the decision, why, and what the run was."""

from __future__ import annotations

from collections.abc import Iterator

from probare.model.score import Counts, Summary
from probare.ports.reporter import Material
from probare.reporting.html.markup import Ink
from probare.reporting.words import STATUS_WORDS, duration, money, plural

_MARKS = {"passed": "✓", "failed": "✗", "incomplete": "!"}
_HEADLINES = {
    "passed": "Passed",
    "failed": "Failed",
    "incomplete": "Incomplete",
}
_ORDER = ("failed", "flaky", "errored", "needs_review", "ungraded", "passed")
_WHY = 12


def decision(material: Material, ink: Ink) -> Iterator[str]:
    """Yield the decision, its reasons, warnings, the cases by status, and the run's facts."""
    summary = material.summary
    word = summary.decision
    yield '<section id="decision" aria-labelledby="h-decision">\n'
    yield f'<p class="suite">{ink.text(summary.suite)}</p>\n'
    yield (
        f'<h1 id="h-decision" class="decision {word}"><span class="mark" aria-hidden="true">'
        f"{_MARKS[word]}</span>{_HEADLINES[word]}</h1>\n"
    )
    yield '<ul class="why">'
    yield from (ink.item(why) for why in summary.why[:_WHY])
    if len(summary.why) > _WHY:
        yield f"<li>… and {len(summary.why) - _WHY:,} more, in summary.json</li>"
    yield "</ul>\n"
    if summary.trust == "claimed":
        yield (
            '<p class="loud" role="note"><strong>Trust: claimed.</strong> What the agent says of '
            "itself was taken as evidence in this run: the harness did not see it happen.</p>\n"
        )
    yield from _statuses(summary.cases)
    yield from _facts(material, ink)
    yield from _notes(summary, ink)
    yield "</section>\n"


def _statuses(counts: Counts) -> Iterator[str]:
    """Yield a bar of the cases by status; its parts are sized by the script."""
    found = {word: getattr(counts, word) or 0 for word in _ORDER}
    yield '<ul class="statuses" aria-label="Cases by status">'
    for word in _ORDER:
        number = found[word]
        if number:
            share = number / max(1, counts.planned)
            yield (
                f'<li class="s-{word}" data-share="{share:.5f}"><button type="button" '
                f'data-status="{word}"><b>{number:,}</b> {STATUS_WORDS[word]}</button></li>'
            )
    yield "</ul>\n"


def _facts(material: Material, ink: Ink) -> Iterator[str]:
    summary, plan = material.summary, material.plan
    trials = f"{summary.trials.run:,} of {summary.trials.planned:,} run"
    facts = [
        ("cases", f"{summary.cases.planned:,}"),
        ("trials", trials),
        ("time", duration(summary.duration_ms)),
        ("cost", money(summary.cost_usd) if summary.cost_usd is not None else "not known"),
        ("tokens", f"{summary.tokens:,}" if summary.tokens is not None else "not known"),
        ("target", f"{plan.target} ({plan.target_kind})"),
        ("trust", plan.trust),
        ("begun", plan.created.replace("T", " ").replace("+00:00", " UTC")),
        ("run", summary.run_id),
    ]
    yield '<dl class="facts">'
    for name, value in facts:
        yield f"<div><dt>{name}</dt><dd>{ink.text(value)}</dd></div>"
    yield "</dl>\n"


def _notes(summary: Summary, ink: Ink) -> Iterator[str]:
    if not summary.notes:
        return
    words = plural(len(summary.notes), "note")
    yield f'<ul class="notes" aria-label="{words}">'
    yield from (ink.item(note) for note in summary.notes)
    yield "</ul>\n"
