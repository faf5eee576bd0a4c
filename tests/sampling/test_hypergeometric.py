"""One hypergeometric draw: what it accepts against exact factorials, and its law over many margins."""

import itertools
import math
import types
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats

from chancecorr.machine.kernel import kernel
from chancecorr.sampling.kernels import hypergeometric
from chancecorr.sampling.kernels.hypergeometric import (
    MOST_MEAN_INVERTED,
    OFFSET_OF_WIDTH,
    SLOPE_OF_WIDTH,
    draw_hypergeometric,
)
from chancecorr.sampling.kernels.logarithms import TABLE_LIMIT, log_factorials
from chancecorr.sampling.kernels.streams import open_stream
from tests.sampling.fits import COMPILED, fit, fit_of_draws, hypergeometric_law, random_laws

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

M = 50_000 if COMPILED else 100
LARGEST = 3_037_000_499


@kernel
def fill(out, seed, population, good, draws, table):
    stream = open_stream(seed, 0)
    for i in range(out.size):
        out[i], stream = draw_hypergeometric(population, good, draws, table, stream)


def draw_many(parameters, m=M, seed=2014, table=None):
    sample = np.empty(m, dtype=np.int64)
    fill(sample, np.uint64(seed), *parameters, log_factorials(parameters[0]) if table is None else table)
    return sample


def mean_of_smallest(population, good, draws):
    return min(good, population - good) * min(draws, population - draws) / max(population, 1)


def laws_between(count, least, most, seed, *, inverted):
    """Laws of so many objects of more than one value, inverted or not."""
    chosen = []
    for parameters in zip(*(each.tolist() for each in random_laws(200, most, seed, least)), strict=True):
        population, good, draws = parameters
        several = max(0, draws + good - population) < min(good, draws)
        if several and (mean_of_smallest(*parameters) <= MOST_MEAN_INVERTED) == inverted:
            chosen.append(parameters)
    assert len(chosen) >= count
    return chosen[:count]


