"""Scores without one object against each object left out in turn; enumeration for simulated means."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction.intervals.leave_one_out import leave_one_out
from chancecorr.correction.intervals.removal import changes_by_law, simulated_changes
from chancecorr.correction.request import request
from chancecorr.exact.laws.enumeration import table_law
from tests import naive

TABLE = cc.ContingencyTable([[14, 2, 1], [3, 11, 0], [1, 2, 9]])
TRACE = cc.Index(name="trace", needs="table", function=lambda t, r, c: (t[0, 0] + t[1, 1]) / r.sum())
BY_LABELS = cc.Index(name="equal", needs="labels", function=lambda u, v: float((u == v).mean()))


def found_by(table, name, **options):
    index = cc.get_index(name)
    return leave_one_out((index,), table, request({"rng": 0, **options}))[index.name]


def each_object_left_out(table, name, **options):
    """Adjusted scores of the labels without one object, object by object."""
    rows, columns, counts = table.nonzero_cells
    labels = np.repeat(rows, counts), np.repeat(columns, counts)
    scores = []
    for k in range(table.n):
        kept = np.arange(table.n) != k
        one_less = cc.adjust(labels[0][kept], labels[1][kept], index=name, rng=0, tail="bound", **options)
        scores.append(one_less.adjusted)
    return np.array(scores)


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("rand", 1e-12),
        ("fowlkes_mallows", 1e-12),
        ("lerman", 1e-12),
        ("kuhns_1", 1e-12),  # its best value goes by the cluster sizes
        ("jaccard", 2e-7),  # the law of T keeps its shape: 0.02 / n**3 is 3e-7
        ("mutual_information", 1e-12),
        ("nmi_sum", 1e-12),
        ("variation_of_information", 1e-12),
        ("purity", 1e-12),  # all tables are listed
        (TRACE, 1e-12),
        (BY_LABELS, 1e-12),
    ],
    ids=str,
)
def test_every_object_left_out(name, tolerance):
    table = TABLE if cc.get_index(name).needs in ("pairs", "cells") else cc.ContingencyTable([[6, 1], [2, 4]])
    found = found_by(table, name)
    brute = each_object_left_out(table, name)
    assert np.repeat(found.without, found.counts) == pytest.approx(brute, abs=tolerance)
    assert np.ptp(brute) > 1e-3  # there is something to be right about
    assert found.noise == 0.0


@pytest.mark.parametrize("best", [0.9, "mean", "exact"])
def test_the_best_value_goes_with_the_margins(best):
    found = found_by(TABLE, "rand", best=best)
    brute = each_object_left_out(TABLE, "rand", best=best)
    assert np.repeat(found.without, found.counts) == pytest.approx(brute, abs=1e-12)


@pytest.mark.parametrize("name", ["rand", "mutual_information"])
def test_another_random_model(name):
    options = {"model": "one-sided-fixed-k", "method": "analytic"}
    brute = each_object_left_out(TABLE, name, **options)
    found = found_by(TABLE, name, **options)
    assert np.repeat(found.without, found.counts) == pytest.approx(brute, abs=1e-12)


def test_a_model_under_which_the_mean_is_simulated_is_refused():
    with pytest.raises(ValueError, match="`model` must be 'permutation' for an interval of index 'jaccard'"):
        found_by(TABLE, "jaccard", model="fixed-k", n_tables=100)


@pytest.mark.parametrize("margins", [((3, 2), (4, 1)), ((4, 3), (3, 2, 2)), ((2, 2, 2), (3, 3))])
def test_leaving_out_by_weighting(margins):
    """``E n / (r_i c_j) N_ij f(N - e_ij)`` over all tables is the mean over those with one object less."""

    def f(table):
        return Fraction(
            sum((i + 1) ** 2 * x * x * (j + 3) for i, row in enumerate(table) for j, x in enumerate(row))
        )

    rows, columns = margins
    law = naive.law_of_tables(rows, columns)
    index = cc.Index(name="f", needs="labels", function=lambda u, v: float(f(table_of(u, v, rows, columns))))
    cells = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
    found = changes_by_law(
        index,
        cc.Margins(rows, columns),
        tuple(map(np.array, zip(*cells, strict=True))),
        *table_law(cc.Margins(rows, columns), 10_000),
    )
    mean = sum(p * f(table) for table, p in law)
    for (i, j), change in zip(cells, found, strict=True):
        fewer_rows = [r - (k == i) for k, r in enumerate(rows)]
        fewer_columns = [c - (k == j) for k, c in enumerate(columns)]
        true = sum(p * f(table) for table, p in naive.law_of_tables(fewer_rows, fewer_columns))
        assert change == pytest.approx(float(true - mean), rel=1e-12)


def table_of(u, v, rows, columns):
    table = np.zeros((len(rows), len(columns)), dtype=int)
    np.add.at(table, (u, v), 1)
    return table.tolist()


def test_simulated_changes_agree_with_the_listed_ones():
    """Twelve objects: what the sum of rows and columns neglects is below a tenth of the changes' spread."""
    table = cc.ContingencyTable([[4, 1, 1], [1, 3, 2]])
    for name in ("purity", "van_dongen"):
        index = cc.get_index(name)
        exact, none = simulated_changes(index, table, request({"rng": 1}))
        assert (none == 0.0).all()
        drawn, variances = simulated_changes(
            index, table, request({"rng": 1, "method": "monte-carlo", "n_tables": 200_000})
        )
        assert (variances > 0.0).all()
        # both centred: a common change has no part in a jackknife
        apart = (drawn - drawn.mean()) - (exact - exact.mean())
        assert np.abs(apart).max() < 0.1 * np.ptp(exact) + 5.0 * math.sqrt(variances.max())
        assert np.abs(apart).max() > 0.0


