"""``log2 f(x) / f(mode)``: in fixed point against exact fractions, by formula against fixed point."""

import math
from fractions import Fraction

import numpy as np
import pytest

from chancecorr.machine.kernel import kernel
from chancecorr.sampling.kernels import draw
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, log2_factorials
from tests.sampling.fits import COMPILED, random_laws

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

NEAR = 5e-5
"""Error of the near ratio within reach of a proposal."""

MOST = LOG2_TABLE_LIMIT if COMPILED else 1000
TABLE = log2_factorials(MOST)


def factorials_of(population, good, draws, x):
    return math.prod(math.factorial(cell) for cell in (x, good - x, draws - x, population - good - draws + x))


def test_exact_ratio_equals_fractions():
    population, good, draws = random_laws(300, 800, 1)
    for N, G, D in zip(population.tolist(), good.tolist(), draws.tolist(), strict=True):
        low, high = max(0, D + G - N), min(G, D)
        mode = (G + 1) * (D + 1) // (N + 2)
        for x in {low, high, mode, (low + 3 * mode) // 4, (high + 3 * mode) // 4}:
            ratio = Fraction(factorials_of(N, G, D, mode), factorials_of(N, G, D, x))
            # numerator and denominator are integers beyond float64: log2 of them is right to 2**-42
            exact = math.log2(ratio.numerator) - math.log2(ratio.denominator)
            found = draw.exact_log2_ratio(x, mode, N, G, D, True, TABLE)
            assert found == pytest.approx(exact, abs=2.0**-40)


@pytest.mark.parametrize("population", [LOG2_TABLE_LIMIT - 1, LOG2_TABLE_LIMIT + 5, 2**31 - 1, 3_037_000_499])
def test_exact_ratio_of_neighbours_at_any_size(population):
    # f(x) / f(x - 1) is a fraction of two products: its logarithm is known to the last bits of a float64
    for good, draws in [(population // 2, population // 3), (population // 5, 1000), (population - 3, 12)]:
        mode = (good + 1) * (draws + 1) // (population + 2)
        rest = population - good - draws
        exact = math.log2(Fraction((good - mode + 1) * (draws - mode + 1), mode * (rest + mode)))
        found = -draw.exact_log2_ratio(mode - 1, mode, population, good, draws, True, TABLE)
        assert abs(found - exact) <= 2.0**-50 + math.ulp(exact)


@kernel
def errors(population, good, draws, places, hat, factorials, out, deepest):
    for i in range(population.size):
        N, G, D = population[i], good[i], draws[i]
        low, high = max(0, G + D - N), min(G, D)
        mode, phi, square = draw.centre_and_scale(N, G, D)
        if square < draw.LEAST_SQUARE:
            continue
        number = draw.bin_of(square)
        tail = draw.RECORD * (draw.STRIPS * number + draw.STRIPS - 1)
        reach = hat[tail + draw.LEFT] + 53 * math.log(2.0) / hat[tail + draw.WIDTH]
        x = mode + np.int64(np.floor(phi + places[i] * reach * math.sqrt(square)))
        x = min(max(x, low), high)
        exact = draw.exact_log2_ratio(x, mode, N, G, D, True, factorials)
        law = (np.float64(N), np.float64(G), np.float64(D))
        found, near = draw.near_log2_ratio(np.float64(x - mode), np.float64(mode), phi, *law)
        deepest[i] = exact
        if near:
            out[i] = found - exact


@pytest.mark.heavy
@pytest.mark.parametrize(("least", "most"), [(2, MOST), (LOG2_TABLE_LIMIT, 2**31 - 1)])
def test_near_ratio_is_as_near_as_it_says(least, most):
    m = 200_000 if COMPILED else 300
    laws = random_laws(m, most, 3, least)
    rng = np.random.default_rng(4)
    places = rng.uniform(-1, 1, m) * rng.random(m)
    out, deepest = np.full(m, np.nan), np.zeros(m)
    errors(*laws, places, draw.universal_hat(most), TABLE, out, deepest)
    near = ~np.isnan(out)
    assert near.sum() > 0.1 * m
    assert np.abs(out[near]).max() < NEAR
    assert NEAR < draw.MIN_CLEAR_DISTANCE / 2
    # The differences of fixed point wrap around at 2**11.
    assert -400 < deepest.min() < -50
    assert deepest.max() < 1e-6
