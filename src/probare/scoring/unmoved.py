"""What no broken agent of a proof makes fail: checks, graders, cases that may be asleep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from probare.model.proof import CheckName, Unmoved
from probare.scoring.observed import CaseSeen


def unmoved(
    broken: Sequence[tuple[Mapping[str, CaseSeen], Mapping[str, Sequence[CheckName]]]],
    ends: Iterable[Mapping[str, CaseSeen]],
    null: Mapping[str, CaseSeen],
) -> Unmoved:
    """Return what no defect makes fail, of the cases that were run with at least one.

    `broken` holds, for each defect, what its run showed, and by case the checks that fail for it
    and not for the healthy agent. `ends` and `null` tell of the other runs, whose checks are
    planned as well.
    """
    moved: dict[str, set[CheckName]] = {}
    checks: dict[str, set[CheckName]] = {}
    for seen, telling in broken:
        for name, case in seen.items():
            moved.setdefault(name, set()).update(telling.get(name, ()))
            checks.setdefault(name, set()).update(case.checks)
    for seen in ends:
        for name in checks.keys() & seen.keys():
            checks[name] |= seen[name].checks
    still = {name: sorted(found - moved[name]) for name, found in checks.items()}
    used = {check.grader for found in checks.values() for check in found}
    telling_graders = {check.grader for found in moved.values() for check in found}
    return Unmoved(
        planned=sum(map(len, checks.values())),
        never_failed=sum(map(len, still.values())),
        null_fails=sum(
            sum(check in null[name].failed for check in found)
            for name, found in still.items()
            if name in null
        ),
        checks={name: tuple(found) for name, found in still.items() if found},
        graders=tuple(sorted(used - telling_graders)),
        cases=tuple(name for name, found in checks.items() if found and not moved[name]),
    )
