"""Adjusted scores without one object, for each object: what the intervals are made of.

Objects of one cell are alike, so there is one evaluation for each non-empty cell of the table. With an object
its clusters lose one, and the expected value changes with them.
"""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.correction.against import set_against
from chancecorr.correction.best import best_value, self_agreement
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.limits import (
    ROUNDING,
    bias_at_independence,
    estimate_by_resampling,
    plug_in_less_one,
    plug_in_score,
    too_many_cells,
)
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.question import questions_about
from chancecorr.correction.request import Best, Request
from chancecorr.exact.moments.less_one import Sides, less_one
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.kinds.kind import totals_of_cells
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.tables.contingency import ContingencyTable, Margins

MOVED_BETWEEN = 3
"""Smallest and largest clusters between which an object is moved to see what one disagreement costs."""

FEW = 30.0
"""Disagreeing objects, by the mean and the variance of what they cost, up to which one more is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeaveOneOut:
    """Adjusted score of a table, what it is without one object, and what that says of the population.

    Attributes
    ----------
    whole : float
        Adjusted score of the table itself.
    rows, columns, counts : ndarray of int64, shape (C,)
        The non-empty cells: where they are, and how many objects are there.
    without : ndarray of float64, shape (C,)
        Adjusted score without one object of that cell; nan where there is none, as where the clusters that
        are left have nothing to correct for chance.
    by_limit : bool
        Whether `without` and `estimate` go by the limit of the expected value, see `limits`.
    estimate : float
        Of the population's score: the biases that are known are taken off `whole`.
    bias_left : float
        The bias of `estimate` that may be left lies between this and its opposite; that of a difference of
        two estimates between the difference and its opposite.
    cost : float
        The most that the score loses with one object more that disagrees.
    perfect : bool
        Whether the score is 1, and 1 without any object.
    null_variance : float
        Variance of the adjusted score where the clusterings are independent; nan where it is not known.
    error : float
        Standard error of `estimate` that comes from a simulated expected value; 0 where there is none in it.
    """

    whole: float
    rows: Integers
    columns: Integers
    counts: Integers
    without: Floats
    by_limit: bool = False
    estimate: float = math.nan
    bias_left: float = 0.0
    cost: float = 0.0
    perfect: bool = False
    null_variance: float = math.nan
    error: float = 0.0


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
    The expected value without an object follows from the margins where that of the table does, and the
    jackknife's bias is taken off. A sum over cells has one that the jackknife finds in part only, as it does
    not know the cells that the sample has no object of: its observed value is too high by what the jackknife
    finds at least, and by what it is at independence at most, where every cell has a part. Half of what lies
    between is taken off as well. Other indices go by the limit of the expected value, see `limits`, and half
    of the bias that resamples show is taken off.

    Examples
    --------
    >>> from chancecorr.correction.request import request
    >>> from chancecorr.indices.registry import get_index
    >>> found = leave_one_out((get_index("rand"),), ContingencyTable([[5, 1], [1, 5]]), request({}))["rand"]
    >>> found.counts, found.without.round(6)
    (array([5, 1, 1, 5]), array([0.34    , 0.633333, 0.633333, 0.34    ]))
    """
    if nulls is None:
        nulls = null_distributions(questions_about(table.margins, indices, asked))
    return {index.name: _of_index(index, table, asked, nulls[index.name]) for index in indices}


