"""The methods agree within their stated errors, and "auto" takes the most exact one that is affordable."""

import contextlib
import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance.fixed_margins import find_best_value
from chancecorr.chance.models import make_model_of_margins
from chancecorr.correction.nulls import find_nulls
from chancecorr.correction.options import read_options
from chancecorr.indices.registry import find_indices
from tests.contracts.test_against_enumeration import exact_moments
from tests.indices.definitions import FORMULAS
from tests.indices.formulas import of_exact_pairs
from tests.naive import PAIR_INDICES, SMALL_MARGINS, law_of_pair_sum, law_of_tables
from tests.shares import one_in

NINE = sorted(PAIR_INDICES)
GRID = [
    *SMALL_MARGINS[8:],
    ([33, 33, 34], [33, 33, 34]),
    ([240, 240, 320], [240, 240, 320]),
    ([100, 300, 400], [150, 250, 400]),
    ([20, 30, 50], [10] * 10),
    pytest.param(([10] * 10, [10] * 10), marks=pytest.mark.long),  # the exact law takes 15 seconds
    ([500, 500], [300, 700]),
    ([100] * 10, [250] * 4),
    ([10**8, 2 * 10**8], [10**8, 10**8, 10**8]),
]


def largest_cell(table, row_totals, column_totals):
    return table.max() / max(row_totals.sum(), 1)


LARGEST = cc.indices.Index(name="largest_cell", function=largest_cell, needs="table")
MUTUAL_INFORMATION = cc.indices.Index(
    name="mi", function=lambda x, a, b, n: x / n * np.log(n * x / (a * b)), needs="cells", best=math.nan
)


