"""A judge against people: agreement, sensitivity, specificity, the corrected rate.

Tables are [[both pass, person pass and judge fail], [person fail and judge pass, both fail]]:
rows are people, columns the judge.
"""

from __future__ import annotations

from collections.abc import Sequence

Table = Sequence[Sequence[float]]


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
