"""Exact expectations under the random models of `chancecorr.null.partitions`.

The expansion of ``U**m``, ``U = T - n``, over components of sizes lambda in
`chancecorr.exact.moments.pair_sum` holds for any two independent clusterings, at least one of them matched at
random: with ``v = |lambda|`` objects in c components ::

    E U^m = sum over lambda of  c_m(lambda) (n)_v rho_row(lambda) rho_column(lambda)

where rho is the probability that v given objects lie so that each component is inside one cluster:
``R(lambda) / (n)_v`` for given sizes, ``S(n - v + c, k) / S(n, k)`` for a uniform partition into k clusters
and ``B(n - v + c) / B(n)`` for a uniform partition (each component shrinks to one object), S and B the
Stirling numbers of the second kind and the Bell numbers. These are kept as exact integers, up to
`MOST_OBJECTS` objects and `MOST_STEPS` steps of their recursions; beyond, the functions refuse, and sampling
remains.
"""

import functools
import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import as_count, one_of
from chancecorr.compiled import kernel
from chancecorr.exact.moments.additive import expected_in_cells
from chancecorr.exact.moments.components import Sizes, arrangements, factorial_sums, pair_sequences
from chancecorr.indices.evaluation import link_totals, values_of_varying_tables
from chancecorr.indices.registry import Index
from chancecorr.null.partitions import MODELS
from chancecorr.tables.contingency import Margins, as_margins

MOST_OBJECTS = 10_000
MOST_STEPS = 4_000_000
"""Limits of the exact recursions: ``n k`` steps for k clusters, ``n**2 / 2`` for any number of them. At both
they take about 10 seconds and 100 MB, once for each n and k."""

N_PROBES = 256
"""Sets of pair counts at which it is tried whether an index is linear in them."""

NEGLIGIBLE = 1e-20
"""Probability below which a cluster size, or relative to the likeliest a cell count, is left out."""


def model_raw_moments(margins: Margins, model: str, order: int = 4) -> list[Fraction]:
    """Moments ``E U, E U**2, ...`` of ``U = T - n``, the ordered pairs of distinct objects that share a cell.

    Parameters
    ----------
    margins : Margins
        Row totals of shape (K,), the reference, and column totals of shape (Q,). A model takes from them the
        number of objects, the numbers of non-empty clusters, and the sizes that it holds fixed.
    model : str
        A key of `chancecorr.null.partitions.MODELS`.
    order : int, default 4
        The highest power, at least 1.

    Returns
    -------
    list of Fraction
        ``E U**m`` for m = 1, ..., order; exact.

    Raises
    ------
    ValueError
        If there is no such model, `order` is below 1, or the exact recursions would take too long.

    Notes
    -----
    Source: the expansion at the head of this module, equal to the enumeration of all pairs of partitions of
    up to 6 objects. The models are those of Gates & Ahn (2017), arXiv:1701.06508, who give the mean.

    Examples
    --------
    >>> [6 + mean for mean in model_raw_moments(Margins([2, 2, 2], [4, 1, 1]), "fixed-k", order=1)]
    [Fraction(449, 54)]
    """
    margins, sides = _checked(margins, model)
    order = as_count("order", order)
    n = margins.n
    sequences = pair_sequences(order)
    every_size = [sizes for sizes in sequences[-1] if sum(sizes) <= n]
    row, column = (
        _chances_together(side, totals, n, order, every_size)
        for side, totals in zip(sides, (margins.row_totals, margins.column_totals), strict=True)
    )
    # brackets over the common denominator: one gcd per moment rather than one per term
    brackets = {sizes: math.perm(n, sum(sizes)) * row[0][sizes] * column[0][sizes] for sizes in every_size}
    return [
        Fraction(sum(count * brackets.get(sizes, 0) for sizes, count in c.items()), row[1] * column[1])
        for c in sequences
    ]


