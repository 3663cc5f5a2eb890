"""How a judge did on labelled examples, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator

from probare.reporting.words import visible
from probare.scoring.calibration import Answered, Calibration, Corrected, Label, Share
from probare.scoring.intervals import Interval
from probare.scoring.judgechecks import Compared, JudgeCheck

_LABELS: tuple[Label, ...] = ("pass", "fail")
_ANSWERS: tuple[Answered, ...] = ("pass", "fail", "unknown", "error")


def rendered_judge_check(found: JudgeCheck, *, shown: int = 20) -> str:
    """Return the result as lines, with at most so many disagreements to read."""
    return "\n".join(visible(line) for line in _lines(found, shown))


def _lines(found: JudgeCheck, shown: int) -> Iterator[str]:
    yield f"{found.check}  [{found.grader}; {', '.join(found.models)}]"
    unsure = f", {found.unlabelled} labels that people were unsure of" if found.unlabelled else ""
    yield f"{_counted(found.examples, 'example')}{unsure}"
    if found.whole is not None:
        yield ""
        yield from _calibration(found.whole)
    for name, each in found.dimensions.items():
        yield ""
        yield f"dimension {name}"
        yield from _calibration(each)
    if found.rate is not None:
        yield ""
        yield from _rate(found.rate)
    if found.split_votes:
        yield ""
        yield f"votes contradict each other on {_counted(found.split_votes, 'example')}"
    yield from _disagreements(found.disagreements, shown)
    if found.usage is not None:
        cost = "unknown" if found.usage.cost_usd is None else f"${found.usage.cost_usd:.4f}"
        tokens = found.usage.total_tokens
        used = "tokens unknown" if tokens is None else f"{tokens:,} tokens"
        yield ""
        yield f"the judge used {used}, cost {cost}"
    word = {0: "PASSED", 1: "FAILED"}.get(found.exit_code, "INCOMPLETE")
    yield ""
    yield f"{word}: {'; '.join(found.why)}" if found.why else word


def _calibration(found: Calibration) -> Iterator[str]:
    yield f"  people \\ judge {''.join(f'{word:>9}' for word in _ANSWERS)}"
    for label in _LABELS:
        cells = "".join(f"{found.table[label][word]:>9}" for word in _ANSWERS)
        yield f"  {label:<14}{cells}"
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.3f}"
    more = _interval(found.kappa_interval) or (f"  ({found.kappa_why})" if found.kappa_why else "")
    yield f"  κ            {kappa}{more}"
    yield f"  agreement    {_share(found.agreement)}"
    yield f"  sensitivity  {_share(found.sensitivity)}  (of what people pass, the judge passes)"
    yield f"  specificity  {_share(found.specificity)}  (of what people fail, the judge fails)"
    yield f"  false passes {_share(found.false_pass)}  (of what people fail, the judge passes)"
    judge, people = _percent(found.judge.value), _percent(found.people.value)
    yield f"  pass rate    judge {judge}, people {people}"
    if found.undecided:
        yield (
            f"  {_counted(found.undecided, 'answer')} unknown or error: counted in every "
            "denominator, as neither pass nor fail"
        )


def _rate(found: Corrected) -> Iterator[str]:
    yield f"pass rate elsewhere  judge {_percent(found.observed)}"
    if found.value is None:
        yield f"corrected            null: {found.why}"
    else:
        yield (
            f"corrected            {_percent(found.value)}{_interval(found.interval)}  "
            "(Rogan & Gladen; what people would have passed)"
        )


def _disagreements(found: tuple[Compared, ...], shown: int) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield f"{_counted(len(found), 'disagreement')} to read, false passes first:"
    for each in found[:shown]:
        of = f" [{each.dimension}]" if each.dimension else ""
        yield f"  {each.example}{of}: people {each.label}, judge {each.answer}"
        yield f"      output: {each.output}"
        yield f"      judge:  {each.reason}"
    if len(found) > shown:
        yield f"  and {len(found) - shown} more (--json has all)"


def _share(share: Share) -> str:
    counts = f"{share.numerator}/{share.denominator}"
    if share.value is None:
        return f"undefined ({counts})"
    return f"{share.value:.3f} ({counts}){_interval(share.interval)}"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f"  [{interval[0]:.3f}, {interval[1]:.3f}]"


def _percent(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.1%}"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
