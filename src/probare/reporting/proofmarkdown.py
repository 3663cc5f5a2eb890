"""`prove.md`: a proof of a suite, for people, to read and to send."""

from __future__ import annotations

from collections.abc import Iterator

from probare.model.proof import DefectResult, ProofResult
from probare.reporting import proofmatrix
from probare.reporting.escaping import cells, text
from probare.reporting.proofmatrix import UNICODE, result_words
from probare.reporting.proofs import CAVEAT, end_lines, problems, unmoved_words
from probare.reporting.words import duration, plural, rate

_LISTED = 500


def proof_markdown(result: ProofResult) -> Iterator[str]:
    """Yield the report. Everything that comes from data is escaped."""
    yield f"# Proof of {text(result.suite)}: {result.decision.upper()}\n\n"
    for why in result.why:
        yield f"- {text(why)}\n"
    by = f", by {result.caught.method}" if result.caught.method else ""
    yield f"\nDefects caught: {text(rate(result.caught))}{by}.\n\n"
    facts = [plural(result.runs, "run"), plural(result.trials, "trial")]
    yield f"{' · '.join([*facts, duration(result.duration_ms), text(result.created)])}\n\n"
    for part in result.part:
        yield f"> Only a part was proved: {text(part)}\n\n"
    for note in result.notes:
        yield f"> {text(note)}\n\n"
    if result.defects:
        yield f"{CAVEAT}\n\n"
    for line in end_lines(result):
        yield f"- {text(line)}\n"
    yield "\n"
    for heading, found in problems(result):
        yield f"## {heading}\n\n"
        for name, reasons in found[:_LISTED]:
            yield f"- {text(name)}: {'; '.join(map(text, reasons))}\n"
        yield _more(len(found))
    if result.defects:
        yield from _matrix(result)
    yield from _collateral(result)
    yield from _unmoved(result)
    yield from _runs(result)


def _matrix(result: ProofResult) -> Iterator[str]:
    cases = proofmatrix.columns(result, _LISTED)
    rows = [proofmatrix.row(result, defect, cases, UNICODE) for defect in result.defects]
    yield "## Defects and cases\n\n"
    yield cells("defect", "result", *(str(number) for number in range(1, len(cases) + 1)))
    yield f"|---|---|{':-:|' * len(cases)}\n"
    for defect, marks in zip(result.defects, rows, strict=True):
        yield cells(text(defect.name), result_words(defect), *map(text, marks))
    yield "\n"
    for mark, meaning in proofmatrix.legend("".join(rows), UNICODE):
        yield f"- {text(mark)} {meaning}\n"
    yield "\n"
    for number, case in enumerate(cases, 1):
        yield f"{number}. {text(case)}\n"
    for words in proofmatrix.not_shown(result, cases):
        yield f"\nNot shown: {words}.\n"
    yield "\n"


def _collateral(result: ProofResult) -> Iterator[str]:
    """Failures elsewhere: honest, since a fault shows where it shows, and no harm."""
    also = [defect for defect in result.defects if defect.also_failed]
    if not also:
        return
    yield "## Also failed\n\nCases that need not fail for the defect, and do; this is no fault.\n\n"
    for defect in also:
        yield f"- {text(defect.name)}: {', '.join(map(text, defect.also_failed))}\n"
    yield "\n"


def _unmoved(result: ProofResult) -> Iterator[str]:
    found = result.unmoved
    yield f"## Never failed by any defect: {unmoved_words(found)}\n\n"
    for words, names in (("graders", found.graders), ("whole cases", found.cases)):
        if names:
            yield f"- {words}: {', '.join(map(text, names))}\n"
    yield "\n"
    for name, checks in list(found.checks.items())[:_LISTED]:
        labels = "; ".join(f"{check.list} {text(check.label)}" for check in checks)
        yield f"- {text(name)}: {labels}\n"
    yield _more(len(found.checks))


def _runs(result: ProofResult) -> Iterator[str]:
    yield "## Runs\n\n"
    yield cells("of", "target", "run")
    yield "|---|---|---|\n"
    for words, end in (
        ("oracle", result.oracle),
        ("null target", result.null),
        ("healthy agent", result.healthy),
    ):
        yield cells(words, text(end.target), text(end.run or "–"))
    for defect in result.defects:
        yield cells(text(defect.name), text(defect.target), _run(defect))


def _run(defect: DefectResult) -> str:
    return text(defect.run) if defect.run is not None else "could not be run"


def _more(count: int) -> str:
    return f"\n… and {count - _LISTED:,} more, in prove.json\n\n" if count > _LISTED else "\n"
