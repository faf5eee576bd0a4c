"""Simulated mean and variance of the nine published indices against full enumeration, with a control."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.sampling import permutation, task
from tests.naive import PAIR_INDICES, SMALL_MARGINS, law_of_pair_sum

N_TABLES = 17_000


def exact_moments(name, rows, columns):
    """Mean, variance and fourth central moment by enumeration; None where the index is undefined."""
    n = sum(rows)
    law = {}
    for T, p in law_of_pair_sum(rows, columns).items():
        a, b = (T - n) // 2, (sum(x * x for x in rows) - T) // 2
        c = (sum(x * x for x in columns) - T) // 2
        law[float(PAIR_INDICES[name](a, b, c, n * (n - 1) // 2 - a - b - c))] = float(p)
    if any(math.isnan(value) for value in law):
        return None
    mean = math.fsum(p * x for x, p in law.items())
    central = [math.fsum(p * (x - mean) ** k for x, p in law.items()) for k in (2, 4)]
    return mean, *central


def z_scores(name, rows, columns, seed):
    """z of the simulated mean and of the simulated variance, with exact standard errors."""
    options = {"method": "monte-carlo", "n_tables": N_TABLES, "rng": seed}
    null = cc.null_distribution(cc.Margins(rows, columns), name, **options)
    exact = exact_moments(name, rows, columns)
    if exact is None:
        assert math.isnan(null.mean)
        return 0.0, 0.0
    mean, variance, fourth = exact
    if variance < 1e-25:
        assert null.mean == pytest.approx(mean, rel=1e-12)
        assert null.variance == pytest.approx(0.0, abs=1e-25)
        return 0.0, 0.0
    error_of_mean = math.sqrt(variance / N_TABLES)
    # Var s^2 = (mu4 - sigma^4 (m-3)/(m-1)) / m.
    error_of_variance = math.sqrt((fourth - variance**2 * (N_TABLES - 3) / (N_TABLES - 1)) / N_TABLES)
    return (null.mean - mean) / error_of_mean, (null.variance - variance) / error_of_variance


# 33 margins, 9 indices, two z each, but one T behind the nine: about 66 independent looks, each beyond 4.5
# with chance 7e-6 were z normal. For the skewest of these laws the tail is heavier; the seeds are fixed.
@pytest.mark.parametrize("rows_columns", SMALL_MARGINS, ids=str)
def test_mean_and_variance_agree_with_enumeration(rows_columns):
    for name in PAIR_INDICES:
        z_mean, z_variance = z_scores(name, *rows_columns, seed=2014)
        assert abs(z_mean) < 4.5, name
        assert abs(z_variance) < 4.5, name


def test_negative_control_a_wrong_sampler_fails(monkeypatch):
    """One table in five is the one of two with the larger T: margins exact, law wrong."""

    def wrong(sampler, seed, first, n_tables):
        sums = permutation.draw_pair_sums(sampler, seed, first, n_tables)
        sums[:-1:5] = np.maximum(sums[:-1:5], sums[1::5])
        return sums

    rows, columns = (4, 4, 4), (4, 4, 4)
    assert abs(z_scores("rand", rows, columns, seed=2014)[0]) < 4.5
    monkeypatch.setattr(task, "draw_pair_sums", wrong)
    assert z_scores("rand", rows, columns, seed=2014)[0] > 7.1  # two-sided p < 1e-12
