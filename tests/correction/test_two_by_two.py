"""P-values of two clusters against two: against sums over all tables, and at billions of objects."""

import math
from fractions import Fraction

import pytest

import chancecorr
from chancecorr.chance.models import make_model_of_table
from chancecorr.chance.options import read_options
from chancecorr.correction.p_value import TailRequest
from chancecorr.correction.p_value_methods import use_free_cell
from chancecorr.indices.registry import Index, find_indices
from chancecorr.tables.contingency import ContingencyTable

TABLES = [
    [[900, 100], [80, 1200]],
    [[30, 900], [1100, 200]],
    [[700, 1], [300, 400]],
    [[1200, 30], [2, 500]],
    [[770, 1240], [250, 740]],
    [[5, 6], [7, 9]],
    [[3, 3], [3, 3]],
]


@pytest.mark.parametrize("counts", TABLES)
@pytest.mark.parametrize("name", ["rand", "purity"])
@pytest.mark.parametrize("side", ["greater", "less"])
def test_the_stated_error_of_a_p_value_covers_and_is_of_rounding_alone(counts, name, side):
    """By whole numbers: each table of these margins with its number of ways, ``C(A, x) C(n - A, B - x)``."""
    table, sign = ContingencyTable(counts), 1 if side == "greater" else -1
    (A, other), (B, _) = table.row_totals.tolist(), table.column_totals.tolist()
    low, high = max(0, B - other), min(A, B)
    tables = {x: [[x, A - x], [B - x, other - B + x]] for x in range(low, high + 1)}
    ways = {x: math.comb(A, x) * math.comb(other, B - x) for x in tables}
    values = {x: sign * chancecorr.score_table(each, name) for x, each in tables.items()}
    (index,) = find_indices(name)[0]
    for seen in {counts[0][0], low, high, A * B // table.n, (low + A * B // table.n) // 2}:
        score = chancecorr.adjust_table(tables[seen], name, alternative=side)
        reached = sum(ways[x] for x, value in values.items() if value >= values[seen] - 1e-12)
        off = abs(Fraction(score.p_value) / Fraction(reached, sum(ways.values())) - 1)
        assert (score.p_value_from, score.p_is_bound) == ("exact", False)
        assert score.p_value < 1e-300 or off <= score.p_relative_error < 1e-9
        model = make_model_of_table(ContingencyTable(tables[seen]), read_options())
        of_free_cell = use_free_cell(
            TailRequest(model=model, index=index, observed=score.observed, alternative=side)
        )
        assert of_free_cell.log_p_value == pytest.approx(score.log_p_value, rel=1e-11, abs=1e-11)


class TestBillionsOfObjects:
    HALF = 1_500_000_000

    @pytest.mark.heavy
    @pytest.mark.parametrize("name", ["rand", "jaccard", "mirkin"])
    def test_the_same_clustering(self, name):
        score = chancecorr.adjust_table([[self.HALF, 0], [0, self.HALF]], index=name)
        wanted = math.log(2.0) + 0.5 * math.log(math.pi * self.HALF) - 2 * self.HALF * math.log(2.0)
        assert score.log_p_value == pytest.approx(wanted, rel=1e-15)
        assert score.p_value_from == "exact"
        assert not score.p_is_bound
        assert score.null.values_from == "exact"
        assert score.adjusted == pytest.approx(1.0)

    @pytest.mark.heavy
    def test_an_infinite_value_far_out_makes_the_mean_infinite(self):
        index = Index(
            name="inverse", function=inverse_of_first_cell, needs="table", range=(-math.inf, math.inf)
        )
        null = chancecorr.null_distribution(chancecorr.Margins([60_000, 60_000], [60_000, 60_000]), index)
        assert null.values_from == "exact"
        assert null.mean == math.inf


def inverse_of_first_cell(table, row_totals, column_totals):
    return math.inf if table[0, 0] == 0 else 1.0 / table[0, 0]
