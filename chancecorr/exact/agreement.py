"""Exact mean and variance of a mean weight of two labels under fixed margins.

The candidate's labels are permuted. The mean of ``sum_t w[a_t, b_t] / n`` is the mean of w over all ordered
pairs of objects, and its variance is the sum of the squared doubly centred w over these pairs, divided by
``n^2 (n - 1)``: Hoeffding (1951), doi:10.1214/aoms/1177729593.
"""

from dataclasses import replace

import numpy as np

from chancecorr.exact.summary import UNKNOWN, Moments, bound_rounding
from chancecorr.indices.agreement import weigh_cells
from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import Margins


def compute_agreement_moments(index: Index, margins: Margins) -> Moments:
    """Return mean and variance of an ``"agreement"`` index; nan if a weight is 0/0 or without objects."""
    if not margins.n:
        return UNKNOWN
    labels = [np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals)]
    weights = weigh_cells(index, labels[0][:, np.newaxis], labels[1][np.newaxis], margins)
    totals = margins.row_totals[labels[0]], margins.column_totals[labels[1]]
    return compute_moments_of_weights(weights, *totals)


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