def expected_rand(margins: Margins, model: str) -> Fraction:
    """Mean of the Rand index under a model.

    Parameters
    ----------
    margins : Margins
        As in `model_raw_moments`; at least 2 objects.
    model : str
        A key of `chancecorr.null.partitions.MODELS`.

    Returns
    -------
    Fraction
        In [0, 1]; exact.

    Raises
    ------
    ValueError
        As `model_raw_moments`, and with fewer than 2 objects: no pair exists.

    Notes
    -----
    ``p q + (1 - p) (1 - q)`` with p and q the probabilities that two objects are together in the rows and in
    the columns. Source: Gates & Ahn (2017), arXiv:1701.06508.

    Examples
    --------
    >>> expected_rand(Margins([2, 2, 2], [4, 1, 1]), "all-partitions")
    Fraction(25505, 41209)
    """
    one_of("model", model, MODELS)
    if as_margins(margins).n < 2:
        raise ValueError(f"`margins` must hold at least 2 objects; got {margins.n}. No pair exists.")
    p, q = _probabilities_together(margins, model)
    return p * q + (1 - p) * (1 - q)


def expected_mutual_information(margins: Margins, model: str) -> float:
    """Mean of the mutual information under a model.

    Parameters
    ----------
    margins : Margins
        As in `model_raw_moments`.
    model : str
        A key of `chancecorr.null.partitions.MODELS`.

    Returns
    -------
    float
        In nats, at least 0; nan with no object.

    Raises
    ------
    ValueError
        If there is no such model, or the exact recursions would take too long.

    Notes
    -----
    ``E log(n h / (s r))`` over a random object, with s and r the sizes of its clusters and h that of its
    cell: ``h - 1`` is hypergeometric with s - 1 and r - 1 of the n - 1 other objects. A random object's
    cluster has size s with probability ``C(n-1, s-1) S(n-s, k-1) / S(n, k)`` in a uniform partition into k
    clusters and ``C(n-1, s-1) B(n-s) / B(n)`` in a uniform partition. Sizes and counts of probability below
    1e-20 are left out. Source: for given sizes Vinh, Epps & Bailey (2010), Journal of Machine Learning
    Research 11; for the other models Gates & Ahn (2017), arXiv:1701.06508.

    Examples
    --------
    >>> round(expected_mutual_information(Margins([4, 2], [2, 2, 2]), "one-sided-fixed-k"), 12)
    0.258883091594
    """
    margins, sides = _checked(margins, model)
    n = margins.n
    if n == 0:
        return math.nan
    (row_sizes, p), (column_sizes, q) = (
        _cluster_of_an_object(side, totals, n)
        for side, totals in zip(sides, (margins.row_totals, margins.column_totals), strict=True)
    )
    terms = np.empty((row_sizes.size, column_sizes.size))
    _fill_log_ratios(n, row_sizes, column_sizes, terms)
    return max(float(p @ terms @ q), 0.0)


def expected_value(index: Index, margins: Margins, model: str) -> float | None:
    """Mean of an index under a model, where it follows from what two objects do, or from single cells.

    Parameters
    ----------
    index : Index
        Any.
    margins : Margins
        As in `model_raw_moments`.
    model : str
        A key of `chancecorr.null.partitions.MODELS`.

    Returns
    -------
    float or None
        For a linear function of the pair counts, such as the Rand index, and for a sum over cells whose
        `link` is a line that does not go by the cluster sizes, such as the mutual information; None for any
        other, and for one object or none.

    Raises
    ------
    ValueError
        If there is no such model, or the exact recursions would take too long.

    Notes
    -----
    The clusterings are independent. Of the N pairs of objects ``N p q`` are together in both on average, p
    and q as in `expected_rand`. Of the clusters ``n P(s) / s`` have size s on average, P(s) the probability
    that a random object is in one of size s; the cell of one of size s and one of size r is hypergeometric.

    Examples
    --------
    >>> from chancecorr.indices.registry import get_index
    >>> round(expected_value(get_index("rand"), Margins([2, 2, 2], [4, 1, 1]), "all-partitions"), 12)
    0.618918197481
    >>> expected_value(get_index("jaccard"), Margins([2, 2, 2], [4, 1, 1]), "all-partitions") is None
    True
    """
    if index.needs == "pairs" and not index.with_totals:
        return _expected_linear(index, margins, model)
    if index.needs == "cells":
        return _expected_sum(index, margins, model)
    return None


