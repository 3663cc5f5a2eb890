"""What a verification found, in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from probare.evidence.examination import Examination
from probare.evidence.lineage import Link
from probare.reporting.words import visible

_SHOWN = 50


def rendered(found: Examination, name: str) -> str:
    """Return what was found as lines: the answer first, then faults, then what it rests on."""
    return "\n".join(visible(line) for line in _lines(found, name))


def _lines(found: Examination, name: str) -> Iterator[str]:
    if found.intact:
        yield f"INTACT: {name}"
    else:
        count = len(found.findings)
        yield f"NOT INTACT: {name}: {count} {'fault' if count == 1 else 'faults'}"
    yield from _list("", map(str, found.findings))
    yield from _list("checked:", found.checked)
    yield from _list("not checked:", found.unchecked)
    yield from _list("shows:", found.shows)
    yield from _list("does not show:", found.shows_not)


def _list(title: str, entries: Iterable[str]) -> Iterator[str]:
    listed = list(entries)
    if title and listed:
        yield f"  {title}"
    yield from (f"    {entry}" for entry in listed[:_SHOWN])
    if len(listed) > _SHOWN:
        yield f"    and {len(listed) - _SHOWN} more"


def rendered_chain(links: Sequence[Link]) -> str:
    """Return the runs that a run was made from, the run itself first."""
    lines = ["chain:"]
    for link in links:
        where = f" in {link.folder}" if link.folder is not None else ""
        word = "intact" if link.intact else link.problem or "not intact"
        lines.append(f"    {link.run_id}{where}: {word}")
    return "\n".join(visible(line) for line in lines)
