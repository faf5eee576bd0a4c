"""Probabilities of hypergeometric laws against exact fractions; draws are in `test_draw`."""

import math
from fractions import Fraction

import pytest
from scipy import stats

from chancecorr.exact.kernels import hypergeometric as hg

SMALL = [(20, 6, 7), (20, 14, 13), (9, 3, 9), (100, 50, 50), (400, 100, 100), (12, 1, 1)]
WIDE = [(800, 240, 240), (800, 560, 700), (5000, 100, 2500), (20_000, 9_000, 8_000)]
HUGE = [(10**9, 300_000_000, 400_000_000), (3 * 10**9, 10**9, 7), (2_000_000, 5, 1_000_000)]


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
    table = hg.log_factorials(parameters[0]) if tabled else hg.NO_TABLE
    law = exact_law(*parameters)
    scale = hg.log_scale(*parameters)
    if tabled:  # what does not depend on x is another number then
        x, p = next((x, p) for x, p in law.items() if p > 1e-290)
        scale = math.log(p) - hg.log_weight(x, *parameters, table)
    for x, p in law.items():
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
        found = hg.log_weight(x + 1, *parameters, hg.NO_TABLE) - hg.log_weight(x, *parameters, hg.NO_TABLE)
        # Rounding of trials * p, relative 2**-53, times the deviation from the mean: below 1e-11 here.
        assert found == pytest.approx(math.log(exact_ratio(x, *parameters)), abs=1e-11)
