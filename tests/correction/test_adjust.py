"""The public road from labels to adjusted scores: values, degenerate input, bad input, large n."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, rand_score

import chancecorr as cc
from chancecorr.correction import AdjustedScore, AdjustedScores
from chancecorr.indices import Index
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from tests.naive import PAIR_INDICES, pair_counts

NINE = sorted(PAIR_INDICES)
L_FAMILY = ["czekanowski", "fowlkes_mallows", "rand", "russell_rao"]


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 4, 200)
    return x, np.where(rng.random(200) < 0.6, x, rng.integers(0, 5, 200))


class TestValues:
    def test_rand_and_adjusted_rand_equal_scikit_learn(self, labels):
        score = cc.adjust(*labels, index="rand", rng=0)
        assert score.observed == pytest.approx(rand_score(*labels), rel=1e-14)
        assert score.adjusted == pytest.approx(adjusted_rand_score(*labels), rel=1e-12)
        assert score.method == "analytic"

    def test_agrees_with_the_formula_and_its_parts(self, labels):
        score = cc.adjust(*labels, index="jaccard", method="monte-carlo", rng=0)
        assert score.adjusted == (score.observed - score.expected) / (1 - score.expected)
        assert score.z_score == (score.observed - score.expected) / score.std
        assert (score.method, score.n_tables) == ("monte-carlo", 17_000)
        assert score.monte_carlo_error == pytest.approx(score.std / math.sqrt(17_000))
        off = score.expected + score.monte_carlo_error
        shifted = (score.observed - off) / (1 - off)
        assert abs(shifted - score.adjusted) == pytest.approx(score.adjusted_monte_carlo_error, rel=1e-2)
        assert score.p_value == 1 / 17_001

    @pytest.mark.parametrize(
        "options", [{"method": "monte-carlo"}, {"model": "fixed-k"}, {"best": 0.9}], ids=str
    )
    def test_the_form_that_keeps_its_digits_is_that_of_the_permutation_model_alone(self, labels, options):
        score = cc.adjust(*labels, index="rand", rng=0, n_tables=100, **options)
        best = options.get("best", 1.0)
        assert score.adjusted == (score.observed - score.expected) / (best - score.expected)

    def test_identical_clusterings_score_one_and_unrelated_ones_near_zero(self):
        x = np.repeat([0, 1, 2], [30, 50, 20])
        for score in cc.adjust(x, x, index=NINE, rng=1).values():
            if score.index == "russell_rao":
                continue  # 1 only when all objects are in one cluster
            assert score.adjusted == pytest.approx(1.0, rel=1e-12)
        for score in cc.adjust(x, np.random.default_rng(5).permutation(x), index=NINE, rng=1).values():
            assert abs(score.z_score) < 4.5
            assert score.p_value > 0.001

    @pytest.mark.slow
    def test_methods(self, labels):
        analytic, sampled, auto = (
            cc.adjust(*labels, index="rand", method=method, rng=1)
            for method in ("analytic", "monte-carlo", "auto")
        )
        assert (analytic.method, sampled.method, auto.method) == ("analytic", "monte-carlo", "analytic")
        sources = [score.null.values_from for score in (analytic, sampled, auto)]
        assert sources == [None, "monte-carlo", None]  # the bound of `auto` says more than its tables would
        assert (analytic.n_tables, analytic.p_is_bound, sampled.p_is_bound) == (0, True, False)
        assert sampled.expected != auto.expected == analytic.expected
        assert sampled.p_value == 1 / 17_001
        assert sampled.p_upper == pytest.approx(1 - 0.05 ** (1 / 17_000), rel=1e-12)
        assert (auto.p_is_bound, auto.p_upper) == (True, auto.p_value)
        assert auto.p_value < 1e-9
        assert sampled.null.analytic == analytic.null.moments
        assert abs(sampled.null.z_of_difference) < 4.5

    def test_direction_of_the_p_value_of_a_distance(self):
        about = {"needs": "pairs", "range": (0, math.inf), "best": 0, "affine": True}
        distance = Index(name="mirkin_halves", function=lambda a, b, c, d: b + c, **about)
        x = np.repeat([0, 1], 20)
        score = cc.adjust(x, x, index=distance, rng=0)
        assert (score.observed, score.adjusted) == (0, 1.0)
        assert 0.0 < score.p_value < 2e-11  # 2 / C(40, 20) tables are as good, and 1e-12 may be lost


class TestResult:
    def test_mapping_table_and_frame(self, labels):
        scores = cc.adjust(*labels, index=["jaccard", "dice"], rng=0)
        assert list(scores) == ["jaccard", "czekanowski"]
        assert scores["dice"] is scores["czekanowski"]
        assert ("jaccard" in scores, "rand" in scores) == (True, False)
        with pytest.raises(KeyError):
            scores["rand"]
        lines = repr(scores).splitlines()
        assert lines[3:] == ["dice is 'czekanowski'", "ARI (adjusted Rand index): column adjusted"]
        assert lines[0].split()[:3] == ["index", "observed", "expected"]
        assert f"{scores['jaccard'].adjusted:.3f}" in lines[1]
        assert scores._repr_html_().count("<tr>") == 3
        frame = scores.to_frame()
        assert list(frame["index"].items()) == [("jaccard", "jaccard"), ("dice", "czekanowski")]
        assert frame.loc["jaccard", "adjusted"] == scores["jaccard"].adjusted
        plain = scores.to_dict()["czekanowski"]
        assert json.dumps(json.loads(json.dumps(plain))) == json.dumps(plain)

    def test_one_name_gives_one_score_and_a_list_gives_several(self, labels):
        assert isinstance(cc.adjust(*labels, index="rand", rng=0), AdjustedScore)
        assert isinstance(cc.adjust(*labels, index=["rand"], rng=0), AdjustedScores)


DEGENERATE = {
    "one object": ([0], [0]),
    "two objects together": ([0, 0], [0, 0]),
    "two objects apart": ([0, 1], [0, 1]),
    "two objects, together and apart": ([0, 0], [0, 1]),
    "one cluster against one cluster": ([0] * 6, [0] * 6),
    "one cluster against singletons": ([0] * 6, list(range(6))),
    "singletons against singletons": (list(range(6)), list(range(6))),
    "one cluster against two": ([0] * 6, [0, 0, 0, 1, 1, 1]),
    "singletons against two": (list(range(6)), [0, 0, 0, 1, 1, 1]),
}


class TestDegenerate:
    @pytest.mark.parametrize("case", DEGENERATE)
    @pytest.mark.parametrize("method", ["auto", "monte-carlo"])
    def test_constant_pair_sum_gives_the_formula_or_nan_and_never_an_adjusted_value(self, case, method):
        x, y = DEGENERATE[case]
        for name in NINE:
            score = cc.adjust(x, y, index=name, method=method, n_tables=50, rng=0)
            expected = float(PAIR_INDICES[name](*pair_counts(x, y)))
            assert score.observed == pytest.approx(expected, nan_ok=True), name
            assert score.expected == pytest.approx(expected, nan_ok=True), name
            if math.isnan(expected):
                assert np.isnan([score.p_value, score.variance, score.adjusted]).all(), name
            else:
                assert (score.p_value, score.variance) == (1.0, 0.0), name
                assert math.isnan(score.z_score), name
                # Chance always gives the observed value: adjusted is 0, or 0/0 = nan where that is the best.
                assert math.isnan(score.adjusted) if expected == 1.0 else score.adjusted == 0.0, name

    @pytest.mark.parametrize("method", ["auto", "monte-carlo"])
    def test_no_objects_are_an_error(self, method):
        with pytest.raises(ValueError, match="at least one label"):
            cc.adjust([], [], index="rand", method=method)


class TestABillionObjects:
    rows = (300_000_000, 300_000_000, 400_000_000)
    columns = (200_000_000, 350_000_000, 450_000_000)

    def test_moments_equal_python_integers_and_sampling_agrees(self):
        margins = cc.Margins(self.rows, self.columns)
        n = 10**9
        F2, G2 = (sum(x * (x - 1) for x in totals) for totals in (self.rows, self.columns))
        F3, G3 = (sum(x * (x - 1) * (x - 2) for x in totals) for totals in (self.rows, self.columns))
        mean_U = Fraction(F2 * G2, n * (n - 1))
        # E U^2 = 2 [2] + 4 [3] + [22] (U = T - n), from the margins in plain integers.
        R22 = (F2 * F2 - 4 * F3 - 2 * F2) * (G2 * G2 - 4 * G3 - 2 * G2)
        mean_U2 = (
            2 * mean_U
            + Fraction(4 * F3 * G3, n * (n - 1) * (n - 2))
            + Fraction(R22, n * (n - 1) * (n - 2) * (n - 3))
        )
        moments = compute_pair_sum_moments(margins)
        assert moments.mean == n + mean_U
        assert moments.variance == mean_U2 - mean_U**2
        for name in L_FAMILY:
            null = cc.null_distribution(margins, name, method="monte-carlo", n_tables=4000, rng=1)
            assert abs(null.z_of_difference) < 4.5
            assert null.variance / null.analytic.variance == pytest.approx(1.0, abs=0.15)


class TestBadInput:
    x = np.repeat([0, 1, 2], 20)

    @pytest.mark.parametrize(
        ("about", "message"),
        [
            ({"function": lambda a, b, c, d: np.minimum(a, 190.0), "needs": "pairs"}, "`index` .*mine"),
            (
                {"function": lambda t, r, c: t.max(), "needs": "table"},
                "`method` must be 'auto', 'exact' or 'monte-carlo' for index 'mine'",
            ),
            (
                {"function": lambda a, b, c, d: a * a, "needs": "pairs", "affine": True},
                "`affine` must be False for index 'mine'",
            ),
        ],
    )
    def test_an_index_without_moments(self, about, message):
        with pytest.raises(ValueError, match=message):
            cc.adjust(self.x, self.x, index=Index(name="mine", **about), method="analytic")

    def test_margins(self):
        with pytest.raises(ValueError, match=r"must have the same sum; got 8 and 7\."):
            cc.null_distribution(cc.Margins([2, 6], [1, 2, 4]))
        with pytest.raises(TypeError, match="`margins` must be a Margins"):
            cc.null_distribution([[2, 6], [4, 4]])


class TestErrorOfTheMean:
    """What the column ``std.err.`` shows."""

    TABLE = ((5, 3, 0), (1, 4, 2), (2, 0, 7))

    def shown(self, index, **options):
        header, row = cc.adjust_table(self.TABLE, index=[index], **options).cells(wide=True)
        return row[header.index("std.err.")]

    def test_the_bound_of_quadrature(self):
        score = cc.adjust_table(self.TABLE, index="jaccard", method="analytic")
        exact = cc.adjust_table(self.TABLE, index="jaccard", method="exact")
        assert 1e-13 < score.null.error < 1e-6
        assert self.shown("jaccard", method="analytic") == f"≤{score.null.error:.1e}"
        assert abs(score.expected - exact.expected) <= score.null.error
        assert score.monte_carlo_error == 0.0

    def test_a_dash_where_the_mean_is_not_finite(self):
        same = np.diag([5, 4, 3])
        (score,) = cc.adjust_table(same, index=["kulczynski_1"]).values()
        assert score.expected == math.inf
        assert math.isnan(score.monte_carlo_error)
        assert cc.adjust_table(same, index=["kulczynski_1"]).cells(wide=True)[1][2:4] == ["inf", "–"]


@pytest.mark.parametrize("index", ["rand", "mirkin"])
def test_a_best_value_beyond_chance_is_noted(index):
    first, second = [1, 1, 2, 2, 3, 3] * 5, [1, 2, 2, 2, 3, 3] * 5
    score = cc.adjust(first, second, index, best={"rand": 0.0, "mirkin": 400.0}[index])
    assert score.adjusted < 0.0
    assert any("more agreement scores less" in note for note in map(str, score.notes))
    assert not any("scores less" in note for note in map(str, cc.adjust(first, second, index).notes))
