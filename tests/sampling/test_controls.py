"""Controlled means are closer, their errors honest, their bits the same; precision asked for is kept."""

import functools
import math

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.chance.table_draws import TableDraws
from chancecorr.correction.options import read_options
from chancecorr.exact.summary import compute_sample_moments
from chancecorr.indices import Index
from chancecorr.sampling import precision as rule
from chancecorr.sampling import workers
from chancecorr.sampling.workers import count_tables
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from tests.naive import law_of_tables
from tests.sampling.fits import COMPILED
from tests.shares import small_and_full
from tests.simulated import simulate, task_of, with_settings

adjust_table = with_settings(cc.adjust_table)
null_distribution = with_settings(cc.null_distribution)

SMALL = cc.Margins([5, 4, 3], [6, 3, 3])
MIDDLE = cc.Margins([33, 33, 34], [33, 33, 34])
LARGE = cc.Margins([240, 240, 320], [240, 240, 320])


def largest_cell(table, row_totals, column_totals):
    return table.max() / row_totals.sum()


def share_in_place(labels_true, labels_pred):
    return (labels_true == labels_pred).mean()


LARGEST = Index(name="largest_cell", function=largest_cell, needs="table", range=(0.0, 1.0))
IN_PLACE = Index(name="share_in_place", function=share_in_place, needs="labels", range=(0.0, 1.0))
ROOT = Index(
    name="root_information",
    needs="cells",
    function=lambda x, row, column, n: x / n * math.log(n * x / (row * column)),
    link=lambda total, rows, columns: np.sqrt(np.maximum(total, 0.0)),
)

sampled = functools.partial(null_distribution, method="monte-carlo")


class TestRegression:
    rng = np.random.default_rng(7)
    x = rng.normal(size=400)
    y = 3.0 + 2.0 * x - 0.5 * (x**2 - 1.0) + 0.1 * rng.normal(size=400)
    ones = np.ones(400, dtype=np.int64)
    controls = (x, x**2 - 1.0)

    def test_equals_least_squares(self):
        design = np.column_stack([self.ones, *self.controls])
        coefficients, squares, *_ = np.linalg.lstsq(design, self.y, rcond=None)
        covariance = np.linalg.inv(design.T @ design) * squares[0] / (400 - 3)
        found = rule.compute_controlled_mean(self.y, self.ones, self.controls)
        assert found.mean == pytest.approx(coefficients[0], rel=1e-13)
        assert found.standard_error == pytest.approx(math.sqrt(covariance[0, 0]), rel=1e-10)
        plain = np.var(self.y, ddof=1) / 400
        assert found.variance_reduction == pytest.approx(plain / covariance[0, 0], rel=1e-9)

    @pytest.mark.parametrize(
        ("values", "m"),
        [
            (rng.permutation(y), 400),  # nothing to do with the controls
            (y[:20], 20),  # no more than ten for each control
            (np.ones(400), 400),
            (np.where(x > 2.0, math.nan, y), 400),
            (np.where(x > 2.0, math.inf, y), 400),
            (y[:1], 1),
        ],
        ids=["uncorrelated", "few", "constant", "nan", "inf", "one"],
    )
    def test_plain_mean_is_kept(self, values, m):
        counts = np.ones(m, dtype=np.int64)
        found = rule.compute_controlled_mean(values, counts, [control[:m] for control in self.controls])
        assert repr(found.mean) == repr(compute_sample_moments(values, counts).mean)
        assert found.variance_reduction == 1.0


