"""Estimators: pass@k, pass^k, standard errors, sample sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from probare.scoring.distributions import normal_quantile


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return 1 − C(n−c, k)/C(n, k): the chance that one of k trials passes; None where n < k.

    n trials, of which c passed (Chen et al. 2021, arXiv:2107.03374, eq. 1). Exact.
    """
    _check(n, c, k)
    if n < k:
        return None
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Return C(c, k)/C(n, k): the chance that all of k trials pass; None where n < k.

    (Yao et al. 2024, τ-bench, arXiv:2406.12045.) Exact.
    """
    _check(n, c, k)
    if n < k:
        return None
    return float(Fraction(math.comb(c, k), math.comb(n, k)))


def _check(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"impossible counts: n={n}, c={c}, k={k}")


def mean(values: Sequence[float]) -> float | None:
    """Return the mean; None of nothing."""
    return math.fsum(values) / len(values) if values else None


def standard_error(values: Sequence[float]) -> float | None:
    """Return s/√n with s over n − 1; None for fewer than two values."""
    n = len(values)
    if n < 2:
        return None
    middle = math.fsum(values) / n
    return math.sqrt(math.fsum((x - middle) ** 2 for x in values) / (n - 1) / n)


def cluster_standard_error(
    clusters: Sequence[Sequence[float]], *, small_sample: bool = False
) -> float | None:
    """Return the clustered standard error of the mean (CR0; Miller 2024, arXiv:2411.00640, eq. 4).

    With `small_sample`, times √(G/(G−1)) for G clusters. None for fewer than two clusters.
    """
    g = len(clusters)
    if g < 2:
        return None
    n = sum(len(cluster) for cluster in clusters)
    middle = math.fsum(x for cluster in clusters for x in cluster) / n
    total = math.fsum(math.fsum(x - middle for x in cluster) ** 2 for cluster in clusters)
    error = math.sqrt(total) / n
    return error * math.sqrt(g / (g - 1)) if small_sample else error


def design_effect(clusters: Sequence[Sequence[float]]) -> float:
    """Return by how much clustering widens the variance of the mean: at least 1.

    The square of the clustered (G/(G−1)) over the plain standard error. Where that cannot be
    estimated (one cluster, or nothing varies: all passed), each cluster counts as one
    observation: Σm²/Σm for clusters of m (Kish 1965, with an intra-cluster correlation of 1).
    """
    sizes = [len(cluster) for cluster in clusters]
    if not sum(sizes):
        return 1.0
    plain = standard_error([x for cluster in clusters for x in cluster])
    clustered = cluster_standard_error(clusters, small_sample=True)
    if not plain or clustered is None:
        return sum(size * size for size in sizes) / sum(sizes)
    return max(1.0, (clustered / plain) ** 2)


def unweighted_mean_standard_error(group_errors: Sequence[float]) -> float | None:
    """Return √(Σ se²)/G: the standard error of the unweighted mean of G groups' means."""
    if not group_errors:
        return None
    return math.sqrt(math.fsum(error**2 for error in group_errors)) / len(group_errors)


def sample_size(
    omega2: float,
    sigma2: float,
    delta: float,
    *,
    trials: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """Return how many cases show a difference `delta` between two paired runs.

    `omega2` is the variance of the cases' differences, `sigma2` that of a trial within a case
    for each run (Miller 2024, eq. 9): n = (z_{α/2} + z_β)² (ω² + 2σ²/K) / δ².
    """
    z = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return z * z * (omega2 + 2 * sigma2 / trials) / delta**2


def minimum_detectable_effect(
    omega2: float,
    sigma2: float,
    n: float,
    *,
    trials: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """Return the smallest difference that n cases can show (Miller 2024, eq. 9 solved for δ)."""
    z = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return z * math.sqrt((omega2 + 2 * sigma2 / trials) / n)
