"""Laws of T in closed form: equal to the enumeration of all tables, and to SciPy's hypergeometric law."""

import math
from fractions import Fraction

import numpy as np
import pytest

from chancecorr import Margins
from chancecorr.exact.closed_laws import compute_hypergeometric_law, list_closed_pair_sums
from tests.naive import law_of_pair_sum

CASES = [
    ([3, 2], [3, 2]), ([5, 7], [6, 6]), ([1, 9], [5, 5]), ([0, 4, 3], [2, 0, 5]),
    ([4, 1, 1, 1], [3, 1, 1, 1, 1]), ([4, 1, 1], [2, 1, 1, 1, 1]),
]  # fmt: skip
OTHERS = [
    ([2, 2, 2], [2, 2, 2]), ([5], [2, 3]), ([1, 1, 1], [2, 1]), ([3, 2], [2, 2, 1]), ([3, 3], [2, 2, 2]),
    ([], []), ([4, 3], [5, 1, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "columns"), CASES)
def test_equals_enumeration(rows, columns):
    exact = law_of_pair_sum(rows, columns)
    for margins in (Margins(rows, columns), Margins(columns, rows)):
        T, p = list_closed_pair_sums(margins)
        assert T.tolist() == sorted(exact)
        np.testing.assert_allclose(p, [float(exact[value]) for value in sorted(exact)], rtol=1e-13)


@pytest.mark.parametrize(("rows", "columns"), OTHERS)
def test_other_margins_have_none(rows, columns):
    assert list_closed_pair_sums(Margins(rows, columns)) is None


def exact_hypergeometric(x, n, good, draws):
    return Fraction(math.comb(good, x) * math.comb(n - good, draws - x), math.comb(n, draws))


def test_far_tails_keep_their_digits():
    x, p = compute_hypergeometric_law(2000, 300, 700)
    for place in (0, 20, p.size // 2, p.size - 20, p.size - 1):
        exact = exact_hypergeometric(int(x[place]), 2000, 300, 700)
        assert p[place] == pytest.approx(float(exact), rel=1e-11)
