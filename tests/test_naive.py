"""The twins against answers that are printed elsewhere or counted another way."""

import math
from fractions import Fraction

import pytest

from tests.naive import (
    SMALL_MARGINS,
    all_permutations_law,
    all_tables,
    cross_classification,
    law_of_tables,
    pair_counts,
    pair_sum,
    tables_to_labels,
)

# from an enumeration made independently of this package


def test_tables_have_their_margins_and_probabilities_sum_to_one():
    for margins in SMALL_MARGINS:
        law = law_of_tables(*margins)
        assert len({table for table, _ in law}) == len(law), margins
        for table, _ in law:
            assert tuple(map(sum, table)) == margins[0], margins
            assert tuple(map(sum, zip(*table, strict=True))) == margins[1], margins
        assert sum(probability for _, probability in law) == 1, margins


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


def test_labels_lead_back_to_the_table_and_pair_counts_to_pair_sum():
    for margins in SMALL_MARGINS:
        for table in list(all_tables(*margins))[::7]:
            labels = tables_to_labels(table)
            kept = [j for j, total in enumerate(margins[1]) if total > 0]
            assert cross_classification(*labels) == tuple(
                tuple(row[j] for j in kept) for row in table if any(row)
            ), margins
            a, b, c, d = pair_counts(*labels)
            n, T = sum(margins[0]), pair_sum(table)
            A, B = (sum(total**2 for total in totals) for totals in margins)
            assert (2 * a, 2 * b, 2 * c) == (T - n, A - T, B - T), margins
            assert a + b + c + d == n * (n - 1) // 2, margins
