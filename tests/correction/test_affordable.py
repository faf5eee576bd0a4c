"""Simulated tables within a budget: how many are drawn, what a result says of it, and what is refused."""

import re
import time
import warnings

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance.engines import Tables
from chancecorr.chance.fixed_margins import FixedMargins
from chancecorr.chance.models import make_model_of_margins
from chancecorr.correction import simulation
from chancecorr.correction.options import read_options
from chancecorr.correction.simulation import Clock, plan_draws
from chancecorr.sampling import workers
from chancecorr.sampling.seeding import make_seed
from chancecorr.sampling.sides import draw_random_margins
from tests.random_models import sides_of
from tests.tails import split_table

LARGE = cc.Margins([100_000] * 10_000, [100_000] * 10_000)
"""A billion objects: a table takes more than a second."""

SMALL = cc.Margins([30, 30, 40], [20, 45, 35])


def slow(table, row_totals, column_totals):
    time.sleep(0.01)
    return float(table[0, 0] / row_totals.sum())


SLOW = cc.indices.Index(name="slow", function=slow, needs="table")


def plan(margins, index="rand", **options):
    return plan_draws(make_model_of_margins(margins, read_options(**options)), (cc.get_index(index),))


class TestForecast:
    def test_where_the_tables_are_cheap_all_are_drawn(self):
        assert plan(SMALL).n_draws == 17_000

    @pytest.mark.parametrize("options", [{"n_tables": 17_000}, {"method": cc.MonteCarlo(precision=1e-9)}])
    def test_a_number_or_a_precision_that_was_given_is_not_cut_without_a_budget(self, options):
        assert plan(LARGE, **options).n_draws == read_options(**options).n_tables

    def test_a_budget_cuts_also_a_number_that_was_given(self):
        assert plan(LARGE, n_tables=17_000, budget=60).n_draws < 100

    def test_the_forecast_is_of_tables_as_the_model_draws_them(self, monkeypatch):
        """Partitions of 60 objects have 20 clusters or so, whatever the clusters of the data; none has more
        clusters than is expected."""
        margins, seen = cc.Margins([60], [60]), []
        monkeypatch.setattr(Tables, "nanoseconds", lambda _, index, shape, n: seen.append(shape) or 1.0)
        plan(margins, "purity", model="all-partitions")
        drawn = draw_random_margins(margins, sides_of("all-partitions"), 200, make_seed(1))
        shapes = [(sizes.row_totals.shape[1], sizes.column_totals.shape[1]) for _, sizes in drawn]
        assert (np.max(shapes, axis=0) <= seen[0]).all()

    @pytest.mark.parametrize(
        ("index", "options", "seconds"),
        [
            (SLOW, {}, None),
            (SLOW, {"n_tables": 9}, None),
            (SLOW, {"budget": 3.0}, 3.0),
            (cc.get_index("purity"), {}, None),
            (cc.get_index("purity"), {"budget": 3.0}, 3.0),
        ],
    )
    def test_the_clock_is_looked_at_with_a_budget_alone(self, index, options, seconds, monkeypatch):
        seen, clock = [], simulation.Clock
        monkeypatch.setattr(simulation, "Clock", lambda *args: seen.append(args[0]) or clock(*args))
        model = make_model_of_margins(SMALL, read_options(**options))
        plan = plan_draws(model, (index,))._replace(n_draws=1, wanted=1)
        simulation.draw_samples(model, (index,), plan)
        assert seen == [seconds]


