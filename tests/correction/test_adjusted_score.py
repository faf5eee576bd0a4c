"""The adjusted score alone: the same number as that of `adjust`, and the mean at the price of the mean."""

from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc

RNG = np.random.default_rng(2014)
TRUE, PRED = RNG.integers(0, 4, 120), RNG.integers(0, 3, 120)
PRED[:70] = TRUE[:70] % 3


@pytest.mark.parametrize("index", ["rand", "jaccard", "nmi_sum", "variation_of_information", "chi_square"])
def test_equals_that_of_adjust(index):
    whole = cc.adjust(TRUE, PRED, index=index, rng=0)
    assert cc.adjusted_score(TRUE, PRED, index) == pytest.approx(whole.adjusted, rel=1e-9)


@pytest.mark.parametrize("index", cc.list_indices())
def test_of_few_objects_no_index_depends_on_the_seed(index):
    """Tables are listed where the mean has no formula, as in `adjust`; quadrature may be 1e-3 std off."""
    rows, columns = [1, 1, 1, 0, 0, 1, 1, 1, 0, 0], [0, 0, 2, 0, 1, 2, 1, 0, 1, 2]
    whole = cc.adjust(rows, columns, index, rng=0, n_tables=100)
    alone, again = (cc.adjusted_score(rows, columns, index, rng=seed, n_tables=100) for seed in (1, 2))
    assert alone == pytest.approx(again, rel=0.0, abs=0.0, nan_ok=True)
    error = 1e-3 * whole.std / abs(whole.best - whole.expected) if whole.std > 0.0 else 0.0
    assert alone == pytest.approx(whole.adjusted, rel=1e-9, abs=error, nan_ok=True)


def test_a_simulated_mean_is_that_of_the_published_method():
    alone = cc.adjusted_score(TRUE, PRED, "purity", rng=3)
    whole = cc.adjust(TRUE, PRED, index="purity", rng=3, method=cc.MonteCarlo(controls=True))
    assert alone == pytest.approx(whole.adjusted, abs=4 * whole.adjusted_monte_carlo_error)
    assert alone == cc.adjusted_score(TRUE, PRED, "purity", rng=3)


def test_best_and_labels_are_read_as_in_adjust():
    noisy = PRED.copy()
    noisy[::7] = -1
    for options in ({"best": 2.0}, {"best": "mean"}, {"noise": "drop"}):
        whole = cc.adjust(TRUE, noisy, index="rand", rng=0, **options)
        assert cc.adjusted_score(TRUE, noisy, "rand", **options) == pytest.approx(whole.adjusted, rel=1e-12)
    with pytest.raises(TypeError, match="'alternative'"):
        cc.adjusted_score(TRUE, PRED, "rand", alternative="less")


BEST_AT = {
    "adjusted_rand": lambda A, B: Fraction(A + B, 2),
    "adjusted_wallace_1": lambda A, B: A,
    "adjusted_wallace_2": lambda A, B: B,
    "loevinger": min,
    "braun_blanquet": max,
}
CORRECTED_IN_T = [name for name in cc.list_indices() if (cc.get_index(name).corrected_as or name) in BEST_AT]


def table_of_many_clusters(n, clusters):
    """A tenth of the objects in their own clusters, the others anywhere."""
    rng = np.random.default_rng(n)
    labels = rng.integers(clusters, size=n)
    return labels, np.where(rng.random(n) < 0.1, labels, rng.integers(clusters // 2, size=n))


LARGE = pytest.param(3_000_000, 1_000_000, marks=pytest.mark.long)


@pytest.mark.parametrize(("n", "clusters"), [(50, 6), (20_000, 5_000), LARGE])
def test_indices_that_are_linear_in_t(n, clusters):
    """``(T - E T) / (T' - E T)`` in fractions, T' where the index is best: right to the last digit."""
    labels = table_of_many_clusters(n, clusters)
    table = cc.contingency_table(*labels)
    scores = cc.adjust_table(table, index=CORRECTED_IN_T, method="analytic")
    T, (A, B) = table.sum_of_squares, table.margins.squares
    mean = n + Fraction((A - n) * (B - n), n * (n - 1))
    for name in CORRECTED_IN_T:
        best = BEST_AT[cc.get_index(name).corrected_as or name](A, B)
        assert scores[name].adjusted == float((T - mean) / (best - mean))
    for name in ("rand", "wallace_2"):
        assert cc.adjusted_score(*labels, name) == scores[name].adjusted
        assert cc.pairwise(labels, index=name).adjusted[0, 1] == scores[name].adjusted
    compared = cc.compare(labels[0], labels[1:], index="rand", interval=None, method="analytic")
    assert compared[0]["rand"].adjusted == scores["rand"].adjusted