def _expected_sum(index: Index, margins: Margins, model: str) -> float | None:
    """Mean of a sum over cells, its `link` being ``alpha + beta total`` with numbers that go by n alone."""
    n = margins.n
    line = _line_of_link(index, n)
    if line is None:
        return None
    margins, sides = _checked(margins, model)
    (row_sizes, p), (column_sizes, q) = (
        _cluster_of_an_object(side, totals, n)
        for side, totals in zip(sides, (margins.row_totals, margins.column_totals), strict=True)
    )
    means = expected_in_cells(index, row_sizes, column_sizes, n)
    return line[0] + line[1] * float((n * p / row_sizes) @ means @ (n * q / column_sizes))


def _line_of_link(index: Index, n: int) -> tuple[float, float] | None:
    """Intercept and slope of a link that is one line for all cluster sizes, as some of them tell."""
    if n < 2:
        return None
    sizes = ([n], [n - 1, 1], [(n + 1) // 2, n // 2], [1] * min(n, 7) + [n - 7] * (n > 7))
    totals = np.array([0.0, 0.31, 1.0])
    lines = np.array(
        [link_totals(index, totals, Margins(rows, columns)) for rows in sizes for columns in sizes]
    )
    first, _, last = lines[0].tolist()
    wanted = first + totals * (last - first)
    if not (np.abs(lines - wanted) <= 1e-12 * np.abs(wanted).max()).all():
        return None
    return first, last - first


def _expected_linear(index: Index, margins: Margins, model: str) -> float | None:
    """Mean of an index that is linear in the pair counts, as its values at many sets of them tell.

    Piecewise linear indices have their kinks in between: points in every corner find them.
    """
    n = margins.n
    if n < 2:
        return None
    N = n * (n - 1) // 2
    shares = np.random.default_rng(0).dirichlet([0.5] * 4, N_PROBES)
    corners = np.eye(4) * 0.6 + 0.1
    found = _at_shares(index, np.vstack([corners, shares]) * N, n)
    # a share is a mean of the corners with weights that sum to 1
    wanted = np.linalg.solve(corners.T, shares.T).T @ found[:4]
    if not (np.abs(wanted - found[4:]) <= 1e-11 * np.abs(found).max()).all():
        return None
    p, q = _probabilities_together(margins, model)
    expected = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    return float(_at_shares(index, np.array([[float(N * share) for share in expected]]), n)[0])


def _at_shares(index: Index, counts: npt.NDArray[np.float64], n: int) -> npt.NDArray[np.float64]:
    """Values of a ``"pairs"`` index at rows of pair counts that need not be whole."""
    nothing = np.zeros(len(counts), dtype=np.int64)
    return values_of_varying_tables(index, tuple(counts.T.copy()), (nothing, nothing), n)


def _probabilities_together(margins: Margins, model: str) -> tuple[Fraction, Fraction]:
    """Probabilities that two objects are together in the rows, and in the columns."""
    margins, sides = _checked(margins, model)
    p, q = (
        Fraction(numerators[2,], denominator)
        for numerators, denominator in (
            _chances_together(side, totals, margins.n, 1, [(2,)])
            for side, totals in zip(sides, (margins.row_totals, margins.column_totals), strict=True)
        )
    )
    return p, q


def _checked(margins: Margins, model: str) -> tuple[Margins, tuple[str, str]]:
    """Margins and the two sides of the model, unless too large for the exact recursions."""
    one_of("model", model, MODELS)
    margins = as_margins(margins)
    n = margins.n
    for side, totals in zip(MODELS[model], (margins.row_totals, margins.column_totals), strict=True):
        if side == "fixed":
            continue
        k = int(np.count_nonzero(totals))
        most = MOST_STEPS // k if side == "fixed-k" and k else math.isqrt(2 * MOST_STEPS)
        if n > min(most, MOST_OBJECTS):
            of_k = f" with {k} clusters" if side == "fixed-k" else ""
            raise ValueError(
                f"`margins` must hold at most {min(most, MOST_OBJECTS)} objects for exact expectations under "
                f"the model {model!r}{of_k}; got {n}. Sample instead."
            )
    return margins, MODELS[model]


def _chances_together(
    side: str, totals: npt.NDArray[np.int64], n: int, order: int, every_size: list[Sizes]
) -> tuple[dict[Sizes, int], int]:
    """``rho(lambda)`` for the lambda of at most n objects: numerators, and their common denominator."""
    if side == "fixed":
        R = arrangements(order, factorial_sums(totals, order + 1))
        most = min(n, 2 * order)
        return {
            sizes: R[sizes] * math.perm(n - sum(sizes), most - sum(sizes)) for sizes in every_size
        }, math.perm(n, most)
    partitions = _partitions(side, n, int(np.count_nonzero(totals)))
    return {sizes: partitions[n - sum(sizes) + len(sizes)] for sizes in every_size}, partitions[n]


def _cluster_of_an_object(
    side: str, totals: npt.NDArray[np.int64], n: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Sizes that the cluster of a random object can have, and their probabilities; n > 0."""
    if side == "fixed":
        sizes, counts = np.unique(totals[totals > 0], return_counts=True)
        return sizes, sizes * counts / n
    k = int(np.count_nonzero(totals))
    without = _partitions(side, n, k - 1)
    among = _partitions(side, n, k)[n]
    probabilities = np.zeros(n + 1)
    companions = 1  # C(n - 1, s - 1)
    for s in range(1, n + 1):
        probabilities[s] = companions * without[n - s] / among  # Python divides whole numbers exactly rounded
        companions = companions * (n - s) // s
    sizes = np.flatnonzero(probabilities > NEGLIGIBLE)
    return sizes, probabilities[sizes]


def _partitions(side: str, n: int, k: int) -> tuple[int, ...]:
    """Numbers of partitions of 0, ..., n objects: into k clusters, or all."""
    return _stirling_numbers(n, k) if side == "fixed-k" else _bell_numbers(n)


@functools.lru_cache(maxsize=4)
def _stirling_numbers(n: int, k: int) -> tuple[int, ...]:
    """``S(j, k)`` for j = 0, ..., n, by ``S(j, i) = i S(j-1, i) + S(j-1, i-1)``."""
    column = [1] + [0] * n
    for i in range(1, k + 1):
        following = [0] * (n + 1)
        for j in range(i, n + 1):
            following[j] = i * following[j - 1] + column[j - 1]
        column = following
    return tuple(column)


@functools.lru_cache(maxsize=4)
def _bell_numbers(n: int) -> tuple[int, ...]:
    """``B(j)`` for j = 0, ..., n, by the Bell triangle: a row starts with the last number of the last."""
    numbers, row = [1], [1]
    for _ in range(n):
        following = [row[-1]]
        for x in row:
            following.append(following[-1] + x)
        row = following
        numbers.append(row[0])
    return tuple(numbers)


@kernel
def _fill_log_ratios(
    n: int,
    row_sizes: npt.NDArray[np.int64],
    column_sizes: npt.NDArray[np.int64],
    out: npt.NDArray[np.float64],
) -> None:
    """``E log(n (1 + x) / (s r))``, x hypergeometric (n - 1, s - 1, r - 1), walked from its mode."""
    for i in range(row_sizes.size):
        for j in range(column_sizes.size):
            s, r = row_sizes[i], column_sizes[j]
            good, draws, rest = s - 1.0, r - 1.0, n - s - r + 1.0
            mode = max(np.floor(s * (r / (n + 1.0))), max(0.0, -rest))
            scale = n / (float(s) * float(r))
            weight, total = 1.0, np.log(scale * (1.0 + mode))
            x, p = mode, 1.0
            while p > NEGLIGIBLE:
                p *= ((good - x) * (draws - x)) / ((x + 1.0) * (rest + x + 1.0))
                x += 1.0
                weight += p
                total += p * np.log(scale * (1.0 + x))
            x, p = mode, 1.0
            while p > NEGLIGIBLE:
                p *= (x * (rest + x)) / ((good - x + 1.0) * (draws - x + 1.0))
                x -= 1.0
                if p > 0.0:
                    weight += p
                    total += p * np.log(scale * (1.0 + x))
            out[i, j] = total / weight
