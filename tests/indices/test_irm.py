"""IRM: the paper's table, ties, and the order of clusters."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
import chancecorr.indices.cluster_level
from chancecorr.indices.calling import compile_function
from tests.naive import Table

# Rajasekhara & Pujari (2010), figure 1: three partitions of objects 1 to 8
P1 = [0, 0, 1, 2, 3, 4, 5, 5]  # {1,2} {3} {4} {5} {6} {7,8}
P2 = [0, 0, 1, 2, 3, 4, 5, 6]  # {1,2} {3} {4} {5} {6} {7} {8}
P3 = [0, 0, 1, 2, 2, 1, 3, 3]  # {1,2} {3,6} {4,5} {7,8}


def irm_of(table) -> float:
    """IRM by the compiled function alone, for many small tables."""
    counts = np.ascontiguousarray(table, dtype=np.int64)
    arrays = [counts, counts.sum(axis=1), counts.sum(axis=0)]
    for array in arrays:
        array.flags.writeable = False
    return compile_function(cc.get_index("irm"))(*arrays)


def levels(table: Table) -> tuple[list[int], list[int], dict[Fraction, list[tuple[int, int]]]]:
    """Row totals, column totals, and the pairs of clusters by their Jaccard similarity, falling."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    tied: dict[Fraction, list[tuple[int, int]]] = {}
    for i, j in zip(*np.nonzero(table), strict=True):
        x = int(table[i][j])
        tied.setdefault(Fraction(x, rows[i] + columns[j] - x), []).append((i, j))
    return rows, columns, dict(sorted(tied.items(), reverse=True))


def values_by_order_of_ties(table: Table) -> set[Fraction]:
    """All values that the paper's algorithm can give, over the orders of tied pairs."""
    rows, columns, tied = levels(table)
    found = {(tuple(rows), tuple(columns), Fraction(0))}
    for similarity, pairs in tied.items():
        after, seen, stack = set(), set(), list(found)
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            rows_left, columns_left, total = state
            steps = [(i, j, min(rows_left[i], columns_left[j])) for i, j in pairs]
            for i, j, credit in steps:
                if credit:
                    less_rows = tuple(left - credit * (k == i) for k, left in enumerate(rows_left))
                    less_columns = tuple(left - credit * (k == j) for k, left in enumerate(columns_left))
                    stack.append((less_rows, less_columns, total + similarity * credit))
            if not any(credit for *_, credit in steps):
                after.add(state)
        found = after
    return {total / sum(rows) for *_, total in found}


def test_table_1_of_the_paper():
    assert cc.score(P1, P2, index="irm") == 0.875
    assert cc.score(P1, P3, index="irm") == 0.75


class TestTies:
    def test_the_order_of_ties_matters(self):
        table = ((0, 1, 1), (1, 0, 0), (1, 0, 1))
        assert values_by_order_of_ties(table) == {Fraction(1, 3), Fraction(2, 5)}
        # of the three with 1/3, that of the last row and column can be credited two objects, and comes first
        assert irm_of(table) == pytest.approx(1 / 3, rel=1e-14)

    @pytest.mark.slow
    def test_always_one_of_the_values_of_the_paper(self):
        rng, tied, several = random.Random(12), 0, 0
        while tied < 1100:
            K, Q = rng.randint(2, 6), rng.randint(2, 6)
            table = np.zeros((K, Q), dtype=np.int64)
            for _ in range(rng.randint(4, 18)):
                table[rng.randrange(K), rng.randrange(Q)] += 1
            table = table[table.any(axis=1)][:, table.any(axis=0)]
            if all(len(pairs) == 1 for pairs in levels(table.tolist())[2].values()):
                continue
            tied += 1
            values = values_by_order_of_ties(table.tolist())
            several += len(values) > 1
            assert min(abs(irm_of(table) - float(value)) for value in values) < 1e-14, table.tolist()
        assert several > 50

    def test_without_ties_the_paper_decides(self):
        rng, untied = random.Random(4), 0
        for _ in range(400):
            table = tuple(tuple(rng.choice([0, 0, *range(1, 60)]) for _ in range(4)) for _ in range(3))
            if all(len(pairs) == 1 for pairs in levels(table)[2].values()):
                untied += 1
                (value,) = values_by_order_of_ties(table)
                assert irm_of(table) == pytest.approx(float(value), rel=1e-13)
        assert untied > 200


def test_empty_clusters_and_no_objects():
    assert cc.score_table([[2, 0, 1], [0, 0, 0], [0, 0, 3]], "irm") == pytest.approx(5 / 8)
    assert math.isnan(irm_of([[0, 0], [0, 0]]))
