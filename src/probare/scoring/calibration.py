"""A judge against people: agreement, sensitivity, specificity, the corrected rate.

Tables are [[both pass, person pass and judge fail], [person fail and judge pass, both fail]]:
rows are people, columns the judge.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from probare.scoring.distributions import normal_quantile
from probare.scoring.intervals import Interval, clopper_pearson

Table = Sequence[Sequence[float]]
Label: TypeAlias = Literal["pass", "fail"]
Answered: TypeAlias = Literal["pass", "fail", "unknown", "error"]


class Share(msgspec.Struct, frozen=True):
    """A share with its exact interval (Clopper & Pearson 1934); null where nothing is counted."""

    value: float | None
    numerator: int
    denominator: int
    interval: Interval | None


class Corrected(msgspec.Struct, frozen=True):
    """The rate behind a judge's pass rate, with its interval; null with the reason why."""

    observed: float
    value: float | None
    interval: Interval | None
    why: str = ""


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """How a judge does on examples that people labelled.

    `table` maps people's label and the judge's answer to a count. Answers that are unknown or
    error stay in every denominator: as no pass among people's passes (`sensitivity`), as no fail
    among their fails (`specificity`), and as a disagreement in `agreement` and `kappa`, which is
    null with a reason (`kappa_why`) where it is undefined. `false_pass` is the share of people's
    fails that the judge passes. `people` and `judge` are their shares of passes.
    """

    n: int
    table: dict[Label, dict[Answered, int]]
    agreement: Share
    kappa: float | None
    kappa_interval: Interval | None
    kappa_why: str
    sensitivity: Share
    specificity: Share
    false_pass: Share
    people: Share
    judge: Share

    @property
    def undecided(self) -> int:
        """How many examples the judge could not decide."""
        return sum(row["unknown"] + row["error"] for row in self.table.values())

    @property
    def errors(self) -> int:
        """How many answers are errors."""
        return sum(row["error"] for row in self.table.values())


