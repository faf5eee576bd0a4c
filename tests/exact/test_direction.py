"""Indices that rise or fall with T: known also where neighbouring values of T round to the same float."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.index_of_pair_sum import find_direction

PAIRS = [index for index in map(cc.get_index, cc.list_indices("pair_counting")) if index.needs == "pairs"]
SMALL, LARGE = cc.ContingencyTable([[0, 100], [7, 93]]), cc.ContingencyTable([[0, 10**8], [7, 10**8 - 7]])


def probability_of_all_on_one_side(table):
    """P(the seven objects of the first column are all in one row), as a fraction; both rows are equal."""
    n, half = table.n, table.n // 2
    return 2 * Fraction(math.perm(half, 7), math.perm(n, 7))


@pytest.mark.parametrize("table", [SMALL, LARGE])
def test_all_agree_on_a_table(table):
    """T is largest if the seven objects of the first column are in one row, as here."""
    truth = float(probability_of_all_on_one_side(table))
    seen = set()
    for index in PAIRS:
        direction = find_direction(index, table.margins)
        if direction:
            alternative = "greater" if direction > 0 else "less"
            score = cc.adjust_table(table, index=index, alternative=alternative, rng=0)
            seen.add(index.name)
            assert score.p_value == pytest.approx(truth, rel=1e-10), index.name
    assert len(seen) > 100


def test_an_index_that_is_flat_has_no_direction():
    flat = cc.indices.Index(name="flat", function=lambda a, b, c, d: np.sign(a - b), needs="pairs")
    for table in (SMALL, LARGE):
        assert find_direction(flat, table.margins) == 0


def test_simulated_tables_are_compared_by_their_pair_sum():
    table = [[10**8, 0, 0], [0, 10**8, 7], [3, 4, 0]]
    scores = cc.adjust_table(
        table, index=["rand", "jaccard", "mirkin"], method="monte-carlo", n_tables=500, rng=1
    )
    assert len({score.p_value for score in scores.values()}) == 1
