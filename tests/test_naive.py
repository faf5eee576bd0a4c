"""The twins against answers that are printed elsewhere or counted another way."""

import math
from fractions import Fraction

import pytest

from tests.naive import (
    PAIR_INDICES,
    SMALL_MARGINS,
    all_permutations_law,
    all_tables,
    cross_classification,
    law_of_pair_sum,
    law_of_tables,
    moments,
    pair_counts,
    pair_sum,
    tables_to_labels,
)

# from an enumeration made independently of this package
LAWS_OF_PAIR_SUM = {
    ((3, 2), (3, 2)): "7:3/5 9:3/10 13:1/10",
    ((3, 3, 2), (4, 2, 2)): "10:3/7 12:9/35 14:8/35 16:2/35 18:1/35",
    ((4, 4, 4), (4, 4, 4)): (
        "18:576/1925 20:432/1925 24:648/1925 26:192/1925 30:128/5775 32:18/1925 36:16/1925 48:1/5775"
    ),
    ((5, 4, 3), (6, 3, 3)): (
        "20:15/77 22:3/14 24:45/154 26:17/154 28:3/28 30:9/308 32:17/462 34:1/154 36:9/1540 38:1/924 "
        "40:1/770 44:1/2310"
    ),
}


def as_law(text):
    return {int(T): Fraction(p) for T, p in (entry.split(":") for entry in text.split())}


def test_tables_have_their_margins_and_probabilities_sum_to_one():
    for margins in SMALL_MARGINS:
        law = law_of_tables(*margins)
        assert len({table for table, _ in law}) == len(law), margins
        for table, _ in law:
            assert tuple(map(sum, table)) == margins[0], margins
            assert tuple(map(sum, zip(*table, strict=True))) == margins[1], margins
        assert sum(probability for _, probability in law) == 1, margins


@pytest.mark.parametrize(("margins", "law"), LAWS_OF_PAIR_SUM.items(), ids=str)
def test_law_of_pair_sum(margins, law):
    assert law_of_pair_sum(*margins) == as_law(law)


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


def test_moments_of_a_die_and_of_floats():
    assert moments(range(1, 7), [Fraction(1, 6)] * 6) == (
        Fraction(7, 2),
        Fraction(35, 12),
        0,
        Fraction(707, 48),
    )
    assert moments([0.25, 0.75], [Fraction(3, 4), Fraction(1, 4)]) == (
        0.375,
        0.046875,
        0.01171875,
        0.005126953125,
    )
    assert moments([1, 0], [Fraction(1, 4), Fraction(3, 4)])[2] == Fraction(3, 32)


def test_pair_indices_of_a_worked_example():
    values = {name: index(2, 1, 2, 7) for name, index in PAIR_INDICES.items()}
    assert values == {
        "rand": Fraction(9, 12),
        "russell_rao": Fraction(2, 12),
        "gower_legendre": Fraction(18, 21),
        "jaccard": Fraction(2, 5),
        "czekanowski": Fraction(4, 7),
        "goodman_kruskal": Fraction(12, 16),
        "sokal_sneath_5": 14 / math.sqrt(3 * 4 * 8 * 9),
        "sokal_sneath_1": Fraction(2, 8),
        "fowlkes_mallows": 2 / math.sqrt(12),
    }
