"""Means of an index of pair counts under many margins, by one quadrature rule that is moved along.

A rule of `chancecorr.exact.moments.quadrature` takes some milliseconds. Margins that differ little have laws
of T that differ little except for their means and standard deviations, which are quickly had: the nodes of
the rule of one are moved to the mean, and stretched to the standard deviation, that T has under the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from chancecorr.exact.moments.quadrature import pair_sum_rules
from chancecorr.exact.moments.smoothness import pair_counts_at
from chancecorr.indices.evaluation import values_of_pair_counts, values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.components import Sizes, arrangements, factorial_sums
from chancecorr.tables.contingency import Margins, twice_pair_counts
from chancecorr.tables.pair_sum import moments_of_arrangements, pair_sum_moments, square_root

AT_MEAN = (np.zeros(1), np.ones(1))
"""Offsets and weights of the rule with one node, exact for an index that is affine in T."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSumLaws:
    """Mean and standard deviation of T under several margins."""

    counts: tuple[Floats, ...]  # shape (s,): pair counts a, b, c, d at the mean of T
    squares: tuple[Integers, Integers]  # shape (s,): ``A = sum row**2`` and ``B = sum column**2``
    # shape (s,): standard deviation of T, relative to that under the margins that the rule is of; 0 where
    # that is 0
    stretch: Floats


def pair_sum_laws_near(margins: Margins, others: Sequence[Margins]) -> PairSumLaws:
    """Exact mean and variance of T under other margins of as many objects each, for the rule of the first."""
    std, n = pair_sum_moments(margins).std, others[0].n if others else 0
    known: dict[bytes, dict[Sizes, int]] = {}

    def of_side(totals: Integers) -> dict[Sizes, int]:
        key = np.sort(totals).tobytes()
        if key not in known:
            known[key] = arrangements(2, factorial_sums(totals, 3))
        return known[key]

    counts, stretch = [], []
    for each in others:
        mean, second = moments_of_arrangements(of_side(each.row_totals), of_side(each.column_totals), n, 2)
        p, q = (mean + n).as_integer_ratio()
        counts.append([twice / (2 * q) for twice in twice_pair_counts(p, *each.squares, n, q)])
        stretch.append(square_root(second - mean**2) / std if std > 0.0 else 0.0)
    sums = np.array([each.squares for each in others], dtype=np.int64).reshape(-1, 2)
    return PairSumLaws(
        counts=tuple(np.array(counts).reshape(-1, 4).T.copy()),
        squares=(sums[:, 0].copy(), sums[:, 1].copy()),
        stretch=np.array(stretch),
    )


def mean_by_rule(index: Index, margins: Margins) -> float:
    """Mean of a smooth index by the rule of these margins, as `means_of_pairs` finds it under others."""
    rule = pair_sum_rules(margins, 5).fine
    centre = pair_counts_at((rule.centre,), *margins.squares, margins.n)
    return float(
        values_of_pair_counts(index, moved(centre, rule.offsets[np.newaxis]), margins) @ rule.weights
    )


def means_of_pairs(
    index: Index,
    laws: PairSumLaws,
    n: int,
    rule: tuple[Floats, Floats],
    margins: Callable[[], Sequence[Margins]],
) -> Floats:
    """Means of an index under several margins of n objects, by a rule's offsets and weights; shape (s,).

    Only an index with totals asks for the `margins` themselves.
    """
    offsets, weights = rule
    each = np.outer(laws.stretch, offsets)
    if index.with_totals:
        values = []
        for k, totals in enumerate(margins()):
            counts = moved(tuple(count[k : k + 1] for count in laws.counts), each[k : k + 1])
            values.append(values_of_pair_counts(index, counts, totals))
        found = np.stack(values)
    else:
        squares = tuple(np.repeat(sums, offsets.size) for sums in laws.squares)
        found = values_of_varying_pairs(index, moved(laws.counts, each), squares, n).reshape(each.shape)
    means: Floats = found @ weights
    return means


def moved(counts: tuple[Floats, ...], offsets: Floats) -> tuple[Floats, ...]:
    """Pair counts of shape (s,) where T is further by the offsets, of shape (s, k); flattened."""
    signs = (0.5, -0.5, -0.5, 0.5)
    return tuple(
        (each[:, np.newaxis] + sign * offsets).ravel() for each, sign in zip(counts, signs, strict=True)
    )