def cohen_kappa(table: Table) -> float | None:
    """Return Cohen's κ (Cohen 1960); None where chance agreement is 1."""
    total = sum(map(sum, table))
    if total == 0:
        return None
    observed = sum(table[i][i] for i in range(len(table))) / total
    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    chance = sum(r * c for r, c in zip(rows, columns, strict=True)) / total**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def kappa_error(table: Table) -> float | None:
    """Return the large-sample standard error of Cohen's κ (Fleiss, Cohen & Everitt 1969, eq. 13);
    None where κ is undefined.
    """
    kappa, total = cohen_kappa(table), sum(map(sum, table))
    if kappa is None:
        return None
    size = range(len(table))
    p = [[cell / total for cell in row] for row in table]
    rows = [sum(row) for row in p]
    columns = [sum(column) for column in zip(*p, strict=True)]
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    same = sum(p[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in size)
    other = sum(p[i][j] * (columns[i] + rows[j]) ** 2 for i in size for j in size if i != j)
    spread = same + (1 - kappa) ** 2 * other - (kappa - chance * (1 - kappa)) ** 2
    return math.sqrt(max(0.0, spread) / total) / (1 - chance)


def sensitivity_specificity(table: Table) -> tuple[float | None, float | None]:
    """Return the share of people's passes that the judge passes, and of fails that it fails."""
    (a, b), (c, d) = table
    return (a / (a + b) if a + b else None), (d / (c + d) if c + d else None)


def corrected_rate(observed: float, sensitivity: float, specificity: float) -> float | None:
    """Return the true rate behind a judge's pass rate (Rogan & Gladen 1978), within [0, 1].

    None where the judge is no better than chance.
    """
    power = sensitivity + specificity - 1
    if power <= 0:
        return None
    return min(1.0, max(0.0, (observed + specificity - 1) / power))


def corrected_interval(
    passes: int, n: int, sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> Interval | None:
    """Return the interval at 95 % of the rate behind `passes` of `n`, where sensitivity and
    specificity are themselves only estimated, each as (count, of how many): Lang & Reiczigel 2014,
    eq. 16 and 17, their primed estimates. None where nothing can be corrected.
    """
    if n == 0 or sensitivity[1] == 0 or specificity[1] == 0:
        return None
    z = normal_quantile(0.975)
    n_se, n_sp, n_rate = sensitivity[1] + 2, specificity[1] + 2, n + z * z
    se, sp = (sensitivity[0] + 1) / n_se, (specificity[0] + 1) / n_sp
    rate = (passes + z * z / 2) / n_rate
    power = se + sp - 1
    if power <= 0:
        return None
    true = (rate + sp - 1) / power
    spread_se, spread_sp = se * (1 - se) / n_se, sp * (1 - sp) / n_sp
    shift = 2 * z * z * (true * spread_se - (1 - true) * spread_sp)
    variance = rate * (1 - rate) / n_rate + true**2 * spread_se + (1 - true) ** 2 * spread_sp
    half = z * math.sqrt(variance) / power
    middle = true + shift
    return min(1.0, max(0.0, middle - half)), max(0.0, min(1.0, middle + half))


def calibrate(pairs: Iterable[tuple[Label, Answered]]) -> Calibration:
    """Compare people's labels with a judge's answers, one pair an example."""
    table: dict[Label, dict[Answered, int]] = {
        "pass": {"pass": 0, "fail": 0, "unknown": 0, "error": 0},
        "fail": {"pass": 0, "fail": 0, "unknown": 0, "error": 0},
    }
    for label, answer in pairs:
        table[label][answer] += 1
    passes, fails = sum(table["pass"].values()), sum(table["fail"].values())
    n = passes + fails
    both, wrong = table["pass"]["pass"], table["fail"]["pass"]
    kappa, interval, why = _kappa(table)
    return Calibration(
        n=n,
        table=table,
        agreement=_share(both + table["fail"]["fail"], n),
        kappa=kappa,
        kappa_interval=interval,
        kappa_why=why,
        sensitivity=_share(both, passes),
        specificity=_share(table["fail"]["fail"], fails),
        false_pass=_share(wrong, fails),
        people=_share(passes, n),
        judge=_share(both + wrong, n),
    )


def corrected(found: Calibration, passes: int, n: int) -> Corrected:
    """Return the rate behind a judge's `passes` of `n` on other outputs.

    What the judge could not decide is no pass, here as there: the correction asks how often it
    passes what people pass, and how often it does not pass what they fail.
    """
    observed = passes / n if n else 0.0
    fails = found.false_pass.denominator
    refused = fails - found.false_pass.numerator
    hits, of = found.sensitivity.numerator, found.sensitivity.denominator
    if not n or not of or not fails:
        why = "it takes examples that people passed, and some that they failed"
        return Corrected(observed, None, None, why)
    value = corrected_rate(observed, hits / of, refused / fails)
    if value is None:
        why = "the judge tells passes and fails apart no better than chance"
        return Corrected(observed, None, None, why)
    return Corrected(observed, value, corrected_interval(passes, n, (hits, of), (refused, fails)))


def _share(numerator: int, denominator: int) -> Share:
    value = numerator / denominator if denominator else None
    return Share(value, numerator, denominator, clopper_pearson(numerator, denominator))


def _kappa(
    table: dict[Label, dict[Answered, int]],
) -> tuple[float | None, Interval | None, str]:
    """Return κ over pass, fail and neither, which people never say, with its interval at 95 %."""
    square = [
        [row["pass"], row["fail"], row["unknown"] + row["error"]] for row in table.values()
    ] + [[0, 0, 0]]
    kappa = cohen_kappa(square)
    if kappa is None:
        return None, None, "people and judge gave one label only, so that chance alone agrees"
    if not any(sum(row) == 0 for row in square[:2]):
        error = kappa_error(square)
        if error:
            half = normal_quantile(0.975) * error
            return kappa, (max(-1.0, kappa - half), min(1.0, kappa + half)), ""
        return kappa, None, "no interval: without a disagreement its large-sample error is nought"
    return kappa, None, "people gave one label only: κ is nought whatever the judge says"
