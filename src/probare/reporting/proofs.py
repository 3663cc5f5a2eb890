"""A proof of a suite in the terminal: the matrix, what survived, what no defect moves.

Data is only ever printed as `Text`, never as markup, with its control characters written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from probare.model.proof import EndResult, ProofResult, Unmoved
from probare.reporting import proofmatrix
from probare.reporting.printing import print_data
from probare.reporting.proofmatrix import ASCII, UNICODE, Marks, result_words
from probare.reporting.words import duration, one_line, plural, rate

COLOURS = {
    "passed": "green",
    "failed": "red",
    "incomplete": "yellow",
    "caught": "green",
    "survived": "red",
    "unproven": "yellow",
}
_MARK_COLOURS = {"missed": "bold red", "alike": "bold red", "errored": "yellow", "flaky": "magenta"}
CAVEAT = (
    "This shows that the suite catches the faults named here. It says nothing of faults that "
    "nobody named, and the interval holds only for faults like these."
)
_LEAST_COLUMNS = 10
_COLUMNS = 240
_NAME = 32
_LONG_NAME = 120
_REASON = 300
_SHOWN = 12


def render_proof(console: Console, result: ProofResult, *, ascii_only: bool = False) -> None:
    """Print a proof. The decision and its reasons stand last, where the eye is."""
    marks = ASCII if ascii_only or console.options.ascii_only else UNICODE
    for line in end_lines(result):
        print_data(console, line)
    if result.defects:
        console.print()
        _matrix(console, result, marks)
    for heading, found in problems(result):
        _problem(console, heading, found)
    _unmoved(console, result.unmoved)
    _decision(console, result)


def end_lines(result: ProofResult) -> Iterator[str]:
    """Yield how the oracle, the null target and the healthy agent came out."""
    ends = (("oracle", result.oracle), ("null target", result.null))
    for words, end in (*ends, ("healthy agent", result.healthy)):
        if words == "healthy agent" and end.run in (result.oracle.run, result.null.run):
            continue
        name = one_line(end.target, _LONG_NAME)
        counted = f"{end.passed:,} of {plural(end.cases, 'case')}"
        yield f"the {words} ({name}) passes {counted}{_aside(end)}"


def _aside(end: EndResult) -> str:
    words = {
        "for people": "for people",
        "demands nothing": "that demand nothing",
        "null_may_pass": "listed under null_may_pass",
    }
    parts = [
        f"{count} {words[reason]}"
        for reason in words
        if (count := sum(why == reason for why in end.aside.values()))
    ]
    return f" ({', '.join(parts)})" if parts else ""


def problems(result: ProofResult) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """Yield what speaks against the suite, and what shows nothing: a heading, and for each
    defect or case what there is to say.
    """
    for heading, word in (("Survived", "survived"), ("Without an answer", "unproven")):
        found = [
            (
                defect.name,
                [f"missed by {case}: {why}" for case, why in defect.missed.items()]
                + [f"{case}: {why}" for case, why in defect.open.items()],
            )
            for defect in result.defects
            if defect.result == word
        ]
        if found:
            yield heading, found
    for heading, listed in (
        ("The oracle does not pass", result.oracle.against),
        ("The oracle gave no answer", result.oracle.open),
        ("Weak cases: the null target passes what demands an act", result.null.against),
        ("The null target gave no answer", result.null.open),
        ("The healthy agent fails, so that failing there alike shows nothing", _failing(result)),
    ):
        if listed:
            yield heading, [(case, [why]) for case, why in listed.items()]


def _failing(result: ProofResult) -> Mapping[str, str]:
    """Return what the healthy agent fails where a defect must; nothing where an end stands for it,
    of which all is said.
    """
    if result.healthy.run in (result.oracle.run, result.null.run):
        return {}
    named = {case for defect in result.defects for case in defect.must_fail}
    return {case: why for case, why in result.healthy.against.items() if case in named}


def _problem(console: Console, heading: str, found: Sequence[tuple[str, list[str]]]) -> None:
    console.print()
    print_data(console, f"{heading}:", 0, "bold")
    for name, reasons in found[:_SHOWN]:
        print_data(console, one_line(name, _LONG_NAME), 2)
        for reason in reasons[:_SHOWN]:
            print_data(console, one_line(reason, _REASON), 4)
        _more(console, len(reasons) - _SHOWN, 4)
    _more(console, len(found) - _SHOWN, 2)


def _more(console: Console, count: int, left: int) -> None:
    if count > 0:
        print_data(console, f"… and {count:,} more: see prove.md", left, "dim")


def _matrix(console: Console, result: ProofResult, marks: Marks) -> None:
    cases = proofmatrix.columns(result, _COLUMNS)
    names = [one_line(defect.name, _NAME) for defect in result.defects]
    words = [result_words(defect) for defect in result.defects]
    left = max(map(len, names)) + 2
    middle = max(map(len, words)) + 2
    size = max(_LEAST_COLUMNS, console.width - left - middle)
    rows = [proofmatrix.row(result, defect, cases, marks) for defect in result.defects]
    for start in range(0, len(cases), size):
        for digits in _numbers(start, min(start + size, len(cases)), len(cases)):
            _line(console, Text(" " * (left + middle) + digits, "dim"))
        for defect, name, word, cells in zip(result.defects, names, words, rows, strict=True):
            line = Text(f"{name:<{left}}")
            line.append(f"{word:<{middle}}", COLOURS[defect.result])
            line.append_text(_coloured(cells[start : start + size], marks))
            _line(console, line)
        console.print()
    meanings = proofmatrix.legend("".join(rows), marks)
    print_data(console, "   ".join(f"{mark} {words}" for mark, words in meanings), 2, "dim")
    console.print()
    _case_list(console, cases)
    for words in proofmatrix.not_shown(result, cases):
        print_data(console, f"not shown: {words}", 2, "dim")


def _numbers(start: int, end: int, count: int) -> Iterator[str]:
    """Yield the columns' numbers, from 1, written downwards: a line for each digit."""
    places = len(str(count))
    for place in range(places):
        digits = "".join(f"{number:>{places}}"[place] for number in range(start + 1, end + 1))
        if not digits.isspace():
            yield digits