@pytest.mark.skipif(not COMPILED, reason="of means, not of bounds")
@pytest.mark.parametrize("name", ["jaccard", "sokal_sneath_1"])
@pytest.mark.parametrize(("margins", "gain"), [(SMALL, 300), (LARGE, 1e7)], ids=str)
def test_pair_indices_against_their_exact_mean(name, margins, gain):
    """Gain in the root mean squared error over 10 seeds; none of the 10 beyond 4.5 standard errors.

    What the controls leave over has a heavy tail, so that a sample's standard error is often several times
    that of another one: by these the gain is at least a quarter of it in the median of ten.
    """
    exact = null_distribution(margins, name)
    nulls = [sampled(margins, name, controls=True, rng=seed) for seed in range(10)]
    errors = np.array([null.mean - exact.mean for null in nulls])
    assert math.sqrt((errors**2).mean()) * gain < exact.std / math.sqrt(17_000)
    assert all(abs(error) < 4.5 * null.monte_carlo_error for error, null in zip(errors, nulls, strict=True))
    standard_error = np.median([null.monte_carlo_error for null in nulls])
    assert standard_error * gain / 4 < exact.std / math.sqrt(17_000)


@pytest.mark.skipif(not COMPILED, reason="of means, not of bounds")
def test_published_method_is_left_as_it_is():
    plain, controlled = (sampled(MIDDLE, "jaccard", controls=given, rng=3) for given in (None, True))
    assert plain.variance_reduction == 1.0
    assert plain.mean == plain.simulated.mean == controlled.simulated.mean
    assert plain.monte_carlo_error == plain.std / math.sqrt(17_000)
    assert controlled.variance_reduction > 1e6
    assert plain.values.tobytes() == controlled.values.tobytes()


@pytest.mark.slow
def test_table_index_against_enumeration():
    """|z| < 4.5 in 60 runs fails with chance 4e-4; the errors spread as their standard errors say."""
    mean = sum(float(p) * max(map(max, table)) / 12 for table, p in law_of_tables([5, 4, 3], [6, 3, 3]))
    nulls = [sampled(SMALL, LARGEST, controls=True, n_tables=2000, rng=seed) for seed in range(60)]
    z = np.array([(null.mean - mean) / null.monte_carlo_error for null in nulls])
    assert np.abs(z).max() < 4.5
    assert 0.7 < math.sqrt((z**2).mean()) < 1.35  # chi-square with 60 degrees: beyond with chance 2e-4
    assert min(null.variance_reduction for null in nulls) > 1.5


@pytest.mark.skipif(not COMPILED, reason="of means, not of bounds")
def test_auto_controls_what_has_no_exact_mean():
    for index in (LARGEST, ROOT):
        auto = null_distribution(LARGE, index, rng=1, budget=math.inf)
        plain = null_distribution(LARGE, index, rng=1, budget=math.inf, controls=False)
        assert auto.mean_from == plain.mean_from == "monte-carlo"
        assert auto.variance_reduction > 1.05
        assert plain.variance_reduction == 1.0
        assert auto.monte_carlo_error < plain.monte_carlo_error
        assert abs(auto.mean - plain.mean) < 4.5 * plain.monte_carlo_error
        assert auto.p_value(plain.mean) == plain.p_value(plain.mean)
    assert null_distribution(MIDDLE, "jaccard", rng=1).variance_reduction == 1.0


def test_controls_where_there_are_none():
    constant = cc.Margins([2, 1], [1, 1, 1])
    assert rule.make_pair_sum_controls(compute_pair_sum_moments(constant), powers=2) is None
    assert rule.make_cell_sum_controls(ROOT, cc.Margins([3], [1, 2]), with_variance=True) is None
    infinite = Index(name="infinite", function=lambda x, row, column, n: math.inf, needs="cells")
    assert rule.make_cell_sum_controls(infinite, SMALL, with_variance=True) is None
    assert rule.make_cell_sum_controls(ROOT, SMALL, with_variance=False).means == (0.0,)
    assert sampled(constant, LARGEST, n_tables=100, controls=True, rng=1).monte_carlo_error == 0.0


