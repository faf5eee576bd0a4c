"""The enumerated upper tails of T and of the information against whole laws, closed forms, all tables."""

import itertools
import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from chancecorr.exact.laws import upper_tail
from chancecorr.exact.laws.enumeration import pair_sum_law, table_law
from chancecorr.exact.laws.upper_tail import (
    RELATIVE_ERROR,
    log_upper_tail,
    log_upper_tail_of_information,
)
from chancecorr.tables.contingency import ContingencyTable, Margins
from tests.naive import law_of_pair_sum, law_of_tables


def random_margins(rng, largest):
    """Two to six clusters on each side, of any evenness, some without objects."""
    n = int(rng.integers(2, largest))
    return [
        rng.multinomial(n, rng.dirichlet([rng.choice([0.3, 3.0])] * rng.integers(2, 7))) for _ in range(2)
    ]


@pytest.mark.parametrize("seed", range(60))
def test_every_tail_of_small_tables(seed):
    margins = Margins(*random_margins(np.random.default_rng(seed), 12))
    law = law_of_pair_sum(margins.row_totals.tolist(), margins.column_totals.tolist())
    for T in law:
        exact = sum(p for t, p in law.items() if t >= T)
        assert math.exp(log_upper_tail(margins, T)) == pytest.approx(float(exact), rel=1e-12)
    assert log_upper_tail(margins, max(law) + 2) == -math.inf
    assert math.exp(log_upper_tail(margins, min(law))) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_tails_against_dynamic_programming(seed):
    margins = Margins(*random_margins(np.random.default_rng(1000 + seed), 60))
    law = pair_sum_law(margins, method="dynamic-programming", budget=30.0)
    tail = np.cumsum(law.probabilities[::-1])[::-1]
    for at in {0, tail.size // 2, 3 * tail.size // 4, max(tail.size - 3, 0), tail.size - 1}:
        found = log_upper_tail(margins, int(law.values[at]), budget=5.0)
        assert math.exp(found - math.log(tail[at])) == pytest.approx(1.0, abs=1e-11)


@pytest.mark.parametrize(
    "sizes",
    [[240, 240, 320], [60] * 10, list(range(5, 25)), [2] * 200],
    ids=["three", "equal", "distinct", "pairs"],
)
def test_perfect_agreement(sizes):
    """Tables with the largest T: those that match equal clusters, ``prod m_s!`` of them."""
    n, alike = sum(sizes), [sizes.count(size) for size in set(sizes)]
    exact = sum(map(math.lgamma, (k + 1 for k in alike))) + sum(map(math.lgamma, (k + 1 for k in sizes)))
    found = log_upper_tail(Margins(sizes, sizes), sum(k * k for k in sizes))
    assert found == pytest.approx(exact - math.lgamma(n + 1), abs=RELATIVE_ERROR)
    one_less = log_upper_tail(Margins(sizes, sizes), sum(k * k for k in sizes) - 2)
    assert one_less >= found


def test_one_object_moved():
    """Tables at least as good as one object in another cluster, counted by hand for three equal clusters."""
    k = 50
    T = 3 * k * k - (k * k - (k - 1) ** 2) * 2 + 2  # two cells of 49, two of 1: one object changed places
    # the matching itself, and k * k ways for each of the three pairs of clusters to swap two objects
    exact = Fraction(6 * math.factorial(k) ** 3, math.factorial(3 * k)) * (1 + 3 * k * k)
    margins = Margins([k] * 3, [k] * 3)
    assert log_upper_tail(margins, T) == pytest.approx(math.log(exact), abs=RELATIVE_ERROR)


def test_work_is_limited_by_steps():
    margins = Margins([60] * 10, [60] * 10)
    assert log_upper_tail(margins, 9_000, budget=0.01) is None
    assert log_upper_tail(Margins([2_000_000], [2_000_000]), 4_000_000_000_000) is None


def test_nothing_as_long_as_a_cluster_is_laid_out():
    table = ContingencyTable([[400_000_000, 0, 0], [0, 1, 1]])
    tracemalloc.start()
    try:
        assert log_upper_tail(table.margins, table.sum_of_squares) is None
        assert log_upper_tail_of_information(table) is None
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_more_states_than_room_at_first(monkeypatch):
    margins, T = Margins([30, 20, 20, 10], [25, 25, 15, 15]), 1000
    expected = log_upper_tail(margins, T, budget=20.0)
    monkeypatch.setattr(upper_tail, "FEWEST_STATES", 8)
    assert log_upper_tail(margins, T, budget=20.0) == expected
    monkeypatch.setattr(upper_tail, "MOST_STATES", 64)
    assert log_upper_tail(margins, T, budget=20.0) is None


def test_transposed_and_permuted_margins():
    a = log_upper_tail(Margins([30, 20, 10], [25, 15, 15, 5]), 1500)
    b = log_upper_tail(Margins([5, 15, 25, 0, 15], [10, 30, 20]), 1500)
    assert a == pytest.approx(b, abs=1e-12)


@pytest.mark.parametrize("seed", range(25))
def test_every_tail_of_the_information(seed):
    """Against a list of all tables, in fractions; different cells can tie: 4 log 4 = 4 * 2 log 2."""
    margins = Margins(*random_margins(np.random.default_rng(2000 + seed), 11))
    law = law_of_tables(tuple(margins.row_totals.tolist()), tuple(margins.column_totals.tolist()))
    sums = [math.fsum(x * math.log(x) for row in table for x in row if x) for table, _ in law]
    for (table, _), observed in zip(law, sums, strict=True):
        exact = float(sum(p for (_, p), other in zip(law, sums, strict=True) if other >= observed - 1e-9))
        found = log_upper_tail_of_information(ContingencyTable(table))
        assert math.exp(found) == pytest.approx(exact, rel=1e-12)


@pytest.mark.heavy
def test_tail_of_the_information_of_a_larger_table():
    """All tables with these margins are listed, and their probabilities summed."""
    table = ContingencyTable([[18, 1, 1], [2, 9, 3], [0, 2, 12]])
    tables, probabilities = table_law(table.margins, 500_000)
    x = tables.reshape(len(tables), -1).astype(float)
    sums = (x * np.log(np.maximum(x, 1.0))).sum(axis=1)
    cells = table.counts[table.counts > 0]
    exact = math.fsum(probabilities[sums >= (cells * np.log(cells)).sum() - 1e-9])
    assert exact < 1e-9
    assert math.exp(log_upper_tail_of_information(table)) == pytest.approx(exact, rel=1e-10)


def power(table):
    """``prod x**x`` over the cells: the information goes up with it, and ties are equal whole numbers."""
    return math.prod(x**x for x in map(int, np.ravel(table)))


@pytest.mark.parametrize(
    "counts",
    [
        [[8, 0, 1, 2], [2, 1, 11, 2], [4, 0, 2, 12]],
        [[0, 0, 1], [12, 0, 1], [6, 5, 2]],
        [[1, 2, 6], [0, 1, 0], [2, 2, 1]],
        [[6, 2, 1], [1, 6, 0], [0, 3, 9], [2, 0, 4]],
    ],
)
def test_no_tie_of_the_information_is_lost(counts):
    """Against all tables, by whole numbers."""
    table = ContingencyTable(counts)
    tables, probabilities = table_law(table.margins, 1_000_000)
    observed = power(counts)
    reached = [power(each) >= observed for each in tables]
    exact = math.fsum(probabilities[reached])
    assert sum(power(each) == observed for each in tables[reached]) > 1
    assert math.exp(log_upper_tail_of_information(table)) == pytest.approx(exact, rel=RELATIVE_ERROR)


def test_different_sums_are_further_apart_than_ties():
    """All products of cells with a sum of up to 40; one unit a cell is far less than the share."""
    products = [{1}] + [set() for _ in range(40)]
    for x in range(1, 41):
        for n in range(x, 41):
            products[n] |= {x**x * each for each in products[n - x]}
    assert len(products[40]) == 14_114
    for each in map(sorted, products[3:]):
        gaps = [(b - a) / a / math.log(b) for a, b in itertools.pairwise(each)]
        assert min(gaps) > 1e6 * upper_tail.ROUNDING
