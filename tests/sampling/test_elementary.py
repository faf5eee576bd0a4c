"""Exponentials, logarithms and log-factorials against decimal numbers of 60 digits and exact integers."""

import decimal
import math
from decimal import Decimal

import numpy as np
import pytest

from chancecorr.sampling.kernels import logarithms
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, fill_log2_factorials, stirling
from tests.sampling.fits import COMPILED

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

WORD = 2**64


@pytest.fixture(autouse=True)
def sixty_digits():
    with decimal.localcontext(prec=60):
        yield


def numbers(count, low, high, seed=1):
    return [float(x) for x in np.random.default_rng(seed).uniform(low, high, count)]


class TestElementary:
    def test_powers_of_two(self):
        for t in [*numbers(300, -999.0, 60.0), *numbers(100, -1.0, 1.0), 0.0, 0.5, -0.5, -999.9]:
            exact = (Decimal(t) * Decimal(2).ln()).exp()
            assert abs(Decimal(logarithms.exp2(t)) / exact - 1) < Decimal("4e-16")
        assert logarithms.exp2(-3.0) == 0.125
        assert logarithms.exp2(-1001.0) == 0.0

    def test_logarithm(self):
        wide = [math.exp(x) for x in numbers(300, -700.0, 700.0)]
        for x in [*wide, *numbers(200, 0.4, 2.0), 1.0 - 1e-9, 1.0 + 1e-9]:
            exact = Decimal(x).ln()
            assert abs(Decimal(logarithms.log(x)) - exact) < Decimal("3e-16") * max(1, abs(exact))
        assert logarithms.log(1.0) == 0.0

    def test_logarithm_of_one_plus_x(self):
        small = [10.0**x for x in numbers(200, -18.0, 6.0)]
        for x in [*small, *(-y for y in small if y < 0.99), *numbers(200, -0.99, 3.0)]:
            exact = (1 + Decimal(x)).ln()
            assert abs(Decimal(logarithms.log1p(x)) / exact - 1) < Decimal("1e-15")


def in_fixed_point(number):
    """Nearest whole number of units ``2**-52``, modulo ``2**64``."""
    return int((number * 2**52).to_integral_value(decimal.ROUND_HALF_EVEN)) % WORD


def decimal_log2_factorial(k):
    """By Stirling's series, whose term of ``1/k**15`` is below 1e-48 from k = 2000 on."""
    two_pi = Decimal("6.28318530717958647692528676655900576839433879875021164194988918")
    terms = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)]
    k = Decimal(k)
    total = (k + Decimal("0.5")) * k.ln() - k + two_pi.ln() / 2
    total += sum(Decimal(a) / b / k ** (2 * i + 1) for i, (a, b) in enumerate(terms))
    return total / Decimal(2).ln()


def log2_factorial_table(size):
    out = np.zeros(size, dtype=np.uint64)
    fill_log2_factorials(out)
    return out


class TestLog2Factorials:
    @pytest.mark.heavy
    def test_entries_are_the_nearest(self):
        table = log2_factorial_table(2001)
        factorial, ln_2 = 1, Decimal(2).ln()
        for k in range(2001):
            factorial *= max(k, 1)
            assert int(table[k]) == in_fixed_point(Decimal(factorial).ln() / ln_2)

    def test_entries_later_in_the_table_are_the_nearest(self):
        table = log2_factorial_table(LOG2_TABLE_LIMIT + 1 if COMPILED else 10_000)
        for k in [table.size - 1, *np.random.default_rng(1).integers(2000, table.size, 300).tolist()]:
            assert int(table[k]) == in_fixed_point(decimal_log2_factorial(k))

    def test_stirling_is_the_nearest(self):
        beyond = np.exp(np.random.default_rng(2).uniform(17 * math.log(2), math.log(3.1e9), 300)).astype(int)
        for k in [2000, LOG2_TABLE_LIMIT + 1, 3_037_000_499, *beyond.tolist()]:
            assert int(np.uint64(stirling(k))) == in_fixed_point(decimal_log2_factorial(k))