def _coloured(cells: str, marks: Marks) -> Text:
    styles = {getattr(marks, name): style for name, style in _MARK_COLOURS.items()}
    text = Text()
    for mark in cells:
        text.append(mark, styles.get(mark, ""))
    return text


def _case_list(console: Console, cases: Sequence[str]) -> None:
    """Print the numbered cases, in as many columns as there is room for, downwards."""
    digits = len(str(len(cases)))
    shown = [
        f"{number:>{digits}} {one_line(case, _NAME + 16)}" for number, case in enumerate(cases, 1)
    ]
    if not shown:
        return
    width = max(map(len, shown)) + 2
    across = max(1, (console.width - 2) // width)
    down = -(-len(shown) // across)
    for start in range(down):
        line = "".join(f"{item:<{width}}" for item in shown[start::down])
        _line(console, Text(f"  {line}".rstrip()))


def _line(console: Console, line: Text) -> None:
    line.rstrip()
    console.print(line, no_wrap=True, overflow="ignore", crop=False)


def unmoved_words(found: Unmoved) -> str:
    """Return how many required checks no defect makes fail, of how many."""
    words = f"{found.never_failed:,} of {plural(found.planned, 'required check')}"
    asleep = found.never_failed - found.null_fails
    return f"{words} ({asleep:,} not even by the null target)"


def _unmoved(console: Console, found: Unmoved) -> None:
    if not found.never_failed:
        return
    console.print()
    print_data(console, f"Never failed by any defect: {unmoved_words(found)}", 0, "bold")
    for words, names in (("graders", found.graders), ("whole cases", found.cases)):
        if names:
            print_data(console, f"{words}: {_listed(names)}", 2)
    partly = [name for name in found.checks if name not in found.cases]
    for name in partly[:_SHOWN]:
        labels = [f"{check.list} {check.label}" for check in found.checks[name]]
        print_data(console, one_line(f"{name}: {'; '.join(labels)}", _REASON), 2)
    _more(console, len(partly) - _SHOWN, 2)


def _listed(names: Iterable[str]) -> str:
    listed = [one_line(name, _LONG_NAME) for name in names]
    more = f" and {len(listed) - _SHOWN:,} more" if len(listed) > _SHOWN else ""
    return ", ".join(listed[:_SHOWN]) + more


def _decision(console: Console, result: ProofResult) -> None:
    console.print()
    for part in result.part:
        print_data(console, f"only a part was proved: {part}", 0, COLOURS["incomplete"])
    for note in result.notes:
        print_data(console, f"note: {one_line(note, 2 * _REASON)}", 0, "dim")
    print_data(console, f"defects caught: {rate(result.caught)}")
    if result.defects:
        print_data(console, CAVEAT, 0, "dim")
    facts = [plural(result.runs, "run"), plural(result.trials, "trial")]
    facts.append(duration(result.duration_ms))
    line = Text(result.decision.upper(), f"bold {COLOURS[result.decision]}")
    line.append(f"  {one_line(result.suite, _LONG_NAME)}: {', '.join(facts)}", "default")
    console.print(line)
    for why in result.why:
        print_data(console, one_line(why, 4 * _REASON), 2)
