"""Expected values of pair-counting indices for many pairs of clusterings, 100 times as fast as one by one.

For indices that are affine in ``T = sum(n_ij**2)``, the index at the mean of T; for other ratios of two
linear forms in the pair counts, as Jaccard's, Gauss quadrature as in `chancecorr.exact.moments.quadrature`,
with three or five nodes in place of six. A rule of k nodes takes the first ``2 k - 1`` moments of T, whose
sums are made once for each clustering. A pair is left out if the error is above rounding, or the law of T
has long tails.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.pair_counting.entry import linear_form
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.tables.pair_sum import arrangements, factorial_sums, pair_sequences

PAIRS_AT_A_TIME = 512
"""Pairs at a time."""

NODES_OF_RULES = (3, 5)
"""Nodes of the rules, the next for what the one before could not settle."""

WINDOW_IN_STDS = 100.0
"""Half-width of the window near the mean, in standard deviations of T, as in `exact.moments`."""

MOST_SKEWNESS, MOST_KURTOSIS = 1.5, 8.0
"""Beyond, a law of T is taken to have long tails. A normal law has 0 and 3."""

EPSILON = float(np.finfo(np.float64).eps)

Counts = tuple[Floats, Floats, Floats, Floats]
"""Pair counts a, b, c, d."""


def expected_by_pairs(
    index: Index, sizes: Sequence[Integers], rows: Integers, columns: Integers
) -> tuple[Floats, Booleans]:
    """Means over all tables with the cluster sizes of rows[k] and columns[k], and which of them are known."""
    n = int(sizes[0].sum()) if len(sizes) else 0
    means, known = np.full(rows.size, math.nan), np.zeros(rows.size, dtype=np.bool_)
    squares = np.array([np.dot(each, each) for each in sizes], dtype=np.int64)
    if index.affine and n > 1:
        for block in _blocks(np.arange(rows.size)):
            A, B = squares[rows[block]], squares[columns[block]]
            means[block] = values_of_varying_pairs(index, _counts_at_mean(A, B, n), (A, B), n)
            known[block] = True
    if index.affine or index.linear is None:
        return means, known
    # T is constant with a clustering of one cluster, or of one object in each
    varies = (squares > n) & (squares < n * n)
    for nodes in NODES_OF_RULES:
        left = np.flatnonzero(~known & varies[rows] & varies[columns])
        if n < 2 * (2 * nodes - 1) or not left.size:
            break
        of_sides = _sides(sizes, nodes)
        for block in _blocks(left):
            A, B = squares[rows[block]], squares[columns[block]]
            std, moments = _standardized_moments(of_sides[rows[block]], of_sides[columns[block]], n, nodes)
            centre = _counts_at_mean(A, B, n)
            means[block], known[block] = _by_quadrature(index.linear, centre, std, moments)
    return means, known


def _blocks(places: Integers) -> Iterator[Integers]:
    return (places[start : start + PAIRS_AT_A_TIME] for start in range(0, places.size, PAIRS_AT_A_TIME))


def _counts_at_mean(A: Integers, B: Integers, n: int) -> Counts:
    """Pair counts where T is at its mean, exact until each is rounded to float64."""
    together_a, together_b = (np.array([each - n for each in side.tolist()], dtype=object) for side in (A, B))
    pairs = n * (n - 1)
    both = together_a * together_b
    counts = (
        both,
        together_a * pairs - both,
        together_b * pairs - both,
        (pairs - together_a - together_b) * pairs + both,
    )
    a, b, c, d = ((each / (2 * pairs)).astype(np.float64) for each in counts)
    return a, b, c, d


def _sides(sizes: Sequence[Integers], nodes: int) -> npt.NDArray[np.object_]:
    """``R(lambda)`` of each clustering, whole numbers of any size, shape (m, number of lambda)."""
    order = 2 * nodes - 1
    listed = list(pair_sequences(order)[-1])
    found = np.empty((len(sizes), len(listed)), dtype=object)
    for k, each in enumerate(sizes):
        R = arrangements(order, factorial_sums(each, order + 1))
        found[k] = [R[components] for components in listed]
    return found


def _standardized_moments(
    R_a: npt.NDArray[np.object_], R_b: npt.NDArray[np.object_], n: int, nodes: int
) -> tuple[Floats, Floats]:
    """Standard deviation of T, nan if constant, and standardized central moments, shape (2 nodes, p)."""
    most = 2 * (2 * nodes - 1)  # objects in the choices that the moments are sums over
    brackets = {
        components: R_a[:, place] * R_b[:, place] * math.perm(n - sum(components), most - sum(components))
        for place, components in enumerate(pair_sequences(2 * nodes - 1)[-1])
    }
    D = math.perm(n, most)
    # numerators of the raw moments E U**m over D
    raw = [
        D,
        *(sum(times * brackets[each] for each, times in c.items()) for c in pair_sequences(2 * nodes - 1)),
    ]
    powers = [1, -raw[1]]
    central = np.zeros((2 * nodes, R_a.shape[0]))
    central[0] = 1.0
    for m in range(2, 2 * nodes):
        powers.append(powers[-1] * powers[1])
        # E (U - E U)**m = sum_j C(m, j) E U**j (-E U)**(m - j), over D**m, the first two terms as one
        numerator = (1 - m) * powers[m]
        for j in range(2, m + 1):
            numerator = numerator + math.comb(m, j) * D ** (j - 1) * (raw[j] * powers[m - j])
        central[m] = (numerator / D**m).astype(np.float64)
    with np.errstate(all="ignore"):
        std = np.sqrt(np.where(central[2] > 0.0, central[2], math.nan))
        return std, central / std ** np.arange(2 * nodes)[:, np.newaxis]


def _by_quadrature(
    linear: tuple[Sequence[int], Sequence[int]], centre: Counts, std: Floats, moments: Floats
) -> tuple[Floats, Booleans]:
    """Means of a ratio of linear forms ``(p + r x) / (q + s x)`` by these moments, and which are good."""
    nodes = moments.shape[0] // 2
    means, known = np.full(std.size, math.nan), np.zeros(std.size, dtype=np.bool_)
    alpha, beta = _recurrence(moments)
    with np.errstate(all="ignore"):
        usable = (np.abs(moments[3]) <= MOST_SKEWNESS) & (moments[4] <= MOST_KURTOSIS)
        usable &= (
            (beta[1:] > 0.1).all(axis=0) & np.isfinite(alpha).all(axis=0) & np.isfinite(beta).all(axis=0)
        )
    some = np.flatnonzero(usable)
    if not some.size:
        return means, known
    a, b, c, d = (each[some] for each in centre)
    std, beta = std[some] / 2.0, beta[:, some]  # in pairs together in both clusterings, as all below
    p, q = (linear_form(form, (a, b, c, d)) for form in linear)
    r, s = (form[0] - form[1] - form[2] + form[3] for form in linear)
    x, weights = _rules(alpha[:, some], beta)
    x = x * std[:, np.newaxis]
    ends = (
        np.maximum(-np.minimum(a, d), -WINDOW_IN_STDS * std),
        np.minimum(np.minimum(b, c), WINDOW_IN_STDS * std),
    )
    with np.errstate(all="ignore"):
        values = (p[:, np.newaxis] + r * x) / (q[:, np.newaxis] + s * x)
        middle = values[:, nodes // 2]
        found = middle + (weights * (values - middle[:, np.newaxis])).sum(axis=1)
        largest = np.maximum(*(np.abs((p + r * end) / (q + s * end)) for end in ends))
        least = np.minimum(*(q + s * end for end in ends))
        error = np.abs(p - q * r / s) / least * _remainder(s * std / least, beta)
        good = (least > 0.0) & (x[:, 0] >= ends[0]) & (x[:, -1] <= ends[1])
        good &= error <= 4.0 * EPSILON * largest
    means[some], known[some] = np.where(good, found, math.nan), good
    return means, known


def _recurrence(moments: Floats) -> tuple[Floats, Floats]:
    """Coefficients alpha and beta of the orthogonal polynomials, (nodes, p), by Chebyshev in float64."""
    nodes = moments.shape[0] // 2
    before, sigma = np.zeros_like(moments), moments
    alpha, beta = [moments[1]], [moments[0]]
    with np.errstate(all="ignore"):
        for j in range(1, nodes):
            after = np.zeros_like(moments)
            after[j:-j] = sigma[j + 1 : sigma.shape[0] - j + 1] - alpha[-1] * sigma[j:-j]
            if j > 1:
                after[j:-j] -= beta[-1] * before[j:-j]
            alpha.append(after[j + 1] / after[j] - sigma[j] / sigma[j - 1])
            beta.append(after[j] / sigma[j - 1])
            before, sigma = sigma, after
    return np.stack(alpha), np.stack(beta)


def _rules(alpha: Floats, beta: Floats) -> tuple[Floats, Floats]:
    """Nodes in standard deviations from the mean, ascending, and weights, each of shape (p, nodes)."""
    nodes, p = alpha.shape
    matrices = np.zeros((p, nodes, nodes))
    for j in range(nodes):
        matrices[:, j, j] = alpha[j]
    for j in range(1, nodes):
        matrices[:, j - 1, j] = matrices[:, j, j - 1] = np.sqrt(beta[j])
    offsets, vectors = np.linalg.eigh(matrices)
    weights = vectors[:, 0, :] ** 2
    return offsets, weights / weights.sum(axis=1, keepdims=True)


def _remainder(step: Floats, beta: Floats) -> Floats:
    """Largest error of a rule of k nodes for ``1 / (1 + step x)``, x in standard deviations.

    It is at most ``step**(2 k)`` times the squared norm of the orthogonal polynomial of degree k. That is the
    product of beta_1 to beta_k, of which the last is at most ``k / (k - 2)`` times the one before for laws
    between the normal and the gamma; a factor of four is for others.
    """
    nodes = beta.shape[0]
    norm = beta[1:].prod(axis=0) * beta[-1] * nodes / (nodes - 2)
    error: Floats = 4.0 * norm * step ** (2 * nodes)
    return error
