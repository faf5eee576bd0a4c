"""Tables in order stand for all tables, and tabulated weights for hypergeometric probabilities."""

import numpy as np
import pytest

from chancecorr.exact import enumeration
from chancecorr.exact.enumeration import compute_pair_sum_law, order_of_cells, sort_equal_last
from chancecorr.tables.contingency import Margins
from tests import naive

EQUAL_TOTALS = [
    ((4, 4, 4), (4, 4, 4)),
    ((4, 4, 2), (3, 3, 4)),
    ((2, 2, 2, 2), (2, 2, 2, 2)),
    ((3, 3, 1), (2, 2, 2, 1)),
    ((1, 3, 3, 3), (4, 4, 1, 1)),
    ((1, 1, 1, 1, 1), (2, 2, 1)),
    ((7, 1, 1, 1), (8, 1, 1)),
    ((2, 2, 5), (3, 3, 3)),
    ((5, 4), (3, 3, 3)),
]


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


@pytest.mark.parametrize(("rows", "columns"), EQUAL_TOTALS)
@pytest.mark.parametrize("order", [np.sort, sort_equal_last])
def test_law_in_either_order_of_the_rows(monkeypatch, rows, columns, order):
    monkeypatch.setattr(enumeration, "sort_equal_last", order)
    expected = naive.law_of_pair_sum(rows, columns)
    law = compute_pair_sum_law(Margins(rows, columns), method="enumeration", lost_mass=0.0)
    assert law.values.tolist() == list(expected)
    np.testing.assert_allclose(law.probabilities, [float(p) for p in expected.values()], rtol=1e-12)


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


WRONG = {
    "a place too many": lambda column, place, following: place + (following > 0),
    "nothing stands for more": lambda column, place, following: np.minimum(place, 1),
    "an order that is none": lambda column, place, following: place + (column == 1),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_multiplicity_shows(monkeypatch, name):
    def wrong(rows, columns):
        order = order_of_cells(rows, columns)
        order[2] = WRONG[name](*order[1:4])
        return order

    monkeypatch.setattr(enumeration, "order_of_cells", wrong)
    law = compute_pair_sum_law(Margins([4, 4, 4], [5, 5, 2]), method="enumeration", lost_mass=0.0)
    assert abs(law.probabilities.sum() - 1.0) > 0.01
