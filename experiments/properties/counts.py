"""Properties of an index as a function of the four pair counts, whether or not two clusterings have them.

With n objects two clusterings have few of the counts (a, b, c, d) of sum N = n(n - 1)/2: a = d = 0 only where
one of them is a single cluster and the other singletons. So these properties are about the formula, and a
counterexample is made of counts: all of sum up to `MOST` are searched, smallest sum first. The value is what
the formula gives; where that is 0/0 there is none.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chancecorr.indices.registry import Index, get_index
from chancecorr.machine.arrays import Floats
from experiments.properties.values import places

MOST = 10
LARGE = (2**30, 2**120)
"""Numbers of pairs at which the limit for large N is looked at; powers of 2, so that no float is rounded."""

SHARES = (1, 2, 3, 4, 5, 6, 7)
"""Eighths of the pairs that are together."""

Function = Callable[[Floats, Floats, Floats, Floats], Floats]


@dataclass(frozen=True, slots=True)
class CountsCounterexample:
    """Pair counts ``(a, b, c, d)`` that refute a property, and the values there."""

    counts: tuple[tuple[int, int, int, int], ...]
    values: tuple[float, ...]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {"counts": [list(each) for each in self.counts], "values": list(self.values)}


def function_of_counts(index: Index, *, adjusted: bool) -> Function | None:
    """The index as a function of a, b, c, d; None where it is none.

    Corrected, it is one where it is affine in T: its mean is then its value at the expected counts, which
    depend on P and Q alone.
    """
    if adjusted and index.corrected_as:
        index = get_index(index.corrected_as)
    if index.needs != "pairs" or index.with_totals or (adjusted and not index.affine):
        return None

    def raw(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return np.asarray(index.function(a, b, c, d), dtype=np.float64) + 0.0 * a

    def corrected(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
        P, Q, N = a + b, a + c, a + b + c + d
        zero = 0.0 * a
        with np.errstate(all="ignore"):
            mean = raw(P * Q / N, P * (N - Q) / N, (N - P) * Q / N, (N - P) * (N - Q) / N)
            own = (raw(P, zero, zero, N - P) + raw(Q, zero, zero, N - Q)) / 2
            best = own if index.best is None else float(index.best) + zero
            room = np.where(
                np.abs(best - mean) > 1e-12 * np.maximum(np.abs(best), np.abs(mean)), best - mean, np.nan
            )
            return np.asarray((raw(a, b, c, d) - mean) / room)

    return corrected if adjusted else raw


def all_counts(most: int = MOST) -> Floats:
    """All (a, b, c, d) with a sum from 1 to `most`, by their sum, then lexicographic, shape (m, 4)."""
    grid = np.stack(np.meshgrid(*[np.arange(most + 1)] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    sums = grid.sum(axis=1)
    keep = (sums > 0) & (sums <= most)
    return np.asarray(grid[keep][np.argsort(sums[keep], kind="stable")], dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountView:
    """An index on all small pair counts: the values, and their places as in `values.View`."""

    counts: Floats
    values: Floats
    good: np.ndarray
    number: dict[tuple[int, ...], int]


def count_view(function: Function, *, larger_is_better: bool) -> CountView:
    """Values on all small pair counts with their order."""
    counts = all_counts()
    values = function(*counts.T)
    signed = values if larger_is_better else -values
    finite = np.abs(values[np.isfinite(values)])
    number = {tuple(each): k for k, each in enumerate(counts.astype(int).tolist())}
    good = places(signed, float(finite.max(initial=0.0)) or 1.0)
    return CountView(counts=counts, values=values, good=good, number=number)


def _example(view: CountView, *found: int) -> CountsCounterexample:
    counts = [tuple(view.counts[k].astype(int).tolist()) for k in found]
    return CountsCounterexample(tuple(counts), tuple(float(view.values[k]) for k in found))


def minimal_agreement(view: CountView) -> CountsCounterexample | None:
    """Search for counts no better than some with a = d = 0, or two of these that differ."""
    sums = view.counts.sum(axis=1)
    apart = (view.counts[:, 0] == 0) & (view.counts[:, 3] == 0)
    for N in range(1, MOST + 1):
        worst = np.flatnonzero(apart & (sums == N) & (view.good >= 0))
        if not worst.size:
            continue
        others = np.flatnonzero(~apart & (sums == N) & (view.good >= 0))
        unequal = worst[view.good[worst] != view.good[worst[0]]]
        if unequal.size:
            return _example(view, worst[0], unequal[0])
        low = others[view.good[others] <= view.good[worst[0]]]
        if low.size:
            return _example(view, worst[0], low[0])
    return None


def strongly_monotone(view: CountView) -> CountsCounterexample | None:
    """Search for one more in a count that does not do what it should; the counts before and after."""
    for k, counts in enumerate(view.counts.astype(int).tolist()):
        a, b, c, d = counts
        for place, sign, holds in ((0, 1, b + c), (3, 1, b + c), (1, -1, a + d), (2, -1, a + d)):
            after = view.number.get(tuple(x + (i == place) for i, x in enumerate(counts)))
            if after is None or not holds or min(view.good[k], view.good[after]) < 0:
                continue
            if sign * (view.good[after] - view.good[k]) <= 0:
                return _example(view, k, after)
    return None


def monotone_in_counts(view: CountView) -> CountsCounterexample | None:
    """Search for a pair that passes to agreement and makes nothing better; the counts before and after."""
    for k, counts in enumerate(view.counts.astype(int).tolist()):
        for origin in (1, 2):
            for target in (0, 3):
                if not counts[origin]:
                    continue
                moved = list(counts)
                moved[origin] -= 1
                moved[target] += 1
                after = view.number[tuple(moved)]
                if min(view.good[k], view.good[after]) >= 0 and view.good[after] <= view.good[k]:
                    return _example(view, k, after)
    return None


def asymptotic_constant_baseline(function: Function) -> CountsCounterexample | None:
    """Search for two pairs (p, q) where the values at the expected counts stay apart as N grows."""
    found = []
    for N in LARGE:
        shares = [(p * N // 8, q * N // 8) for p in SHARES for q in SHARES]
        a = [P * Q // N for P, Q in shares]
        counts = np.array(
            [(x, P - x, Q - x, N - P - Q + x) for x, (P, Q) in zip(a, shares, strict=True)], dtype=np.float64
        )
        found.append((counts, function(*counts.T)))
    (counts, values), (_, later) = found
    apart = np.abs(later - later[0]) > 1e-3 * max(1e-9, float(np.nanmax(np.abs(later))))
    apart &= np.abs(later - later[0]) > 0.5 * np.abs(values - values[0])
    apart |= np.isinf(later) != np.isinf(later[0])
    if not apart.any():
        return None
    k = int(np.argmax(apart))
    pairs = tuple(tuple(counts[i].astype(int).tolist()) for i in (0, k))
    return CountsCounterexample(pairs, (float(values[0]), float(values[k])))


SEARCHES: dict[str, Callable[[CountView], CountsCounterexample | None]] = {
    "minimal_agreement": minimal_agreement,
    "strongly_monotone": strongly_monotone,
    "monotone_in_counts": monotone_in_counts,
}
