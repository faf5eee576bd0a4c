"""The jackknife against derivatives, and against SciPy's bootstrap."""

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc

SMALL = np.array([[30, 4, 1], [5, 25, 2], [1, 3, 29]])


@pytest.mark.slow
def test_against_the_bootstrap_of_scipy():
    """Of 1,000 objects, where the two approximations have nearly the same ends.

    An end of 2,000 resamples scatters by ``sqrt(0.05 * 0.95 / 2000) / 0.103``, 5 % of the standard error, and
    by 5 % through the correction of bias.
    """
    rows, columns = np.nonzero(SMALL)
    counts = 10 * SMALL[rows, columns]
    labels = np.repeat(rows, counts), np.repeat(columns, counts)
    score = cc.adjust(*labels, index="rand")
    ours = score.interval(0.9)

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
        n_resamples=2_000,
        confidence_level=0.9,
        method="BCa",
        rng=np.random.default_rng(2),
    )
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.06)
    for end, their_end in zip(ours, theirs.confidence_interval, strict=True):
        assert abs(end - their_end) < 0.25 * theirs.standard_error
