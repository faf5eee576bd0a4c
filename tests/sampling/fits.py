"""How well draws fit their law: chi-square tests, and hypergeometric laws by their ratios."""

import math
from collections import Counter

import numpy as np
import pytest
from numba.extending import is_jitted
from scipy import stats

from chancecorr.sampling import permutation
from chancecorr.sampling.kernels.streams import mix

COMPILED = is_jitted(mix.dispatcher)
"""False where kernels run as Python: there tests are of bounds and overflow, with few draws."""


def plan(margins, method):
    """Plan of tables drawn cell by cell ("conditional") or object by object ("shuffle")."""
    dealt = {"conditional": lambda rows, *_: 0, "shuffle": lambda rows, *_: max(rows.shape[1] - 1, 0)}
    with pytest.MonkeyPatch.context() as patch:
        if method != "auto":
            patch.setattr(
                permutation, "count_dealt_rows", lambda rows, *rest: np.full(len(rows), dealt[method](rows))
            )
            patch.setattr(permutation, "is_sparse", lambda cells, n: False)
        return permutation.plan_sampler(margins)


def fit(observed, expected, least=25):
    """Chi-square p-value; neighbours are put together until so many are expected in each class."""
    observed, expected = np.asarray(observed, dtype=float), np.asarray(expected, dtype=float)
    total = np.cumsum(expected)
    starts, end = [0], np.searchsorted(total, least) + 1
    while end < total.size and total[-1] - total[end - 1] >= least:
        starts.append(end)
        end = np.searchsorted(total, total[end - 1] + least) + 1
    if len(starts) == 1:
        return 1.0
    observed, expected = np.add.reduceat(observed, starts), np.add.reduceat(expected, starts)
    return stats.chisquare(observed, expected * (observed.sum() / expected.sum())).pvalue


def random_laws(count, most, seed, least=2):
    """Populations, good ones and draws, of every order of magnitude on either side of the middle."""
    rng = np.random.default_rng(seed)
    population = np.exp(rng.uniform(math.log(least), math.log(most), count)).astype(np.int64)

    def part():
        small = np.exp(rng.uniform(0, 1, count) * np.log(population)).astype(np.int64)
        taken = np.where(rng.random(count) < 0.5, small, rng.integers(0, population + 1))
        return np.where(rng.random(count) < 0.3, population - taken, taken)

    return population, part(), part()


def hypergeometric_law(population, good, draws, reach=40):
    """Values within so many standard deviations, and their probabilities by ``f(x) / f(x - 1)`` alone."""
    low, high = max(0, draws + good - population), min(good, draws)
    centre = (good + 1) * (draws + 1) // (population + 2)
    shares = good / population, draws / population
    variance = math.prod(shares) * (population - good) * (population - draws) / population
    width = int(reach * math.sqrt(variance)) + reach
    x = np.arange(max(low, centre - width), min(high, centre + width) + 1)
    up = x[x > centre].astype(float)
    down = x[x < centre][::-1].astype(float)
    rest = population - good - draws
    above = np.cumprod((good - up + 1) * (draws - up + 1) / (up * (rest + up)))
    below = np.cumprod((down + 1) * (rest + down + 1) / ((good - down) * (draws - down)))
    weights = np.concatenate([below[::-1], [1.0], above])
    return x, weights / weights.sum()


def fit_of_draws(sample, law):
    """Chi-square p-value of draws against ``(values, probabilities)``; all draws are among the values."""
    x, probabilities = law
    assert sample.min() >= x[0]
    assert sample.max() <= x[-1]
    return fit(np.bincount(sample - x[0], minlength=x.size), probabilities * sample.size)


def goodness_of_fit(found, law):
    """Chi-square p-value of a sample against a law, rare values pooled; 0 for a value that cannot be."""
    counts, m = Counter(found), len(found)
    if not set(counts) <= set(law):
        return 0.0
    observed = np.array([counts[value] for value in law], dtype=float)
    expected = np.array([m * float(p) for p in law.values()])
    rare = expected < 5
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] == 0:
        observed, expected = observed[:-1], expected[:-1]
    if len(expected) < 2:
        return 1.0
    return stats.chisquare(observed, expected * (m / expected.sum())).pvalue


def fit_of_tables(tables, law):
    """Chi-square p-value of sampled tables against the enumerated law, rare tables pooled."""
    return goodness_of_fit([tuple(map(tuple, table)) for table in np.asarray(tables).tolist()], dict(law))
