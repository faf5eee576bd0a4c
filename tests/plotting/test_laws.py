"""The pictures of null laws show the numbers they should."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from matplotlib.figure import Figure

import chancecorr as cc
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.exact.laws.shared import shared_pair_sum_law
from chancecorr.null.seeding import seed_from
from chancecorr.plotting import plot_convergence, plot_law_and_sample, plot_survival
from chancecorr.tables.pair_sum import pair_sum_moments

MARGINS = cc.Margins([30, 30, 40], [30, 30, 40])
PAPER = cc.Margins([240, 240, 320], [240, 240, 320])
SMALL = cc.Margins([3, 2], [3, 2])
TABLE = [[50, 0, 0], [0, 39, 11], [0, 14, 36]]
ENTROPY = cc.Index(name="entropy", function=lambda x, row, column, n: -x / n * math.log(x / n), needs="cells")
LARGEST = cc.Index(name="largest", function=lambda table, rows, columns: table.max(), needs="table")


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


class TestLawAndSample:
    @pytest.mark.parametrize("margins", [MARGINS, PAPER, SMALL, cc.Margins([5], [2, 3])])
    def test_areas_are_probabilities_in_the_same_bins(self, ax, margins):
        exact, sampled = null(margins, "jaccard", "exact"), null(margins, "jaccard", "monte-carlo", rng=0)
        plot_law_and_sample(exact, sampled, ax=ax)
        *bars, line = ax.patches
        heights, edges, _ = line.get_data()
        assert [bar.get_x() for bar in bars] == edges[:-1].tolist()
        widths = np.diff(edges)
        assert math.fsum(heights * widths) == pytest.approx(1.0, rel=1e-11)
        assert math.fsum(bar.get_height() * bar.get_width() for bar in bars) == pytest.approx(1.0, rel=1e-12)
        for k in range(len(bars)):
            within = (sampled.values > edges[k]) & (sampled.values < edges[k + 1])
            share = sampled.counts[within].sum() / sampled.n_tables
            assert bars[k].get_height() * widths[k] == pytest.approx(share, rel=1e-9, abs=1e-15)

    def test_nothing_likely_lies_beyond_the_axis(self, ax):
        exact, sampled = null(PAPER, "rand", "exact"), null(PAPER, "rand", "monte-carlo", rng=0)
        left, right = plot_law_and_sample(exact, sampled, ax=ax).get_xlim()
        outside = (exact.values < left) | (exact.values > right)
        assert 0.0 < exact.weights[outside].sum() <= 2e-6
        assert left < sampled.values[0] < sampled.values[-1] < right
        assert right - left < 0.5 * np.ptp(exact.values)

    def test_the_two_must_belong_together(self):
        exact, sampled = null(SMALL, "rand", "exact"), null(SMALL, "rand", "monte-carlo", rng=0)
        with pytest.raises(TypeError, match="`sampled` must be a NullDistribution; got list"):
            plot_law_and_sample(exact, [])
        with pytest.raises(ValueError, match="`exact` must have law='exact'; got 'monte-carlo'"):
            plot_law_and_sample(sampled, exact)
        with pytest.raises(
            ValueError, match=r"of the index and margins of `exact`, .*'rand'.* got .*'jaccard'"
        ):
            plot_law_and_sample(exact, null(SMALL, "jaccard", "monte-carlo", rng=0))
        with pytest.raises(ValueError, match="of the index and margins of `exact`"):
            plot_law_and_sample(exact, null(MARGINS, "rand", "monte-carlo", rng=0))


class TestSurvival:
    @pytest.mark.parametrize("index", ["rand", "jaccard"])
    def test_lines_are_p_values(self, ax, index):
        plot_survival(MARGINS, index, rng=3, ax=ax)
        for label, method in (("exact law", "exact"), ("17,000 tables", "monte-carlo")):
            law = null(MARGINS, index, method, rng=3)
            x, p = line(ax, label)
            assert x.tolist() == law.values.tolist()
            for k in range(0, x.size, 37):
                assert p[k] == pytest.approx(law.p_value(x[k]), rel=1e-12)
        (drawn,) = [line for line in ax.lines if line.get_label() == "exact law"]
        assert drawn.get_drawstyle() == "steps-pre"

    def test_normal_law_is_orders_of_magnitude_off_and_pearson_is_not(self, ax):
        plot_survival(PAPER, n_tables=0, ax=ax)
        assert labels(ax) == ["exact law", "normal law", "Pearson curve"]
        law, moments = shared_pair_sum_law(PAPER), pair_sum_moments(PAPER)
        exact = null(PAPER, "rand", "exact")
        x, normal = line(ax, "normal law")
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

    def test_axis_ends_where_the_enumeration_may(self, ax):
        plot_survival(PAPER, n_tables=0, ax=ax)
        assert ax.get_yscale() == "log"
        assert ax.get_ylim()[0] == pytest.approx(1e-10)

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
        assert labels(cells) == ["exact law", "normal law"]
        falling = cc.Index(name="falling", function=lambda a, b, c, d: b + c, needs="pairs")
        assert labels(plot_survival(MARGINS, falling, n_tables=0, ax=Figure().subplots())) == [
            "exact law",
            "normal law",
        ]

    def test_constant_index(self, ax):
        assert labels(plot_survival(cc.Margins([5], [2, 3]), n_tables=0, ax=ax)) == ["exact law"]

    def test_bad_input(self):
        undefined = cc.Index(name="undefined", function=lambda a, b, c, d: a * math.nan, needs="pairs")
        with pytest.raises(ValueError, match="`index` must be finite on every table; got 'undefined'"):
            plot_survival(SMALL, undefined)
        with pytest.raises(ValueError, match="`n_tables` must be at least 0; got -1"):
            plot_survival(SMALL, n_tables=-1)
        with pytest.raises(ValueError, match="Did you mean 'jaccard'"):
            plot_survival(SMALL, "jacard")


class TestConvergence:
    @pytest.mark.parametrize("index", ["jaccard", ENTROPY], ids=["jaccard", "entropy"])
    def test_what_is_shown_at_m_is_what_m_tables_give(self, ax, index):
        plot_convergence(MARGINS, index, n_tables=2000, rng=5, ax=ax)
        m, means = line(ax, "mean of the first m tables")
        assert (m[0], m[-1]) == (10, 2000)
        corners = ax.collections[0].get_paths()[0].vertices
        for k in (0, m.size // 2, m.size - 1):
            law = null(MARGINS, index, "monte-carlo", n_tables=int(m[k]), rng=5)
            assert means[k] == pytest.approx(law.mean, rel=1e-12)
            low, *_, high = np.unique(corners[corners[:, 0] == m[k], 1])
            assert (high - low) / 2 == pytest.approx(2.5758293 * law.std / math.sqrt(m[k]), rel=1e-7)
            assert (low, high) == pytest.approx(law.confidence_interval(0.99), rel=1e-10)

    def test_controlled_means_are_of_the_same_tables(self, ax):
        plot_convergence(MARGINS, "jaccard", n_tables=2000, rng=np.random.default_rng(4), ax=ax)
        seed = int(seed_from(np.random.default_rng(4)))
        m, means = line(ax, "with control variates")
        for k in (0, m.size - 1):
            options = {"n_tables": int(m[k]), "rng": seed}
            law = null(MARGINS, "jaccard", "monte-carlo", controls=True, **options)
            assert means[k] == law.mean
        exact = null(MARGINS, "jaccard", "exact").mean
        assert abs(means[-1] - exact) < 1e-3 * abs(line(ax, "mean of the first m tables")[1][-1] - exact)

    def test_exact_mean(self, ax):
        plot_convergence(PAPER, ax=ax)
        _, y = line(ax, "exact mean")
        assert y[0] == null(PAPER, "jaccard", "analytic").mean
        low, high = null(PAPER, "jaccard", "monte-carlo", rng=0).confidence_interval(0.99)
        assert low < y[0] < high

    @pytest.mark.heavy
    def test_no_line_for_a_mean_that_is_not_known(self, ax):
        plot_convergence(cc.Margins([20] * 8, [20] * 8), LARGEST, n_tables=50, ax=ax)
        assert labels(ax) == ["mean of the first m tables", "with control variates"]

    def test_bad_input(self):
        with pytest.raises(ValueError, match="`n_tables` must be at least 10; got 9"):
            plot_convergence(MARGINS, n_tables=9)
        with pytest.raises(TypeError, match="`margins` must be a Margins"):
            plot_convergence([[1, 2], [3, 4]])
        with pytest.raises(TypeError, match="`ax` must be a matplotlib Axes; got str"):
            plot_convergence(MARGINS, ax="here")
