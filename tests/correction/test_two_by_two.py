"""P-values of two clusters against two: against sums over all tables, and at billions of objects."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import ContingencyTable
from chancecorr.chance.models import make_model_of_table
from chancecorr.correction.options import read_options
from chancecorr.correction.p_value import use_free_cell
from chancecorr.exact import closed_laws
from chancecorr.indices import Index

TABLES = [
    [[900, 100], [80, 1200]], [[30, 900], [1100, 200]], [[700, 1], [300, 400]], [[1200, 30], [2, 500]],
    [[770, 1240], [250, 740]], [[5, 6], [7, 9]], [[3, 3], [3, 3]],
]  # fmt: skip


@pytest.mark.parametrize("counts", TABLES)
@pytest.mark.parametrize("side", ["greater", "less"])
def test_tails_of_pair_sums_against_the_sum_over_all_tables(counts, side):
    table = ContingencyTable(counts)
    cell = closed_laws.find_free_cell(table.margins)
    all_x = np.arange(cell.low, cell.high + 1)
    tables = closed_laws.make_tables_with(cell, all_x)
    T = np.einsum("tij,tij->t", tables, tables)
    log_p = np.array([closed_laws.log_probability(cell, k, k) for k in all_x.tolist()])
    for x in {counts[0][0], cell.low, cell.high, cell.mode, (cell.low + cell.mode) // 2}:
        reached = T[x - cell.low] <= T if side == "greater" else T[x - cell.low] >= T
        wanted = float(np.logaddexp.reduce(log_p[reached]))
        assert closed_laws.log_tail_of_pair_sum(cell, x, side) == pytest.approx(wanted, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("counts", TABLES)
@pytest.mark.parametrize("name", ["rand", "purity"])
def test_the_stated_error_of_a_p_value_covers_and_is_of_rounding_alone(counts, name):
    """By whole numbers: each table of these margins with its number of ways, ``C(A, x) C(n - A, B - x)``."""
    table = ContingencyTable(counts)
    (A, other), (B, _) = table.row_totals.tolist(), table.column_totals.tolist()
    score = cc.adjust_table(table, index=name)
    ways = {x: math.comb(A, x) * math.comb(other, B - x) for x in range(max(0, B - other), min(A, B) + 1)}
    values = {x: cc.score_table([[x, A - x], [B - x, other - B + x]], name) for x in ways}
    reached = sum(count for x, count in ways.items() if values[x] >= score.observed - 1e-12)
    wanted = Fraction(reached, sum(ways.values()))
    off = abs(Fraction(score.p_value) / wanted - 1) if score.p_value > 1e-300 else 0
    assert (score.p_value_from, score.p_is_bound) == ("exact", False)
    assert off <= score.p_relative_error < 1e-9
    model, index = make_model_of_table(table, read_options()), cc.get_index(name)
    of_free_cell = use_free_cell(model, index, "greater")
    assert of_free_cell.log_p_value == pytest.approx(score.log_p_value, rel=1e-11, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rand", "jaccard", "mirkin"])
def test_the_same_clustering_of_billions_of_objects(name):
    half = 1_500_000_000
    score = cc.adjust_table([[half, 0], [0, half]], index=name)
    wanted = math.log(2.0) + 0.5 * math.log(math.pi * half) - 2 * half * math.log(2.0)
    assert score.log_p_value == pytest.approx(wanted, rel=1e-15)
    assert (score.p_value_from, score.p_is_bound, score.null.values_from) == ("exact", False, "exact")
    assert score.adjusted == pytest.approx(1.0)


def inverse_of_first_cell(table, row_totals, column_totals):
    return math.inf if table[0, 0] == 0 else 1.0 / table[0, 0]


@pytest.mark.slow
def test_an_infinite_value_far_out_makes_the_mean_infinite():
    index = Index(name="inverse", function=inverse_of_first_cell, needs="table", range=(-math.inf, math.inf))
    null = cc.null_distribution(cc.Margins([60_000, 60_000], [60_000, 60_000]), index)
    assert (null.values_from, null.mean) == ("exact", math.inf)
