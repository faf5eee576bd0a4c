"""Expected values of a pair-counting index for many pairs of clusterings at once.

With the margins fixed such an index is a function of ``T = sum(n_ij**2)``. Where it is affine in T, the mean
is the index at the mean of T. Elsewhere the mean comes from Gauss quadrature, as in
`chancecorr.exact.moments.quadrature`, with a rule of three nodes in place of six: it takes the first five
moments of T, whose sums are made once for each clustering, and its error is of the order of ``(std / L)**6``
where L is the distance in T over which the index changes its shape. That is less than the rounding of float64
for a few hundred objects and more. Where it is not, where the index may not be smooth, or where the law of T
has long tails, there is no answer here, and the pair is left to the slower way.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import Booleans, Floats, Integers
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.tables.components import arrangements, factorial_sums, pair_sequences

BLOCK = 512
"""Pairs at a time: their points take some 20 MB."""

ORDER = 5
"""Moments of T that a rule of three nodes takes."""

LEAST_OBJECTS = 2 * ORDER
"""The moments are sums over choices of up to so many objects."""

POINTS = 256
"""Steps between the values of T at which an index is looked at over all that T might be."""

WINDOW_POINTS = 32
"""Steps between the Chebyshev points at which it is looked at near the mean of T."""

WINDOW = 40.0
"""Half-width of what is near the mean, in standard deviations of T."""

MOST_SKEWNESS, MOST_KURTOSIS = 3.0, 20.0
"""Beyond, a law of T is taken to have long tails. A normal law has 0 and 3."""

EPSILON = float(np.finfo(np.float64).eps)

Counts = tuple[Floats, Floats, Floats, Floats]
"""Pair counts a, b, c, d."""


def expected_by_pairs(
    index: Index, sizes: Sequence[Integers], rows: Integers, columns: Integers
) -> tuple[Floats, Booleans]:
    """Means over all tables with the cluster sizes of rows[k] and columns[k], and which of them are known.

    Those of an affine index are rounded once. The others agree with those of six nodes to rounding: to 1e-13
    of the standard deviation of the index, or to a few units in the last place.

    Parameters
    ----------
    index : Index
        One that needs pairs, without totals.
    sizes : sequence of ndarray of int64
        Cluster sizes of each clustering, all above zero.
    rows, columns : ndarray of int64, shape (p,)
        Places of the two clusterings in `sizes`.

    Examples
    --------
    >>> from chancecorr.indices.pair_counting.published import jaccard
    >>> index = Index(name="jaccard", function=jaccard, needs="pairs")
    >>> sizes = [np.array([240, 240, 320]), np.array([800])]
    >>> means, known = expected_by_pairs(index, sizes, np.array([0, 0]), np.array([0, 1]))
    >>> round(float(means[0]), 14), known.tolist()
    (0.20422072881803, [True, False])
    """
    n = int(sizes[0].sum()) if len(sizes) else 0
    means, known = np.full(rows.size, math.nan), np.zeros(rows.size, dtype=np.bool_)
    if n < (2 if index.affine else LEAST_OBJECTS):
        return means, known
    squares = [int(np.dot(each, each)) for each in sizes]
    of_sides = None if index.affine else _sides(sizes)
    for start in range(0, rows.size, BLOCK):
        block = slice(start, start + BLOCK)
        A, B = (
            np.array([squares[place] for place in side[block].tolist()], dtype=np.int64)
            for side in (rows, columns)
        )
        centre = _counts_at_mean(A, B, n)
        if of_sides is None:
            means[block] = values_of_varying_pairs(index, centre, (A, B), n)
            known[block] = True
        else:
            moments = _standardized_moments(of_sides[rows[block]], of_sides[columns[block]], n)
            means[block], known[block] = _by_quadrature(index, centre, (A, B), n, moments)
    return means, known


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


def _sides(sizes: Sequence[Integers]) -> npt.NDArray[np.object_]:
    """``R(lambda)`` of each clustering, whole numbers of any size, shape (m, number of lambda)."""
    listed = list(pair_sequences(ORDER)[-1])
    found = np.empty((len(sizes), len(listed)), dtype=object)
    for k, each in enumerate(sizes):
        R = arrangements(ORDER, factorial_sums(each, ORDER + 1))
        found[k] = [R[components] for components in listed]
    return found


def _standardized_moments(
    R_a: npt.NDArray[np.object_], R_b: npt.NDArray[np.object_], n: int
) -> tuple[Floats, ...]:
    """Standard deviation of T, and the third to fifth central moments over its powers.

    nan where T is constant. As in `chancecorr.tables.pair_sum`: exact until the last step, since the mean is
    far larger than the standard deviation.
    """
    listed = list(pair_sequences(ORDER)[-1])
    brackets = {
        components: R_a[:, place]
        * R_b[:, place]
        * math.perm(n - sum(components), LEAST_OBJECTS - sum(components))
        for place, components in enumerate(listed)
    }
    D = math.perm(n, LEAST_OBJECTS)
    N1, N2, N3, N4, N5 = (
        sum(times * brackets[components] for components, times in c.items()) for c in pair_sequences(ORDER)
    )
    square = N1 * N1
    cube = square * N1
    second = N2 * D - square
    third = (N3 * D - 3 * N1 * N2) * D + 2 * cube
    fourth = ((N4 * D - 4 * N1 * N3) * D + 6 * square * N2) * D - 3 * cube * N1
    fifth = (((N5 * D - 5 * N1 * N4) * D + 10 * square * N3) * D - 10 * cube * N2) * D + 4 * cube * square
    central = [
        (each / D**power).astype(np.float64)
        for power, each in ((2, second), (3, third), (4, fourth), (5, fifth))
    ]
    with np.errstate(all="ignore"):
        std = np.sqrt(np.where(central[0] > 0.0, central[0], math.nan))
        return std, central[1] / std**3, central[2] / std**4, central[3] / std**5


def _by_quadrature(
    index: Index,
    centre: Counts,
    squares: tuple[Integers, Integers],
    n: int,
    moments: tuple[Floats, ...],
) -> tuple[Floats, Booleans]:
    """Means by three nodes, and whether these are as good as more."""
    std, skewness, kurtosis, fifth = moments
    a, b, c, d = centre
    with np.errstate(all="ignore"):
        beta = kurtosis - skewness**2 - 1.0
        usable = (beta > 0.1) & (np.abs(skewness) <= MOST_SKEWNESS) & (kurtosis <= MOST_KURTOSIS)
        alpha = (fifth - 2.0 * skewness * kurtosis + skewness**3) / beta
    usable &= np.isfinite(alpha)
    means = np.full(std.size, math.nan)
    known = np.zeros(std.size, dtype=np.bool_)
    some = np.flatnonzero(usable)
    if not some.size:
        return means, known
    offsets, weights = _rules(skewness[some], beta[some], alpha[some])
    std, beta, centre = std[some], beta[some], (a[some], b[some], c[some], d[some])
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
    at_nodes, in_window, over_range = np.split(values, [3, 4 + WINDOW_POINTS], axis=1)
    inside = (offsets[:, 0] >= left) & (offsets[:, -1] <= right)
    finite = np.isfinite(values).all(axis=1)
    with np.errstate(all="ignore"):
        middle = at_nodes[:, 1]
        found = middle + (weights * (at_nodes - middle[:, np.newaxis])).sum(axis=1)
        smooth, remainder = _remainder(in_window, beta, std / 2.0 / half)
        size = np.abs(in_window).max(axis=1)
        good = inside & finite & smooth & (remainder <= 4.0 * EPSILON * size) & ~_has_pole(over_range)
    means[some], known[some] = np.where(good, found, math.nan), good
    return means, known


def _values_beside(
    index: Index, centre: Counts, offsets: Floats, squares: tuple[Integers, Integers], n: int
) -> Floats:
    """Index where so many more pairs are together in both clusterings than on average; shape as `offsets`."""
    a, b, c, d = (each[:, np.newaxis] for each in centre)
    counts = tuple((each).ravel() for each in (a + offsets, b - offsets, c - offsets, d + offsets))
    A, B = (np.repeat(each, offsets.shape[1]) for each in squares)
    return values_of_varying_pairs(index, counts, (A, B), n).reshape(offsets.shape)


def _rules(skewness: Floats, beta: Floats, alpha: Floats) -> tuple[Floats, Floats]:
    """Nodes in standard deviations from the mean, ascending, and weights, each of shape (p, 3)."""
    matrices = np.zeros((skewness.size, 3, 3))
    matrices[:, 1, 1], matrices[:, 2, 2] = skewness, alpha
    matrices[:, 0, 1] = matrices[:, 1, 0] = 1.0
    matrices[:, 1, 2] = matrices[:, 2, 1] = np.sqrt(beta)
    nodes, vectors = np.linalg.eigh(matrices)
    weights = vectors[:, 0, :] ** 2
    return nodes, weights / weights.sum(axis=1, keepdims=True)


def _remainder(in_window: Floats, beta: Floats, std: Floats) -> tuple[Booleans, Floats]:
    """Whether the index is a polynomial near the mean but for 1e-8 of its variation, and the error of a rule.

    By its Chebyshev coefficients c_k over the window, `std` being a share of the half-width of that. The rule
    is wrong by ``sum c_k t_k`` times the squared norm of the cubic orthogonal polynomial, with ``t_k = k**2
    (k**2 - 4) (k**2 - 16) / 720``, the size in the middle of the sixth derivative of the Chebyshev polynomial
    over 6!. That norm is the product of beta_2 and beta_3, which is at most three times beta_2 for laws
    between the normal and the gamma; a factor of four is for others.
    """
    spectrum = np.abs(np.fft.rfft(np.concatenate([in_window, in_window[:, -2:0:-1]], axis=1), axis=1))
    spectrum = spectrum[:, : WINDOW_POINTS + 1] / WINDOW_POINTS
    tolerance = 1e-8 * np.ptp(in_window, axis=1) + 64.0 * EPSILON * np.abs(in_window).max(axis=1)
    smooth = spectrum[:, WINDOW_POINTS // 2 :].max(axis=1) <= tolerance
    k = np.arange(6.0, WINDOW_POINTS + 1)
    sixth = k**2 * (k**2 - 4.0) * (k**2 - 16.0) / 720.0
    return smooth, 4.0 * beta * 3.0 * beta * std**6 * (spectrum[:, 6:] @ sixth)


def _has_pole(values: Floats) -> Booleans:
    """Whether values grow towards a change of sign from both sides, as in `exact.moments.smoothness`."""
    sign, size = np.sign(values), np.abs(values)
    crossing = (
        (sign[:, 1:-2] * sign[:, 2:-1] < 0) & (size[:, :-3] < size[:, 1:-2]) & (size[:, 3:] < size[:, 2:-1])
    )
    return np.asarray(crossing.any(axis=1))
