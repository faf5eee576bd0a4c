"""Null distributions: moments, quantiles, p-values, and what they refuse."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import chancecorr as cc
from chancecorr.chance.engines import Law
from chancecorr.chance.null_distribution import make_exact_null, make_simulated_null
from chancecorr.correction import NullDistribution
from chancecorr.exact.summary import Known, Moments, compute_sample_moments
from chancecorr.indices.evaluation import evaluate_pair_sums
from chancecorr.sampling.precision import ControlledMean
from chancecorr.sampling.task import Joint, count_distinct
from tests.naive import law_of_pair_sum

MARGINS = cc.Margins([5, 4, 3], [6, 3, 3])


def null_of(sample, analytic=None, error=None):
    known = None if analytic is None else Known(analytic, error or 0.0)
    values, counts = count_distinct(np.asarray(sample, dtype=float))
    joint = Joint(values, None, counts)
    return make_simulated_null("x", MARGINS, joint, known, mean_is_known=error is not None)


samples = st.lists(st.floats(-100, 100).map(lambda x: round(x, 1)), min_size=2, max_size=60)


class TestMoments:
    @pytest.mark.slow
    @given(samples)
    def test_equal_those_of_the_raw_sample(self, sample):
        found = compute_sample_moments(*count_distinct(np.array(sample)))
        assert found.mean == pytest.approx(np.mean(sample), rel=1e-12, abs=1e-12)
        assert found.variance == pytest.approx(np.var(sample, ddof=1), rel=1e-9, abs=1e-20)
        if np.ptp(sample) > 0.5:
            assert found.skewness == pytest.approx(stats.skew(sample), rel=1e-9, abs=1e-9)
            assert found.kurtosis == pytest.approx(stats.kurtosis(sample), rel=1e-9, abs=1e-9)

    def test_constant(self):
        found = compute_sample_moments(np.array([0.3]), np.array([17]))
        assert (found.mean, found.variance) == (0.3, 0.0)
        assert np.isnan([found.skewness, found.kurtosis]).all()

    def test_nan_and_infinity_are_not_hidden(self):
        assert math.isnan(compute_sample_moments(*count_distinct(np.array([0.5, math.nan]))).mean)
        infinite = compute_sample_moments(*count_distinct(np.array([0.5, math.inf])))
        assert infinite.mean == math.inf
        assert math.isnan(infinite.variance)

    def test_nothing(self):
        assert math.isnan(compute_sample_moments(np.empty(0), np.empty(0, dtype=np.int64)).mean)


class TestQuantile:
    @given(samples, st.floats(0, 1))
    def test_equals_the_inverse_of_the_empirical_distribution(self, sample, q):
        assert null_of(sample).quantile(q) == np.quantile(sample, q, method="inverted_cdf")

    def test_undefined_on_some_table(self):
        assert math.isnan(null_of([1.0, math.nan]).quantile(0.5))


class TestPValue:
    def test_worked_example(self):
        null = null_of([1, 2, 2, 3, 4, 4, 4, 5, 6])  # m = 9
        assert null.p_value(4) == 6 / 10  # five at least as large
        assert (null.p_value(4, "less"), null.p_value(4, "two-sided")) == (8 / 10, 1.0)
        assert (null.p_value(6, "two-sided"), null.p_value(7)) == (4 / 10, 1 / 10)
        assert null.p_value(-math.inf) == 1.0

    def test_ties_count_across_rounding(self):
        assert null_of([0.1 + 0.2, 0.0]).p_value(0.3) == 2 / 3
        assert null_of([0.3, 0.0]).p_value(0.1 + 0.2) == 2 / 3
        assert null_of([0.3, 0.0]).p_value(0.3 + 1e-12) == 1 / 3

    def test_nan(self):
        assert math.isnan(null_of([1.0, 2.0]).p_value(math.nan))
        assert math.isnan(null_of([1.0, math.nan]).p_value(1.0))

    @pytest.mark.slow
    def test_is_valid_where_b_over_m_is_not(self):
        """P(p <= alpha) <= alpha for (b + 1)/(m + 1), m = 19, over many null experiments; b/m exceeds it."""
        draws = np.random.default_rng(8).integers(0, 1000, size=(20_000, 20))
        p_right = np.array([null_of(row[1:]).p_value(row[0]) for row in draws[:4000]])
        p_wrong = (draws[:, 1:] >= draws[:, :1]).mean(axis=1)
        for alpha in (0.05, 0.1, 0.25):
            error = math.sqrt(alpha * (1 - alpha) / 4000)
            assert (p_right <= alpha + 1e-12).mean() < alpha + 4.5 * error
        assert (p_wrong <= 0.0).mean() > 0.04  # a p-value of 0 once in twenty


class TestExactLaw:
    law = make_exact_null(
        "x", MARGINS, Law(np.array([2.0, 1.0, 2.0, 4.0]), np.array([0.2, 0.5, 0.1, 0.2]), 1e-9), None
    )

    def test_values_ascend_and_equal_ones_are_merged(self):
        assert self.law.values.tolist() == [1.0, 2.0, 4.0]
        assert self.law.weights == pytest.approx([0.5, 0.3, 0.2])

    def test_moments(self):
        assert self.law.mean == pytest.approx(1.9)
        assert self.law.variance == pytest.approx(0.5 + 1.2 + 3.2 - 1.9**2)
        assert self.law.monte_carlo_error == 0.0
        assert self.law.error == pytest.approx(2.1e-9)
        assert self.law.relative_error_of_variance == pytest.approx(2.1**2 * 1e-9 / self.law.variance)
        assert (self.law.mean_from, self.law.values_from, self.law.n_tables) == ("exact", "exact", 0)
        assert self.law.simulated is None

    def test_tails_are_upper_bounds(self):
        assert self.law.p_value(2.0) == pytest.approx(0.5 + 1e-9, rel=1e-14)
        assert self.law.p_value(2.0, "less") == pytest.approx(0.8 + 1e-9, rel=1e-14)
        assert self.law.p_value(9.0) == 1e-9
        assert self.law.p_value(0.0) == 1.0
        assert self.law.p_value(4.0, "two-sided") == pytest.approx(0.4 + 2e-9, rel=1e-14)

    def test_better_moments_are_taken(self):
        known = Moments(mean=1.9, variance=1.29, skewness=0.9, kurtosis=-0.6)
        law = Law(np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.3, 0.2]), 1e-9)
        assert make_exact_null("x", MARGINS, law, Known(known, 1e-15)).mean_from == "analytic"
        assert make_exact_null("x", MARGINS, law, Known(known, 1e-3)).mean_from == "exact"


class TestAnalytic:
    analytic = Moments(mean=0.5, variance=0.04, skewness=0.1, kurtosis=-0.2)

    @pytest.mark.parametrize("reduction", [1.0, 1.5])
    def test_a_mean_by_control_variates_is_taken_if_they_save_anything(self, reduction):
        joint = Joint(np.array([0.0, 1.0]), None, np.array([50, 50]))
        controlled = ControlledMean(mean=0.4, standard_error=0.01, variance_reduction=reduction)
        null = make_simulated_null("any", None, joint, None, mean_is_known=False, controlled=controlled)
        assert null.mean == (0.4 if reduction > 1.0 else 0.5)
        assert null.variance_reduction == reduction
        assert null.variance == pytest.approx(25 / 99)

    def test_z_of_difference(self):
        null = null_of([0.6, 0.8], self.analytic)
        assert null.z_of_difference == pytest.approx(0.2 / (0.2 / math.sqrt(2)))

    def test_without_simulation(self):
        null = NullDistribution(index="x", margins=MARGINS, moments=self.analytic, error=0.0)
        assert (null.n_tables, null.values.size) == (0, 0)
        assert math.isnan(null.z_of_difference)
        for question in (lambda: null.p_value(0.3), lambda: null.quantile(0.5)):
            with pytest.raises(ValueError, match=r"needs a full distribution, .* or method='exact'"):
                question()


def test_weights_sum_to_one_and_arrays_are_closed():
    null = null_of([1, 2, 2, 3])
    assert null.weights.tolist() == [0.25, 0.5, 0.25]
    with pytest.raises(ValueError, match="read-only"):
        null.values[0] = 7
    with pytest.raises(AttributeError):
        null.n_tables = 3


def test_to_dict_is_plain_and_repr_short():
    null = cc.null_distribution(MARGINS, "rand", method="monte-carlo", n_tables=500, rng=1)
    plain = null.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["row_totals"] == [5, 4, 3]
    assert math.fsum(plain["weights"]) == pytest.approx(1.0)
    assert repr(null).startswith("NullDistribution('rand', mean=0.58")


@pytest.mark.slow
def test_the_stated_error_of_the_variance_covers_it():
    """By the law of T on random margins, of indices whose variance comes from quadrature."""
    rng, off = np.random.default_rng(5), []
    for _ in range(25):
        totals = [tuple(rng.multinomial(rng.integers(8, 15), [0.5, 0.25, 0.15, 0.1]).tolist())]
        totals += [tuple(rng.multinomial(sum(totals[0]), [0.4, 0.3, 0.2, 0.1]).tolist())]
        law = law_of_pair_sum(*totals)
        for name in ("jaccard", "goodman_kruskal", "sokal_sneath_1", "kulczynski_1", "baulieu_distance_13"):
            index, margins = cc.get_index(name), cc.Margins(*totals)
            try:
                null = cc.null_distribution(margins, name, method="analytic")
            except ValueError:  # not smooth on these margins
                continue
            values = evaluate_pair_sums(index, np.array(list(law)), margins)
            mean = math.fsum(float(p) * x for p, x in zip(law.values(), values, strict=True))
            terms = zip(law.values(), values, strict=True)
            variance = math.fsum(float(p) * (x - mean) ** 2 for p, x in terms)
            if math.isfinite(mean) and variance > 1e-20:
                off.append(abs(null.variance / variance - 1.0))
                assert off[-1] <= null.relative_error_of_variance < 0.01, (name, totals)
                stated = null.to_dict()["relative_error_of_variance"]
                assert stated == null.relative_error_of_variance
    assert len(off) > 60
    assert max(off) > 1e-6  # so that the error is worth stating


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda null: null.quantile(-0.1), ValueError, r"`q` must be in \[0, 1\]; got"),
        (lambda null: null.quantile(math.nan), ValueError, r"`q` must be in \[0, 1\]; got"),
        (lambda null: null.quantile([0.5, "a"]), TypeError, "`q` must be a number, or an array of numbers"),
        (lambda null: null.quantile(10**400), TypeError, "`q` must be a number, or an array of numbers"),
        (lambda null: null.p_value("a"), TypeError, "`observed` must be a number; got"),
        (lambda null: null.p_value(10**400), TypeError, "`observed` must be a number; got"),
        (lambda null: null.p_value(1.0, "grater"), ValueError, "Did you mean 'greater'"),
        (lambda null: null.confidence_interval(1.0), ValueError, "`confidence_level` must lie between"),
        (lambda null: null.confidence_interval(True), TypeError, "`confidence_level` must be a number; got"),
    ],
)  # fmt: skip
def test_wrong_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call(null_of([1.0, 2.0]))
