"""Whether a table with a given T exists: enumeration, and laws that leave out the improbable."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.laws.enumeration import pair_sum_law
from chancecorr.exact.moments.infinite import has_table, holds_every_value
from chancecorr.exact.moments.smoothness import values_over_range
from chancecorr.tables.contingency import Margins
from tests.naive import SMALL_MARGINS, law_of_pair_sum

BALANCED = Margins([240, 240, 320], [240, 240, 320])


@pytest.mark.parametrize(("rows", "columns"), SMALL_MARGINS)
def test_enumeration(rows, columns):
    law = law_of_pair_sum(rows, columns)
    n = sum(rows)
    A, B = (sum(x * x for x in totals) for totals in (rows, columns))
    for margins in (Margins(rows, columns), Margins(columns, rows)):
        for T in range(n * n + 2):
            found = has_table(margins, T)
            assert found is None or found == (T in law)
        assert has_table(margins, n) == (n in law)
        assert A != B or has_table(margins, A) == (A in law)


@pytest.mark.heavy
def test_zeros_and_ones_of_random_margins():
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(200):
        n = int(rng.integers(4, 13))
        sides = [np.bincount(rng.integers(0, int(rng.integers(3, 7)), n)) for _ in range(2)]
        found = has_table(Margins(*sides), n)
        assert found == (n in law_of_pair_sum(*(tuple(side.tolist()) for side in sides)))
        seen.add(found)
    assert seen == {True, False}


def test_large_margins():
    assert has_table(BALANCED, 217_600)
    assert not has_table(BALANCED, 217_601)
    assert not has_table(BALANCED, 800)  # three cells cannot hold 240 objects apart
    # the same sum of squares, 62, of other sizes: no table has b = c = 0
    assert has_table(Margins([6, 5, 1], [7, 3, 2]), 62) is False
    assert has_table(Margins([1] * 1000, [1] * 1000), 1000)
    pairs = Margins([2] * 50_000, [2] * 50_000)
    assert has_table(pairs, 100_000)
    assert has_table(pairs, 200_000)
    # each row whole in one column, or not, is a search; nobody has made it for so many rows
    assert has_table(Margins([7] * 150 + [5] * 150, [450] * 4), 150 * (49 + 25)) is None


def test_which_laws_hold_every_value():
    for rows, columns in SMALL_MARGINS:
        law, margins = pair_sum_law(Margins(rows, columns)), Margins(rows, columns)
        if holds_every_value(law, margins):
            assert law.values.tolist() == list(law_of_pair_sum(rows, columns))
    even = Margins([10] * 6, [10] * 6)
    assert holds_every_value(pair_sum_law(even, method="dynamic-programming"), even)
    assert not holds_every_value(pair_sum_law(BALANCED), BALANCED)
    half = Margins([5000, 5000], [5000, 5000])
    law = pair_sum_law(half)
    assert law.method == "closed-form"
    assert law.values.max() < 5000**2 * 2  # x = 0 and 5000 have a probability of 1e-3008
    assert not holds_every_value(law, half)


@pytest.mark.parametrize("method", ["auto", "exact", "analytic"])
@pytest.mark.parametrize("name", ["kulczynski_1", "sokal_sneath_3", "mountford"])
@pytest.mark.parametrize(
    "margins", [BALANCED, Margins([400, 300, 100], [100, 300, 400]), Margins([5000] * 2, [5000] * 2)], ids=str
)
def test_the_mean_is_infinite_where_a_table_left_out_has_an_infinite_value(margins, name, method):
    null = cc.null_distribution(margins, name, method=method)
    assert (null.mean, null.error) == (math.inf, 0.0)
    assert math.isnan(null.variance)
    if method != "analytic":
        assert null.values[-1] == math.inf
        assert math.isfinite(null.quantile(0.999999))
        assert math.fsum(null.weights) == pytest.approx(1.0, abs=1e-12)
        assert 0.0 < null.p_value(math.inf) <= max(null.lost_mass, 1e-300) * 2


def test_an_infinite_mean_of_simulated_tables_is_known_from_the_cluster_sizes():
    table = np.array(
        [[60, 50, 40, 30, 20], [50, 9, 8, 7, 6], [40, 8, 5, 4, 3], [30, 7, 4, 2, 1], [20, 6, 3, 1, 9]]
    )
    score = cc.adjust_table(table * 30, index="kulczynski_1", rng=1)
    assert score.null.values_from == "monte-carlo"
    assert (score.expected, score.method) == (math.inf, "analytic")
    assert math.isnan(score.adjusted)
    assert math.isnan(score.null.z_of_difference)
    assert score.remark == "the index is 0/0 or infinite on some table that chance can give"
    published = cc.adjust_table(table * 30, index="kulczynski_1", rng=1, method="monte-carlo")
    assert math.isfinite(published.expected)


@pytest.mark.parametrize("method", ["auto", "exact"])
@pytest.mark.parametrize(("rows", "columns"), [((60, 10, 10), (50, 30)), ((18, 15, 3), (21, 9, 6))])
def test_the_mean_is_finite_where_no_table_has_an_infinite_value(rows, columns, method):
    margins = Margins(rows, columns)
    null = cc.null_distribution(margins, "kulczynski_1", method=method)
    A, B = margins.squares
    mean = sum(p * Fraction(T - margins.n, A + B - 2 * T) for T, p in law_of_pair_sum(rows, columns).items())
    assert null.mean == pytest.approx(float(mean), rel=1e-12)


def test_undefined_on_a_table_left_out():
    # 0/0 where the clusterings are the same, as on small margins
    assert math.isnan(cc.null_distribution(Margins([3, 2], [3, 2]), "mcnemar").mean)
    assert math.isnan(cc.null_distribution(BALANCED, "mcnemar").mean)


def test_where_it_is_not_known_the_mean_is_not():
    law = pair_sum_law(BALANCED)
    grid, _ = values_over_range(cc.get_index("rand"), BALANCED)
    untold = [T for T in grid.tolist() if T not in law.values and has_table(BALANCED, T) is None]
    pole = (untold[-1] - BALANCED.n) // 2
    index = cc.Index(name="pole", function=lambda a, b, c, d: 1.0 / np.abs(a - pole), needs="pairs", best=1.0)
    score = cc.adjust_table(np.diag([240, 240, 320]), index=index)
    assert math.isnan(score.expected)
    assert score.null.error == math.inf
    assert math.isnan(score.standard_error)
    assert (
        score.remark == "it is not known whether the index is infinite on some table with these cluster sizes"
    )
    assert 0.0 < score.null.p_value(score.observed) <= 1.0