@pytest.mark.parametrize("rows_columns", SMALL_MARGINS, ids=str)
def test_exact_moments_and_tails_equal_enumeration(rows_columns):
    law = law_of_pair_sum(*rows_columns)
    n = sum(rows_columns[0])
    A, B = (sum(x * x for x in totals) for totals in rows_columns)
    for name in NINE:
        null = cc.null_distribution(cc.Margins(*rows_columns), name, method="exact")
        exact = exact_moments(name, *rows_columns)
        if exact is None:
            assert math.isnan(null.mean), name
            continue
        mean, variance, _ = exact
        assert null.values_from == "exact"
        assert null.mean == pytest.approx(mean, rel=1e-12, abs=1e-15), name
        assert null.variance == pytest.approx(variance, rel=1e-10, abs=1e-25), name
        for T in law:
            a, b, c = (T - n) // 2, (A - T) // 2, (B - T) // 2
            observed = float(PAIR_INDICES[name](a, b, c, n * (n - 1) // 2 - a - b - c))
            tail = float(sum(p for other, p in law.items() if other >= T))
            assert null.p_value(observed) == pytest.approx(tail, rel=1e-9, abs=2e-12), name


@pytest.mark.parametrize("rows_columns", one_in(11, SMALL_MARGINS), ids=str)
@pytest.mark.slow
def test_all_methods_know_where_a_mean_is_infinite_or_undefined(rows_columns):
    margins = cc.Margins(*rows_columns)
    indices = [found.entry for found in find_indices(cc.list_indices())]
    models = (make_model_of_margins(margins, read_options(method=one)) for one in ("exact", "auto"))
    exact, auto = (find_nulls(model, indices) for model in models)
    for index in indices:
        found, name = [auto[index.name].mean], index.name
        with contextlib.suppress(ValueError):  # no moments from the margins
            found.append(cc.null_distribution(margins, index, method="analytic").mean)
        for mean in found:
            if math.isfinite(exact[name].mean):
                assert math.isfinite(mean), name
            else:
                np.testing.assert_equal(mean, exact[name].mean, err_msg=name)


@pytest.mark.slow
def test_exact_law_of_a_table_index():
    rows, columns = (5, 4, 3), (6, 3, 3)
    null = cc.null_distribution(cc.Margins(rows, columns), LARGEST)
    mean = sum(float(p) * max(map(max, table)) / 12 for table, p in law_of_tables(rows, columns))
    assert (null.mean_from, null.values_from) == ("exact", "exact")
    assert null.mean == pytest.approx(mean, rel=1e-12)
    assert math.fsum(null.weights) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.filterwarnings("ignore:Index 'mi' could not be compiled:RuntimeWarning")
def test_sum_over_cells_has_exact_moments_and_a_sampled_law():
    margins = cc.Margins([240, 240, 320], [240, 240, 320])
    null = cc.null_distribution(margins, MUTUAL_INFORMATION, rng=1)
    # Exact mean and variance to the digits known: E 0.00250874574007, Var 3.147021009e-06.
    assert (null.mean_from, null.values_from) == ("analytic", "monte-carlo")
    assert null.mean == pytest.approx(0.00250874574007, rel=1e-9)
    assert null.variance == pytest.approx(3.147021009e-06, rel=1e-9)
    assert abs(null.z_of_difference) < 4.5


class TestBest:
    def test_mean_gives_the_hubert_arabie_index(self):
        """With best at the half sum of P and Q every L index adjusts to the adjusted Rand index."""
        names = ["rand", "russell_rao", "czekanowski", "fowlkes_mallows"]
        scores = cc.adjust_table([[4, 1, 0], [1, 2, 1], [1, 0, 2]], index=names, best="mean")
        values = [score.adjusted for score in scores.values()]
        assert values == pytest.approx([values[0]] * 4, rel=1e-12)

    @pytest.mark.parametrize("totals", [((5, 4, 3), (6, 3, 3)), ((2, 6), (1, 3, 4)), ((4, 4, 4), (6, 3, 3))])
    def test_mean_is_the_formula_at_the_mean_of_the_squares(self, totals):
        """With unequal sizes b = -c there, which no table has."""
        margins = cc.Margins(*totals)
        A, B = margins.squares
        n, T = margins.n, Fraction(A + B, 2)
        counts = [(T - n) / 2, (A - T) / 2, (B - T) / 2, (n * n - A - B + T) / 2]
        exact = {name: of_exact_pairs(formula, *counts) for name, formula in FORMULAS.items()}
        exact = {name: value for name, value in exact.items() if math.isfinite(value)}
        assert len(exact) > 80
        exact |= {"kent_foster_1": 1.0, "kent_foster_2": 1.0}  # (J - E) / (1 - E) with J = 1
        for name, value in exact.items():
            found = find_best_value(cc.get_index(name), margins, "mean")
            assert found == pytest.approx(value, rel=1e-12, abs=1e-14), name

    @pytest.mark.parametrize("call", [cc.adjust_table, cc.adjusted_score])
    def test_mean_is_refused_for_an_index_that_is_no_function_of_pairs(self, call):
        arguments = ([[3, 1], [0, 2]],) if call is cc.adjust_table else ([0, 0, 1], [0, 1, 1])
        message = "`best` must be a number for index 'purity', which needs 'table'"
        with pytest.raises(ValueError, match=message):
            call(*arguments, index="purity", best="mean")


@pytest.mark.parametrize("margins", GRID, ids=str)
def test_the_three_methods_agree_within_their_stated_errors(margins):
    """Of every index of the published nine, by every method that has an answer on these margins."""
    margins = cc.Margins(*margins)
    for name in NINE:
        nulls = {}
        for method in ("analytic", "exact", "monte-carlo", "auto"):
            try:
                nulls[method] = cc.null_distribution(margins, name, method=method, rng=7)
            except ValueError:  # too costly, or not smooth
                continue
        assert {"monte-carlo", "auto"} <= set(nulls)
        sampled = nulls.pop("monte-carlo")
        for one in nulls.values():
            size = max(abs(one.mean), 1e-300) * 1e-12
            assert math.isnan(one.mean) == math.isnan(sampled.mean)
            if math.isnan(one.mean):
                continue
            z_error = 4.5 * max(one.std, sampled.std) / math.sqrt(sampled.n_tables)
            assert abs(one.mean - sampled.mean) <= z_error + one.error + size
            for other in nulls.values():
                if "monte-carlo" not in (one.mean_from, other.mean_from):
                    assert abs(one.mean - other.mean) <= one.error + other.error + size
