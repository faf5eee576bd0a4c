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
from chancecorr.tables.contingency import Margins


def compute_agreement_moments(index: Index, margins: Margins) -> Moments:
    """Return mean and variance of an ``"agreement"`` index; nan if a weight is 0/0 or without objects."""
    n = margins.n
    if not n:
        return UNKNOWN
    labels = [np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals)]
    weights = weigh_cells(index, labels[0][:, np.newaxis], labels[1][np.newaxis], margins)
    p, q = margins.row_totals[labels[0]] / n, margins.column_totals[labels[1]] / n
    of_rows, of_columns = weights @ q, p @ weights
    mean = float(p @ of_rows)
    centred = weights - of_rows[:, np.newaxis] - of_columns + mean
    centred[np.abs(centred) <= bound_rounding(np.abs(weights).max())] = 0.0
    variance = float(p @ centred**2 @ q) / (n - 1) if n > 1 else 0.0
    return replace(UNKNOWN, mean=mean, variance=variance)
