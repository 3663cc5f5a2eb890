"""Two runs against each other, paired by case id and content digest (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from probare.model.score import Diff, DiffCase
from probare.scoring.comparing import ALPHA, Tested, one_trial, several_trials, share
from probare.scoring.estimators import mean
from probare.scoring.sides import Side, SideCase, side_of_baseline, side_of_summary
from probare.scoring.standing import DECIDED
from probare.scoring.wording import names, plural

__all__ = ["ALPHA", "Side", "SideCase", "compare", "side_of_baseline", "side_of_summary"]

Answer: TypeAlias = Literal["regressed", "no regression seen", "inconclusive"]


def compare(before: Side, after: Side) -> Diff:
    """Return whether `after` regressed against `before`, one-sided at α = 0.05.

    Kept out and listed apart: cases that changed, came or went, that other graders judged, and
    that have no answer in one of the runs.
    """
    both = [name for name in before.cases if name in after.cases]
    changed = [n for n in both if before.cases[n].digest != after.cases[n].digest]
    same = [n for n in both if before.cases[n].digest == after.cases[n].digest]
    regraded = [n for n in same if _other_graders(before.cases[n], after.cases[n])]
    apart = set(regraded)
    undecided = [n for n in same if n not in apart and not _decided(n, before, after)]
    apart.update(undecided)
    pairs = [_pair(n, before.cases[n], after.cases[n]) for n in same if n not in apart]
    found = _test(pairs)
    answer, words = _answer(found)
    return Diff(
        before=before.run_id,
        after=after.run_id,
        answer=answer,
        words=words,
        test=found.test if found else "none",
        p=found.p if found else None,
        smallest_drop=found.smallest_drop if found else None,
        pairs=len(pairs),
        pass_rate_before=mean([float(share(pair.before)) for pair in pairs]),
        pass_rate_after=mean([float(share(pair.after)) for pair in pairs]),
        fell=_fell(found),
        rose=tuple(p for p in _tested(found) if share(p.after) > share(p.before)),
        significant=found.significant if found else (),
        changed=tuple(changed),
        added=tuple(n for n in after.cases if n not in before.cases),
        removed=tuple(n for n in before.cases if n not in after.cases),
        regraded=tuple(regraded),
        undecided=tuple(undecided),
        by_tag=_by_tag(pairs, after),
    )


def _other_graders(before: SideCase, after: SideCase) -> bool:
    return None not in (before.graders, after.graders) and before.graders != after.graders


def _decided(name: str, before: Side, after: Side) -> bool:
    return before.cases[name].status in DECIDED and after.cases[name].status in DECIDED


def _pair(name: str, before: SideCase, after: SideCase) -> DiffCase:
    return DiffCase(case=name, before=(before.c, before.n), after=(after.c, after.n))


def _test(pairs: Sequence[DiffCase]) -> Tested | None:
    if not pairs:
        return None
    single = all(pair.before[1] == pair.after[1] == 1 for pair in pairs)
    return one_trial(pairs) if single else several_trials(pairs)


def _tested(found: Tested | None) -> tuple[DiffCase, ...]:
    return found.pairs if found else ()


def _fell(found: Tested | None) -> tuple[DiffCase, ...]:
    return tuple(p for p in _tested(found) if share(p.after) < share(p.before))


def _answer(found: Tested | None) -> tuple[Answer, str]:
    """The answer, in words: regressed where the test of all cases or that of one is significant;
    inconclusive where nothing could have been, or the pass rate fell by what chance may do.
    """
    if found is None:
        return "inconclusive", "no case stands unchanged and decided in both runs"
    fell = len(_fell(found))
    rose = sum(share(pair.after) > share(pair.before) for pair in found.pairs)
    moved = f"{fell} fell and {rose} rose of {plural(len(found.pairs), 'case')} compared"
    p = f"p = {found.p:.3g}"
    if found.p <= ALPHA:
        return "regressed", f"{moved}; {p}"
    if found.significant:
        return "regressed", f"{moved}; {p}; by itself: {names(found.significant)}"
    if found.smallest_drop is None:
        reach = "significance was out of reach with so few cases that passed before"
        return "inconclusive", f"{moved}; {p}; {reach}"
    smallest = f"the smallest drop it could have seen is {100 * found.smallest_drop:.1f} points"
    if sum(share(pair.before) - share(pair.after) for pair in found.pairs) > 0:
        return "inconclusive", f"{moved}; {p}; the fall may be chance; {smallest}"
    return "no regression seen", f"{moved}; {smallest}"


def _by_tag(pairs: Sequence[DiffCase], side: Side) -> dict[str, tuple[float | None, float | None]]:
    members: dict[str, list[DiffCase]] = {}
    for pair in pairs:
        for tag in side.cases[pair.case].tags:
            members.setdefault(tag, []).append(pair)
    return {
        tag: (
            mean([float(share(pair.before)) for pair in members[tag]]),
            mean([float(share(pair.after)) for pair in members[tag]]),
        )
        for tag in sorted(members)
    }
