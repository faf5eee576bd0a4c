"""Mean, variance and shape of any smooth function of ``T = sum(n_ij**2)``, without sampling.

The exact moments of T to order ``2 k - 1`` give a Gauss rule: k nodes with weights that reproduce the
expectation of every polynomial of at most that degree. `compute_smooth_moments` handles one pair of
clusterings and any index, with fractions. `compute_means_of_pairs` handles many pairs and ratios of linear
forms, 100 times as fast, with moments rounded to float64. The error is bounded by the index values between
and beyond the nodes, and by the largest possible probabilities there, ``1 / sum_(j < k) p_j(x)**2``: Akhiezer
(1965), "The Classical Moment Problem", section 2.5; see "The error of quadrature" in
docs/explanation/derivations.md.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.exact.index_of_pair_sum import (
    bound_pair_sum,
    compute_pair_counts_at,
    find_obstacle_to_quadrature,
)
from chancecorr.exact.summary import EPSILON, Known, compute_law_moments, scale_of
from chancecorr.indices.entry import add_terms
from chancecorr.indices.evaluation import evaluate_pair_counts, evaluate_pair_sums, evaluate_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Booleans, Floats, Integers, read_only
from chancecorr.machine.kept import keep_recent
from chancecorr.tables import pair_sum
from chancecorr.tables.contingency import Margins, double_pair_counts

PAIRS_AT_A_TIME = 512  # pairs of clusterings at a time
NODES = 5  # nodes of the coarser rule of one pair; the finer rule, which gives the moments, has one more
# nodes of the rules of many pairs; the second rule is used where the first is too inaccurate
NODES_OF_RULES = (3, 5)
WINDOW_IN_STDS = 100.0  # half-width of the window about the mean in which a ratio of linear forms is examined
MOST_SKEWNESS, MOST_KURTOSIS = 1.5, 8.0  # above these, a law of T counts as long-tailed
Counts = tuple[Floats, Floats, Floats, Floats]  # pair counts a, b, c, d


BETWEEN_NODES, BEYOND_NODES = 16, 160  # values examined between nodes, and on either side beyond all nodes
LEAST_DISTANCE = 2.0**-26
"""Least distance of a position between two nodes from either node, relative to their distance. The polynomial
magnifies rounding by up to the inverse; with 2**-10 the stated errors of huge clusters were up to 100,000
times wider."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Remainder:
    """Bounds of the remainder of quadrature, for every index."""

    # shape (m,): values of T, ascending, at which indices are compared with their polynomials
    pair_sums: Integers
    every: bool  # whether these are all T within the bounds with the parity of T
    # shape (m, 2 k - 1): matrix from the values at the nodes (the rule's nodes first) to the values of the
    # polynomial at `pair_sums`
    interpolation: Floats
    most: Floats  # shape (m,): upper bounds ``lambda`` of the probabilities of `pair_sums`
    # for each two neighbouring nodes of the rule: mask of `pair_sums` between the nodes, and the largest
    # probability that they can have together
    spaces: tuple[tuple[Booleans, float], ...]
    # shape (m,): mask of the values beyond the largest node; `below`: beyond the smallest node
    above: Booleans
    below: Booleans
    outermost: tuple[float, float]  # weights of the largest and of the smallest node

    def bound(self, at_nodes: Floats, at_pair_sums: Floats) -> float:
        """Return a bound of ``abs(E f - Q f)``, without the rounding errors of f."""
        apart = np.abs(at_pair_sums - self.interpolation @ at_nodes)
        rounding = 8.0 * EPSILON * (np.abs(at_pair_sums) + np.abs(self.interpolation) @ np.abs(at_nodes))
        apart = np.maximum(apart - rounding, 0.0)
        total = 0.0
        # as if all probability of a space were where f and the polynomial differ most
        for inside, weight in self.spaces:
            total += weight * float(apart[inside].max(initial=0.0)) if not self.every else 0.0
            if self.every:
                order = np.argsort(-apart[inside])
                filled = np.minimum(np.cumsum(self.most[inside][order]), weight)
                total += float((np.diff(filled, prepend=0.0) * apart[inside][order]).sum())
        if not self.every:
            # far from the nodes the polynomial magnifies rounding errors inside f, in proportion to its
            # matrix
            magnified = np.abs(self.interpolation).sum(axis=1)
            among_nodes = ~(self.above | self.below)
            apart -= 4.0 * float(np.median((apart / magnified)[among_nodes])) * magnified
            apart = np.maximum(apart, 0.0)
        above, below = self.above, self.below
        total += self._bound_beyond(apart[above], self.most[above], self.outermost[0])
        return total + self._bound_beyond(apart[below][::-1], self.most[below][::-1], self.outermost[1])

    def _bound_beyond(self, apart: Floats, most: Floats, weight: float) -> float:
        """Bound a tail: ``sum (M_i - M_(i-1)) P(beyond i)``, M_i the largest distance up to value i."""
        # between two examined values: distance of the outer value, tail probability of the inner value
        if not self.every:
            most = np.append(weight, most)[:-1]
        return float((np.diff(np.maximum.accumulate(apart), prepend=0.0) * most).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSumRule:
    """Gauss quadrature rule for the law of T: ``E f(T)`` is about ``sum(weights * f(centre + offsets))``."""

    centre: Fraction  # ``E T``
    offsets: Floats  # shape (k,): nodes minus `centre`, ascending
    weights: Floats  # shape (k,): positive, with sum 1
    window: tuple[Fraction, Fraction]  # T lies between these bounds with probability above ``1 - 1e-14``
    # bounds of the error; None if the nodes are all values of T, and the weights their probabilities
    remainder: Remainder | None
    at_nodes: tuple[Floats, ...]  # pair counts at the nodes
    # pair counts at the k - 1 further positions between nodes where indices are evaluated
    at_between: tuple[Floats, ...]


class NotSmoothError(ValueError):
    """Quadrature is not available for this index on these margins."""


def compute_smooth_moments(index: Index, margins: Margins) -> Known:
    """Compute mean, variance and shape of a smooth ``"pairs"`` index by ``NODES + 1`` nodes, with errors.

    The error of the mean is right as far as a grid of values can show. The error of the variance is infinite
    if the values at all nodes round to one float. All results are nan if the index is 0/0 for these margins;
    the mean is infinite if the index is infinite at a possible T. If the index is not smooth, NotSmoothError
    is raised. The index is evaluated at pair counts that need not be integers.
    """
    rule = make_pair_sum_rule(margins)
    # a rule with a node at every T needs no smoothness
    obstacle = find_obstacle_to_quadrature(index, margins, rule.window) if rule.remainder else None
    if obstacle is not None:
        raise NotSmoothError(
            f"`index` must be smooth in the pair counts for quadrature; index {index.name!r} {obstacle}."
            " Use sampling or the exact law of T."
        )
    values = _evaluate_at(index, rule.at_nodes, margins)
    if scale_of(values) > 1.0:
        raise NotSmoothError(
            "`index` must have values whose fourth powers are finite floats for quadrature; index"
            f" {index.name!r} has {float(np.abs(values).max()):.3g}. Use sampling or the exact law of T."
        )
    moments = compute_law_moments(values, rule.weights)
    if not math.isfinite(moments.mean):
        unknown = 0.0 if math.isinf(moments.mean) else math.nan
        return Known(moments, unknown, math.nan)
    error = error_of_square = 0.0
    if rule.remainder is not None:
        known = np.concatenate([values, _evaluate_at(index, rule.at_between, margins)])
        others = evaluate_pair_sums(index, rule.remainder.pair_sums, margins)
        error = rule.remainder.bound(known, others)
        error_of_square = rule.remainder.bound((known - moments.mean) ** 2, (others - moments.mean) ** 2)
    # a formula may subtract numbers far larger than its value, such as the ends of its range
    size = float(np.abs(values).max())
    rounded = 4 * EPSILON * max((abs(end) for end in index.range if math.isfinite(end)), default=0.0)
    if moments.variance > 0:
        # rounding errors of nodes and weights: one eps of the furthest node, and of 1
        furthest = float(np.abs(values - moments.mean).max()) / moments.std
        relative = (error_of_square + error**2) / moments.variance
        relative += 4 * EPSILON * (1 + size / moments.std + furthest**2)
        # rounding changes the standard deviation by at most the standard deviation of the rounding errors
        off = rounded / moments.std
        relative += (2 + off) * off
    else:  # T is constant, or all digits are lost to rounding
        relative = 0.0 if rule.offsets.size == 1 else math.inf
    error += 4 * EPSILON * size + rounded
    return Known(moments, error, relative)


@keep_recent
def make_pair_sum_rule(margins: Margins) -> PairSumRule:
    """Make the Gauss rule for the law of T with ``NODES + 1`` nodes, by fractions; cached for all indices."""
    centre, (low, high) = pair_sum.compute_pair_sum_mean(margins), bound_pair_sum(margins)
    moments = [Fraction(1), *pair_sum.compute_central_moments(margins, 2 * NODES + 1)]
    alpha, beta = ([x[0] for x in part] for part in _recur(np.array(moments, dtype=object)[:, np.newaxis]))
    roots = [pair_sum.square_root(x) for x in beta[1:]]
    (coarse, _), (offsets, weights) = (
        [part[0] for part in _solve_rules(np.array([alpha[:k]], float).T, np.array([roots[: k - 1]]).T)]
        for k in (NODES, NODES + 1)
    )
    nodes, between, remainder = [centre + Fraction(offset) for offset in offsets.tolist()], np.empty(0), None
    if len(alpha) > NODES:  # the coarse nodes lie between the fine nodes, one in each space, up to rounding
        least = LEAST_DISTANCE * np.diff(offsets)
        between = np.clip(coarse, offsets[:-1] + least, offsets[1:] - least)
        recurrence, std = (alpha, roots[:NODES]), pair_sum.square_root(moments[2])
        remainder = bound_remainder((offsets, between), weights, recurrence, centre, (low, high), std)
    elif 64 * EPSILON * float(np.abs(offsets).max()) < 0.25:  # float64 can distinguish integers of this size
        nodes = [Fraction(round(node)) for node in nodes]
    window = Fraction(low), Fraction(high)
    if moments[2]:
        # Markov's inequality: P(|T - E T| > reach) <= E (T - E T)**m / reach**m. In standard deviations the
        # moment is `ratio`, which is below 2**bits, so the bound is below 2**-47 < 1e-14 for this reach.
        m = 2 * NODES
        ratio = moments[m] / moments[2] ** NODES
        bits = ratio.numerator.bit_length() - ratio.denominator.bit_length() + 1
        reach = Fraction(pair_sum.square_root(moments[2])) * Fraction(2 ** ((bits + 47) / m))
        window = max(window[0], centre - reach), min(window[1], centre + reach)
    # rounding may move the last node beyond the bound, where a pair count is negative
    nodes = [min(max(T, Fraction(low)), Fraction(high)) for T in nodes]
    return PairSumRule(
        centre=centre, offsets=read_only(offsets), weights=read_only(weights), window=window,
        remainder=remainder, at_nodes=compute_pair_counts_at(nodes, margins),
        at_between=compute_pair_counts_at([centre + Fraction(x) for x in between.tolist()], margins),
    )  # fmt: skip


def _recur(moments: npt.NDArray[Any]) -> tuple[list[Any], list[Any]]:
    """Find ``p_(j+1) = (x - alpha_j) p_j - beta_j p_(j-1)`` by Chebyshev's algorithm, until beta_j is 0."""
    # With ``sigma_j[l] = E p_j x**l``, ``x = T - E T``, the next coefficients are ``beta_j = sigma_j[j] /
    # sigma_(j-1)[j-1]`` and a similar difference. If beta_j is 0, x has only j values, at which p_j is 0.
    before, sigma = np.zeros_like(moments), moments
    alpha, beta = [moments[1] / moments[0]], [moments[0]]
    with np.errstate(all="ignore"):
        for j in range(1, len(moments) // 2):
            after = np.zeros_like(moments)
            after[j:-j] = sigma[j + 1 : len(sigma) - j + 1] - alpha[-1] * sigma[j:-j]
            if j > 1:
                after[j:-j] -= beta[-1] * before[j:-j]
            if not after[j].any():
                break
            alpha.append(after[j + 1] / after[j] - sigma[j] / sigma[j - 1])
            beta.append(after[j] / sigma[j - 1])
            before, sigma = sigma, after
    return alpha, beta


def _solve_rules(alpha: Floats, roots: Floats) -> tuple[Floats, Floats]:
    """Return nodes (ascending) and weights, each (p, k), by eigenvectors: Golub & Welsch (1969)."""
    k, p = alpha.shape
    matrices = np.zeros((p, k, k))
    for j in range(k):
        matrices[:, j, j] = alpha[j]
    for j in range(1, k):
        matrices[:, j - 1, j] = matrices[:, j, j - 1] = roots[j - 1]
    offsets, vectors = np.linalg.eigh(matrices)
    weights = vectors[:, 0, :] ** 2
    return offsets, weights / np.array([[math.fsum(row)] for row in weights.tolist()])


def _evaluate_at(index: Index, counts: Sequence[Floats], margins: Margins) -> Floats:
    """Evaluate an index at a, b, c, d that need not be integers; raise NotSmoothError if it fails."""
    try:
        return evaluate_pair_counts(index, tuple(count.copy() for count in counts), margins)
    except Exception as error:
        raise NotSmoothError(
            f"`index` must have values on these margins for quadrature; index {index.name!r} raised"
            f" {type(error).__name__}: {error}"
        ) from error


def compute_means_of_pairs(
    index: Index, sizes: Sequence[Integers], rows: Integers, columns: Integers
) -> tuple[Floats, Booleans]:
    """Compute means of a ``"pairs"`` index for clusterings rows[k] and columns[k], and which are accurate.

    An index that is not affine must be a ratio of linear forms in the pair counts. The mean is nan if its
    error is above rounding or if the law of T has long tails. `sizes` are the cluster sizes of each
    clustering.
    """
    n = int(sizes[0].sum()) if len(sizes) else 0
    means, good = np.full(rows.size, math.nan), np.zeros(rows.size, dtype=np.bool_)
    squares = np.array([np.dot(totals, totals) for totals in sizes], dtype=np.int64)
    if index.affine and n > 1:
        for block in _split_in_blocks(np.arange(rows.size)):
            A, B = squares[rows[block]], squares[columns[block]]
            means[block] = evaluate_varying_pairs(index, _count_pairs_at_mean(A, B, n), (A, B), n)
            good[block] = True
    if index.affine or index.linear is None:
        return means, good
    # T is constant if a clustering has one cluster, or only singletons
    varies = (squares > n) & (squares < n * n)
    for nodes in NODES_OF_RULES:
        left = np.flatnonzero(~good & varies[rows] & varies[columns])
        order = 2 * nodes - 1
        if n < 2 * order or not left.size:
            break
        components = list(pair_sum.count_pair_sequences(order)[-1])
        # one row for each clustering, with integers of any size
        R = np.empty((len(sizes), len(components)), dtype=object)
        for k, totals in enumerate(sizes):
            of_clustering = pair_sum.count_arrangements(order, pair_sum.sum_factorials(totals, order + 1))
            R[k] = [of_clustering[parts] for parts in components]
        for block in _split_in_blocks(left):
            A, B = squares[rows[block]], squares[columns[block]]
            std, moments = _standardize_moments(R[rows[block]] * R[columns[block]], n, nodes)
            centre = _count_pairs_at_mean(A, B, n)
            means[block], good[block] = _integrate_ratios(index.linear, centre, std, moments)
    return means, good


def _split_in_blocks(places: Integers) -> Iterator[Integers]:
    return (places[start : start + PAIRS_AT_A_TIME] for start in range(0, places.size, PAIRS_AT_A_TIME))


def _count_pairs_at_mean(A: Integers, B: Integers, n: int) -> Counts:
    """Return the pair counts at the mean of T, exact before they are rounded to float64."""
    A, B, q = A.astype(object), B.astype(object), n * (n - 1)
    # in units of 1 / q, see `compute_pair_sum_mean`
    twice = double_pair_counts(n * q + (A - n) * (B - n), A, B, n, q)
    a, b, c, d = ((count / (2 * q)).astype(np.float64) for count in twice)
    return a, b, c, d


def _standardize_moments(products: npt.NDArray[np.object_], n: int, nodes: int) -> tuple[Floats, Floats]:
    """Return the standard deviation of T (nan if T is constant) and standardised moments (2 nodes, p)."""
    most = 2 * (2 * nodes - 1)  # objects in the choices over which the moments are sums
    sequences = pair_sum.count_pair_sequences(2 * nodes - 1)
    brackets = {
        components: products[:, place] * math.perm(n - sum(components), most - sum(components))
        for place, components in enumerate(sequences[-1])
    }
    D = math.perm(n, most)
    # numerators of the raw moments E U**m, with denominator D
    raw = [D, *(sum(times * brackets[parts] for parts, times in c.items()) for c in sequences)]
    powers = [1, -raw[1]]
    central = np.zeros((2 * nodes, products.shape[0]))
    central[0] = 1.0
    for m in range(2, 2 * nodes):
        powers.append(powers[-1] * powers[1])
        # E (U - E U)**m = sum_j C(m, j) E U**j (-E U)**(m - j), with denominator D**m; the first two terms
        # are joined
        numerator = (1 - m) * powers[m]
        for j in range(2, m + 1):
            numerator = numerator + math.comb(m, j) * D ** (j - 1) * (raw[j] * powers[m - j])
        central[m] = (numerator / D**m).astype(np.float64)
    with np.errstate(all="ignore"):
        std = np.sqrt(np.where(central[2] > 0.0, central[2], math.nan))
        return std, central / std ** np.arange(2 * nodes)[:, np.newaxis]


def _integrate_ratios(
    linear: tuple[Sequence[int], Sequence[int]], centre: Counts, std: Floats, moments: Floats
) -> tuple[Floats, Booleans]:
    """Return the means of ``(p + r x) / (q + s x)`` by these moments, and which are accurate."""
    k = moments.shape[0] // 2
    means, good = np.full(std.size, math.nan), np.zeros(std.size, dtype=np.bool_)
    alpha, beta = (np.stack(part) for part in _recur(moments))
    usable = (np.abs(moments[3]) <= MOST_SKEWNESS) & (moments[4] <= MOST_KURTOSIS)
    usable &= (beta[1:] > 0.1).all(axis=0) & np.isfinite(alpha).all(axis=0) & np.isfinite(beta).all(axis=0)
    some = np.flatnonzero(usable)
    if len(beta) < k or not some.size:
        return means, good
    a, b, c, d = (count[some] for count in centre)
    # in pairs that are together in both clusterings, as all following numbers
    std, beta = std[some] / 2.0, beta[:, some]
    p, q = (add_terms(form, (a, b, c, d)) for form in linear)
    r, s = (form[0] - form[1] - form[2] + form[3] for form in linear)
    x, weights = _solve_rules(alpha[:, some], np.sqrt(beta[1:]))
    x = x * std[:, np.newaxis]
    reach = WINDOW_IN_STDS * std
    ends = np.maximum(-np.minimum(a, d), -reach), np.minimum(np.minimum(b, c), reach)
    with np.errstate(all="ignore"):
        values = (p[:, np.newaxis] + r * x) / (q[:, np.newaxis] + s * x)
        middle = values[:, k // 2]
        by_rule = middle + (weights * (values - middle[:, np.newaxis])).sum(axis=1)
        largest = np.maximum(*(np.abs((p + r * end) / (q + s * end)) for end in ends))
        least = np.minimum(*(q + s * end for end in ends))
        # The error of the mean of 1 / (1 + step x), x in standard deviations, is at most step**(2 k) times
        # the squared norm of the orthogonal polynomial of degree k, which is the product of beta_1 to beta_k.
        # For laws between the normal and the gamma, beta_k is at most k / (k - 2) times beta_(k - 1); a
        # factor of four covers other laws.
        norm = 4.0 * beta[1:].prod(axis=0) * beta[-1] * k / (k - 2)
        error = np.abs(p - q * r / s) / least * norm * (s * std / least) ** (2 * k)
        is_good = (least > 0.0) & (x[:, 0] >= ends[0]) & (x[:, -1] <= ends[1])
        is_good &= error <= 4.0 * EPSILON * largest
    means[some], good[some] = np.where(is_good, by_rule, math.nan), is_good
    return means, good


def bound_remainder(
    offsets: tuple[Floats, Floats], weights: Floats, recurrence: tuple[Sequence[Fraction], Sequence[float]],
    centre: Fraction, bounds: tuple[int, int], std: float,
) -> Remainder:  # fmt: skip
    """Compute the bounds of the remainder of a rule."""
    nodes = np.concatenate(offsets)
    near_centre = bounds[0] + 2 * round((centre - bounds[0]) / 2)  # a possible value of T
    pair_sums, every = _choose_places(np.sort(nodes), near_centre, bounds, std)
    x = np.array([T - near_centre for T in pair_sums], dtype=np.float64) + float(near_centre - centre)
    rule = offsets[0]
    spaces = tuple(
        ((x > rule[i]) & (x < rule[i + 1]), float(weights[i] + weights[i + 1])) for i in range(rule.size - 1)
    )
    # matrix from the values at the nodes to the values at x of the interpolating polynomial; the scale avoids
    # overflow
    scale = (nodes.max() - nodes.min()) / 4.0
    apart, to_nodes = (nodes[:, np.newaxis] - nodes) / scale, (x[:, np.newaxis] - nodes) / scale
    np.fill_diagonal(apart, 1.0)
    columns = [np.prod(np.delete(to_nodes, j, axis=1), axis=1) for j in range(nodes.size)]
    interpolation = np.stack(columns, axis=1) / apart.prod(axis=1)
    # compute ``sum_j p_j(x)**2`` by the recurrence
    before, last, total = np.zeros_like(x), np.ones_like(x), np.ones_like(x)
    alpha, roots = recurrence
    for j, root in enumerate(roots):
        following = (x - float(alpha[j])) * last - (roots[j - 1] * before if j else 0.0)
        before, last = last, following / root
        total += last**2
    return Remainder(
        pair_sums=np.array(pair_sums, dtype=np.int64), every=every, interpolation=interpolation,
        most=1.0 / total, spaces=spaces, above=x >= rule[-1], below=x <= rule[0],
        outermost=(float(weights[-1]), float(weights[0])),
    )  # fmt: skip


def _choose_places(
    nodes: Floats, near_centre: int, bounds: tuple[int, int], std: float
) -> tuple[list[int], bool]:
    """Return possible values of T within its bounds, ascending, and True if these are all."""
    low, high = bounds
    steps = (high - low) // 2
    if steps < 2048:  # few values: examine all
        return [low + 2 * i for i in range(steps + 1)], True
    parts = (np.arange(BETWEEN_NODES) + 0.5) / BETWEEN_NODES
    between = [x + (y - x) * parts for x, y in itertools.pairwise(nodes)]
    beyond = [
        side * np.geomspace(0.05 * std, max(float(end), 0.1 * std), BEYOND_NODES) + node
        for side, node, end in (
            (-1, nodes[0], near_centre - low + nodes[0]),
            (1, nodes[-1], high - near_centre - nodes[-1]),
        )
    ]
    steps_away = np.rint(np.concatenate([*between, *beyond]) / 2.0).tolist()
    whole = {near_centre + 2 * int(step) for step in steps_away}
    return sorted({low, high} | {T for T in whole if low <= T <= high}), False
