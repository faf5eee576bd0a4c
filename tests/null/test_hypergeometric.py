"""One hypergeometric draw: probabilities against exact fractions, draws against the exact law."""

import functools
import math
from collections import Counter
from fractions import Fraction

import numba
import numpy as np
import pytest
from scipy import stats

from chancecorr.null.kernels import hypergeometric as hg
from chancecorr.null.kernels.streams import open_stream

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SMALL = [(20, 6, 7), (20, 14, 13), (9, 3, 9), (100, 50, 50), (400, 100, 100), (12, 1, 1)]
WIDE = [(800, 240, 240), (800, 560, 700), (5000, 100, 2500), (20_000, 9_000, 8_000)]
HUGE = [(10**9, 300_000_000, 400_000_000), (3 * 10**9, 10**9, 7), (2_000_000, 5, 1_000_000)]


def log_factorials(population):
    out = np.empty(population + 1)
    hg.fill_log_factorials(out)
    return out


def support(population, good, draws):
    return range(max(0, draws - (population - good)), min(good, draws) + 1)


def exact_law(population, good, draws):
    total = math.comb(population, draws)
    return {
        x: Fraction(math.comb(good, x) * math.comb(population - good, draws - x), total)
        for x in support(population, good, draws)
    }


def exact_ratio(x, population, good, draws):
    """``p(x + 1) / p(x)``."""
    return Fraction((good - x) * (draws - x), (x + 1) * (population - good - draws + x + 1))


@pytest.mark.parametrize("parameters", SMALL + WIDE[:2])
@pytest.mark.parametrize("tabled", [True, False])
def test_log_probabilities_equal_exact_fractions(parameters, tabled):
    table = log_factorials(parameters[0]) if tabled else None
    scale = hg.log_scale(*parameters, table)
    for x, p in exact_law(*parameters).items():
        if p > 1e-290:
            # The table's entries reach 4550 = log(800!), so that rounding leaves 9 * 2**-41 = 4e-12 of log p.
            assert hg.log_weight(x, *parameters, table) + scale == pytest.approx(math.log(p), abs=4e-12)


@pytest.mark.parametrize("parameters", HUGE)
def test_saddle_point_form_equals_exact_ratios_beyond_the_table(parameters):
    population, good, draws = parameters
    mode = (good + 1) * (draws + 1) // (population + 2)
    spread = int(math.sqrt(stats.hypergeom(population, good, draws).var())) + 1
    low, high = support(*parameters)[0], support(*parameters)[-1]
    for x in {max(low, mode - 3 * spread), mode, min(high - 1, mode + 3 * spread)}:
        found = hg.log_weight(x + 1, *parameters, None) - hg.log_weight(x, *parameters, None)
        # Rounding of trials * p, relative 2**-53, times the deviation from the mean: below 1e-11 here.
        assert found == pytest.approx(math.log(exact_ratio(x, *parameters)), abs=1e-11)


def test_saddle_point_probabilities_sum_to_one_at_a_billion():
    parameters = 10**9, 1000, 5_000_000
    total = math.fsum(
        math.exp(hg.log_weight(x, *parameters, None) + hg.log_scale(*parameters, None)) for x in range(60)
    )
    assert total == pytest.approx(1.0, abs=1e-10)


def test_stirling_error_and_deviance():
    for k in (1, 5, 15, 16, 100, 10**6):
        exact = math.lgamma(k + 1) - ((k + 0.5) * math.log(k) - k + 0.5 * math.log(2 * math.pi))
        assert hg.stirling_error(k) == pytest.approx(exact, abs=4e-16 * k * math.log(k + 1) + 1e-15)
    assert hg.stirling_error(0) == 0.0
    assert hg.stirling_error(16) == pytest.approx(
        math.log(math.factorial(16)) - (16.5 * math.log(16) - 16 + 0.5 * math.log(2 * math.pi)), abs=2e-14
    )
    for x, mean in [(10.0, 10.0), (11.0, 10.0), (30.0, 10.0), (1e9 + 1e4, 1e9)]:
        exact = x * math.log1p((x - mean) / mean) + mean - x
        assert hg.deviance(x, mean) == pytest.approx(exact, rel=1e-6, abs=1e-14)


@numba.njit
def fill(out, seed, draw, population, good, draws, table):
    stream = open_stream(seed, 0)
    for i in range(out.size):
        out[i], stream = draw(population, good, draws, table, stream)


@numba.njit
def by_inversion(population, good, draws, table, stream):
    mode = int((good + 1.0) * (draws + 1.0) / (population + 2.0))
    return hg.draw_by_inversion(mode, population, good, draws, table, stream)


