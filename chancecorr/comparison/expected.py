"""Expected values of a pair-counting index for many pairs of clusterings, 80 times as fast as one by one.

The index at the mean of ``T = sum(n_ij**2)`` if it is affine in T, else Gauss quadrature as in
`chancecorr.exact.moments.quadrature`, with three or five nodes in place of six. A rule of k nodes takes the
first ``2 k - 1`` moments of T, whose sums are made once for each clustering; its error is of the order of
``(std / L)**(2 k)``, L being the distance in T over which the index changes its shape. A pair is left out if
that is above rounding, the index may not be smooth, or the law of T has long tails.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.tables.components import arrangements, factorial_sums, pair_sequences

BLOCK = 512
"""Pairs at a time: their points take some 20 MB."""

NODES = (3, 5)
"""Nodes of the rules, the next for what the one before could not settle."""

POINTS = 256
"""Steps between the values of T at which an index is evaluated over the range of T."""

WINDOW_POINTS = 32
"""Steps between the Chebyshev points at which it is evaluated near the mean of T."""

WINDOW = 100.0
"""Half-width of the window near the mean, in standard deviations of T, as in `exact.moments`."""

MOST_SKEWNESS, MOST_KURTOSIS = 1.5, 8.0
"""Beyond, a law of T is taken to have long tails. A normal law has 0 and 3."""

EPSILON = float(np.finfo(np.float64).eps)

Counts = tuple[Floats, Floats, Floats, Floats]
"""Pair counts a, b, c, d."""


def expected_by_pairs(
    index: Index, sizes: Sequence[Integers], rows: Integers, columns: Integers
) -> tuple[Floats, Booleans]:
    """Means over all tables with the cluster sizes of rows[k] and columns[k], and which of them are known.

    Those of an affine index are rounded once. The others agree with those of six nodes to rounding: to 1e-12
    of the standard deviation of the index, or to a few units in the last place.
    """
    n = int(sizes[0].sum()) if len(sizes) else 0
    means, known = np.full(rows.size, math.nan), np.zeros(rows.size, dtype=np.bool_)
    squares = np.array([np.dot(each, each) for each in sizes], dtype=np.int64)
    if index.affine and n > 1:
        for block in _blocks(np.arange(rows.size)):
            A, B = squares[rows[block]], squares[columns[block]]
            means[block] = values_of_varying_pairs(index, _counts_at_mean(A, B, n), (A, B), n)
            known[block] = True
    # T is constant with a clustering of one cluster, or of one object in each
    varies = (squares > n) & (squares < n * n)
    for nodes in () if index.affine else NODES:
        left = np.flatnonzero(~known & varies[rows] & varies[columns])
        if n < _most_objects(nodes) or not left.size:
            break
        of_sides = _sides(sizes, nodes)
        for block in _blocks(left):
            A, B = squares[rows[block]], squares[columns[block]]
            std, moments = _standardized_moments(of_sides[rows[block]], of_sides[columns[block]], n, nodes)
            centre = _counts_at_mean(A, B, n)
            means[block], known[block] = _by_quadrature(index, centre, (A, B), n, std, moments)
    return means, known


def _blocks(places: Integers) -> Iterator[Integers]:
    return (places[start : start + BLOCK] for start in range(0, places.size, BLOCK))


def _most_objects(nodes: int) -> int:
    """Objects in the choices that the moments of T for a rule are sums over."""
    return 2 * (2 * nodes - 1)


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
    """Standard deviation of T, and its central moments over powers of that, shape (2 nodes, p).

    nan where T is constant. As in `chancecorr.tables.pair_sum`: exact until the last step, since the mean is
    far larger than the standard deviation.
    """
    most = _most_objects(nodes)
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
    index: Index,
    centre: Counts,
    squares: tuple[Integers, Integers],
    n: int,
    std: Floats,
    moments: Floats,
) -> tuple[Floats, Booleans]:
    """Means by a rule with these moments, and whether they are as good as with more."""
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
    a, b, c, d = centre
    std, alpha, beta, centre = std[some], alpha[:, some], beta[:, some], (a[some], b[some], c[some], d[some])
    offsets, weights = _rules(alpha, beta)
    offsets = offsets * (std / 2.0)[:, np.newaxis]  # in pairs together in both clusterings, as all below
    low, high = -np.minimum(centre[0], centre[3]), np.minimum(centre[1], centre[2])
    reach = WINDOW / 2.0 * std
    left, right = np.maximum(low, -reach), np.minimum(high, reach)
    cosines = np.cos(np.pi * np.arange(WINDOW_POINTS + 1) / WINDOW_POINTS)
    steps = np.linspace(0.0, 1.0, POINTS + 1)
    half = (right - left) / 2.0
    windows = ((left + right) / 2.0)[:, np.newaxis] + half[:, np.newaxis] * cosines
    whole = low[:, np.newaxis] * (1.0 - steps) + high[:, np.newaxis] * steps
    points = np.concatenate([offsets, windows, whole], axis=1)
    try:
        values = _values_beside(index, centre, points, (squares[0][some], squares[1][some]), n)
    except Exception:  # the slower way says what is wrong, with the table
        return means, known
    at_nodes, in_window, over_range = np.split(values, [nodes, nodes + WINDOW_POINTS + 1], axis=1)
    inside = (offsets[:, 0] >= left) & (offsets[:, -1] <= right)
    finite = np.isfinite(values).all(axis=1)
    with np.errstate(all="ignore"):
        middle = at_nodes[:, nodes // 2]
        found = middle + (weights * (at_nodes - middle[:, np.newaxis])).sum(axis=1)
        smooth, remainder = _remainder(in_window, beta, std / 2.0 / half)
        size = np.abs(in_window).max(axis=1)
        good = inside & finite & smooth & (remainder <= 4.0 * EPSILON * size) & ~_has_pole(over_range)
    means[some], known[some] = np.where(good, found, math.nan), good
    return means, known


def _recurrence(moments: Floats) -> tuple[Floats, Floats]:
    """Coefficients alpha_0, ... and beta_0, ... of the orthogonal polynomials, each of shape (nodes, p).

    By Chebyshev's algorithm in float64, which is enough here: what it loses, it loses in the last
    coefficients, and those decide of the highest moments alone, which a smooth index hardly feels. See
    `chancecorr.exact.moments.quadrature`, where it is done in fractions.
    """
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


def _values_beside(
    index: Index, centre: Counts, offsets: Floats, squares: tuple[Integers, Integers], n: int
) -> Floats:
    """Index with `offsets` more pairs together in both clusterings than on average; shape as `offsets`."""
    a, b, c, d = (each[:, np.newaxis] for each in centre)
    counts = tuple((each).ravel() for each in (a + offsets, b - offsets, c - offsets, d + offsets))
    A, B = (np.repeat(each, offsets.shape[1]) for each in squares)
    return values_of_varying_pairs(index, counts, (A, B), n).reshape(offsets.shape)


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


def _remainder(in_window: Floats, beta: Floats, std: Floats) -> tuple[Booleans, Floats]:
    """Whether the index is a polynomial near the mean but for 1e-8 of its variation, and the error of a rule.

    By its Chebyshev coefficients c_j over the window, `std` being a share of the half-width of that. A rule
    of k nodes is wrong by ``sum c_j t_j`` times the squared norm of the orthogonal polynomial of degree k,
    with ``t_j = j**2 (j**2 - 2**2) ... (j**2 - (2 k - 2)**2) / (2 k)!``, the size in the middle of the
    derivative of order ``2 k`` of the Chebyshev polynomial over ``(2 k)!``. That norm is the product of
    beta_1 to beta_k, of which the last is at most ``k / (k - 2)`` times the one before for laws between the
    normal and the gamma; a factor of four is for others.
    """
    nodes = beta.shape[0]
    spectrum = np.abs(np.fft.rfft(np.concatenate([in_window, in_window[:, -2:0:-1]], axis=1), axis=1))
    spectrum = spectrum[:, : WINDOW_POINTS + 1] / WINDOW_POINTS
    tolerance = 1e-8 * np.ptp(in_window, axis=1) + 64.0 * EPSILON * np.abs(in_window).max(axis=1)
    smooth = spectrum[:, WINDOW_POINTS // 2 :].max(axis=1) <= tolerance
    j = np.arange(2.0 * nodes, WINDOW_POINTS + 1)
    derivatives = np.prod([j**2 - (2.0 * i) ** 2 for i in range(nodes)], axis=0) / math.factorial(2 * nodes)
    norm = beta[1:].prod(axis=0) * beta[-1] * nodes / (nodes - 2)
    return smooth, 4.0 * norm * std ** (2 * nodes) * (spectrum[:, 2 * nodes :] @ derivatives)


def _has_pole(values: Floats) -> Booleans:
    """Whether values grow towards a change of sign from both sides, as in `exact.moments.smoothness`."""
    sign, size = np.sign(values), np.abs(values)
    crossing = (
        (sign[:, 1:-2] * sign[:, 2:-1] < 0) & (size[:, :-3] < size[:, 1:-2]) & (size[:, 3:] < size[:, 2:-1])
    )
    return np.asarray(crossing.any(axis=1))