class TestWithoutTables:
    @pytest.mark.parametrize("index", ["rand", "jaccard"])
    def test_a_pair_index_has_moments_and_a_note(self, index):
        began = time.perf_counter()
        null = cc.null_distribution(LARGE, index)
        assert time.perf_counter() - began < 20.0  # hours, for 17,000 tables
        assert (null.n_tables, null.values_from) == (0, None)
        assert str(null.notes[0]).startswith("none of 17,000 tables were drawn (they would take about")
        assert 0.0 < null.mean < 1.0

    @pytest.mark.slow
    def test_the_p_value_is_a_proven_bound(self, monkeypatch):
        table = cc.ContingencyTable([[110, 80, 110], [80, 110, 110], [110, 110, 180]])
        monkeypatch.setattr(simulation, "DEFAULT_SECONDS", 1e-9)
        asked = {"index": "jaccard", "rng": 1}
        monkeypatch.setattr("chancecorr.chance.engines.Pairs.law", lambda *_: None)
        score = cc.adjust_table(table, **asked)
        assert (score.n_tables, score.p_value_from, score.p_is_bound) == (0, "bound", True)
        assert str(score.null.notes[0]).startswith("none of 17,000 tables were drawn")
        assert 0.0 < score.p_value == score.p_upper < 1.0
        assert score.p_value > split_table(table, "jaccard").p_value

    def test_a_mean_from_fewer_than_twenty_tables_is_refused(self, monkeypatch):
        """A forecast of a second a table leaves room for 20 tables in 20 seconds, and for 19 in 19."""
        monkeypatch.setattr(FixedMargins, "forecast", lambda *_: 1.0)
        assert cc.null_distribution(SMALL, "irm", budget=20.0, rng=1).n_tables == 20
        with pytest.raises(ValueError, match=r"must be at least 20 \(seconds\)"):
            cc.null_distribution(SMALL, "irm", budget=19.0, rng=1)

    def test_an_index_without_a_mean_is_refused_with_what_it_needs(self):
        refused = r"^`budget` must be at least [\d.e-]+ \(seconds\) for index 'purity' on these margins; got"
        with pytest.raises(ValueError, match=refused):
            cc.null_distribution(LARGE, "purity", budget=1.0)


class TestByTheClock:
    @pytest.mark.slow
    def test_a_slow_index_stops_in_time_and_says_so(self, record_property):
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            null = cc.null_distribution(SMALL, SLOW, method="monte-carlo", rng=1, budget=1.0)
        record_property("seconds_of_one", time.perf_counter() - began)
        assert time.perf_counter() - began < 10.0  # 170 s, for all tables
        assert 0 < null.n_tables < 2000
        assert str(null.notes[0]).startswith(
            f"only {null.n_tables:,} of 17,000 tables were drawn (time limit)"
        )

    def test_the_first_tables_are_part_of_the_time(self, monkeypatch):
        now = [0.0]
        monkeypatch.setattr(time, "monotonic", lambda: now[0])
        clock, m = Clock(5.0, table=1.0), 0
        while (look := clock.find_next_look(m, 100)) > m:
            now[0] += (look - m) * 2.0
            m = look
        assert now[0] <= 5.0


def test_no_clock_ends_a_slow_function_of_a_user_without_a_budget(monkeypatch):
    def slow(labels_true, labels_pred):
        now[0] += 0.002
        return float((labels_true == labels_pred).mean())

    now = [0.0]
    for module in (simulation, workers):
        monkeypatch.setattr(module, "read_clock", lambda: now[0])
    index = cc.indices.Index(name="slow", function=slow, needs="labels")
    table = [[20, 5, 1], [3, 15, 9], [2, 7, 30]]
    assert cc.adjust_table(table, index, rng=1).null.n_tables == 17_000
    assert now[0] > 34.0
    now[0] = 0.0
    null = cc.adjust_table(table, index, rng=1, budget=1.0).null
    assert 20 <= null.n_tables <= 500
    assert str(null.notes[0]).startswith(f"only {null.n_tables} of 17,000 tables were drawn")


@pytest.mark.parametrize("n_tables", [2, 20, 1_000])
def test_tables_of_one_value_leave_a_share_that_would_have_been_seen_with_95_percent(n_tables):
    """As many tables miss a share p with the probability ``(1 - p)**n``, 5 % at the share printed."""
    share = 100.0 * (1.0 - 0.05 ** (1.0 / n_tables))
    null = cc.null_distribution(([2, 2], [2, 2]), lambda *_: 1.0, n_tables=n_tables, method="monte-carlo")
    assert f"other values have a probability of at most {share:.2g} %" in str(null.notes[0])
    assert not cc.null_distribution(SMALL, "purity", n_tables=50, rng=1).notes


def test_a_budget_that_many_answers_share_is_refused_with_what_all_need():
    """The number that is said is enough, and not five times too much; the budget that was given is not."""
    runs = np.random.default_rng(0).integers(0, 10, (60, 200))
    with pytest.raises(ValueError, match=r"by 1,\d+ answers that share the budget") as caught:
        cc.pairwise(runs, "clustering_accuracy", budget=0.01)
    least = float(re.search(r"at least ([\d.e-]+) ", str(caught.value))[1])
    assert least > 0.01
    with pytest.raises(ValueError, match="share the budget"):
        cc.pairwise(runs, "clustering_accuracy", budget=least / 5)
    assert np.isfinite(cc.pairwise(runs, "clustering_accuracy", budget=least).adjusted).all()