class TestUnseenValues:
    """As many parameters as values of the controls leave no residual; a sample may lack a value."""

    law, values = np.array([0.7, 0.25, 0.04999, 1e-5]), np.array([0.1, 0.4, 0.5, 0.9])
    x = np.array([0.0, 1.0, 2.0, 4.0])
    mean = float(law @ values)

    def controlled(self, counts, powers=2, *, determined=False):
        shown, centred = counts > 0, self.x - self.law @ self.x
        controls = [centred**power - self.law @ centred**power for power in range(1, powers + 1)]
        columns = [control[shown] for control in controls]
        return rule.compute_controlled_mean(self.values[shown], counts[shown], columns, determined=determined)

    @pytest.mark.parametrize("determined", [False, True])
    @pytest.mark.parametrize("powers", [2, 3, 4])
    def test_the_error_is_what_one_of_them_may_change(self, powers, determined):
        found = self.controlled(np.array([7000, 2500, 500, 0]), powers, determined=determined)
        assert 1e-8 < abs(found.mean - self.mean) < found.standard_error
        assert found.standard_error >= 3 / 10_000 * 0.4

    def test_nothing_is_missing_if_a_further_control_says_so(self):
        """Four powers of four values: the last one has the mean that the others give it."""
        found = self.controlled(np.array([7000, 2500, 499, 1]), 4)
        assert found.mean == pytest.approx(self.mean, rel=1e-12)
        assert found.standard_error < 1e-12

    @pytest.mark.skipif(not COMPILED, reason="of means, not of bounds")
    @pytest.mark.parametrize("name", ["larsen_aone_f", "simplified_pair_sets_index"])
    def test_of_three_objects_in_200_clusters_of_three(self, name):
        """One table in 180,000 has all three in one cluster: the error was 10**9 of the one stated."""
        tables = np.zeros((3, 2, 200), dtype=np.int64)
        for table, counts in zip(tables, ([1, 1, 1], [2, 1], [3]), strict=True):
            table[0], table[1, : len(counts)] = 3, counts
            table[0, : len(counts)] -= counts
        pairs = 600 * 599 * 598 / 6
        law = np.array([0.0, 200 * 199 * 9 / pairs, 200 / pairs])
        law[0] = 1.0 - law.sum()
        mean = law @ [cc.score_table(table, name) for table in tables]
        for seed in range(3):
            score = cc.adjust_table(tables[1], name, rng=seed)
            assert abs(score.expected - mean) <= 3 * score.monte_carlo_error + 1e-9


class TestSameBits:
    indices = (cc.get_index("jaccard"), LARGEST, IN_PLACE, ROOT)

    def task(self, centre=3400):
        return task_of(self.indices, MIDDLE, 5, centre=centre)

    def bits(self, centre=3400, block_size=700, **plan):
        task, tallies = self.task(centre), {}
        count_tables(task, tallies, 0, 1500, block_size=block_size, **plan)
        count_tables(task, tallies, 1500, 2500, block_size=block_size, **plan)
        found = TableDraws(task, read_options(), tallies, block_size).read(4000)
        return {name: [None if x is None else x.tobytes() for x in each[:3]] for name, each in found.items()}

    def test_of_the_values_with_and_without_controls(self):
        plain = simulate(self.task(None), 4000)
        for name, (values, counts) in simulate(self.task(), 4000).items():
            assert [x.tobytes() for x in (values, counts)] == [x.tobytes() for x in plain[name]]
        assert self.bits(None)["largest_cell"][1] is None

    @pytest.mark.slow
    @pytest.mark.parametrize("options", [{"method": "auto"}, {"method": "monte-carlo"}], ids=str)
    def test_of_a_sequential_run(self, monkeypatch, options):
        def run(**plan):
            asked = {"precision": 3e-4, "rng": 8, **options, **plan}
            return repr(
                [null_distribution(LARGE, index, **asked).to_dict() for index in (LARGEST, "jaccard")]
            )

        reference = run()
        assert run(n_jobs=2) == reference
        for size in (70, 5000):
            monkeypatch.setattr(workers, "count_tables_in_block", lambda nanoseconds, size=size: size)
            assert run() == reference
            assert run(n_jobs=2) == reference


