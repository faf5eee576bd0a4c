"""Tables in order stand for all tables, and tabulated weights for hypergeometric probabilities."""

import numpy as np
import pytest

from chancecorr import Margins
from chancecorr.exact.enumeration import compute_pair_sum_law


def random_margins(rng, n):
    """Totals that are equal, drawn, with zeros, or one huge and many tiny, shuffled."""

    def side():
        k = int(rng.integers(2, 6))
        kind = rng.integers(4)
        if kind == 0:
            totals = np.full(k, n // k)
        elif kind == 1:
            totals = np.bincount(rng.integers(0, k, n), minlength=k)
        elif kind == 2:
            totals = np.append(np.full(k - 1, rng.integers(1, 3)), 0)
        else:
            totals = np.repeat([n // (2 * k), n // (3 * k)], [k // 2, k - k // 2])
        return [*rng.permutation(totals).tolist(), n - int(totals.sum())]

    return side(), side()


@pytest.mark.parametrize("seed", range(10))
def test_random_margins_equal_dynamic_programming(seed):
    rng = np.random.default_rng(seed)
    rows, columns = random_margins(rng, int(rng.integers(8, 21)))
    margins = Margins(rows, columns)
    expected = compute_pair_sum_law(margins, method="dynamic-programming")
    law = compute_pair_sum_law(margins, method="enumeration", lost_mass=0.0, budget=60.0)
    np.testing.assert_array_equal(law.values, expected.values)
    np.testing.assert_allclose(law.probabilities, expected.probabilities, rtol=1e-12)
    assert law.probabilities.sum() == pytest.approx(1.0, rel=1e-12)
