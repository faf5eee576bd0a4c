"""Pearson curves: closed-form tails of each type, the exact law at 800 objects, degenerate moments."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from chancecorr.exact.enumeration import compute_pair_sum_law
from chancecorr.exact.tail_bounds import compute_pearson_p_value, standard_tail
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import PairSumMoments, compute_pair_sum_moments

BALANCED = Margins((240, 240, 320), (240, 240, 320))
SMALL = Margins((33, 33, 34), (33, 33, 34))
UNEQUAL = Margins((100, 300, 400), (150, 250, 400))


def moments_of(mean, variance, third, fourth):
    return PairSumMoments(
        mean=Fraction(mean), variance=Fraction(variance), third=Fraction(third), fourth=Fraction(fourth)
    )


def central(raw):
    """Mean and central moments 2, 3, 4 from raw moments 1 to 4, in fractions."""
    m, m2, m3, m4 = map(Fraction, raw)
    return (m, m2 - m**2, m3 - 3 * m * m2 + 2 * m**3, m4 - 4 * m * m3 + 6 * m**2 * m2 - 3 * m**4)


def rising(x, k):
    return math.prod((Fraction(x) + i for i in range(k)), start=Fraction(1))


def beta_raw(a, b):
    return [rising(a, k) / rising(a + b, k) for k in (1, 2, 3, 4)]


def beta_prime_raw(a, b):
    return [rising(a, k) / math.prod(Fraction(b) - i for i in range(1, k + 1)) for k in (1, 2, 3, 4)]


def gamma_raw(a):
    return [rising(a, k) for k in (1, 2, 3, 4)]


def inverse_gamma_raw(a):
    return [1 / math.prod(Fraction(a) - i for i in range(1, k + 1)) for k in (1, 2, 3, 4)]


LAWS = [
    (beta_raw(2, 5), stats.beta(2, 5)),
    (beta_raw(Fraction(1, 2), 3), stats.beta(0.5, 3)),
    (beta_raw(Fraction(1, 2), Fraction(1, 2)), stats.beta(0.5, 0.5)),
    (beta_raw(4, 4), stats.beta(4, 4)),
    (beta_raw(7, Fraction(3, 2)), stats.beta(7, 1.5)),  # negative skewness
    (beta_raw(3, 4000), stats.beta(3, 4000)),  # next to a gamma law
    (beta_prime_raw(3, 8), stats.betaprime(3, 8)),
    (beta_prime_raw(Fraction(1, 2), 30), stats.betaprime(0.5, 30)),
    (beta_prime_raw(4, 9000), stats.betaprime(4, 9000)),
    (beta_prime_raw(5000, 12), stats.betaprime(5000, 12)),  # next to an inverse gamma law
    (inverse_gamma_raw(9), stats.invgamma(9)),
    (gamma_raw(Fraction(1, 3)), stats.gamma(1 / 3)),
    (gamma_raw(1), stats.gamma(1)),
    (gamma_raw(40), stats.gamma(40)),
    ((0, 1, 0, 3), stats.norm()),
    ((0, Fraction(9, 7), 0, Fraction(3 * 9**2, 7 * 5)), stats.t(9)),
]


def tails(compute_central_moments, x):
    """Both tails at x by the Pearson curve."""
    mean, variance, third, fourth = compute_central_moments
    z = float((Fraction(x) - mean) / Fraction(math.sqrt(variance)))
    b1, b2 = third**2 / variance**3, fourth / variance**2
    if third < 0:
        return standard_tail(b1, b2, -z, upper=False), standard_tail(b1, b2, -z, upper=True)
    return standard_tail(b1, b2, z, upper=True), standard_tail(b1, b2, z, upper=False)


@pytest.mark.parametrize(("raw", "law"), LAWS, ids=[f"{law.dist.name}{law.args}" for _, law in LAWS])
def test_recovers_the_law_whose_moments_it_has(raw, law):
    moments = central(raw)
    for p in (1e-9, 1e-4, 0.01, 0.3, 0.5, 0.9, 0.999):
        x = float(law.isf(p))
        upper, lower = tails(moments, x)
        assert upper == pytest.approx(law.sf(x), rel=1e-9)
        assert lower == pytest.approx(law.cdf(x), rel=1e-9, abs=1e-10)  # x / std may be next to 0


@pytest.mark.parametrize(("power", "nu"), [(3.5, 0.5), (6, 4), (9, 40), (30, 2), (400, 90), (8, 1e4)])
def test_recovers_type_four(power, nu):
    """Density ``(1 + x**2)**-(power/2 + 1) exp(-nu acot(x))``; moments of cot(phi) in closed form."""
    # E cot^k: integrate d(sin^p e^(-nu phi) cot^(k-1)) by parts
    power, nu = Fraction(power), Fraction(nu)
    first = nu / power
    second = (nu * first + 1) / (power - 1)
    third = (nu * second + 2 * first) / (power - 2)
    fourth = (nu * third + 3 * second) / (power - 3)
    moments = central((first, second, third, fourth))
    p, v = float(power), float(nu)
    mode = math.atan2(p, v)
    top = p * math.log(math.sin(mode)) - v * mode

    def density(phi):
        return math.exp(p * math.log(math.sin(phi)) - v * phi - top) if 0.0 < phi < math.pi else 0.0

    width = math.sin(mode) / math.sqrt(p)
    cuts = sorted({0.0, math.pi, *(min(max(mode + k * width, 0.0), math.pi) for k in range(-40, 41))})

    def area(low, high):
        ends = [low, *(cut for cut in cuts if low < cut < high), high]
        pieces = itertools.pairwise(ends)
        return math.fsum(integrate.quad(density, *piece, epsabs=0.0, epsrel=1e-12)[0] for piece in pieces)

    for k in (-3.0, -1.0, 0.0, 2.0, 5.0):
        phi = mode - k * width
        if not 0.05 * mode < phi < math.pi:
            continue
        upper, lower = tails(moments, 1.0 / math.tan(phi))
        right, left = area(0.0, phi), area(phi, math.pi)
        assert upper == pytest.approx(right / (right + left), rel=1e-9)
        assert lower == pytest.approx(left / (right + left), rel=1e-9)


@pytest.mark.parametrize("margins", [BALANCED, SMALL, UNEQUAL])
def test_stated_errors_of_the_upper_tail(margins):
    moments, law = compute_pair_sum_moments(margins), compute_pair_sum_law(margins)
    upper = law.probabilities[::-1].cumsum()[::-1]
    for p, rel in ((1e-2, 0.03), (1e-3, 0.03), (1e-4, 0.1), (1e-6, 0.26), (1e-8, 1.0)):
        place = int(np.argmax(upper <= p))
        ratio = compute_pearson_p_value(moments, law.values[place]) / upper[place]
        assert 1.0 / (1.0 + rel) < ratio < 1.0 + rel
    if margins is UNEQUAL:  # the lower tail of balanced margins is short and steep
        for T in (98_800, 99_400, 100_000):
            exact = law.probabilities[law.values <= T].sum()
            assert compute_pearson_p_value(moments, T, "less") == pytest.approx(exact, rel=0.1)


@pytest.mark.parametrize(
    ("p", "low", "high"), [(Fraction(1, 3), 8, 14), (Fraction(1, 2), 4, 6), (Fraction(9, 10), 3, 9)]
)
def test_two_values_are_exact(p, low, high):
    mean = p * high + (1 - p) * low
    parts = [p * (high - mean) ** k + (1 - p) * (low - mean) ** k for k in (2, 3, 4)]
    moments = moments_of(mean, *parts)
    assert compute_pearson_p_value(moments, low) == 1.0
    assert compute_pearson_p_value(moments, high) == pytest.approx(float(p), rel=1e-14)
    assert compute_pearson_p_value(moments, high + 2) == 0.0
    assert compute_pearson_p_value(moments, low, "less") == pytest.approx(float(1 - p), rel=1e-14)
    assert compute_pearson_p_value(moments, high, "less") == 1.0
    assert compute_pearson_p_value(moments, low - 2, "less") == 0.0


@pytest.mark.parametrize(
    "margins", [([], []), ([1], [1]), ([1, 1, 1, 1], [2, 2]), ([4], [2, 1, 1]), ([8], [8])]
)
def test_constant(margins):
    margins = Margins(*margins)
    moments = compute_pair_sum_moments(margins)
    T = int(moments.mean)
    assert [compute_pearson_p_value(moments, x) for x in (T - 2, T, T + 2)] == [1.0, 1.0, 0.0]
    assert [compute_pearson_p_value(moments, x, "less") for x in (T - 2, T, T + 2)] == [0.0, 1.0, 1.0]


def test_billions_of_objects():
    # nearly normal or nearly gamma; the boundary and the moments are exact, whatever their size
    margins = Margins([333_333_333, 333_333_333, 333_333_334], [123_456_789, 876_543_211])
    moments = compute_pair_sum_moments(margins)
    values = [
        compute_pearson_p_value(moments, round(moments.mean) + round(k * moments.std)) for k in range(-3, 9)
    ]
    assert all(0.0 <= p <= 1.0 for p in values)
    assert values == sorted(values, reverse=True)


def test_moments_that_no_law_has():
    with pytest.raises(ValueError, match="`moments` must be those of a law"):
        compute_pearson_p_value(moments_of(0, 1, 1, Fraction(3, 2)), 1)
