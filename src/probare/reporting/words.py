"""Numbers, statuses and data as people read them."""

from __future__ import annotations

import re

from probare.model.score import CaseSummary, Gap, Rate

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
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_STRIP_UP_TO = 8


def visible(text: str) -> str:
    r"""Return data with its control characters written out, so that it cannot steer a terminal.

    Escape sequences, bells, bidirectional overrides and lone surrogates become `\x1b` and the
    like; line feeds and tabs stay.
    """
    return _UNSEEN.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def one_line(text: str, width: int) -> str:
    """Return data on one line, its spaces joined, with an ellipsis where it was cut."""
    line = " ".join(visible(text[: 8 * width]).split())
    return line if len(line) <= width and len(text) <= 8 * width else line[: width - 1] + "…"


def plural(count: int, noun: str) -> str:
    """Return "1 case" or "2 cases"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def points(share: float) -> str:
    """Return a share times 100 with one decimal. Only all is 100.0, and only none is 0.0."""
    shown = f"{100 * share:.1f}"
    if shown == "100.0" and share < 1:
        return "99.9"
    return "0.1" if shown == "0.0" and share > 0 else shown


def percent(value: float | None) -> str:
    """Return a share in percent, or a dash. What is not quite all is never shown as 100 %."""
    return "–" if value is None else f"{points(value).removesuffix('.0')} %"


def count(value: float) -> str:
    """Return a count, which may be a fraction, without needless digits."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-9 else f"{value:,.2f}"


def rate(found: Rate) -> str:
    """Return "27 of 30 (90.0 %, 95 % interval 74.4–96.5)", with the best case if it differs."""
    if found.value is None:
        return f"– ({found.why})" if found.why else "–"
    inside = f"{points(found.value)} %"
    if found.interval is not None:
        low, high = found.interval
        inside += f", 95 % interval {points(low)}–{points(high)}"
    text = f"{count(found.numerator)} of {count(found.denominator)} ({inside})"
    if found.best is not None and found.best > found.value + 1e-9:
        text += f", at best {points(found.best)} %"
    return text


def gap(found: Gap) -> str | None:
    """Return "+10.0 points (95 % interval −5.0 to +20.1)"; None where unknown."""
    if found.value is None:
        return None
    text = f"{signed(found.value)} points"
    if found.interval is not None:
        low, high = found.interval
        text += f" (95 % interval {signed(low)} to {signed(high)})"
    return text


def signed(share: float) -> str:
    """Return a difference of shares in points, with its sign."""
    return f"{100 * share:+.1f}".replace("-", "−")


def coverage(found: Rate) -> str:
    """Return "30 / 29 / 28": how many were planned, run and graded."""
    return f"{found.planned:,} / {found.run:,} / {found.graded:,}"


def status(case: CaseSummary) -> str:
    """Return a case's status in words; what is for people alone says so."""
    if case.review == "always" and case.status in ("ungraded", "needs_review"):
        return "for people"
    return STATUS_WORDS[case.status]


def trials(case: CaseSummary) -> str:
    """Return "●●○·" (passed, not passed, not run), or "12/20" where there are many."""
    if not 1 < case.trials <= _STRIP_UP_TO:
        return f"{case.passed}/{case.trials}"
    missing = max(0, case.trials - case.run)
    return "●" * case.passed + "○" * (case.trials - missing - case.passed) + "·" * missing


def duration(ms: float | None) -> str:
    """Return a time in the unit that reads best."""
    if ms is None:
        return "–"
    if ms < 1000:
        return f"{ms:.0f} ms" if ms >= 1 or ms == 0 else f"{ms:.2f} ms"
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return (
        f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
    )


def money(dollars: float | None) -> str:
    """Return US dollars; a dash where the price is unknown."""
    if dollars is None:
        return "–"
    if 0 < dollars < 0.0001:
        return "under $0.0001"
    return f"${dollars:,.2f}" if dollars >= 1 or dollars == 0 else f"${dollars:.4f}"