class TestPrecision:
    @pytest.mark.slow
    @pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
    def test_a_rare_value_is_within_the_precision(self, share):
        """An event of 1.3e-4: the rule that goes by the sample's variance alone misses up to 3 % at 1 %."""
        p, rng = 1.3e-4, np.random.default_rng(2014)
        runs, missed = 800, 0
        for _ in range(runs):
            m, seen, look = 0, 0, 1000
            while True:
                seen += rng.binomial(look - m, p)
                m = look
                moments = compute_sample_moments(np.array([0.0, 1.0]), np.array([m - seen, seen]))
                variance = rule.bound_variance(moments.variance, moments.kurtosis, m)
                needed = rule.count_tables_needed(variance, 1.0, 1.0, share * p)
                if needed <= m:
                    break
                look = rule.plan_next_look(m, needed)
            missed += abs(seen / m - p) > share * p
        assert missed <= stats.binom.ppf(0.9999, runs, 0.01)

    @pytest.mark.skipif(not COMPILED, reason="of means, not of bounds")
    def test_exact_mean_meets_it_at_once(self):
        wide = cc.Margins([10**6] * 10, [10**6] * 10)
        assert null_distribution(SMALL, "jaccard", precision=1e-9).n_tables == 0
        null = null_distribution(wide, "jaccard", precision=1e-9, rng=1)
        assert (null.mean_from, null.n_tables) == ("analytic", 17_000)
        assert null_distribution(wide, "jaccard", precision=1e-9, n_tables=500, rng=1).n_tables == 500

    @pytest.mark.parametrize("controls", [False, True])
    def test_interval_is_as_narrow_as_asked(self, controls):
        null = sampled(LARGE, LARGEST, precision=2e-4, controls=controls, rng=1)
        low, high = null.confidence_interval(0.99)
        assert 0.6 * 2e-4 < (high - low) / 2 <= 2e-4
        assert null.n_tables % 1000 == 0

    def test_of_several_indices_each_gets_it(self):
        table = [[20, 7, 6], [5, 22, 6], [8, 4, 22]]
        scores = adjust_table(table, index=["rand", LARGEST, ROOT], precision=5e-4, rng=1)
        assert all(rule.NORMAL_QUANTILE * score.monte_carlo_error <= 5e-4 for score in scores.values())
        assert len({score.n_tables for score in list(scores.values())[1:]}) == 1

    def test_bad_input(self):
        for precision in (0, math.nan):
            with pytest.raises(ValueError, match=r"`precision` must be a number above 0, or None; got"):
                null_distribution(SMALL, "rand", precision=precision)

    @pytest.mark.slow
    @pytest.mark.parametrize("runs_most", small_and_full((50, 5), (400, 14)))
    def test_coverage_of_the_sequential_rule(self, runs_most):
        """Jaccard as a function of the table, so that its spread is not known beforehand.

        Misses of 400 intervals are Binomial(400, 0.01): more than 14 with chance 1e-5, as more than 5 of 50.
        """
        runs, most = runs_most
        exact, precision = null_distribution(SMALL, "jaccard"), 2e-3
        index = Index(name="jaccard_of_table", function=jaccard_of_table, needs="table", range=(0.0, 1.0))
        nulls = [sampled(SMALL, index, precision=precision, rng=seed) for seed in range(runs)]
        assert sum(abs(null.mean - exact.mean) > precision for null in nulls) <= most
        tables = np.mean([null.n_tables for null in nulls])
        expected = (rule.NORMAL_QUANTILE * exact.std / precision) ** 2
        for _ in range(20):  # with the uncertainty of the variance at that number of tables
            bound = rule.bound_variance(exact.variance, exact.kurtosis, expected)
            expected = (rule.NORMAL_QUANTILE / precision) ** 2 * bound
        assert tables == pytest.approx(expected, rel=0.15, abs=800)


def jaccard_of_table(table, row_totals, column_totals):
    n, total = row_totals.sum(), (table**2).sum()
    return (total - n) / ((row_totals**2).sum() + (column_totals**2).sum() - total - n)
