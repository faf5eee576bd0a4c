"""The picture of a tail shows the numbers it should."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from matplotlib.figure import Figure

import chancecorr as cc
from chancecorr.exact.laws.enumeration import shared_pair_sum_law
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.indices import Index
from chancecorr.plotting import plot_survival
from chancecorr.tables.pair_sum import pair_sum_moments

MARGINS = cc.Margins([30, 30, 40], [30, 30, 40])
PAPER = cc.Margins([240, 240, 320], [240, 240, 320])
SMALL = cc.Margins([3, 2], [3, 2])
TABLE = [[50, 0, 0], [0, 39, 11], [0, 14, 36]]
ENTROPY = Index(name="entropy", function=lambda x, row, column, n: -x / n * math.log(x / n), needs="cells")


@pytest.fixture
def ax():
    return Figure().subplots()


def null(margins, index, method, **options):
    return cc.null_distribution(margins, index, method=method, **options)


def line(ax, label):
    (found,) = [line for line in ax.lines if line.get_label() == label]
    return found.get_xdata(), found.get_ydata()


def labels(ax):
    return [line.get_label() for line in ax.lines]


class TestSurvival:
    @pytest.mark.parametrize("index", ["rand", "jaccard"])
    def test_lines_are_p_values(self, ax, index):
        plot_survival(MARGINS, index, rng=3, ax=ax)
        for label, method in (("exact", "exact"), ("17,000 tables", "monte-carlo")):
            law = null(MARGINS, index, method, rng=3)
            x, p = line(ax, label)
            assert x.tolist() == law.values.tolist()
            for k in range(0, x.size, 37):
                assert p[k] == pytest.approx(law.p_value(x[k]), rel=1e-12)
        (drawn,) = [line for line in ax.lines if line.get_label() == "exact"]
        assert drawn.get_drawstyle() == "steps-pre"

    def test_normal_law_is_orders_of_magnitude_off_and_pearson_is_not(self, ax):
        plot_survival(PAPER, n_tables=0, ax=ax)
        assert labels(ax) == ["exact", "normal", "Pearson curve"]
        law, moments = shared_pair_sum_law(PAPER), pair_sum_moments(PAPER)
        exact = null(PAPER, "rand", "exact")
        x, normal = line(ax, "normal")
        k = int(np.searchsorted(law.values, 75234))  # p = 0.009962, see `pearson_p_value`
        assert exact.p_value(x[k]) == pytest.approx(0.009962, abs=5e-7)
        z = (x[k] - exact.mean) / exact.std
        assert normal[k] == pytest.approx(NormalDist().cdf(-z), rel=1e-9)
        assert normal[k] == pytest.approx(4.45e-4, rel=0.01)
        x, pearson = line(ax, "Pearson curve")
        p = np.array([exact.p_value(value) for value in x])
        assert p[-1] < 2e-10
        middle = (p < 0.5) & (p > 1e-3)
        np.testing.assert_allclose(pearson[middle], p[middle], rtol=0.03)
        k = int(np.searchsorted(x, exact.values[1000]))
        T = int(law.values[np.searchsorted(exact.values, x[k])])
        assert pearson[k] == pearson_p_value(moments, T)

    def test_table_is_marked(self, ax):
        score = cc.adjust_table(TABLE, index="jaccard", method="exact")
        plot_survival(TABLE, "jaccard", n_tables=0, ax=ax)
        assert 0.0 < score.p_value < 1e-30
        x, _ = line(ax, f"observed: p = {score.p_value:.2g}")
        assert ax.get_ylim()[0] < score.p_value
        assert x[0] == score.observed
        assert ax.get_xlim()[1] > score.observed

    def test_no_pearson_curve_unless_the_index_ascends_with_the_pair_sum(self, ax):
        cells = plot_survival(SMALL, ENTROPY, n_tables=0, ax=ax)
        assert labels(cells) == ["exact", "normal"]
        falling = Index(name="falling", function=lambda a, b, c, d: b + c, needs="pairs")
        assert labels(plot_survival(MARGINS, falling, n_tables=0, ax=Figure().subplots())) == [
            "exact",
            "normal",
        ]

    def test_bad_input(self):
        undefined = Index(name="undefined", function=lambda a, b, c, d: a * math.nan, needs="pairs")
        with pytest.raises(ValueError, match="`index` must be finite on every table; got 'undefined'"):
            plot_survival(SMALL, undefined)
        with pytest.raises(ValueError, match="`n_tables` must be at least 0; got -1"):
            plot_survival(SMALL, n_tables=-1)
        with pytest.raises(ValueError, match="Did you mean 'jaccard'"):
            plot_survival(SMALL, "jacard")