SMALL = [(20, 6, 7), (20, 14, 13), (20, 6, 13), (20, 14, 7), (100, 50, 50), (32, 16, 16), (12, 1, 1)]
LAWS = [
    *SMALL,
    *laws_between(8, 60, 200, 1, inverted=False),
    *laws_between(8, 3, 1000, 2, inverted=True),  # from each of the four cells
    *laws_between(14, 60, TABLE_LIMIT, 3, inverted=False),
    *laws_between(
        14, TABLE_LIMIT, 2**31, 4, inverted=False
    ),  # by Stirling's series, of one factorial or more
    *laws_between(6, TABLE_LIMIT, LARGEST, 5, inverted=True),
    *laws_between(6, 2**31, LARGEST, 6, inverted=False),
    (2**31 - 1, 2**30, 2**30),
    (LARGEST, LARGEST // 2, LARGEST // 2),  # the widest law there is
    (TABLE_LIMIT - 1, 60_000, 50_000),
    (TABLE_LIMIT, 60_000, 50_000),
    (2 * TABLE_LIMIT, TABLE_LIMIT, TABLE_LIMIT),
    (10**6, 9000, 8000),
]


def p_values(sample, law):
    """Of neighbouring values put together, and of their remainders, which show each value by itself."""
    x, probabilities = law
    expected = np.bincount(x % 7, probabilities, minlength=7) * sample.size
    return [fit_of_draws(sample, law), fit(np.bincount(sample % 7, minlength=7), expected)]


# The chance that this fails for a right sampler is 3e-4: 140 p-values above 1e-6, and one above 1e-4 for all.
@pytest.mark.slow
def test_draws_follow_their_laws():
    found = []
    for i, parameters in enumerate(LAWS):
        values = p_values(draw_many(parameters, seed=i), hypergeometric_law(*parameters))
        assert min(values) > 1e-6, parameters
        found += [value for value in values if value < 1.0]  # 1: a single class
    if COMPILED:
        assert len(found) > 100
        assert stats.kstest(found, "uniform").pvalue > 1e-4


@pytest.mark.skipif(not COMPILED, reason="takes a million draws")
@pytest.mark.parametrize(("parameters", "place"), [((160, 40, 55), 14), ((40, 9, 12), 40)], ids=str)
def test_negative_control_a_wrong_factorial_fails(parameters, place):
    law = hypergeometric_law(*parameters)
    wrong = log_factorials(parameters[0]).copy()
    wrong[place] += 1 << 42  # its logarithm is off by 1/16
    assert fit_of_draws(draw_many(parameters, 1_000_000), law) > 1e-6
    assert fit_of_draws(draw_many(parameters, 1_000_000, table=wrong), law) < 1e-12


def centre_and_scale(N, G, D):
    p, q = (G + 1) / (N + 2), (D + 1) / (N + 2)
    return (D + 1) * p, math.sqrt((N + 2) * p * (1 - p) * q * (1 - q))


def reach_of_rectangle(N, G, D):
    """Largest ``abs(w - centre) u / (width / 2)`` that is to be accepted; 1 at the edge of the rectangle."""
    centre, scale = centre_and_scale(N, G, D)
    x, law = hypergeometric_law(N, G, D)
    w = np.maximum(np.abs(x - centre), np.abs(x + 1 - centre))
    return float((w * np.sqrt(law / law.max())).max() / (SLOPE_OF_WIDTH * scale + OFFSET_OF_WIDTH) * 2.0)


def test_the_rectangle_holds_all_that_is_to_be_accepted():
    for N in range(1, 91 if COMPILED else 41):
        for G, D in itertools.combinations_with_replacement(range(1, N // 2 + 1), 2):
            if G * D > MOST_MEAN_INVERTED * N:
                assert centre_and_scale(N, G, D)[1] > 1.35
                assert reach_of_rectangle(N, G, D) < 1.0
    wide = [(4 * mean * k, 2 * k, 2 * mean) for mean in (10, 50, 3_000) for k in (mean, 10**5)]
    reaches = [reach_of_rectangle(*law) for law in wide]
    assert 0.95 < min(reaches) < max(reaches) < 1.0  # nor is it much too wide


def test_the_rectangle_holds_what_is_proven_of_every_law():
    """By the bound of all laws of a scale: ``(S + 1/2) sqrt(f(x) / f(mode))`` is below half the width."""
    room = []
    for square in np.concatenate([np.linspace(1.35**2, 30.0, 2_000), np.geomspace(30.0, 1e9, 500)]):
        S = np.linspace(0.0, 12.0 * math.sqrt(square) + 12.0, 20_001)
        v = 0.5 / square
        at_most = (1.0 - v) * math.log1p(-v) + v - (1.0 + S / square) * np.log1p(S / square) + S / square
        reach = (S + 0.5) * np.minimum(1.0, np.exp(0.5 * square * at_most))
        room.append(0.5 * (SLOPE_OF_WIDTH * math.sqrt(square) + OFFSET_OF_WIDTH) - reach.max())
    assert min(room) > 0.001
    assert (np.diff(room[:2_000]) > -1e-6).all()  # the room grows, so that between two of them there is some


def exact_log_ratio(N, G, D, mode, x):
    """``log f(x) / f(mode)`` to forty digits."""
    cells = [(mode, x), (G - mode, G - x), (D - mode, D - x), (N - G - D + mode, N - G - D + x)]
    return mpmath.fsum(mpmath.loggamma(a + 1) - mpmath.loggamma(b + 1) for a, b in cells)


def run_with(function, names):
    """A kernel as Python, with other functions under these names."""
    where = {name: getattr(value, "plain", value) for name, value in vars(hypergeometric).items()}
    return types.FunctionType(function.py_func.__code__, where | names)


class ComparedError(Exception):
    """The comparison of ``2 log u`` with the logarithm of the ratio, which is its argument."""


class Logarithm:
    """The logarithm of u, which tells what it is compared with."""

    def __rmul__(self, factor):
        return self

    def __le__(self, ratio):
        raise ComparedError(float(ratio))


def find_log_ratio(N, G, D, x):
    """``log f(x) / f(mode)`` as the kernel has it: x is proposed, by u = 1 and the v that gives it."""
    centre, scale = centre_and_scale(N, G, D)
    width = SLOPE_OF_WIDTH * scale + OFFSET_OF_WIDTH
    numbers = iter((1.0, 0.5 + (x + 0.5 - centre) / width))
    log = hypergeometric.log.plain
    names = {"draw_uniform": lambda stream: (next(numbers), stream)}
    names["log"] = lambda number: Logarithm() if number == 1.0 else log(number)
    with pytest.raises(ComparedError) as caught, np.errstate(all="ignore"):
        run_with(hypergeometric.propose, names)(N, G, D, log_factorials(N), None)
    return caught.value.args[0]


ACCURACY = [
    ((1_000, 400, 500), 1e-13),
    ((TABLE_LIMIT - 1, 65_000, 60_000), 1e-11),
    ((10**6, 500_000, 400_000), 1e-10),
    ((10**6, 10_000, 10_000), 1e-11),
    ((10**6, 120_000, 130_000), 1e-10),
    ((3 * 10**9, 10**9, 10**9), 1e-8),
    ((3 * 10**9, 10**6, 120_000), 1e-11),
    ((3 * 10**9, 100_000, 10**9), 1e-9),
]


@pytest.mark.parametrize(("law", "error"), ACCURACY, ids=str)
def test_what_is_accepted_is_exact_to_the_error_that_is_stated(law, error, record_property):
    N, G, D = law
    std = math.sqrt(G * D / N * (1 - G / N) * (1 - D / N))
    mode, errors, weights = int((G + 1) * (D + 1) / (N + 2)), [], []
    with mpmath.workdps(40):
        for z in np.linspace(-6, 6, 25):
            x = int(G * D / N + z * std)
            exact = exact_log_ratio(N, G, D, mode, x)
            errors.append(abs(float(mpmath.mpf(find_log_ratio(N, G, D, x)) - exact)))
            weights.append(math.exp(float(exact)))
    assert max(errors) < error
    variation = float(np.average(errors, weights=weights)) / 2  # at least the total variation
    record_property("total_variation", variation)
    assert variation < (1e-11 if N <= 10**6 else 1e-8)


@pytest.mark.parametrize(
    "law", [(20, 6, 7), (50_000, 16, 25_000), (10**6, 2_000, 4_000), (LARGEST, 11, 2 * 10**9)]
)
def test_the_first_probability_of_an_inversion_is_exact(law):
    # The share of uniform numbers that give 0, or its mirror image, is that probability.
    N, G, D = law
    few, many = sorted((min(G, N - G), min(D, N - D)))
    log_none = math.fsum(math.log1p(-many / (N - i)) for i in range(few))
    table = log_factorials(N)
    low, high = 0.0, 1.0
    for _ in range(60):
        u = (low + high) / 2
        where = {"draw_uniform": lambda stream, u=u: (u, stream)}
        x = run_with(hypergeometric.invert, where)(N, few, many, table, None)[0]
        low, high = (u, high) if x == 0 else (low, u)
    assert low == pytest.approx(math.exp(log_none), rel=1e-8 if N > 10**6 else 1e-11)


def test_every_number_of_objects_of_no_spread():
    for law in ((5, 0, 3), (5, 5, 3), (5, 3, 0), (5, 3, 5), (0, 0, 0), (1, 1, 1)):
        N, G, D = law
        wanted = Fraction(G * D, N) if N else 0
        assert (draw_many(law, 3) == wanted).all()
