"""Intervals by the bootstrap: objects drawn again from the sample, the expected value found for each draw."""

import dataclasses
import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.correction.against import set_against
from chancecorr.correction.best import best_value
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.intervals.interval import (
    Interval,
    interval_of,
    unknown_interval,
    with_sample,
)
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut
from chancecorr.correction.intervals.limits import plug_in_of_resamples
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.question import Question
from chancecorr.correction.request import Request
from chancecorr.exact.moments.moved_rule import AT_MEAN, mean_by_rule, means_of_pairs, pair_sum_laws_near
from chancecorr.exact.moments.quadrature import pair_sum_rules
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.kinds.methods import AUTO, MEAN_ONLY
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import ContingencyTable, Margins

MOST_TABLES = 1_000
"""Tables simulated for each resample, where the expected value has to be: that leaves in a score a thousandth
of the variance that the index has under chance, which is of the order of that of the resamples."""


def bootstrap_interval(
    index: Index,
    table: ContingencyTable,
    asked: Request,
    null: NullDistribution,
    found: LeaveOneOut,
    level: float,
    n_resamples: int,
) -> Interval:
    """Interval by the bootstrap, corrected for bias and acceleration.

    A resample is n objects drawn from those of the sample, which is a multinomial draw of its cells, and is
    adjusted with its own margins. The percentiles are those of Efron (1987),
    doi:10.1080/01621459.1987.10478410, with the acceleration from the jackknife, as in
    `scipy.stats.bootstrap`. Where the jackknife goes by the limit of the expected value, so do the resamples,
    which are moved to its estimate.
    """
    if found.perfect:  # every resample is perfect as well
        return interval_of(found, found.whole, 0.0, level, "bootstrap")
    rng = np.random.default_rng(int(asked.seed))
    counts = table.nonzero_cells[2]
    resamples = rng.multinomial(table.n, counts / table.n, size=n_resamples)
    if found.by_limit:
        scores = plug_in_of_resamples(index, table, asked.best, resamples)
    else:
        scores = adjusted_resamples(index, table, asked, null, resamples)
    known = scores[np.isfinite(scores)]
    if not known.size:
        return unknown_interval(level, "bootstrap", "no resample has an adjusted score")
    remark = "" if known.size == scores.size else f"{scores.size - known.size} resamples have no score"
    centre = found.whole
    if found.by_limit:
        centre = found.estimate
        known += centre - known.mean()
    low, high = _bca_ends(known, found, centre, level)
    error = float(known.std(ddof=1)) if known.size > 1 else math.nan
    interval = Interval(
        low=low, high=high, level=level, method="bootstrap", standard_error=error, remark=remark
    )
    return with_sample(found, interval)


def adjusted_resamples(
    index: Index, table: ContingencyTable, asked: Request, null: NullDistribution, resamples: Integers
) -> Floats:
    """Adjusted scores of tables with other numbers of objects in the same cells; shape (resamples,).

    `resamples`, of shape (resamples, cells), are in the order of `ContingencyTable.nonzero_cells`.
    """
    rows, columns, _ = table.nonzero_cells
    dense, tables = np.zeros(table.shape, dtype=np.int64), []
    for counts in resamples:
        dense[rows, columns] = counts
        tables.append(ContingencyTable(dense))
    margins = [each.margins for each in tables]
    means = _means(index, table.margins, margins, asked, null)
    scores = []
    for each, mean in zip(tables, means.tolist(), strict=True):
        observed, best = kind_of(index).value(index, each), best_value(index, each.margins, asked.best)
        clusters = [totals[totals > 0] for totals in (each.row_totals, each.column_totals)]
        trivial = any(sizes.size < 2 or sizes.max() < 2 for sizes in clusters)
        scores.append(set_against(index, observed, best, mean, trivial))
    return np.array(scores)


def _means(
    index: Index, margins: Margins, others: Sequence[Margins], asked: Request, null: NullDistribution
) -> Floats:
    """Expected values under other margins of as many objects."""
    kind = kind_of(index)
    if not asked.model.keeps_margins:
        found = [kind.mean_under(index, each, asked.model) for each in others]
        if None in found:
            raise ArgumentValueError(
                "model",
                f"must be 'permutation' for an interval of index {index.name!r}, the mean of which is not"
                f" known under others; got {asked.model.name!r}.",
            )
        return np.array(found, dtype=np.float64)
    if kind.goes_by_pair_sum and kind.moments(index, margins, AUTO):
        laws, rule = pair_sum_laws_near(margins, others), AT_MEAN
        if index.affine:
            return means_of_pairs(index, laws, margins.n, rule, lambda: others)
        fine = pair_sum_rules(margins, 5).fine
        rule = (fine.offsets, fine.weights)
        shift = null.mean - mean_by_rule(index, margins)
        return means_of_pairs(index, laws, margins.n, rule, lambda: others) + shift
    fewer = dataclasses.replace(
        asked, n_tables=min(asked.n_tables, MOST_TABLES), precision=None, progress=False
    )
    means = []
    for each in others:
        known = kind.moments(index, each, MEAN_ONLY)
        question = Question(index=index, margins=each, asked=fewer)
        law = known.moments if known else null_distributions((question,))[index.name]
        means.append(law.mean)
    return np.array(means)


def _bca_ends(scores: Floats, found: LeaveOneOut, centre: float, level: float) -> tuple[float, float]:
    """Percentiles of the resamples, at levels moved by bias and acceleration."""
    normal = NormalDist()
    below = ((scores < centre).mean() + (scores <= centre).mean()) / 2.0
    if not 0.0 < below < 1.0:
        return float(scores.min()), float(scores.max())
    bias = normal.inv_cdf(below)
    mean = float(found.counts @ found.without) / float(found.counts.sum())
    apart = mean - found.without
    squares = float(found.counts @ apart**2)
    acceleration = float(found.counts @ apart**3) / (6.0 * squares**1.5) if squares > 0.0 else 0.0
    ends = []
    for tail in (0.5 - level / 2.0, 0.5 + level / 2.0):
        z = bias + normal.inv_cdf(tail)
        ends.append(float(np.quantile(scores, normal.cdf(bias + z / (1.0 - acceleration * z)))))
    return ends[0], ends[1]
