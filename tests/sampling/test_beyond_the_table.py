"""Laws of more objects than the table of log-factorials reaches."""

from fractions import Fraction

import pytest
from numba.extending import is_jitted

from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, TABLE_BEYOND, log2_factorials
from chancecorr.sampling.kernels.narrow import chance_of_none

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only


@pytest.mark.skipif(not is_jitted(chance_of_none.dispatcher), reason="a million entries take long uncompiled")
def test_the_table_reaches_n_or_as_far_as_it_is_kept():
    for n in (1, 2, 800, TABLE_BEYOND, LOG2_TABLE_LIMIT):
        assert n < log2_factorials(n).size <= max(2 * n, 2) + 1
    assert log2_factorials(LOG2_TABLE_LIMIT + 1).size == TABLE_BEYOND
    assert log2_factorials(10**9).size == TABLE_BEYOND


@pytest.mark.parametrize(
    ("population", "a", "b"),
    [
        (TABLE_BEYOND + 1, 1, 1),
        (200_000, 1, 100_000),
        (200_000, 7, 100_000),
        (200_000, 440, 450),
        (1_000_000, 20, 30_000),
        (10_000_000, 3, 4_999_999),
        (3_000_000_000, 50, 20_000_000),
    ],
)
def test_chance_of_none_equals_exact_fractions(population, a, b):
    exact = Fraction(1)
    for i in range(a):
        exact *= Fraction(population - b - i, population - i)
    found = chance_of_none(population, a, b, True, log2_factorials(10**9))
    assert abs(Fraction(float(found)) / exact - 1) < 4e-15