def _of_index(index: Index, table: ContingencyTable, asked: Request, null: NullDistribution) -> LeaveOneOut:
    margins, kind = table.margins, kind_of(index)
    rows, columns, counts = table.nonzero_cells
    observed, best = kind.value(index, table), best_value(index, margins, asked.best)
    whole = set_against(index, observed, best, null.mean, null.std == 0.0)
    if not math.isfinite(whole) or table.n < 2:
        without = np.full(counts.size, math.nan)
        return LeaveOneOut(whole=whole, rows=rows, columns=columns, counts=counts, without=without)
    sides = tuple(sorted(set(totals_of_cells(table))))
    changes = _changes(index, margins, asked, sides)
    if changes is None and too_many_cells(margins):
        without = np.zeros(counts.size)
        return LeaveOneOut(
            whole=whole, rows=rows, columns=columns, counts=counts, without=without, bias_left=math.inf
        )
    values = kind.values_less_one(index, table) if changes is not None else np.empty(0)
    score_of: Callable[[ContingencyTable], float]
    if changes is None:
        score_of = functools.partial(plug_in_score, index, best=asked.best)
        score, without = score_of(table), plug_in_less_one(index, table, asked.best)
    else:
        score_of = functools.partial(_score_at, index, asked.best, null.mean)
        score, tops = whole, _best_without(index, margins, sides, asked.best)
        ends = zip(
            tops.tolist(), (null.mean + changes).tolist(), _trivial(margins, sides).tolist(), strict=True
        )
        ends_of = dict(zip(sides, ends, strict=True))
        without = np.array(
            [
                set_against(index, value, *ends_of[pair])
                for value, pair in zip(values.tolist(), totals_of_cells(table), strict=True)
            ]
        )
    found = LeaveOneOut(
        whole=whole,
        rows=rows,
        columns=columns,
        counts=counts,
        without=without,
        by_limit=changes is None,
        perfect=abs(score - 1.0) <= ROUNDING and bool((np.abs(without - 1.0) <= ROUNDING).all()),
        null_variance=null.variance / (best - null.mean) ** 2,
    )
    if not np.isfinite(without).all():
        return found
    found = replace(found, cost=_cost(table, score, without, score_of, found.perfect))
    if changes is None:
        rng = np.random.default_rng(int(asked.seed))
        estimate, bias = estimate_by_resampling(index, table, asked.best, rng)
        return replace(found, estimate=estimate - bias / 2.0, bias_left=bias / 2.0)
    room, share = best - null.mean, (table.n - 1) / table.n
    estimate, bias = score + share * float(counts @ (score - without)), 0.0
    if kind.name == "cells" and asked.model.keeps_margins and not found.perfect:
        seen = share * float(counts @ (values - observed)) / room
        bias = bias_at_independence(index, table, asked.best, whole) - seen
    error = abs(best - observed) / room**2 * null.standard_error
    return replace(found, estimate=estimate - bias / 2.0, bias_left=bias / 2.0, error=error)


def _cost(
    table: ContingencyTable,
    score: float,
    without: Floats,
    score_of: Callable[[ContingencyTable], float],
    perfect: bool,
) -> float:
    """The most that one object more costs, of those that disagree and, where these are few, of others."""
    cost = float(without.max()) - score
    lost = float(table.nonzero_cells[2] @ (score - without) ** 2)
    if perfect or (1.0 - score) ** 2 < FEW * lost:
        cost = max(cost, score - _least_moved(table, score_of))
    return cost


def _changes(index: Index, margins: Margins, asked: Request, sides: Sides) -> Floats | None:
    """By how much the expected value changes without an object of each of the sides; None where unknown."""
    kind = kind_of(index)
    if asked.model.keeps_margins:
        return kind.mean_changes(index, margins, sides)
    each = (margins, *(less_one(margins, *pair) for pair in sides))
    means = [kind.mean_under(index, smaller, asked.model) for smaller in each]
    if None in means:
        raise ArgumentValueError(
            "model",
            f"must be 'permutation' for an interval of index {index.name!r}, the mean of which is not"
            f" known under others; got {asked.model.name!r}.",
        )
    return np.array(means[1:], dtype=np.float64) - np.float64(means[0])


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


def _score_at(index: Index, best: Best, mean: float, table: ContingencyTable) -> float:
    """Adjusted score with this expected value.

    It is that of a table one object away: what it changes by is a share of what is lost, which is small.
    """
    return set_against(
        index, kind_of(index).value(index, table), best_value(index, table.margins, best), mean, False
    )


def _least_moved(table: ContingencyTable, score_of: Callable[[ContingencyTable], float]) -> float:
    """Least score with one object moved from one cluster of the candidate to another; inf if there is one.

    Of many clusters, the smallest and the largest are tried.
    """
    order = np.argsort(table.column_totals, kind="stable")
    order = order[table.column_totals[order] > 0]
    tried = np.unique(np.concatenate([order[:MOVED_BETWEEN], order[-MOVED_BETWEEN:]]))
    counts, least = table.dense_counts().copy(), math.inf
    for source in tried.tolist():
        row = int(counts[:, source].argmax())
        for target in tried[tried != source].tolist():
            counts[row, [source, target]] += (-1, 1)
            least = min(score_of(ContingencyTable(counts)), least)
            counts[row, [source, target]] += (1, -1)
    return least


def _trivial(margins: Margins, sides: Sides) -> Booleans:
    """Whether one clustering is a single cluster, or singletons alone, without the object; shape (s,)."""
    trivial = np.zeros(len(sides), dtype=np.bool_)
    for side, totals in enumerate((margins.row_totals, margins.column_totals)):
        sizes = np.array([pair[side] for pair in sides])
        clusters = np.count_nonzero(totals) - (sizes == 1)
        trivial |= (clusters < 2) | (clusters == margins.n - 1)
    return trivial
