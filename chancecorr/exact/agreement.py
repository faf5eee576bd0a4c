"""Exact mean and variance of a mean weight of two labels, under three models of chance.

Under fixed margins, the candidate's labels are permuted. The mean of ``sum_t w[a_t, b_t] / n`` is the mean of
w over all ordered pairs of objects, and its variance is the sum of the squared doubly centred w over these
pairs, divided by ``n^2 (n - 1)``: Hoeffding (1951), doi:10.1214/aoms/1177729593.

If all labels have the same probability on both sides, the weights of the objects are independent, and each
cell of the table has the same probability for an object.

If the ``M = 2 n`` labels of both sides are dealt anew, each object has a random pair of the labels in the
pool. Let w be the weight of two labels of the pool less its mean over all ordered pairs, v the mean of w and
its transpose, and ``v_i`` the sum of ``v_ij`` over all j except i. The sum of ``w_ij w_kl`` over four
different labels of the pool is ``2 sum_ij v_ij^2 - 4 sum_i v_i^2``, by inclusion and exclusion, because the
sum of w is 0. Two objects always have four different labels of the pool.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from chancecorr.exact.enumeration import list_table_law
from chancecorr.exact.means_without_object import remove_object_at
from chancecorr.exact.summary import UNKNOWN, Moments, bound_rounding
from chancecorr.indices.agreement import find_fixed_weights, weigh_cells
from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import TooCostlyError
from chancecorr.tables.contingency import Margins


def compute_agreement_moments(index: Index, margins: Margins) -> Moments:
    """Return mean and variance of an ``"agreement"`` index; nan if a weight is 0/0 or without objects."""
    if not margins.n:
        return UNKNOWN
    labels = [np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals)]
    weights = weigh_cells(index, labels[0][:, np.newaxis], labels[1][np.newaxis], margins)
    totals = margins.row_totals[labels[0]], margins.column_totals[labels[1]]
    return compute_moments_of_weights(weights, *totals)


MOST_WEIGHTS_LEFT_OUT = 20_000_000  # most weights that all means without an object take: a second


def compute_agreement_changes(
    index: Index, margins: Margins, rows: Integers, columns: Integers
) -> Floats | None:
    """Return the change of the mean when an object of each cell is removed; None if this is too costly."""
    mean, n, shape = compute_agreement_moments(index, margins).mean, margins.n, margins.row_totals.size
    if n < 2:
        return np.full(rows.size, np.nan)
    weights = find_fixed_weights(index, shape) if shape**2 <= MOST_WEIGHTS_LEFT_OUT else None
    if weights is not None:  # the object leaves both sides, and its own weight would be subtracted twice
        of_rows, of_columns = weights @ margins.column_totals, margins.row_totals @ weights
        left = margins.row_totals @ of_rows - of_rows[rows] - of_columns[columns] + weights[rows, columns]
        return np.asarray(left / (n - 1.0) ** 2 - mean, dtype=np.float64)
    if rows.size * shape**2 > MOST_WEIGHTS_LEFT_OUT:
        return None
    without = (remove_object_at(margins, *cell) for cell in zip(rows.tolist(), columns.tolist(), strict=True))
    return np.array([compute_agreement_moments(index, smaller).mean - mean for smaller in without])


def compute_moments_of_weights(weights: Floats, row_totals: Integers, column_totals: Integers) -> Moments:
    """Return mean and variance of the mean weight of two labels, for at least one object."""
    n = int(row_totals.sum())
    p, q = row_totals / n, column_totals / n
    of_rows, of_columns = weights @ q, p @ weights
    mean = float(p @ of_rows)
    centred = weights - of_rows[:, np.newaxis] - of_columns + mean
    centred[np.abs(centred) <= bound_rounding(np.abs(weights).max())] = 0.0
    variance = float(p @ centred**2 @ q) / (n - 1) if n > 1 else 0.0
    return replace(UNKNOWN, mean=mean, variance=variance)


def compute_moments_of_uniform_labels(weights: Floats, n: int) -> Moments:
    """Return mean and variance of the mean weight of n objects, if each cell has the same probability."""
    mean = float(weights.mean())
    centred = weights - mean
    centred[np.abs(centred) <= bound_rounding(np.abs(weights).max())] = 0.0
    return replace(UNKNOWN, mean=mean, variance=float(np.mean(centred**2)) / n)


MOST_UNITS = 10_000  # most units between the lowest and the highest weight, for a distribution

NANOSECONDS_OF_A_PRODUCT, NANOSECONDS_OF_AN_OBJECT = 1.0, 5_000.0
"""Time of a product in a convolution, and of the call for one more object."""


def compute_law_of_uniform_labels(weights: Floats, n: int, seconds: float) -> tuple[Floats, Floats] | None:
    """Return the values of the mean weight of n objects and their probabilities.

    The weights are whole numbers of a common unit below the highest weight, and one object after another is
    added by a convolution. The result is None if the weights do not have a common unit, or if the forecast
    is above `seconds`.
    """
    most, least = float(weights.max()), float(weights.min())
    if most == least:
        return np.array([most]), np.ones(1)
    losses = (most - weights) / (most - least)
    shares = np.unique(losses).tolist()
    units = math.lcm(*(Fraction(share).limit_denominator(MOST_UNITS).denominator for share in shares))
    forecast = 1e-9 * (NANOSECONDS_OF_AN_OBJECT * n + NANOSECONDS_OF_A_PRODUCT * (n * units) ** 2 / 2)
    if units > MOST_UNITS or forecast > seconds:
        return None
    places = np.rint(losses * units)
    if np.abs(losses - places / units).max() > bound_rounding(1.0):
        return None
    of_object, p = np.bincount(places.astype(np.int64).ravel()) / weights.size, np.ones(1)
    for _ in range(n):
        p = np.convolve(p, of_object)
    lost = np.flatnonzero(p)
    values = most - lost * ((most - least) / (units * n))
    return np.asarray(values, dtype=np.float64), p[lost]


def compute_moments_of_pooled_labels(weights: Floats, pool: Integers) -> Moments:
    """Return mean and variance of the mean weight, if the labels of a pool are dealt to n objects."""
    labels = np.flatnonzero(pool)
    w, c = weights[np.ix_(labels, labels)], pool[labels].astype(np.float64)
    M = float(c.sum())
    n = M / 2.0
    mean = float(c @ w @ c - c @ np.diag(w)) / (M * (M - 1.0))
    w = w - mean
    w[np.abs(w) <= bound_rounding(np.abs(weights).max())] = 0.0
    v = (w + w.T) / 2.0
    squares, of_both = (float(c @ x**2 @ c - c @ np.diag(x) ** 2) for x in (w, v))
    of_object, covariance = squares / (M * (M - 1.0)), 0.0
    if n > 1.0:
        four = 2.0 * of_both - 4.0 * float(c @ (v @ c - np.diag(v)) ** 2)
        covariance = four / (M * (M - 1.0) * (M - 2.0) * (M - 3.0))
    variance = of_object + (n - 1.0) * covariance
    variance = 0.0 if variance <= bound_rounding(of_object) else variance / n
    return replace(UNKNOWN, mean=mean, variance=variance)


def list_tables_of_pool(pool: Integers, limit: int) -> tuple[Integers, Floats]:
    """List all tables of the labels of a pool dealt to objects, shape (m, K, K), with their probabilities.

    First the labels are divided between the two sides, as a table with two columns, and then matched.
    """
    n, left = int(pool.sum()) // 2, limit
    listed, probabilities = list[Integers](), list[Floats]()
    for sides, p in zip(*list_table_law(Margins(pool, [n, n]), limit), strict=True):
        tables, of_tables = list_table_law(Margins(*sides.T), max(left, 1))
        left -= len(tables)
        if left < 0:
            raise TooCostlyError("margins", f"must have at most {limit:,} tables to be listed.")
        listed.append(tables)
        probabilities.append(p * of_tables)
    return np.concatenate(listed), np.concatenate(probabilities)
