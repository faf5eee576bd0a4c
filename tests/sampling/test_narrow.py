"""Laws with a small cell: which they are, how near the near values are, and inversion by itself."""

import math
from fractions import Fraction

import numpy as np
import pytest

from chancecorr.machine.kernel import kernel
from chancecorr.sampling.kernels import draw, side_by_side
from chancecorr.sampling.kernels.draw import LEAST_SQUARE, centre_and_scale
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, log2_factorials
from chancecorr.sampling.kernels.streams import open_stream
from tests.sampling.fits import COMPILED, fit, hypergeometric_law, random_laws

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

LARGEST = 3_037_000_499


def smallest_cell(population, good, draws):
    """Margins of the smallest cell, and its mean."""
    a, b = min(good, population - good), min(draws, population - draws)
    return a, b, Fraction(a * b, max(population, 1))


class TestIsNarrow:
    @pytest.mark.parametrize("most", [100, 10**5, LARGEST])
    def test_goes_by_the_mean_of_the_smallest_cell(self, most):
        for law in zip(*(each.tolist() for each in random_laws(300, most, 4)), strict=True):
            assert draw.is_narrow(*law) == (smallest_cell(*law)[2] <= draw.MAX_NARROW_MEAN)

    def test_the_hat_serves_all_others(self):
        # the bound: the mean is at most xi, and each of the two other factors of tau**2 at least 1/2
        assert draw.MAX_NARROW_MEAN / 4 >= LEAST_SQUARE * (1.0 + 1e-12)
        laws = [(N, G, D) for N in range(61 if COMPILED else 53) for G in range(N + 1) for D in range(N + 1)]
        for a in (25, 1000, 10**6):  # the least mean that is not narrow; margins from a half to a tiny part
            N = 4 * a
            laws += [(N, N // 2, D) for D in (24, 25, 26)]
            laws += [(N, G, (draw.MAX_NARROW_MEAN * N) // G + 1) for G in (a, a + 1, 2 * a)]
        for law in laws:
            assert draw.is_narrow(*law) or centre_and_scale(*law)[2] >= LEAST_SQUARE


def test_near_functions_are_near():
    for near, exact, x, error in (
        (side_by_side.near_log1p, np.log1p, np.linspace(-0.5, 0.75, 2001), 2e-8),
        (side_by_side.near_exp, np.exp, np.linspace(-32.0, 0.0, 2001), 4e-8),
    ):
        x = x[exact(x) != 0.0]
        assert np.abs([near(each) for each in x.tolist()] / exact(x) - 1.0).max() < error


def exact_log_chance_of_none(population, a, b):
    """Sum of logarithms over the smaller of the two."""
    a, b = min(a, b), max(a, b)
    return math.fsum(math.log1p(-b / (population - i)) for i in range(a))


# The largest cell as small as it may be, beside a large one of any size.
@pytest.mark.parametrize("population", [96, 200, 5000, LOG2_TABLE_LIMIT + 1, 10**8, LARGEST])
def test_chance_of_none_is_near_by_formula_and_exact_by_the_scalar_kernel(population):
    factorials = log2_factorials(population if COMPILED else 300)
    for a in (1, 2, 5, 30, 300, 40_000):
        for mean in (0.01, 0.5, 3.0, draw.MAX_NARROW_MEAN):
            b = max(1, min(int(mean * population / a), population // 2))
            rest = population - a - b
            if a > b or a > population // 2 or rest < side_by_side.LEAST_REST:
                continue
            exact = exact_log_chance_of_none(population, a, b)
            near = side_by_side.near_log_chance_of_none(float(population), float(a), float(b))
            assert near == pytest.approx(exact, abs=2e-6)
            assert draw.MAX_ERROR_OF_SUMS > 2e-6 + 1e-9  # a sum of probabilities is at most 1
            found = draw.chance_of_none(population, a, b, True, factorials)
            assert found == pytest.approx(math.exp(exact), rel=2e-13)


@kernel
def count_inversions(m, seed, population, good, draws, factorials, counts):
    for i in range(m):
        stream = open_stream(seed, i)
        x, _ = draw.draw_narrow(population, good, draws, None, factorials, stream[0], stream)
        counts[x] += 1


def test_inversion_throws_again_when_the_probabilities_end_before_the_word():
    factorials = log2_factorials(1000).copy()
    factorials[20] += np.uint64(1 << 51)  # log2 20! half a unit too large: every probability times 2**-0.5
    counts = np.zeros(8, dtype=np.int64)
    m = 20_000 if COMPILED else 1000
    count_inversions(m, np.uint64(1), 20, 3, 4, factorials, counts)
    x, probabilities = hypergeometric_law(20, 3, 4)
    assert counts.sum() == m
    assert fit(counts[: x.size], probabilities * m) > 1e-6
