"""Influence of single objects on an adjusted score by derivatives: the infinitesimal jackknife.

An index of pair counts is a function of the sums of squares T, A and B of cells, rows and columns, and so is
its expected value, but for its smallest terms; these sums are defined for cells that are not whole as well.
Where all objects weigh a little less and those of cell (i, j) a little more, n staying as it is, the sums
change at the rates ``2 (n n_ij - T)``, ``2 (n r_i - A)`` and ``2 (n c_j - B)``. The rate at which the
adjusted score changes is the influence of the object.
"""

from dataclasses import replace

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.correction.best import best_value
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut
from chancecorr.correction.request import Request
from chancecorr.exact.moments.moved_rule import AT_MEAN
from chancecorr.exact.moments.quadrature import pair_sum_rules
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.kinds.methods import AUTO
from chancecorr.machine.arrays import Floats
from chancecorr.tables.contingency import ContingencyTable

STEP = 1e-5
"""Weight by which an object is moved either way: errors of its square by curvature, of 1e-16 over it by
rounding."""


def infinitesimal(
    index: Index, table: ContingencyTable, asked: Request, null: NullDistribution, found: LeaveOneOut
) -> LeaveOneOut:
    """Scores without one object to first order, in place of those that `found` has.

    Raises
    ------
    ValueError
        If the index is not a smooth function of the pair counts alone, with a best value that does not go by
        the cluster sizes; a jackknife then is what there is.
    """
    kind = kind_of(index)
    fixed = index.best is not None if asked.best is None else not isinstance(asked.best, str)
    smooth = kind.goes_by_pair_sum and not index.with_totals and asked.model.keeps_margins
    if not (fixed and smooth and kind.moments(index, table.margins, AUTO)):
        raise ArgumentValueError(
            "method",
            f"must be 'jackknife' or 'bootstrap' for index {index.name!r} here: its adjusted score has no"
            " derivatives that are known; got 'infinitesimal'.",
        )
    rows, columns, counts = table.nonzero_cells
    n = float(table.n)
    sums = np.array([table.sum_of_squares, *table.margins.squares], dtype=np.float64)[:, np.newaxis]
    rates = 2.0 * (n * np.stack([counts, table.row_totals[rows], table.column_totals[columns]]) - sums)
    rule = AT_MEAN
    if not index.affine:
        fine = pair_sum_rules(table.margins, 5).fine
        rule = (fine.offsets, fine.weights)
    best = best_value(index, table.margins, asked.best)
    whole = _expected(index, sums[1:], n, rule)
    ends = []
    for step in (STEP, -STEP):
        moved = sums + step * rates
        observed = values_of_varying_pairs(index, _counts(moved[0], moved[1:], n), list(moved[1:]), table.n)
        expected = null.mean + _expected(index, moved[1:], n, rule) - whole
        with np.errstate(invalid="ignore", divide="ignore"):
            ends.append((observed - expected) / (best - expected))
    influence = (ends[0] - ends[1]) / (2.0 * STEP)
    return replace(found, without=found.whole - influence / n)


def _counts(T: Floats, squares: Floats, n: float) -> list[Floats]:
    """Pair counts where T, A and B are given, whole or not."""
    A, B = squares
    return [0.5 * (T - n), 0.5 * (A - T), 0.5 * (B - T), 0.5 * (n * n - A - B + T)]


def _expected(index: Index, squares: Floats, n: float, rule: tuple[Floats, Floats]) -> Floats:
    """Mean of the index where A and B are given, shape (2, s): the rule moved to the mean of T; shape (s,).

    It is not stretched: what the standard deviation of T contributes to the mean is of order ``1 / n**2``.
    """
    offsets, weights = rule
    A, B = squares
    mean = n + (A - n) * (B - n) / (n * (n - 1.0))
    at_nodes = np.repeat(squares, offsets.size, axis=1)
    T = (mean[:, np.newaxis] + offsets).ravel()
    values = values_of_varying_pairs(index, _counts(T, at_nodes, n), list(at_nodes), int(n))
    found: Floats = values.reshape(A.size, offsets.size) @ weights
    return found
