"""Adjusted scores without one object, for each object: what the intervals are made of.

Objects of one cell are alike, so there is one evaluation for each non-empty cell of the table. With an object
its clusters lose one, and the expected value changes with them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.compiled import Booleans, Floats, Integers
from chancecorr.correction.against import set_against
from chancecorr.correction.best import best_value, self_agreement
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.removal import simulated_changes
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.request import Best, Request
from chancecorr.exact.moments.less_one import Sides, less_one
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.kinds.kind import totals_of_cells
from chancecorr.tables.contingency import ContingencyTable, Margins

ROUNDING = 1e-12
"""What the adjusted score of perfect agreement may differ from 1 by."""

MOVED_BETWEEN = 8
"""Smallest and largest clusters between which an object is moved to see what one disagreement costs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeaveOneOut:
    """Adjusted score of a table, and what it is without one object.

    Attributes
    ----------
    whole : float
        Adjusted score of the table itself.
    rows, columns, counts : ndarray of int64, shape (C,)
        The non-empty cells: where they are, and how many objects are there.
    without : ndarray of float64, shape (C,)
        Adjusted score without one object of that cell; nan where there is none, as where the clusters that
        are left have nothing to correct for chance.
    smooth : bool
        Whether the index is known to go by pair counts or a sum over cells. The bias of others, which may
        hang on which of two cells is the larger, is not told by leaving out one object.
    null_variance : float
        Variance of the adjusted score where the clusterings are independent; nan where it is not known.
    one_moved : float
        Where the score is 1, and 1 without any object, the least adjusted score with one object in another
        cluster of the candidate. Else nan.
    error : float
        Standard error of `whole` that comes from a simulated expected value; 0 where that is not simulated.
    noise : float
        Standard error that simulation adds to a jackknife of `without`: what the changes of the expected
        value scatter by themselves. 0 where they follow from the margins.
    """

    whole: float
    rows: Integers
    columns: Integers
    counts: Integers
    without: Floats
    smooth: bool = True
    null_variance: float = math.nan
    one_moved: float = math.nan
    error: float = 0.0
    noise: float = 0.0


def leave_one_out(
    indices: tuple[Index, ...],
    table: ContingencyTable,
    asked: Request,
    nulls: Mapping[str, NullDistribution] | None = None,
) -> dict[str, LeaveOneOut]:
    """Adjusted scores of several indices without one object, by index name.

    Parameters
    ----------
    indices : tuple of Index
        Under a random model in which the cluster sizes vary, those with an exact mean.
    table : ContingencyTable
        The two clusterings of the sample.
    asked : Request
        How the scores are corrected.
    nulls : mapping of str to NullDistribution, optional
        Null distributions of the table by index name, where they are there already.

    Returns
    -------
    dict of str to LeaveOneOut

    Notes
    -----
    The expected value without an object follows from the margins where that of the table does. Elsewhere its
    change is found on the simulated tables of the same seed; see `simulated_changes`.

    Examples
    --------
    >>> from chancecorr.correction.request import request
    >>> from chancecorr.indices.registry import get_index
    >>> found = leave_one_out((get_index("rand"),), ContingencyTable([[5, 1], [1, 5]]), request({}))["rand"]
    >>> found.counts, found.without.round(6)
    (array([5, 1, 1, 5]), array([0.34    , 0.633333, 0.633333, 0.34    ]))
    """
    if nulls is None:
        nulls = null_distributions(table.margins, indices, asked)
    return {index.name: _of_index(index, table, asked, nulls[index.name]) for index in indices}


