"""Adjusted scores by the limit of the expected value: of indices whose expected value nears it slowly.

An index that takes the largest of several cells has an expected value that nears its limit as ``n**-0.5``,
with a constant that grows with the number of clusters, while its value may have no such bias: where one cell
of each column is the largest by far, purity is a mean over the objects. Then the adjusted score of a sample
is below that of the population by many standard errors, which no jackknife sees. The limit itself follows
from the margins: it is the value of the index at independence, ``n_ij = r_i c_j / n``. On the table of
``r_i c_j`` objects, n times as many, it can be evaluated as it is, against the table of the sample n times
over. What is left are the biases of this value and of the observed one, which resamples tell.
"""

import math
from typing import NamedTuple

import numpy as np

from chancecorr.chance.engine import engine_of
from chancecorr.chance.fixed_margins import best_value
from chancecorr.chance.options import Best
from chancecorr.exact.summary import score_index
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import ContingencyTable, Margins

MOST_OBJECTS = {"labels": 10**5}
"""Objects of a table that stands for infinitely many, by what the index needs; others `MOST_COUNTED`."""

MOST_COUNTED = 10**9
"""Up to here no index overflows. With more than 31,622 objects the cells at independence are rounded."""

MOST_CELLS_AT_INDEPENDENCE = 4_000_000
"""Cells of a table at independence, 32 MB, or as many as there are objects."""

RESAMPLES = 200
"""Resamples that the biases are taken from: to a sixth of the standard error."""

ROOT_N = 1.0 + math.sqrt(2.0)
"""Bias of a largest value of several equal ones, over what resampling adds to it.

A resample scatters about the sample as the sample does about the population: its bias is that of
``sqrt(2)`` times the deviations, and what it adds to the sample's is ``sqrt(2) - 1`` of it.
"""

ROUNDING = 1e-12
"""Largest difference of the adjusted score of perfect agreement from 1."""


class Limits(NamedTuple):
    """Value of an index on a table many times over, its best value there, and its value at independence."""

    observed: float
    best: float
    chance: float


def too_many_cells(margins: Margins) -> bool:
    """Whether the table at independence is too large to be laid out."""
    return margins.row_totals.size * margins.column_totals.size > max(MOST_CELLS_AT_INDEPENDENCE, margins.n)


def plug_in_score(index: Index, table: ContingencyTable, best: Best) -> float:
    """Adjusted score of the population in which each cell has the share that it has in the table."""
    return _score(index, _limits(index, table.dense_counts(), best))


def plug_in_less_one(index: Index, table: ContingencyTable, best: Best) -> Floats:
    """`plug_in_score` without one object of each of the non-empty cells in turn; shape (cells,)."""
    rows, columns, _ = table.nonzero_cells
    counts, scores = table.dense_counts().copy(), np.empty(rows.size)
    for k, (i, j) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
        counts[i, j] -= 1
        scores[k] = _score(index, _limits(index, counts, best))
        counts[i, j] += 1
    return scores


def estimate_by_resampling(
    index: Index, table: ContingencyTable, best: Best, rng: "np.random.Generator"
) -> tuple[float, float]:
    """Adjusted score by the limit of the expected value, and the bias that its observed value has at most.

    The bias of the value at independence is taken off. That of the observed value is 0 where each largest
    cell is so by far, and `ROOT_N` times what resampling adds where others are as large.
    """
    whole = _limits(index, table.dense_counts(), best)
    rows, columns, counts = table.nonzero_cells
    dense, drawn = np.zeros(table.shape, dtype=np.int64), []
    for resample in rng.multinomial(table.n, counts / table.n, size=RESAMPLES):
        dense[rows, columns] = resample
        drawn.append(_limits(index, dense, best))
    added = ROOT_N * (np.mean(drawn, axis=0) - whole)
    corrected = whole._replace(chance=whole.chance - float(added[2]))
    return _score(index, corrected), float(added[0]) / (corrected.best - corrected.chance)


def bias_at_independence(index: Index, table: ContingencyTable, best: Best, whole: float) -> float:
    """By how much the expected value is above its limit, as a share of what it is below the best value.

    With f the plug-in score and s the adjusted one, `whole`, this is ``(f - s) / (1 - f)``; inf where there
    are too many cells for the limit.
    """
    if too_many_cells(table.margins):
        return math.inf
    plug_in = plug_in_score(index, table, best)
    return (plug_in - whole) / (1.0 - plug_in) if abs(1.0 - plug_in) > ROUNDING else math.inf


def _score(index: Index, limits: Limits) -> float:
    """Adjusted score between the limits."""
    return score_index(index, *limits)


def _limits(index: Index, counts: Integers, best: Best) -> Limits:
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    n = int(rows.sum())
    times = max(1, min(n, MOST_OBJECTS.get(index.needs, MOST_COUNTED) // max(n, 1)))
    independent = np.outer(rows, columns)
    if times < n:
        independent = np.rint(independent * (times / n)).astype(np.int64)
    margins = Margins(rows * times, columns * times)
    observed, chance = engine_of(index).values(index, np.stack([counts * times, independent]), margins)
    return Limits(float(observed), best_value(index, margins, best), float(chance))
