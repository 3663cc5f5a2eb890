"""Every reference value of the shared vectors, by the function that gives it."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from probare.scoring import (
    calibration,
    estimators,
    exact_tests,
    intervals,
    multiplicity,
    paired,
    posterior,
)
from probare.scoring.distributions import binomial_pmf

VECTORS = json.loads((Path(__file__).parent / "statistics.json").read_text())


def ratio(text: Any) -> float:
    return float(Fraction(str(text)))


def over_cases(estimator: Callable[[int, int, int], float | None], nc: Any) -> float | None:
    return estimators.mean([value for n, c in nc if (value := estimator(n, c, 4)) is not None])


def differences(i: Any) -> list[float]:
    return [x - y for x, y in zip(i["A"], i["B"], strict=True)]


def passes(text: str) -> tuple[int, int]:
    k, n = text.split("/")
    return int(k), int(n)


def flat(i: Any) -> list[float]:
    return [x for cluster in i["clusters"] for x in cluster]


def coverage(interval: Callable[[int, int], Any], n: int, p: float) -> float:
    """The exact chance that an interval holds p."""
    total = 0.0
    for k in range(n + 1):
        low, high = interval(k, n)
        if low <= p <= high:
            total += binomial_pmf(k, n, p)
    return total


def wald(k: int, n: int) -> tuple[float, float]:
    half = 1.959964 * (k / n * (1 - k / n) / n) ** 0.5
    return k / n - half, k / n + half


def percentile_bootstrap(k: int, n: int) -> tuple[float, float]:
    """The exact percentile bootstrap: quantiles of Binomial(n, k/n)/n."""
    total = 0.0
    low = high = None
    for x in range(n + 1):
        total += binomial_pmf(x, n, k / n)
        if low is None and total >= 0.025:
            low = x / n
        if high is None and total >= 0.975:
            high = x / n
    return low or 0.0, 1.0 if high is None else high


def miller(function: Callable[..., float]) -> Callable[[Any], float]:
    def call(i: Any) -> float:
        last = i["delta"] if "delta" in i else i["n"]
        return function(ratio(i["omega2"]), ratio(i["sigma2"]), last, trials=i.get("K", 1))

    return call


CALLS: dict[str, Callable[[Any], Any]] = {
    "pass_at_k": lambda i: estimators.pass_at_k(i["n"], i["c"], i["k"]),
    "pass_hat_k": lambda i: estimators.pass_hat_k(i["n"], i["c"], i["k"]),
    "suite_pass_at_4": lambda i: over_cases(estimators.pass_at_k, i["nc"]),
    "suite_pass_hat_4": lambda i: over_cases(estimators.pass_hat_k, i["nc"]),
    "clt_se": lambda i: estimators.standard_error(i["x"]),
    "naive_se": lambda i: estimators.standard_error(flat(i)),
    "cluster_se_miller_CR0": lambda i: estimators.cluster_standard_error(i["clusters"]),
    "cluster_se_G/(G-1)": lambda i: estimators.cluster_standard_error(
        i["clusters"], small_sample=True
    ),
    "paired_mean_diff": lambda i: paired.paired_t(i["A"], i["B"]).difference,
    "paired_se": lambda i: paired.paired_t(i["A"], i["B"]).standard_error,
    "unpaired_se": lambda i: paired.unpaired_t(i["A"], i["B"]).standard_error,
    "paired_t_p": lambda i: paired.paired_t(i["A"], i["B"]).p,
    "unpaired_t_p": lambda i: paired.unpaired_t(i["A"], i["B"]).p,
    "exact_signflip_p": lambda i: exact_tests.sign_flip(differences(i)),
    "paired_ci95": lambda i: paired.paired_t(i["A"], i["B"]).interval,
    "miller_n": miller(estimators.sample_size),
    "miller_mde": miller(estimators.minimum_detectable_effect),
    "wilson95": lambda i: intervals.wilson(i["k"], i["n"]),
    "clopper_pearson95": lambda i: intervals.clopper_pearson(i["k"], i["n"]),
    "beta11_95": lambda i: intervals.beta_interval(i["k"], i["n"], 1.0),
    "jeffreys95": lambda i: intervals.beta_interval(i["k"], i["n"], 0.5),
    "one_sided95_upper_zero_fail": lambda i: intervals.upper_bound_of_none(i["n"]),
    "mcnemar": lambda i: exact_tests.mcnemar(**i)._asdict(),
    "fisher_two_sided": lambda i: exact_tests.fisher(
        passes(i["base"]), passes(i["cand"]), one_sided=False
    ),
    "fisher_one_sided": lambda i: exact_tests.fisher(
        passes(i["base"]), passes(i["cand"]), one_sided=True
    ),
    "bh_adjusted": lambda i: multiplicity.benjamini_hochberg(i["p"]),
    "holm_adjusted": lambda i: multiplicity.holm(i["p"]),
    "prob_false_alarm": lambda i: multiplicity.prob_false_alarm(i["m"], i["alpha"]),
    "posterior_pass_hat_8_beta11": lambda i: posterior.posterior_pass_hat(i["c"], i["n"], 8),
    "beta11_P(base>cand)": lambda i: posterior.posterior_greater(
        tuple(i["base"]), tuple(i["cand"])
    ),
    "newcombe_diff95": lambda i: intervals.newcombe(*i["a"], *i["b"]),
    "cohen_kappa": lambda i: calibration.cohen_kappa(i["table"]),
    "exact_coverage_95": lambda i: {
        "wald": coverage(wald, i["n"], i["p"]),
        "percentile_bootstrap": coverage(percentile_bootstrap, i["n"], i["p"]),
        "wilson": coverage(intervals.wilson, i["n"], i["p"]),
        "clopper_pearson": coverage(intervals.clopper_pearson, i["n"], i["p"]),
    },
    "judge_sens_spec": lambda i: calibration.sensitivity_specificity(i["table"]),
    "rogan_gladen": lambda i: calibration.corrected_rate(
        i["observed"], ratio(i["sens"]), ratio(i["spec"])
    ),
}


def close(found: Any, value: Any) -> bool:
    if value is None or found is None:
        return found is value
    if isinstance(value, dict):
        return all(close(found[key], value[key]) for key in value)  # pyright: ignore
    if isinstance(value, list):
        return all(map(close, found, value)) and len(found) == len(value)  # pyright: ignore
    return found == pytest.approx(value, abs=1e-6, rel=1e-6)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['name']}-{json.dumps(v['input'])}")
def test_reference_value(vector: Any) -> None:
    found = CALLS[vector["name"]](vector["input"])
    assert close(found, vector["value"]), (found, vector["value"])


def test_every_function_of_the_vectors_is_called() -> None:
    assert {vector["name"] for vector in VECTORS} == set(CALLS)
