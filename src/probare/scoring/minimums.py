"""Scores by their dotted names, and the least values that a gate asks of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from probare.errors import InputError, did_you_mean
from probare.model.score import Rate, Scores
from probare.scoring.standing import overall

_TOLERANCE = 1e-9
_OVER_K = re.compile(r"(pass_at|pass_hat)\.([1-9][0-9]*)\Z")
PLAIN = (
    "accuracy",
    "safety",
    "overall",
    "pass_rate",
    "compliance",
    "compliance.all",
    "compliance.held_out",
    "compliance.carried_over",
)

NAMES = (*PLAIN, "pass_at.1", "pass_hat.1")
PATTERN = rf"^({'|'.join(map(re.escape, PLAIN))}|(pass_at|pass_hat)\.[1-9][0-9]*)$"


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A score by its name: worst and best case, and why it is null where it is."""

    value: float | None
    best: float | None
    why: str | None = None


class Shortfalls(msgspec.Struct, frozen=True, kw_only=True):
    """Minimums that are not reached, and those of which that cannot be told, in words."""

    missed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def shortfalls(minimum: Mapping[str, float], scores: Scores) -> Shortfalls:
    """Return which minimums are missed; exactly the minimum is enough.

    A null score, and one that only its best case would bring over the minimum, are unknown.
    Raises InputError on a name that no score has.
    """
    missed: list[str] = []
    unknown: list[str] = []
    for name, least in minimum.items():
        found = score_named(scores, name)
        asked = f"at least {least:g} is asked for"
        if found.value is None:
            why = f" ({found.why})" if found.why else ""
            unknown.append(f"{name} is not known{why}; {asked}")
        elif found.value >= least - _TOLERANCE:
            continue
        elif found.best is not None and found.best >= least - _TOLERANCE:
            unknown.append(f"{name} is between {found.value:.3f} and {found.best:.3f}; {asked}")
        else:
            missed.append(f"{name} is {found.value:.3f}; {asked}")
    return Shortfalls(missed=tuple(missed), unknown=tuple(unknown))


def ks_named(names: Iterable[str]) -> tuple[int, ...]:
    """Return the k of pass@k and pass^k among the names."""
    return tuple(int(match[2]) for name in names if (match := _OVER_K.match(name)))


def score_named(scores: Scores, name: str) -> Named:
    """Return a score by its name: `accuracy`, `compliance.held_out`, `pass_hat.3`.

    Raises InputError on an unknown one.
    """
    over_k = _OVER_K.match(name)
    if over_k is not None:
        rates = scores.pass_at if over_k[1] == "pass_at" else scores.pass_hat
        found = rates.get(over_k[2])
        why = f"no case has {over_k[2]} trials"
        return Named(value=None, best=None, why=why) if found is None else _named(found)
    if name not in PLAIN:
        known = ", ".join((*PLAIN, "pass_at.K", "pass_hat.K"))
        hint = did_you_mean(name, PLAIN) or f"there are: {known}"
        raise InputError(f"there is no score '{name}'", hint=hint)
    if name == "overall":
        best = overall(scores.accuracy.best, scores.safety.best)
        return Named(value=scores.overall, best=best, why=scores.accuracy.why)
    compliance = scores.compliance
    return _named(
        {
            "accuracy": scores.accuracy,
            "safety": scores.safety,
            "pass_rate": scores.pass_rate,
            "compliance": compliance.all,
            "compliance.all": compliance.all,
            "compliance.held_out": compliance.held_out,
            "compliance.carried_over": compliance.carried_over,
        }[name]
    )


def _named(rate: Rate) -> Named:
    return Named(value=rate.value, best=rate.best, why=rate.why)
