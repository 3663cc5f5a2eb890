"""Data inside Markdown: text that is never markup, and fences that content cannot close."""

from __future__ import annotations

import re

from probare.reporting.words import visible

# an underscore inside a word never is emphasis (CommonMark 0.31, rule 2 of emphasis)
_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_FIRST = re.compile(r"[-+#=]|[0-9]+(?=[.)](?: |$))")
_BACKTICKS = re.compile("`+")


def text(value: str, limit: int = 2000) -> str:
    """Return data as Markdown text on one line: nothing in it is markup, a list or HTML."""
    cut = visible(value[:limit]) + ("…" if len(value) > limit else "")
    line = _SPECIAL.sub(r"\\\g<0>", " ".join(cut.split()))
    first = _FIRST.match(line)
    if first is None:
        return line
    at = first.end() if first[0].isdigit() else 0
    return f"{line[:at]}\\{line[at:]}"


def fenced(value: str, limit: int = 20_000) -> str:
    """Return data as a code block, in a fence longer than any run of backticks in it."""
    shown = visible(value[:limit].replace("\r\n", "\n"))
    if len(value) > limit:
        shown += f"\n… [{len(value) - limit:,} more characters]"
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}\n"


def cells(*values: str) -> str:
    """Return a row of a table; the values must be Markdown already."""
    return f"| {' | '.join(values)} |\n"
