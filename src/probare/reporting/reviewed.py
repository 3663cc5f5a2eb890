"""What people's reviews tell: for the terminal, and as a section of `report.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from probare.reporting.escaping import cells, text
from probare.reporting.words import plural, visible
from probare.scoring.agreement import Agreement, Coefficient
from probare.scoring.calibration import Share
from probare.scoring.intervals import Interval
from probare.scoring.reviewed import JudgeBeside, Reviewed

_SHOWN = 20
_RESULT = "passes or fails"
_ABOUT = (
    "raw: share of pairs of reviewers with the same score; α: Krippendorff, ordinal; κ: quadratic "
    "weights; AC2: Gwet, quadratic weights. Where nearly all scores are one level, α and κ fall "
    "while raw agreement and AC2 stay high."
)


def rendered_reviewed(found: Iterable[Reviewed]) -> str:
    """Return the findings as lines for a terminal."""
    return "\n".join(visible(line) for each in found for line in _lines(each))


def _lines(found: Reviewed) -> Iterator[str]:
    yield f"{found.rubric} version {found.version}, run {found.run}"
    yield from (f"  {line}" for line in _counts(found))
    yield ""
    width = max(len(_RESULT), *(len(name) for name in found.dimensions))
    heads = ("items", "raw", "α", "κ", "AC2")
    yield f"  {'agreement':<{width}}  {heads[0]:>5}" + "".join(f"  {h:>22}" for h in heads[1:])
    for name, each in _rows(found):
        shown = "".join(f"  {_coefficient(one):>22}" for one in _four(each))
        yield f"  {name:<{width}}  {each.n:>5}{shown}"
    for why in _whys(found):
        yield f"  {why}"
    if found.disputed:
        yield ""
        yield f"  {plural(len(found.disputed), 'disagreement')} among reviewers:"
        for one in found.disputed[:_SHOWN]:
            end = "adjudicated" if one.adjudicated else "waits for an adjudicator"
            yield f"    {one.case} trial {one.trial}, {one.dimension}: {one.words} ({end})"
        yield from _more(len(found.disputed), "    ")
    for judge in found.judges:
        yield ""
        yield f"  {_name(judge)} beside people: {_basis(judge)}"
        yield f"    people \\ it {'pass':>8}{'fail':>8}{'unknown':>8}{'error':>8}"
        for label, row in judge.found.table.items():
            yield f"    {label:<11}{''.join(f'{count:>8}' for count in row.values())}"
        yield from (f"    {name:<21} {value}" for name, value in _measures(judge))
        for one in judge.apart[:_SHOWN]:
            yield f"    {one.example}: people {one.label}, it says {one.answer}: {one.reason}"
        yield from _more(len(judge.apart), "    ")


def _counts(found: Reviewed) -> Iterator[str]:
    yield (
        f"{plural(found.items, 'item')}, {found.complete} with all reviews in, {found.settled} "
        f"settled: {found.passed} passed, {found.failed} failed, {found.unsure} unsure"
    )
    yield f"{plural(len(found.reviewers), 'reviewer')}: {', '.join(found.reviewers) or '–'}"
    if found.unblinded:
        yield f"{plural(found.unblinded, 'review')} left out here: not made blind"


def _rows(found: Reviewed) -> list[tuple[str, Agreement]]:
    return [*found.dimensions.items(), (_RESULT, found.result)]


def _four(found: Agreement) -> tuple[Coefficient, ...]:
    return found.raw, found.alpha, found.kappa, found.ac2


def _coefficient(found: Coefficient) -> str:
    if found.value is None:
        return "null"
    return f"{found.value:.3f}{_interval(found.interval)}"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f" [{interval[0]:.2f}, {interval[1]:.2f}]"


def _whys(found: Reviewed) -> Iterator[str]:
    """Say why values are null, each reason once."""
    names = ("raw", "α", "κ", "AC2")
    reasons: dict[str, list[str]] = {}
    for row, each in _rows(found):
        for name, one in zip(names, _four(each), strict=True):
            if one.value is None:
                reasons.setdefault(one.why, []).append(f"{name} of {row}")
        if each.unsure:
            counted = plural(each.unsure, "score")
            reasons.setdefault(f"{counted} unsure, left out", []).append(row)
    for why, rows in reasons.items():
        yield f"{', '.join(rows)}: {why}"


def _name(judge: JudgeBeside) -> str:
    name = judge.check or "all automatic checks"
    return f"{name}, {judge.dimension}" if judge.dimension else name


def _basis(judge: JudgeBeside) -> str:
    drawn = judge.drawn
    return (
        f"{plural(judge.found.n, 'item')}, {drawn} drawn at random"
        if drawn
        else f"{plural(judge.found.n, 'item')}, none drawn at random: what sent them to people "
        "may make these differ from other trials"
    )


def _measures(judge: JudgeBeside) -> Iterator[tuple[str, str]]:
    found = judge.found
    kappa = "null" if found.kappa is None else f"{found.kappa:.3f}"
    kappa += _interval(found.kappa_interval) or (f" ({found.kappa_why})" if found.kappa_why else "")
    yield "κ", kappa
    yield "agreement", _share(found.agreement)
    yield "sensitivity", f"{_share(found.sensitivity)} of what people pass"
    yield "specificity", f"{_share(found.specificity)} of what people fail"
    if judge.rate is not None:
        if judge.rate.value is None:
            yield "corrected pass rate", f"null ({judge.rate.why})"
        else:
            value = f"{judge.rate.value:.3f}{_interval(judge.rate.interval)}"
            yield "corrected pass rate", f"{value}, where it says {judge.rate.observed:.3f}"


def _share(share: Share) -> str:
    counts = f"{share.numerator} of {share.denominator}"
    return (
        f"null ({counts})"
        if share.value is None
        else (f"{share.value:.3f}{_interval(share.interval)} ({counts})")
    )


def _more(total: int, left: str) -> Iterator[str]:
    if total > _SHOWN:
        yield f"{left}and {total - _SHOWN} more (--json has all)"


def reviewed_markdown(found: Iterable[Reviewed]) -> Iterator[str]:
    """Yield the section of the report; everything that comes from data is escaped."""
    for each in found:
        yield f"## People: {text(each.rubric)} version {text(each.version)}\n\n"
        for line in _counts(each):
            yield f"- {text(line)}\n"
        yield "\n"
        yield cells("agreement on", "items", "raw", "α", "κ", "AC2")
        yield "|---|---|---|---|---|---|\n"
        for name, row in _rows(each):
            yield cells(text(name), str(row.n), *(text(_coefficient(one)) for one in _four(row)))
        yield f"\n{text(_ABOUT)}\n\n"
        for why in _whys(each):
            yield f"- {text(why)}\n"
        for one in each.disputed[:_SHOWN]:
            end = "adjudicated" if one.adjudicated else "waits for an adjudicator"
            where = f"{one.case} trial {one.trial}, {one.dimension}"
            yield f"- {text(where)}: {text(one.words)} ({end})\n"
        yield "\n"
        for judge in each.judges:
            yield from _judge_markdown(judge)


def _judge_markdown(judge: JudgeBeside) -> Iterator[str]:
    yield f"### {text(_name(judge))} beside people\n\n{text(_basis(judge))}\n\n"
    yield cells("people \\ it", "pass", "fail", "unknown", "error")
    yield "|---|---|---|---|---|\n"
    for label, row in judge.found.table.items():
        yield cells(label, *map(str, row.values()))
    yield "\n"
    for name, value in _measures(judge):
        yield f"- {text(name)}: {text(value)}\n"
    for one in judge.apart[:_SHOWN]:
        said = f"{one.example}: people {one.label}, it says {one.answer}: {one.reason}"
        yield f"- {text(said)}\n"
    if len(judge.apart) > _SHOWN:
        yield f"- and {len(judge.apart) - _SHOWN} more\n"
    yield "\n"
