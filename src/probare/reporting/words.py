"""Numbers as people read them."""

from __future__ import annotations

from probare.model.score import Rate

SYMBOLS = {
    "passed": "✓",
    "failed": "✗",
    "flaky": "≈",
    "errored": "!",
    "needs_review": "?",
    "ungraded": "–",
}
STATUS_WORDS = {
    "passed": "passed",
    "failed": "failed",
    "flaky": "flaky",
    "errored": "errored",
    "needs_review": "needs review",
    "ungraded": "ungraded",
}


def plural(count: int, noun: str) -> str:
    """Return "1 case" or "2 cases"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def percent(value: float | None) -> str:
    """Return a share in percent, or a dash. What is not quite all is never shown as 100 %."""
    if value is None:
        return "–"
    shown = f"{value:.1%}"
    if shown == "100.0%" and value < 1:
        return ">99.9 %"
    return shown.replace("%", " %").replace(".0 ", " ")


def count(value: float) -> str:
    """Return a count, which may be a fraction, without needless digits."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-9 else f"{value:,.2f}"


def rate(found: Rate) -> str:
    """Return "27 of 30, 90 % (95 %: 74–97)", with the best case where it differs."""
    if found.value is None:
        return f"– ({found.why})" if found.why else "–"
    text = f"{count(found.numerator)} of {count(found.denominator)}, {percent(found.value)}"
    if found.interval is not None:
        low, high = found.interval
        text += f" (95 %: {100 * low:.0f}–{100 * high:.0f})"
    if found.best is not None and found.best > found.value + 1e-9:
        text += f", at best {percent(found.best)}"
    return text


def coverage(found: Rate) -> str:
    """Return how many were planned, run and graded."""
    return f"{found.planned} planned, {found.run} run, {found.graded} graded"


def duration(ms: float | None) -> str:
    """Return a time in the unit that reads best."""
    if ms is None:
        return "–"
    if ms < 1:
        return f"{ms:.2f} ms"
    if ms < 1000:
        return f"{ms:.0f} ms"
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return (
        f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
    )


def money(dollars: float | None) -> str:
    """Return US dollars; a dash where the price is unknown."""
    return "–" if dollars is None else f"${dollars:.4f}"


def shortened(text: str, width: int) -> str:
    """Return one line of text, cut in the middle of nothing, with an ellipsis where cut."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"
