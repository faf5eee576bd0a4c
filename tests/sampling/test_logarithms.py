"""Exponentials, logarithms and log-factorials against decimal numbers of 60 digits."""

import decimal
import math
from decimal import Decimal

import numpy as np
import pytest

from chancecorr.sampling.kernels import logarithms
from chancecorr.sampling.kernels.logarithms import TABLE_LIMIT, UNIT, log_factorials, log_rise

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only


@pytest.fixture(autouse=True)
def sixty_digits():
    with decimal.localcontext(prec=60):
        yield


def numbers(count, low, high, seed=1):
    return [float(x) for x in np.random.default_rng(seed).uniform(low, high, count)]


def test_exponential():
    for t in [*numbers(300, -690.0, 60.0), *numbers(100, -1.0, 1.0), 0.0, 0.5, -0.5]:
        assert abs(Decimal(float(logarithms.exp(t))) / Decimal(t).exp() - 1) < Decimal("1e-13")
    assert logarithms.exp(-701.0) == 0.0


def test_logarithm():
    wide = [math.exp(x) for x in numbers(300, -700.0, 700.0)]
    for x in [*wide, *numbers(200, 0.4, 2.0), 1.0 - 1e-9, 1.0 + 1e-9]:
        exact = Decimal(x).ln()
        assert abs(Decimal(float(logarithms.log(x))) - exact) < Decimal("4e-16") * max(1, abs(exact))


def test_logarithm_of_one_plus_x():
    small = [10.0**x for x in numbers(200, -18.0, 6.0)]
    for x in [*small, *(-y for y in small if y < 0.99), *numbers(200, -0.99, 3.0)]:
        exact = (1 + Decimal(x)).ln()
        assert abs(Decimal(float(logarithms.log1p(x))) / exact - 1) < Decimal("1e-12")


def test_entries_are_sums_of_rounded_logarithms():
    table = log_factorials(TABLE_LIMIT)
    assert table.size == TABLE_LIMIT
    assert table[0] == table[1] == 0
    for k in [*range(1, 200), *np.random.default_rng(1).integers(200, TABLE_LIMIT, 300).tolist()]:
        step = int(table[k] - table[k - 1])
        # half a unit, and what a float64 of the logarithm lacks
        assert abs(Decimal(step) * Decimal(UNIT) - Decimal(k).ln()) < Decimal(0.5 * UNIT + 4e-15)


def test_a_table_for_few_numbers_is_the_beginning_of_a_longer_one():
    for n in (0, 1, 2, 3, 4, 1000, 70_000):
        table = log_factorials(n)
        assert n < table.size <= 2 * max(n, 1)
        assert (table == log_factorials(TABLE_LIMIT)[: table.size]).all()


def exact_rise(k, d):
    """``log((k + d)! / k!)``: by Stirling's series, whose term of ``1/k**9`` is below 1e-40 for these."""

    def log_factorial(k):
        terms = [(1, 12), (-1, 360), (1, 1260), (-1, 1680)]
        k = Decimal(k)
        total = (k + Decimal("0.5")) * k.ln() - k
        return total + sum(Decimal(a) / b / k ** (2 * i + 1) for i, (a, b) in enumerate(terms))

    return log_factorial(k + d) - log_factorial(k)


@pytest.mark.parametrize("k", [TABLE_LIMIT // 2 - 1, TABLE_LIMIT // 2, TABLE_LIMIT, 10**6, 3 * 10**9])
def test_rises_by_the_table_and_beyond_it(k):
    table = log_factorials(TABLE_LIMIT)
    for d in {1, 17, 500, 4_000, -1, -17, -500, -4_000, k // 16, -(k // 16)}:
        exact = exact_rise(k, d)
        error = abs(Decimal(float(log_rise(k, d, table))) - exact)
        # by the table a rounded unit a step, beyond it a few last digits of the product
        assert error < Decimal(abs(d) * 1e-14 + 1e-12) + abs(exact) * Decimal("4e-16")
