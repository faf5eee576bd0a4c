"""Biclusterings: rows and columns of a matrix are clustered, and each block of cells is a cluster.

Two such clusterings have a contingency table of rows and one of columns; that of the cells is their Kronecker
product, so that ``T = sum n_ij**2`` of the cells is the product of those of rows and columns. If rows and
columns are permuted, each on its own, the two factors are independent.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, as_count
from chancecorr.budget import TooCostlyError
from chancecorr.clusterings.pair_degrees import PairDegrees, adjusted_rand
from chancecorr.clusterings.tiles import label_codes
from chancecorr.exact.adjusted_score import compute_adjusted_score
from chancecorr.exact.laws.enumeration import PairSumLaw, shared_pair_sum_law
from chancecorr.exact.moments.affine import affine_moments
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import AnyIndex, get_index
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.null.permutation import pair_sums, plan_sampler
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.tables.contingency import ContingencyTable, Margins, as_table, pair_counts_of
from chancecorr.tables.pair_sum import PairSumMoments, pair_sum_moments
from chancecorr.tables.reading import contingency_table

MOST_PRODUCTS = 1 << 22
"""Pairs of values of T of rows and of columns up to which the law of their product is listed."""

MOST_SECONDS = 1.0
"""Forecast of the enumeration of a law beyond which T is sampled."""


@dataclass(frozen=True, slots=True, eq=False)
class Biclusters:
    """Clusters of the rows and clusters of the columns of a matrix: each block of cells is a cluster.

    Parameters
    ----------
    rows, columns : array-like of shape (rows,), (columns,)
        Cluster of each row, and of each column.

    Raises
    ------
    ValueError, TypeError
        If labels are missing, or no labels.

    Notes
    -----
    Robert, Vasseur & Brault (2021), doi:10.1007/s00357-020-09379-w. Chance permutes the rows and the columns,
    each on their own.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> first, second = Biclusters([0, 0, 1, 1], [0, 0, 1]), Biclusters([0, 0, 0, 1], [0, 1, 1])
    >>> score = adjust(first, second)
    >>> round(score.expected, 6), score.p_value_from
    (0.651515, 'exact')
    """

    rows: Integers
    columns: Integers

    def __post_init__(self) -> None:
        """Number both kinds of labels from 0."""
        for name in ("rows", "columns"):
            object.__setattr__(self, name, label_codes(name, getattr(self, name)))

    def tables_with(self, other: "Biclusters", names: tuple[str, str]) -> "Tables":
        """Tables of the two clusterings of the rows, and of those of the columns.

        Parameters
        ----------
        other : Biclusters
            Of the same matrix.
        names : (str, str)
            What messages call the two.

        Returns
        -------
        (ContingencyTable, ContingencyTable)
            Of the rows, and of the columns.
        """
        shapes = [(each.rows.size, each.columns.size) for each in (self, other)]
        if shapes[0] != shapes[1]:
            raise ArgumentValueError(
                names[1], f"must be of a matrix of shape {shapes[0]}; got {shapes[1]}.", names[0]
            )
        return contingency_table(self.rows, other.rows), contingency_table(self.columns, other.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class BiclusterAgreement:
    """An index of two biclusterings, and what it is when rows and columns are permuted."""

    index: str
    observed: float
    expected: float
    variance: float
    expected_error: float  # standard error of `expected`; 0 if it is exact
    best: float = 1.0
    values: Floats  # null distribution, ascending
    probabilities: Floats
    is_exact: bool  # whether the null distribution is listed, and not sampled
    lost_mass: float = 0.0  # probability that a listed one lacks at most

    @property
    def score(self) -> float:
        """Adjusted index; nan if chance alone attains the best value."""
        return compute_adjusted_score(self.observed, self.best, self.expected)


def bicluster_agreement(
    rows: Any,
    columns: Any,
    index: AnyIndex = "rand",
    *,
    n_samples: int = 10_000,
    seconds: float = MOST_SECONDS,
    rng: RNG = None,
) -> BiclusterAgreement:
    """Pair-counting index of the cells of two biclusterings, with its law when rows and columns are permuted.

    Parameters
    ----------
    rows, columns : ContingencyTable or array-like of counts
        Tables of the two clusterings of the rows, and of those of the columns.
    index : str or Index
        An index of the catalogue that needs pairs.
    n_samples : int
        Pairs of T that are drawn if the laws take longer than `seconds` or have too many values.
    seconds : float
        Time, by forecast, in which each law of T must be listed; none is if it is 0.
    rng : None, int, SeedSequence or Generator
        As in SciPy; used only if the distribution is sampled.

    Returns
    -------
    BiclusterAgreement
        For indices that are affine in T, mean and variance are exact in any case.

    Raises
    ------
    ValueError
        If the index is no pair-counting one, or there are more than 3,037,000,499 cells.

    Notes
    -----
    ``E T = E T_rows E T_columns``, and likewise for all moments of T about 0.

    Source: Robert, Vasseur & Brault (2021), doi:10.1007/s00357-020-09379-w, for the clusters of cells; their
    CARI takes the expected value of permuted cells, see `published_cari`. Null model: permutations of the
    rows, and independent ones of the columns, of the second biclustering.

    Examples
    --------
    >>> found = bicluster_agreement([[2, 0], [1, 3]], [[2, 1], [0, 2]])
    >>> round(found.observed, 4), round(found.expected, 4), found.is_exact
    (0.7218, 0.6509, True)
    """
    entry, n_samples = get_index(index), as_count("n_samples", n_samples, minimum=2)
    if entry.needs != "pairs":
        raise ArgumentValueError("index", f"must be a pair-counting index; got {entry.name!r}.")
    tables = as_table(rows), as_table(columns)
    margins = _margins_of_cells(tables)
    T = np.array([tables[0].sum_of_squares * tables[1].sum_of_squares], dtype=np.int64)
    laws = [_law(table.margins, seconds) if seconds > 0.0 else None for table in tables]
    found = _product(laws)
    is_exact = found is not None
    sums, p = found or _sampled(tables, n_samples, rng)
    values = values_of_pair_sums(entry, sums, margins)
    mean = float(p @ values)
    variance = float(p @ (values - mean) ** 2) * (1.0 if is_exact else n_samples / (n_samples - 1.0))
    error = 0.0 if is_exact else math.sqrt(variance / n_samples)
    if entry.affine:
        moments = affine_moments(entry, margins, _moments(tables))
        mean, variance, error = moments.mean, moments.variance, 0.0
    order = np.argsort(values, kind="stable")
    return BiclusterAgreement(
        index=entry.name,
        observed=float(values_of_pair_sums(entry, T, margins)[0]),
        expected=mean,
        variance=variance,
        expected_error=error,
        best=math.nan if entry.best is None else entry.best,
        values=values[order],
        probabilities=p[order],
        is_exact=is_exact,
        lost_mass=sum(law.lost_mass for law in laws if law) if is_exact else 0.0,
    )


def published_cari(rows: Any, columns: Any) -> tuple[float, float]:
    """CARI as published, and its exact mean when rows and columns are permuted, which is above 0.

    Parameters
    ----------
    rows, columns : ContingencyTable or array-like of counts
        As in `bicluster_agreement`.

    Returns
    -------
    (float, float)
        Adjusted Rand index of the cells, and its mean.

    Raises
    ------
    ValueError
        If there are more than 3,037,000,499 cells.

    Notes
    -----
    The expected number of pairs of cells that are together in both is, for permuted cells, ``P Q / C(n, 2)``
    with n cells, of which P pairs are together in the first clustering and Q in the second. Permuted rows and
    columns keep more pairs together, because all cells of a row stay in it.

    Source: Robert, Vasseur & Brault (2021), doi:10.1007/s00357-020-09379-w.

    Examples
    --------
    >>> cari, mean = published_cari([[2, 0], [1, 3]], [[2, 1], [0, 2]])
    >>> round(cari, 4), round(mean, 4)
    (0.258, 0.0686)
    """
    tables = as_table(rows), as_table(columns)
    margins = _margins_of_cells(tables)
    n, (A, B) = margins.n, margins.squares
    observed = pair_counts_of(tables[0].sum_of_squares * tables[1].sum_of_squares, A, B, n)
    a = (_moments(tables).mean - n) / 2
    P, Q, pairs = Fraction(A - n, 2), Fraction(B - n, 2), math.comb(n, 2)
    room = (P + Q) / 2 - P * Q / pairs if pairs else 0
    mean = float((a - P * Q / pairs) / room) if room else math.nan
    return adjusted_rand(PairDegrees(*map(float, observed))), mean


def consensus_agreement(
    reference: Any, candidate: Any, *, n_samples: int = 1_000, rng: RNG = None
) -> BiclusterAgreement:
    """Consensus score of two sets of biclusters, with its distribution when those of the second are permuted.

    Parameters
    ----------
    reference, candidate : (array-like, array-like)
        Which rows, shape (biclusters, rows), and which columns, shape (biclusters, columns), are in each.
        Biclusters may overlap, or leave cells out.
    n_samples : int
        Pairs of permutations that are drawn.
    rng : None, int, SeedSequence or Generator
        As in SciPy.

    Returns
    -------
    BiclusterAgreement
        With sampled mean and variance.

    Raises
    ------
    TypeError, ValueError
        If these are no such arrays, their shapes do not fit, or ``n_samples < 2``.

    Notes
    -----
    Jaccard similarities of the biclusters as sets of cells, matched one to one so that their sum is largest,
    over the larger number of biclusters. Source: Hochreiter et al. (2010), doi:10.1093/bioinformatics/btq227;
    ``consensus_score`` in scikit-learn, not corrected for chance. Null model: permutations of the rows, and
    independent ones of the columns, of the candidate.

    Examples
    --------
    >>> first = [[1, 1, 0], [0, 0, 1]], [[1, 0], [0, 1]]
    >>> second = [[1, 0, 0], [0, 1, 1]], [[1, 0], [0, 1]]
    >>> consensus_agreement(first, second, n_samples=100, rng=1).observed
    0.5
    """
    n_samples = as_count("n_samples", n_samples, minimum=2)
    arrays = _indicators(reference, candidate)
    generator = np.random.default_rng(int(seed_from(rng)))
    sizes = [each.shape[1] for each in arrays[1]]
    draws = [tuple(generator.permutation(size) for size in sizes) for _ in range(n_samples)]
    values = np.sort(_consensus(*arrays, draws))
    variance = float(values.var(ddof=1))
    return BiclusterAgreement(
        index="consensus_score",
        observed=float(_consensus(*arrays, [None])[0]),
        expected=float(values.mean()),
        variance=variance,
        expected_error=math.sqrt(variance / n_samples),
        values=values,
        probabilities=np.full(n_samples, 1.0 / n_samples),
        is_exact=False,
    )


Tables = tuple[ContingencyTable, ContingencyTable]


def _margins_of_cells(tables: Tables) -> Margins:
    """Sizes of the clusters of cells."""
    sizes = [table.n for table in tables]
    if sizes[0] * sizes[1] > 3_037_000_499:
        raise ArgumentValueError(
            "rows", f"and `columns` must have at most 3,037,000,499 cells; got {sizes[0]:,} x {sizes[1]:,}."
        )
    first, second = (table.margins for table in tables)
    return Margins(
        np.kron(first.row_totals, second.row_totals), np.kron(first.column_totals, second.column_totals)
    )


def _moments(tables: Tables) -> PairSumMoments:
    """Mean and variance of T of the cells; what no mean or variance needs is left at 0."""
    (m, v), (M, V) = ((t.mean, t.variance) for t in (pair_sum_moments(table.margins) for table in tables))
    variance = v * V + v * M**2 + V * m**2
    return PairSumMoments(mean=m * M, variance=variance, third=Fraction(0), fourth=Fraction(0))


def _law(margins: Margins, seconds: float) -> PairSumLaw | None:
    """Law of T if it can be listed in time."""
    try:
        return shared_pair_sum_law(margins, seconds)
    except TooCostlyError:
        return None


def _product(laws: list[PairSumLaw | None]) -> tuple[Integers, Floats] | None:
    """Law of the product of two independent T, if both are listed."""
    first, second = laws
    if first is None or second is None or first.values.size * second.values.size > MOST_PRODUCTS:
        return None
    products = np.outer(first.values, second.values).ravel()
    values, where = np.unique(products, return_inverse=True)
    p = np.bincount(where, np.outer(first.probabilities, second.probabilities).ravel())
    return values, p.astype(np.float64)


def _sampled(tables: Tables, n_samples: int, rng: RNG) -> tuple[Integers, Floats]:
    """Products of T of rows and T of columns, each drawn with a seed of its own."""
    seeds = np.random.SeedSequence(int(seed_from(rng))).generate_state(2, np.uint64)
    first, second = (
        pair_sums(plan_sampler(table.margins), seed, 0, n_samples)
        for table, seed in zip(tables, seeds, strict=True)
    )
    return first * second, np.full(n_samples, 1.0 / n_samples)


Indicators = tuple[Booleans, Booleans]
"""Which rows and which columns are in each bicluster."""


def _indicators(reference: Any, candidate: Any) -> tuple[Indicators, Indicators]:
    """Both sets of biclusters, of the same rows and columns."""
    found = []
    for name, given in (("reference", reference), ("candidate", candidate)):
        arrays = [np.asarray(each) for each in given] if isinstance(given, tuple | list) else []
        if len(arrays) != 2 or any(each.ndim != 2 for each in arrays) or len(arrays[0]) != len(arrays[1]):
            raise ArgumentTypeError(
                name,
                "must be two arrays, of shapes (biclusters, rows) and (biclusters, columns);"
                f" got shapes {[each.shape for each in arrays]}.",
            )
        found.append((arrays[0].astype(np.bool_), arrays[1].astype(np.bool_)))
    shapes = [tuple(each.shape[1] for each in arrays) for arrays in found]
    if shapes[0] != shapes[1]:
        raise ArgumentValueError(
            "candidate",
            f"must have the rows and columns of `reference`; got {shapes[1]} and {shapes[0]}.",
            "reference",
        )
    return found[0], found[1]


def _consensus(P: Indicators, Q: Indicators, draws: list[Any]) -> Floats:
    """Consensus scores with permuted rows and columns of the second; None permutes nothing."""
    from scipy.optimize import linear_sum_assignment  # takes longer to import than most answers

    (p_rows, p_columns), (q_rows, q_columns) = ([each.astype(np.float64) for each in side] for side in (P, Q))
    sizes = np.add.outer(p_rows.sum(1) * p_columns.sum(1), q_rows.sum(1) * q_columns.sum(1))
    most = max(len(p_rows), len(q_rows), 1)
    out = np.empty(len(draws))
    for t, draw in enumerate(draws):
        rows, columns = (q_rows, q_columns) if draw is None else (q_rows[:, draw[0]], q_columns[:, draw[1]])
        both = (p_rows @ rows.T) * (p_columns @ columns.T)
        jaccard = both / np.maximum(sizes - both, 1.0)
        out[t] = jaccard[linear_sum_assignment(jaccard, maximize=True)].sum() / most
    return out
