"""Mean, variance and shape of any smooth function of ``T = sum(n_ij**2)``, without sampling.

The exact moments of T to order ``2 k - 1`` give a Gauss quadrature rule: k nodes inside the range of T, with
weights, that reproduce the expectation of every polynomial to that degree. An index is smooth in T where it
has no pole, jump or kink, and then a handful of nodes gives its moments to about the rounding of float64. The
error is bounded by what the index does beside the nodes, see `chancecorr.exact.moments.remainder`.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from chancecorr.arguments import as_count
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.ties import EPSILON
from chancecorr.exact.moments.remainder import Remainder, places_between, remainder_of
from chancecorr.exact.moments.smoothness import obstacle_to_quadrature, pair_counts_at
from chancecorr.exact.moments.summary import Moments, law_moments, scale_of
from chancecorr.indices.evaluation import values_of_pair_counts, values_of_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import central_moments, pair_sum_mean, square_root


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSumRule:
    """Gauss quadrature rule of the law of T: ``E f(T)`` is near ``sum(weights * f(centre + offsets))``."""

    centre: Fraction  # ``E T``
    offsets: Floats  # shape (k,): nodes less `centre`, ascending
    weights: Floats  # shape (k,): positive, with sum 1
    exact: bool  # whether T takes no other values than the nodes, with the weights as probabilities

    @property
    def pair_sums(self) -> list[Fraction]:
        """Nodes as values of T; whole numbers when the rule is exact and float64 can tell them apart."""
        nodes = [self.centre + Fraction(offset) for offset in self.offsets.tolist()]
        if self.exact and 64 * EPSILON * float(np.abs(self.offsets).max()) < 0.25:
            nodes = [Fraction(round(node)) for node in nodes]
        return nodes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSumRules:
    """Two rules of quadrature for the law of T, and the bounds of their errors."""

    coarse: PairSumRule  # with as many nodes as asked for
    fine: PairSumRule  # with one more
    window: tuple[Fraction, Fraction]  # bounds between which T lies with probability above ``1 - 1e-14``
    remainder: Remainder | None  # what bounds the error of `fine`; None where `coarse` is exact


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothMoments:
    """Moments of an index by quadrature, and how far off they may be."""

    moments: Moments  # in the index's units
    error: float  # bound of the absolute error of the mean, as far as a grid can tell, and its rounding
    # bound for the variance, relative to it; infinite if the values at all nodes round to one float
    relative_error_of_variance: float


class NotSmoothError(ValueError):
    """Quadrature does not serve this index on these margins."""


def smooth_moments(index: Index, margins: Margins, nodes: int = 5) -> SmoothMoments:
    """Mean, variance and shape of a smooth ``"pairs"`` index by a rule of ``nodes + 1``, with error bounds.

    All are nan where the index is 0/0 for these margins. Where T is constant the variance is 0 and the shape
    nan. Exact up to rounding when T takes at most `nodes` values; where the index is infinite at one, so is
    the mean. An index that is not smooth raises NotSmoothError, see `obstacle_to_quadrature`; its function
    also sees pair counts that are not whole.
    """
    rules = pair_sum_rules(margins, as_count("nodes", nodes))
    # an exact rule has a node at every T, and asks no smoothness
    obstacle = None if rules.coarse.exact else obstacle_to_quadrature(index, margins, rules.window)
    if obstacle is not None:
        raise NotSmoothError(
            f"`index` must be smooth in the pair counts for quadrature; index {index.name!r} {obstacle}."
            " Use sampling or the exact law of T."
        )
    at_nodes, at_between = _counts_at_nodes(margins, nodes)
    values = _values_at(index, at_nodes, margins)
    if scale_of(values) > 1.0:
        raise NotSmoothError(
            "`index` must have values whose fourth powers are finite floats for quadrature; index"
            f" {index.name!r} has {float(np.abs(values).max()):.3g}. Use sampling or the exact law of T."
        )
    moments = law_moments(values, rules.fine.weights)
    if not math.isfinite(moments.mean):
        unknown = 0.0 if math.isinf(moments.mean) else math.nan
        return SmoothMoments(moments=moments, error=unknown, relative_error_of_variance=math.nan)
    error = error_of_square = 0.0
    if rules.remainder is not None:
        between = _values_at(index, at_between, margins)
        known = np.concatenate([values, between])
        others = values_of_pair_sums(index, rules.remainder.pair_sums, margins)
        error = rules.remainder.bound(known, others)
        error_of_square = rules.remainder.bound((known - moments.mean) ** 2, (others - moments.mean) ** 2)
    # a formula may subtract numbers far larger than its value, such as the ends of its range
    size = float(np.abs(values).max())
    rounded = 4 * EPSILON * max((abs(end) for end in index.range if math.isfinite(end)), default=0.0)
    if moments.variance > 0:
        # nodes and weights are rounded, too: by an eps of the furthest node, and of 1
        furthest = float(np.abs(values - moments.mean).max()) / moments.std
        relative = (error_of_square + error**2) / moments.variance
        relative += 4 * EPSILON * (1 + size / moments.std + furthest**2)
        # the standard deviation is off by at most that of what rounding adds
        off = rounded / moments.std
        relative += (2 + off) * off
    else:  # T is constant, or all digits are lost to rounding
        relative = 0.0 if rules.fine.offsets.size == 1 else math.inf
    error += 4 * EPSILON * size + rounded
    return SmoothMoments(moments=moments, error=error, relative_error_of_variance=relative)


@functools.lru_cache(maxsize=32)
def pair_sum_rules(margins: Margins, nodes: int) -> PairSumRules:
    """Gauss quadrature rules of the law of T, kept for all indices; `nodes` are those of `coarse`.

    `coarse` and `fine` are alike and exact when T takes at most `nodes` values. Chebyshev's algorithm takes
    the moments of T to a three-term recurrence, in fractions, because it loses all digits of float64 at about
    5 nodes. Source: Golub & Welsch (1969), doi:10.1090/S0025-5718-69-99647-1.
    """
    centre = pair_sum_mean(margins)
    moments = [Fraction(1), *central_moments(margins, 2 * nodes + 1)]
    alpha, beta = _recurrence(moments)
    coarse, fine = (
        _gauss(centre, alpha[:k], beta[:k], exact=len(alpha) <= min(k, nodes)) for k in (nodes, nodes + 1)
    )
    remainder = None
    if not coarse.exact:
        remainder = remainder_of(
            (fine.offsets, places_between(fine.offsets, coarse.offsets)),
            fine.weights,
            (alpha, [square_root(x) for x in beta[1 : nodes + 1]]),
            centre,
            pair_sum_range(margins),
            square_root(moments[2]),
        )
    low, high = map(Fraction, pair_sum_range(margins))
    if moments[2]:
        # Markov's inequality: P(|T - E T| > reach) <= E (T - E T)**m / reach**m. In standard deviations the
        # moment is `ratio`, below 2**bits, so that the bound is below 2**-47 < 1e-14 for this reach.
        m = 2 * nodes
        ratio = moments[m] / moments[2] ** nodes
        bits = ratio.numerator.bit_length() - ratio.denominator.bit_length() + 1
        reach = Fraction(square_root(moments[2])) * Fraction(2 ** ((bits + 47) / m))
        low, high = max(low, centre - reach), min(high, centre + reach)
    return PairSumRules(coarse=coarse, fine=fine, window=(low, high), remainder=remainder)


@functools.lru_cache(maxsize=32)
def _counts_at_nodes(margins: Margins, nodes: int) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """Pair counts at the nodes of the fine rule and at the places between; kept, for all indices."""
    rules = pair_sum_rules(margins, nodes)
    low, high = map(Fraction, pair_sum_range(margins))
    between = [] if rules.remainder is None else rules.remainder.between.tolist()
    at_nodes, at_between = (
        pair_counts_at(pair_sums, *margins.squares, margins.n)
        for pair_sums in (
            # rounding may push the last node past the bound, where a pair count is negative
            [min(max(T, low), high) for T in rules.fine.pair_sums],
            [rules.fine.centre + Fraction(offset) for offset in between],
        )
    )
    return at_nodes, at_between


def _recurrence(moments: Sequence[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """``p_(j+1) = (x - alpha_j) p_j - beta_j p_(j-1)`` by Chebyshev's algorithm, until ``beta_j = 0``."""
    # With ``sigma_j[l] = E p_j x**l``, ``x = T - E T``, the next coefficients are ``beta_j = sigma_j[j] /
    # sigma_(j-1)[j-1]`` and a like difference. If beta_j is 0, x takes j values only, at which p_j is 0.
    before, sigma = [Fraction(0)] * len(moments), list(moments)
    alpha, beta = [moments[1] / moments[0]], [Fraction(1)]
    for j in range(1, len(moments) // 2):
        after = [Fraction(0)] * len(moments)
        for place in range(j, len(moments) - j):
            after[place] = sigma[place + 1] - alpha[-1] * sigma[place]
            if j > 1:
                after[place] -= beta[-1] * before[place]
        if after[j] == 0:
            break
        alpha.append(after[j + 1] / after[j] - sigma[j] / sigma[j - 1])
        beta.append(after[j] / sigma[j - 1])
        before, sigma = sigma, after
    return alpha, beta


def _gauss(centre: Fraction, alpha: list[Fraction], beta: list[Fraction], exact: bool) -> PairSumRule:
    """Nodes and weights from the recurrence, by the eigenvectors of its tridiagonal matrix."""
    beside = np.array([square_root(x) for x in beta[1:]])
    matrix = np.diag([float(x) for x in alpha]) + np.diag(beside, 1) + np.diag(beside, -1)
    offsets, vectors = np.linalg.eigh(matrix)
    weights = vectors[0] ** 2
    weights /= math.fsum(weights)
    for array in (offsets, weights):
        array.flags.writeable = False
    return PairSumRule(centre=centre, offsets=offsets, weights=weights, exact=exact)


def _values_at(index: Index, counts: Sequence[Floats], margins: Margins) -> Floats:
    """Values where a, b, c, d need not be whole; NotSmoothError if the function of the index raises."""
    try:
        return values_of_pair_counts(index, tuple(each.copy() for each in counts), margins)
    except Exception as error:
        raise NotSmoothError(
            f"`index` must have values on these margins for quadrature; index {index.name!r} raised"
            f" {type(error).__name__}: {error}"
        ) from error
