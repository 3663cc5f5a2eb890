"""The difference from the baseline: what regressed, what was fixed, what does not count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from probare.encoding.narrow import mapping, sequence
from probare.model.score import Summary
from probare.reporting.html.markup import Ink, section
from probare.reporting.words import percent, plural

_SHOWN = 60
_APART = (
    ("changed", "the case changed"),
    ("regraded", "judged by another version of a grader"),
    ("undecided", "undecided in one of the two runs"),
    ("added", "not in the baseline"),
    ("removed", "no longer in the suite"),
)


def baseline_section(summary: Summary, ink: Ink) -> str:
    """Return the comparison, or what to do where there is no baseline."""
    if summary.baseline is None:
        remark = (
            '<p class="aside">This run was held against no baseline. '
            "<code>probare baseline set RUN</code> makes a run the one that later runs are held "
            "against.</p>\n"
        )
        return section("baseline", "Against the baseline", [remark])
    return section("baseline", "Against the baseline", _body(summary, summary.baseline, ink))


def _body(summary: Summary, found: dict[str, Any], ink: Ink) -> Iterator[str]:
    answer = ink.text(str(found.get("answer") or "").capitalize())
    strong = f"<strong>{answer}.</strong> " if answer else ""
    yield f'<p class="answer">{strong}{ink.text(str(found.get("words") or ""))}</p>\n'
    name = ink.text(str(found.get("run_id") or "–"))
    when = ink.text(str(found.get("created") or "–"))
    target = ink.text(str(found.get("target") or "–"))
    yield f'<p class="aside">Baseline: run {name}, made {when}, of target {target}.'
    before, after = found.get("pass_rate_before"), found.get("pass_rate_after")
    if isinstance(before, float | int) and isinstance(after, float | int):
        pairs = found.get("pairs")
        cases = plural(pairs, "comparable case") if isinstance(pairs, int) else "comparable cases"
        yield f" Pass rate of the {cases}: {percent(before)} → {percent(after)}."
    yield "</p>\n"
    yield '<div class="columns">'
    regressed = [regression.words for regression in summary.regressions]
    yield from _list("Regressed, as the gate counts it", "fell", regressed, ink)
    yield from _moved("Fell", "fell", found.get("fell"), ink)
    yield from _moved("Fixed or better", "rose", found.get("rose"), ink)
    yield "</div>\n"
    yield from _apart(found, ink)


def _moved(heading: str, kind: str, value: Any, ink: Ink) -> Iterator[str]:
    lines: list[str] = []
    for item in sequence(value):
        case = mapping(item)
        before, after = sequence(case.get("before")), sequence(case.get("after"))
        if len(before) == len(after) == 2:
            moved = f"{before[0]}/{before[1]} → {after[0]}/{after[1]} trials passed"
            lines.append(f"{case.get('case')}: {moved}")
    yield from _list(heading, kind, lines, ink)


def _list(heading: str, kind: str, lines: list[str], ink: Ink) -> Iterator[str]:
    if not lines:
        return
    yield f'<div class="{kind}"><h3>{heading}: {len(lines):,}</h3><ul>'
    yield from (ink.item(line, 400) for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"<li>… and {len(lines) - _SHOWN:,} more in summary.json</li>"
    yield "</ul></div>\n"


def _apart(found: dict[str, Any], ink: Ink) -> Iterator[str]:
    groups = [
        (why, [str(name) for name in sequence(found.get(key))])
        for key, why in _APART
        if sequence(found.get(key))
    ]
    if not groups:
        return
    total = plural(sum(len(names) for _, names in groups), "case")
    yield f'<details class="apart"><summary>Not compared, and so not counted: {total}</summary><ul>'
    for why, names in groups:
        shown = ", ".join(ink.text(name, 120) for name in names[:_SHOWN])
        more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
        yield f"<li><strong>{why} ({len(names):,}):</strong> {shown}{more}</li>"
    yield "</ul></details>\n"
