"""The twins against answers that are printed elsewhere or counted another way."""

import math
from fractions import Fraction

import pytest

from tests.naive import all_permutations_law, law_of_tables


@pytest.mark.parametrize(
    ("labels_true", "labels_pred"),
    [
        ([0, 0, 1], [0, 1, 1]),
        ([0, 0, 0, 1, 1], [0, 0, 0, 0, 1]),
        ([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2]),
        ([0, 0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 2, 2]),
        ([0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 1, 1]),
    ],
    ids=str,
)
def test_table_probability_against_all_permutations(labels_true, labels_pred):
    n = len(labels_true)
    row_totals = [labels_true.count(label) for label in sorted(set(labels_true))]
    column_totals = [labels_pred.count(label) for label in sorted(set(labels_pred))]
    counted = {
        table: Fraction(count, math.factorial(n))
        for table, count in all_permutations_law(labels_true, labels_pred).items()
    }
    assert dict(law_of_tables(row_totals, column_totals)) == counted