def _of_index(index: Index, table: ContingencyTable, asked: Request, null: NullDistribution) -> LeaveOneOut:
    margins, kind = table.margins, kind_of(index)
    rows, columns, counts = table.nonzero_cells
    observed, best = kind.value(index, table), best_value(index, margins, asked.best)
    whole = set_against(index, observed, best, null.mean, null.std == 0.0)
    if not math.isfinite(whole) or table.n < 2:
        without = np.full(counts.size, math.nan)
        return LeaveOneOut(whole=whole, rows=rows, columns=columns, counts=counts, without=without)
    pairs = totals_of_cells(table)
    sides = tuple(sorted(set(pairs)))
    place = {pair: k for k, pair in enumerate(sides)}
    of_cell = np.array([place[pair] for pair in pairs])
    changes, variances = _changes(index, table, asked, sides, of_cell)
    best_without = _best_without(index, margins, sides, asked.best)[of_cell]
    trivial = _trivial(margins, sides)[of_cell]
    scores = [
        set_against(index, *numbers)
        for numbers in zip(
            kind.values_less_one(index, table).tolist(),
            best_without.tolist(),
            (null.mean + changes).tolist(),
            trivial.tolist(),
            strict=True,
        )
    ]
    scale = abs(best - observed) / (best - null.mean) ** 2
    perfect = all(abs(score - 1.0) <= ROUNDING for score in (whole, *scores))
    return LeaveOneOut(
        whole=whole,
        rows=rows,
        columns=columns,
        counts=counts,
        without=np.array(scores),
        smooth=kind.determined,
        null_variance=null.variance / (best - null.mean) ** 2,
        one_moved=_one_moved(index, table, asked.best, null.mean) if perfect else math.nan,
        error=scale * null.standard_error,
        noise=scale * math.sqrt(float(counts @ variances)),
    )


def _changes(
    index: Index, table: ContingencyTable, asked: Request, sides: Sides, of_cell: Integers
) -> tuple[Floats, Floats]:
    """By how much the expected value changes without an object of each cell, and the variance of that."""
    kind, margins = kind_of(index), table.margins
    found: Floats | None
    if not asked.model.keeps_margins:
        each = (margins, *(less_one(margins, *pair) for pair in sides))
        means = [kind.mean_under(index, smaller, asked.model) for smaller in each]
        if None in means:
            raise ArgumentValueError(
                "model",
                f"must be 'permutation' for an interval of index {index.name!r}, the mean of which is not"
                f" known under others; got {asked.model.name!r}.",
            )
        found = np.array(means[1:], dtype=np.float64) - np.float64(means[0])
    else:
        found = kind.mean_changes(index, margins, sides)
    if found is not None:
        return found[of_cell], np.zeros(of_cell.size)
    return simulated_changes(index, table, asked)


def _best_without(index: Index, margins: Margins, sides: Sides, best: Best) -> Floats:
    """Best value without an object of clusters of these sizes; shape (s,)."""
    if isinstance(best, Real) or (best is None and index.best is not None):
        return np.full(len(sides), best_value(index, margins, best))
    if best is not None:
        return np.array([best_value(index, less_one(margins, *pair), best) for pair in sides])
    own: list[dict[int, float]] = [{}, {}]  # a clustering against itself goes by its own sizes
    for pair in sides:
        smaller = less_one(margins, *pair)
        for values, total, totals in zip(own, pair, (smaller.row_totals, smaller.column_totals), strict=True):
            if total not in values:
                values[total] = self_agreement(index, Margins(totals, totals))
    return np.array([(own[0][row] + own[1][column]) / 2 for row, column in sides])


def _one_moved(index: Index, table: ContingencyTable, best: Best, mean: float) -> float:
    """Least adjusted score with one object moved from one cluster of the candidate to another.

    The expected value is that of the table: what it changes by with one object is a share of what is lost,
    which is small itself. Of many clusters, the smallest and the largest are tried.
    """
    order = np.argsort(table.column_totals, kind="stable")
    order = order[table.column_totals[order] > 0]
    tried = np.unique(np.concatenate([order[:MOVED_BETWEEN], order[-MOVED_BETWEEN:]]))
    counts, least = table.dense_counts().copy(), math.inf
    for source in tried.tolist():
        row = int(counts[:, source].argmax())
        for target in tried[tried != source].tolist():
            counts[row, [source, target]] += (-1, 1)
            moved = ContingencyTable(counts)
            value, best_there = kind_of(index).value(index, moved), best_value(index, moved.margins, best)
            least = min(set_against(index, value, best_there, mean, False), least)
            counts[row, [source, target]] += (1, -1)
    return least if math.isfinite(least) else math.nan


def _trivial(margins: Margins, sides: Sides) -> Booleans:
    """Whether one clustering is a single cluster, or singletons alone, without the object; shape (s,)."""
    trivial = np.zeros(len(sides), dtype=np.bool_)
    for side, totals in enumerate((margins.row_totals, margins.column_totals)):
        sizes = np.array([pair[side] for pair in sides])
        clusters = np.count_nonzero(totals) - (sizes == 1)
        trivial |= (clusters < 2) | (clusters == margins.n - 1)
    return trivial
