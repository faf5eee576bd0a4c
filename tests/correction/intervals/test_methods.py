"""The jackknife against derivatives, and the bootstrap against the jackknife and SciPy."""

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.correction.intervals.bootstrap import adjusted_resamples
from chancecorr.correction.request import request

SMALL = np.array([[30, 4, 1], [5, 25, 2], [1, 3, 29]])


def test_the_jackknife_is_the_delta_method_for_a_fourfold_table():
    """With totals of one half, the adjusted Rand index of a large sample is phi**2; its variance by
    derivatives of the four shares, by hand."""
    n, p = 10_000, np.array([[0.4, 0.1], [0.1, 0.4]])

    def limit(q):
        T, A, B = (q**2).sum(), (q.sum(axis=1) ** 2).sum(), (q.sum(axis=0) ** 2).sum()
        return (T - A * B) / ((A + B) / 2 - A * B)

    step, gradient = 1e-6, np.zeros((2, 2))
    for cell in np.ndindex(2, 2):
        more, less = p.copy(), p.copy()
        more[cell] += step
        less[cell] -= step
        gradient[cell] = (limit(more) - limit(less)) / (2 * step)
    variance = ((p * gradient**2).sum() - (p * gradient).sum() ** 2) / n
    score = cc.adjust_table((n * p).round().astype(int), index="rand", method="analytic")
    error = score.interval().standard_error
    assert error == pytest.approx(np.sqrt(variance), rel=5.0 / n)


@pytest.mark.parametrize("name", ["rand", "jaccard", "lerman", "kuhns_1", "nmi_sum"])
def test_resamples_are_adjusted_as_tables_are(name):
    """One by one through `adjust_table`; by quadrature moved from the whole table within 1e-6."""
    table, index = cc.ContingencyTable(SMALL), cc.get_index(name)
    counts = table.nonzero_cells[2]
    resamples = np.random.default_rng(1).multinomial(table.n, counts / table.n, size=20)
    null = cc.null_distribution(table.margins, index, method="analytic")
    scores = adjusted_resamples(index, table, request({}), null, resamples)
    for score, cells in zip(scores, resamples, strict=True):
        drawn = np.zeros_like(SMALL)
        drawn[np.nonzero(SMALL)] = cells
        true = cc.adjust_table(drawn, index=name, method="analytic").adjusted
        assert score == pytest.approx(true, abs=1e-12 if index.affine or index.needs == "cells" else 1e-6)


@pytest.mark.heavy
def test_bootstrap_against_scipy():
    """The same percentiles from other resamples.

    An end of 4,000 resamples scatters by ``sqrt(0.05 * 0.95 / 4000) / 0.103``, 3 % of the standard error, and
    by 4 % through the correction of bias; two of them are apart by 7 %, of which 25 % is more than three.
    """
    rows, columns = np.nonzero(SMALL)
    labels = np.repeat(rows, SMALL[rows, columns]), np.repeat(columns, SMALL[rows, columns])
    score = cc.adjust(*labels, index="rand")
    ours = score.interval(0.9, method="bootstrap", rng=1, n_resamples=4_000)

    def adjusted(u, v):
        table = np.zeros((3, 3), dtype=np.int64)
        np.add.at(table, (u, v), 1)
        T, A, B = (table**2).sum(), (table.sum(axis=1) ** 2).sum(), (table.sum(axis=0) ** 2).sum()
        n = table.sum()
        expected = n + (A - n) * (B - n) / (n * (n - 1))
        return (T - expected) / ((A + B) / 2 - expected)

    assert adjusted(*labels) == pytest.approx(score.adjusted, rel=1e-12)
    theirs = stats.bootstrap(
        labels,
        adjusted,
        paired=True,
        vectorized=False,
        n_resamples=4_000,
        confidence_level=0.9,
        method="BCa",
        rng=np.random.default_rng(2),
    )
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.06)
    for end, their_end in zip(ours, theirs.confidence_interval, strict=True):
        assert abs(end - their_end) < 0.25 * theirs.standard_error


def test_bootstrap_has_the_same_bits_for_the_same_seed():
    score = cc.adjust_table(SMALL, index="jaccard")
    first, again, other = (
        score.interval(method="bootstrap", rng=seed, n_resamples=200) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.low != other.low


def test_bootstrap_of_an_index_that_is_not_smooth():
    score = cc.adjust_table(SMALL, index="purity", rng=0, n_tables=500)
    interval = score.interval(method="bootstrap", rng=1, n_resamples=100)
    assert interval.low < score.adjusted < interval.high
    assert interval.standard_error == pytest.approx(score.interval().standard_error, rel=0.4)
