"""How far raters agree on an ordinal scale: raw agreement, Krippendorff's α, κ, Gwet's AC2.

An item maps each of its raters to the level that they gave; whoever gave none is left out. Every
coefficient is null, with the reason, where it is undefined. Where nearly all scores are one level,
α and κ may be near or under nought while raters agree on nearly every item (the prevalence
paradox): raw agreement and AC2 stand beside them for that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations

import msgspec

from probare.scoring.distributions import normal_quantile, t_quantile
from probare.scoring.intervals import Interval, wilson
from probare.scoring.weights import Weighting, Weights, weights

Item = Mapping[str, int]

_NO_PAIRS = "no item has two scores"
_TINY = 1e-12


class Coefficient(msgspec.Struct, frozen=True, kw_only=True):
    """A coefficient with its interval at 95 %; `why` says why a part is null."""

    value: float | None
    interval: Interval | None = None
    why: str = ""


class RaterPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two raters, on the `n` items that both scored."""

    raters: tuple[str, str]
    n: int
    raw: float
    kappa: Coefficient


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far raters agree on one dimension.

    `n` counts the items with at least two scores, on which all but α's expectation rests; `items`
    those with any, `scores` all scores, `unsure` what raters were unsure of, which is no score.
    `raw` is the share of agreeing pairs, `alpha` Krippendorff's ordinal α, `kappa` quadratically
    weighted (the mean over pairs of raters), `ac2` Gwet's, quadratically weighted.
    """

    n: int
    items: int
    scores: int
    raters: int
    unsure: int
    raw: Coefficient
    alpha: Coefficient
    kappa: Coefficient
    ac2: Coefficient
    pairs: tuple[RaterPair, ...] = ()


def agreement(items: Sequence[Item], levels: Sequence[int], *, unsure: int = 0) -> Agreement:
    """Return all coefficients over some items. `levels` is the whole scale, in any order.

    Raises ValueError on a score that is not on the scale.
    """
    ranked = _ranked(items, levels)
    size = len(set(levels))
    pairs = tuple(_pairs(ranked, size))
    return Agreement(
        n=sum(len(item) > 1 for item in ranked),
        items=sum(len(item) > 0 for item in ranked),
        scores=sum(map(len, ranked)),
        raters=len({name for item in ranked for name in item}),
        unsure=unsure,
        raw=raw_agreement(items),
        alpha=_alpha(ranked, size),
        kappa=_mean_kappa(pairs),
        ac2=_ac2(ranked, size, "quadratic"),
        pairs=pairs,
    )


def raw_agreement(items: Sequence[Mapping[str, Hashable]]) -> Coefficient:
    """Return the share of pairs of raters that gave the very same: the mean over items of the
    share within each (Fleiss 1971, P̄). Wilson's interval where each item has two scores.
    """
    several = [item for item in items if len(item) > 1]
    if not several:
        return Coefficient(value=None, why=_NO_PAIRS)
    shares = [_same_pairs(item) for item in several]
    value = math.fsum(shares) / len(several)
    if any(len(item) > 2 for item in several):
        return Coefficient(value=value, why="no interval: pairs within an item are not independent")
    return Coefficient(value=value, interval=wilson(math.fsum(shares), len(several)))


def _same_pairs(item: Mapping[str, Hashable]) -> float:
    count = Counter(item.values())
    return sum(math.comb(each, 2) for each in count.values()) / math.comb(len(item), 2)


def ordinal_alpha(items: Sequence[Item], levels: Sequence[int]) -> Coefficient:
    """Return Krippendorff's α with the ordinal difference, any number of raters, scores missing.

    Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections C and D: α = 1 −
    (n − 1) · Σ o_ck δ²_ck / Σ n_c n_k δ²_ck, with δ²_ck = (Σ_{g=c…k} n_g − (n_c + n_k)/2)². Null
    where no item has two scores, or all scores that can be paired are one level.
    """
    return _alpha(_ranked(items, levels), len(set(levels)))


def _alpha(items: Sequence[Item], size: int) -> Coefficient:
    several = [Counter(item.values()) for item in items if len(item) > 1]
    if not several:
        return Coefficient(value=None, why=_NO_PAIRS)
    totals = [sum(count[k] for count in several) for k in range(size)]
    if sum(total > 0 for total in totals) < 2:
        return Coefficient(value=None, why="all scores are one level: there is no variation")
    delta = _ordinal_differences(totals)
    observed = math.fsum(
        count[c] * count[k] * delta[c][k] / (count.total() - 1)
        for count in several
        for c in count
        for k in count
    )
    expected = math.fsum(
        totals[c] * totals[k] * delta[c][k] for c in range(size) for k in range(size)
    )
    return Coefficient(
        value=1 - (sum(totals) - 1) * observed / expected,
        why="no interval: there is none but by resampling",
    )


def _ordinal_differences(totals: Sequence[int]) -> Weights:
    """Return δ²_ck over ranks, from how often each is given."""
    upto = [0]
    for total in totals:
        upto.append(upto[-1] + total)
    size = range(len(totals))
    return [
        [
            (upto[max(c, k) + 1] - upto[min(c, k)] - (totals[c] + totals[k]) / 2) ** 2
            if c != k
            else 0.0
            for k in size
        ]
        for c in size
    ]


def weighted_kappa(
    pairs: Sequence[tuple[int, int]], levels: Sequence[int], weighting: Weighting = "quadratic"
) -> Coefficient:
    """Return Cohen's weighted κ of two raters, one pair of scores an item (Cohen 1968).

    Its interval is by the large-sample standard error of Fleiss, Cohen & Everitt 1969. Null where
    no item has both scores, or chance alone would agree wholly.
    """
    rank = _ranks(levels)
    return _kappa([(rank[a], rank[b]) for a, b in pairs], len(rank), weighting)


def _kappa(pairs: Sequence[tuple[int, int]], size: int, weighting: Weighting) -> Coefficient:
    n = len(pairs)
    if not n:
        return Coefficient(value=None, why=_NO_PAIRS)
    w, span = weights(size, weighting), range(size)
    cells = Counter(pairs)
    rows = Counter(a for a, _ in pairs)
    columns = Counter(b for _, b in pairs)
    observed = math.fsum(count * w[a][b] for (a, b), count in cells.items()) / n
    chance = math.fsum(rows[a] * columns[b] * w[a][b] for a in span for b in span) / n**2
    if 1 - chance < _TINY:
        return Coefficient(value=None, why="both gave one and the same level only")
    kappa = (observed - chance) / (1 - chance)
    of_row = [math.fsum(w[a][b] * columns[b] for b in span) / n for a in span]
    of_column = [math.fsum(w[a][b] * rows[a] for a in span) / n for b in span]
    spread = math.fsum(
        count / n * (w[a][b] - (of_row[a] + of_column[b]) * (1 - kappa)) ** 2
        for (a, b), count in cells.items()
    )
    variance = (spread - (kappa - chance * (1 - kappa)) ** 2) / (n * (1 - chance) ** 2)
    if variance <= _TINY:
        return Coefficient(value=kappa, why="no interval: its large-sample error is nought here")
    half = normal_quantile(0.975) * math.sqrt(variance)
    return Coefficient(value=kappa, interval=(max(-1.0, kappa - half), min(1.0, kappa + half)))


def _pairs(items: Sequence[Item], size: int) -> Iterator[RaterPair]:
    """Yield each two raters with items in common, by name."""
    names = sorted({name for item in items for name in item})
    for one, other in combinations(names, 2):
        both = [(item[one], item[other]) for item in items if one in item and other in item]
        if both:
            yield RaterPair(
                raters=(one, other),
                n=len(both),
                raw=sum(a == b for a, b in both) / len(both),
                kappa=_kappa(both, size, "quadratic"),
            )


def _mean_kappa(pairs: Sequence[RaterPair]) -> Coefficient:
    """Return the κ of the one pair, or the mean over pairs (Light 1971), each weighted by its
    items: where all raters score all items, that is the plain mean.
    """
    if not pairs:
        return Coefficient(value=None, why=_NO_PAIRS)
    if len(pairs) == 1:
        return pairs[0].kappa
    known = [(pair.n, pair.kappa.value) for pair in pairs if pair.kappa.value is not None]
    if not known:
        return Coefficient(value=None, why="each two raters gave one and the same level only")
    value = math.fsum(n * kappa for n, kappa in known) / sum(n for n, _ in known)
    why = f"the mean over {len(known)} pairs of raters"
    if len(known) < len(pairs):
        why += f"; undefined for {len(pairs) - len(known)} more"
    return Coefficient(value=value, why=why)


def gwet_ac2(
    items: Sequence[Item], levels: Sequence[int], weighting: Weighting = "quadratic"
) -> Coefficient:
    """Return Gwet's AC2, any number of raters, scores missing; AC1 with `identity` weights.

    Gwet 2008, and 2014, section 5.3: (p_a − p_e) / (1 − p_e) with p_e = T_w / (q (q − 1)) ·
    Σ π_k (1 − π_k) over the q levels of the scale, T_w the sum of all weights. The interval is by
    his variance over items, with Student's t. Null where no item has two scores.
    """
    return _ac2(_ranked(items, levels), len(set(levels)), weighting)


def _ac2(items: Sequence[Item], size: int, weighting: Weighting) -> Coefficient:
    counts = [Counter(item.values()) for item in items if item]
    n, several = len(counts), sum(count.total() > 1 for count in counts)
    if not several:
        return Coefficient(value=None, why=_NO_PAIRS)
    w, span = weights(size, weighting), range(size)
    prevalence = [math.fsum(count[k] / count.total() for count in counts) / n for k in span]
    spread = math.fsum(map(math.fsum, w)) / (size * (size - 1))
    chance = spread * math.fsum(p * (1 - p) for p in prevalence)
    agreeing = [_within(count, w) for count in counts]
    observed = math.fsum(share for share in agreeing if share is not None) / several
    value = (observed - chance) / (1 - chance)
    if n < 2:
        return Coefficient(value=value, why="no interval: one item only")
    total = 0.0
    for count, share in zip(counts, agreeing, strict=True):
        own = 0.0 if share is None else n / several * (share - chance) / (1 - chance)
        by_chance = spread * math.fsum(
            count[k] / count.total() * (1 - prevalence[k]) for k in count
        )
        part = own - 2 * (1 - value) * (by_chance - chance) / (1 - chance)
        total += (part - value) ** 2
    half = t_quantile(0.975, n - 1) * math.sqrt(total / (n * (n - 1)))
    if half < _TINY:
        return Coefficient(value=value, why="no interval: the items do not differ")
    return Coefficient(value=value, interval=(max(-1.0, value - half), min(1.0, value + half)))


def _within(count: Counter[int], w: Weights) -> float | None:
    """Return how far the scores of one item agree; None where it has one only."""
    scores = count.total()
    if scores < 2:
        return None
    agreeing = math.fsum(
        count[k] * (math.fsum(w[k][m] * count[m] for m in count) - 1) for k in count
    )
    return agreeing / (scores * (scores - 1))


def _ranks(levels: Sequence[int]) -> dict[int, int]:
    return {level: rank for rank, level in enumerate(sorted(set(levels)))}


def _ranked(items: Sequence[Item], levels: Sequence[int]) -> list[dict[str, int]]:
    rank = _ranks(levels)
    for item in items:
        for name, level in item.items():
            if level not in rank:
                raise ValueError(f"{name} gave {level}, which is no level of the scale")
    return [{name: rank[level] for name, level in item.items()} for item in items]