@numba.njit
def by_ratio(population, good, draws, table, stream):
    mode = int((good + 1.0) * (draws + 1.0) / (population + 2.0))
    mean = draws * good / population
    variance = mean * (population - good) / population * (population - draws) / (population - 1)
    return hg.draw_by_ratio(mode, mean, variance, population, good, draws, table, stream)


def draw_many(parameters, m, table, draw):
    sample = np.empty(m, dtype=np.int64)
    fill(sample, np.uint64(2014), draw, *parameters, table)
    return sample


def goodness_of_fit(sample, law):
    """Chi-square p-value of a sample against an exact law; values below 5 expected are pooled."""
    expected, observed = [], []
    counts = Counter(sample.tolist())
    mass = count = 0.0
    for x in sorted(law):
        mass += float(law[x]) * sample.size
        count += counts[x]
        if mass >= 5:
            expected.append(mass)
            observed.append(count)
            mass = count = 0.0
    expected[-1] += mass
    observed[-1] += count
    if len(expected) == 1:
        return 1.0
    return stats.chisquare(observed, np.array(expected) * (sample.size / sum(expected))).pvalue


# The chance that one of these 30-odd tests fails by chance is below 4e-5.
@pytest.mark.parametrize("parameters", SMALL)
@pytest.mark.parametrize("tabled", [True, False])
def test_draws_follow_the_law(parameters, tabled):
    table = log_factorials(parameters[0]) if tabled else None
    sample = draw_many(parameters, 20_000, table, hg.draw_hypergeometric)
    assert set(sample.tolist()) <= set(support(*parameters))
    assert goodness_of_fit(sample, exact_law(*parameters)) > 1e-6


@functools.cache
def wide_law(population, good, draws):
    """SciPy's law where it is above 1e-12."""
    values = support(population, good, draws)
    probabilities = stats.hypergeom(population, good, draws).pmf(values)
    return {x: p for x, p in zip(values, probabilities, strict=True) if p > 1e-12}


@pytest.mark.parametrize("parameters", WIDE)
@pytest.mark.parametrize("draw", [by_inversion, by_ratio])
@pytest.mark.parametrize("tabled", [True, False])
def test_both_methods_follow_wide_laws(parameters, draw, tabled):
    table = log_factorials(parameters[0]) if tabled else None
    sample = draw_many(parameters, 20_000, table, draw)
    assert goodness_of_fit(sample, wide_law(*parameters)) > 1e-6


@pytest.mark.parametrize("parameters", HUGE)
def test_mean_and_variance_at_a_billion(parameters):
    population, good, draws = parameters
    m = 20_000
    mean = Fraction(good * draws, population)
    variance = mean * Fraction((population - good) * (population - draws), population * (population - 1))
    sample = draw_many(parameters, m, None, hg.draw_hypergeometric)
    deviations = np.array([float(int(x) - mean) for x in sample])
    assert abs(deviations.mean()) < 4.5 * math.sqrt(variance / m)
    kurtosis = float(1 / variance) + 3  # at most that of a Poisson law of this variance
    assert abs((deviations**2).mean() / variance - 1) < 4.5 * math.sqrt((kurtosis - 1) / m) + 1e-3


def test_negative_control_a_shifted_mode_without_its_probability_fails():
    parameters = (100, 30, 30)
    sample = draw_many(parameters, 20_000, log_factorials(100), hg.draw_hypergeometric)
    assert goodness_of_fit(sample + (sample > 9), exact_law(*parameters)) < 1e-12


@pytest.mark.parametrize("parameters", [(5, 0, 3), (5, 5, 3), (5, 2, 0), (5, 2, 5), (0, 0, 0), (1, 1, 1)])
def test_a_single_possible_value_takes_nothing_from_the_stream(parameters):
    stream = tuple(np.uint64(word) for word in open_stream(np.uint64(1), 1))
    x, after = hg.draw_hypergeometric(*parameters, log_factorials(5), stream)
    assert [x] == list(support(*parameters))
    assert after == stream


def test_inversion_redraws_when_rounding_leaves_a_gap_near_one():
    # The largest uniform is 1 - 2**-53; the probabilities are shrunk so that many u exceed their sum.
    table = log_factorials(20)
    table[20] += 0.5  # scales every probability by exp(-0.5): a gap of 0.39
    sample = draw_many((20, 6, 7), 20_000, table, by_inversion)
    assert goodness_of_fit(sample, exact_law(20, 6, 7)) > 1e-6
