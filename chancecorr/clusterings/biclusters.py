"""Biclusterings: rows and columns of a matrix are clustered, and each block of cells is a cluster.

Two such clusterings have a contingency table of rows and one of columns; that of the cells is their Kronecker
product, so that ``T = sum n_ij**2`` of the cells is the product of those of rows and columns. If rows and
columns are permuted, each on its own, the two factors are independent.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from chancecorr.exact.closed_laws import PairSumLaw
from chancecorr.exact.enumeration import shared_pair_sum_law
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Integers
from chancecorr.machine.budget import TooCostlyError
from chancecorr.tables.contingency import ContingencyTable, Margins, as_table, pair_counts_of
from chancecorr.tables.objects import read_partition
from chancecorr.tables.pair_sum import PairSumMoments, pair_sum_moments
from chancecorr.tables.reading import contingency_table

BYTES_OF_A_PRODUCT = 48
"""Of a product of two T with its probability, its place, and what finds them."""

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
            object.__setattr__(self, name, read_partition(name, getattr(self, name))[0])

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
    For permuted cells ``P Q / C(n, 2)`` pairs of n cells are expected to be together in both, of P and Q
    pairs in each. Permuted rows and columns keep more together, because all cells of a row stay in it.

    Source: Robert, Vasseur & Brault (2021), doi:10.1007/s00357-020-09379-w.

    Examples
    --------
    >>> cari, mean = published_cari([[2, 0], [1, 3]], [[2, 1], [0, 2]])
    >>> round(cari, 4), round(mean, 4)
    (0.258, 0.0686)
    """
    tables = as_table(rows), as_table(columns)
    margins = combine_margins(tables)
    n, (A, B) = margins.n, margins.squares
    T = tables[0].sum_of_squares * tables[1].sum_of_squares
    a, b, c, d = map(float, pair_counts_of(T, A, B, n))
    scale = (a + b) * (b + d) + (a + c) * (c + d)
    cari = 2.0 * (a * d - b * c) / scale if scale else 1.0 if a + d > 0.0 else math.nan
    together = (combine_moments(tables).mean - n) / 2
    P, Q, pairs = Fraction(A - n, 2), Fraction(B - n, 2), math.comb(n, 2)
    room = (P + Q) / 2 - P * Q / pairs if pairs else 0
    mean = float((together - P * Q / pairs) / room) if room else math.nan
    return cari, mean


Tables = tuple[ContingencyTable, ContingencyTable]


def combine_margins(tables: Tables) -> Margins:
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


def combine_moments(tables: Tables) -> PairSumMoments:
    """Mean and variance of T of the cells; what no mean or variance needs is left at 0."""
    (m, v), (M, V) = ((t.mean, t.variance) for t in (pair_sum_moments(table.margins) for table in tables))
    variance = v * V + v * M**2 + V * m**2
    return PairSumMoments(mean=m * M, variance=variance, third=Fraction(0), fourth=Fraction(0))


def multiply_laws(tables: Tables, seconds: float, most_bytes: int | None) -> PairSumLaw | None:
    """Law of the product of the independent T of both tables; None if it is too costly to list."""
    try:
        first, second = (shared_pair_sum_law(table.margins, seconds) for table in tables)
    except TooCostlyError:
        return None
    most = MOST_PRODUCTS if most_bytes is None else min(MOST_PRODUCTS, most_bytes // BYTES_OF_A_PRODUCT)
    if first.values.size * second.values.size > most:
        return None
    products = np.outer(first.values, second.values).ravel()
    values, where = np.unique(products, return_inverse=True)
    p = np.bincount(where, np.outer(first.probabilities, second.probabilities).ravel())
    lost_mass = first.lost_mass + second.lost_mass
    return replace(first, values=values, probabilities=p.astype(np.float64), lost_mass=lost_mass)