def test_a_simulated_index_of_many_objects():
    """The noise of the changes is told, and is what the scores without an object are off by."""
    rng = np.random.default_rng(3)
    table = cc.ContingencyTable(rng.multinomial(500, 0.7 * np.eye(5).ravel() / 5 + 0.3 / 25).reshape(5, 5))
    found = found_by(table, "purity", n_tables=5_000)
    again = found_by(table, "purity", n_tables=5_000, method="monte-carlo")
    assert 0.0 < found.noise < 0.1 * jackknife_error(found)
    assert found.error > 0.0
    assert jackknife_error(found) == pytest.approx(jackknife_error(again), rel=0.1)


def jackknife_error(found):
    n, mean = found.counts.sum(), np.average(found.without, weights=found.counts)
    return math.sqrt((n - 1) / n * (found.counts @ (found.without - mean) ** 2))


def test_no_score_without_an_object():
    found = found_by(cc.ContingencyTable([[3, 0], [0, 1]]), "rand")
    assert found.whole == 1.0
    assert np.isnan(found.without).tolist() == [False, True]  # without the last, a single cluster is left
    assert np.isnan(found_by(cc.ContingencyTable([[10]]), "rand").without).all()
    assert np.isnan(found_by(cc.ContingencyTable([[1]]), "rand").without).all()
    assert found_by(cc.ContingencyTable(np.zeros((0, 0), dtype=int)), "rand").without.size == 0


def test_one_moved_object_in_perfect_agreement():
    found = found_by(cc.ContingencyTable([[6, 0], [0, 4]]), "rand")
    null = cc.null_distribution(cc.Margins([6, 4], [6, 4]), "rand", method="analytic")
    moved = [cc.score_table(table, "rand") for table in ([[5, 1], [0, 4]], [[6, 0], [1, 3]])]
    assert found.one_moved == pytest.approx((min(moved) - null.mean) / (1.0 - null.mean), rel=1e-12)
    assert math.isnan(found_by(TABLE, "rand").one_moved)
    assert found_by(cc.ContingencyTable([[5, 0, 0], [0, 3, 2]]), "purity").one_moved < 1.0
