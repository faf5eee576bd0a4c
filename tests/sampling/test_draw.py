"""One hypergeometric draw: its law over many margins, of every way that a draw can take."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from chancecorr.machine.kernel import kernel
from chancecorr.sampling.kernels import draw
from chancecorr.sampling.kernels.draw import HEIGHT, RECORD, draw_hypergeometric, is_narrow, universal_hat
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, TABLE_BEYOND, log2_factorials
from chancecorr.sampling.kernels.streams import open_stream
from tests.sampling.fits import COMPILED, fit, fit_of_draws, hypergeometric_law, random_laws

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

M = 50_000 if COMPILED else 100
LARGEST = 3_037_000_499


@kernel
def fill(out, seed, population, good, draws, beyond, hat, factorials):
    stream = open_stream(seed, 0)
    for i in range(out.size):
        out[i], stream = draw_hypergeometric(population, good, draws, beyond, hat, factorials, stream)


def draw_many(parameters, m=M, seed=2014, lowered=1.0):
    population = parameters[0]
    hat = universal_hat(population)
    if lowered != 1.0:
        hat = hat.copy()
        hat[HEIGHT::RECORD] *= lowered
    sample = np.empty(m, dtype=np.int64)
    factorials = log2_factorials(population if COMPILED else 1000)
    beyond = True if population >= min(factorials.size, TABLE_BEYOND) else None
    fill(sample, np.uint64(seed), *parameters, beyond, hat, factorials)
    return sample


def laws_between(count, least, most, seed, *, narrow):
    """Laws of so many objects of more than one value, narrow or not."""
    chosen = []
    for parameters in zip(*(each.tolist() for each in random_laws(200, most, seed, least)), strict=True):
        population, good, draws = parameters
        several = max(0, draws + good - population) < min(good, draws)
        if several and is_narrow(*parameters) == narrow:
            chosen.append(parameters)
    assert len(chosen) >= count
    return chosen[:count]


SMALL = [(20, 6, 7), (20, 14, 13), (20, 6, 13), (20, 14, 7), (100, 50, 50), (48, 24, 24), (12, 1, 1)]
LAWS = [
    *SMALL,
    *laws_between(8, 60, 200, 1, narrow=False),
    *laws_between(8, 3, 1000, 2, narrow=True),  # inversion, from each of the four cells
    *laws_between(14, 60, LOG2_TABLE_LIMIT, 3, narrow=False),
    *laws_between(14, LOG2_TABLE_LIMIT, 2**31, 4, narrow=False),  # by formula
    *laws_between(6, LOG2_TABLE_LIMIT, LARGEST, 5, narrow=True),
    *laws_between(6, 2**31, LARGEST, 6, narrow=False),
    (2**31 - 1, 2**30, 2**30),
    (2**31, 2**30, 2**30),
    (2**31 - 1, 2**31 - 20, 2**30),
    (LARGEST, LARGEST // 2, LARGEST // 2),  # the widest law there is
    (LOG2_TABLE_LIMIT, 60_000, 50_000),
    (LOG2_TABLE_LIMIT + 1, 60_000, 50_000),
]


def p_values(sample, law):
    """Of neighbouring values put together, and of their remainders, which show each value by itself."""
    x, probabilities = law
    expected = np.bincount(x % 7, probabilities, minlength=7) * sample.size
    return [fit_of_draws(sample, law), fit(np.bincount(sample % 7, minlength=7), expected)]


# The chance that this fails for a right sampler is 3e-4: 140 p-values above 1e-6, and one above 1e-4 for all.
@pytest.mark.heavy
def test_draws_follow_their_laws():
    found = []
    for i, parameters in enumerate(LAWS):
        values = p_values(draw_many(parameters, seed=i), hypergeometric_law(*parameters))
        assert min(values) > 1e-6, parameters
        found += [value for value in values if value < 1.0]  # 1: a single class
    if COMPILED:
        assert len(found) > 100
        assert stats.kstest(found, "uniform").pvalue > 1e-4


@pytest.mark.heavy
@pytest.mark.skipif(not COMPILED, reason="takes a million draws")
def test_negative_control_a_hat_a_twentieth_too_low_fails():
    law = hypergeometric_law(160, 40, 55)
    assert fit_of_draws(draw_many((160, 40, 55), 1_000_000), law) > 1e-6
    assert fit_of_draws(draw_many((160, 40, 55), 1_000_000, lowered=0.95), law) < 1e-12


class TestCentreAndScale:
    @pytest.mark.parametrize("most", [1000, 2**31 - 1, LARGEST])
    def test_they_are_those_of_the_law(self, most):
        population, good, draws = random_laws(300, most, 8)
        for N, G, D in zip(population.tolist(), good.tolist(), draws.tolist(), strict=True):
            mode, phi, square = draw.centre_and_scale(N, G, D)
            xi = Fraction((G + 1) * (D + 1), N + 2)
            exact = xi * (N - G + 1) * (N - D + 1) / (N + 2) ** 2
            assert 0.0 <= phi <= 1.0
            assert abs(mode + Fraction(phi) - xi) < Fraction(1, 10**6)
            assert square == pytest.approx(float(exact), rel=1e-15)
            if N >= draw.LANES_LIMIT:  # below it the mode may be one off, where xi is a whole number
                assert mode == math.floor(xi)

    def test_a_centre_just_below_a_whole_number_is_rounded_down(self):
        # xi = 2**30 - 2**-31: in float64 it is a whole number.
        for N, G, D in ((2**32 - 2, 2**31 - 1, 2**31 - 1), (2**32 - 3, 2**32 - 5, 2**31 - 1)):
            mode, phi, _ = draw.centre_and_scale(N, G, D)
            assert mode == (G + 1) * (D + 1) // (N + 2)
        assert phi == pytest.approx(float(Fraction((G + 1) * (D + 1), N + 2) - mode), abs=1e-15)


@pytest.mark.parametrize("negative", [False, True])
def test_the_floor_of_real_numbers_just_beside_a_whole_number(negative):
    """That of ``phi + tau z``: whole numbers are met, and missed by 2**-80, on either side."""
    for beside, phi in itertools.product((-(2.0**-80), 0.0, 2.0**-80), (0.0, 0.25, 0.75)):
        left = 3.0 - phi if not negative else 3.0 + phi
        z = Fraction(left) + Fraction(beside)
        wanted = math.floor(Fraction(phi) + (-z if negative else z))
        assert draw.exact_floor(phi, 1.0, left, beside, 1.0, negative) == wanted
