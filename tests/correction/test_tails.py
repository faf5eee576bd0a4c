"""P-values beyond the null distribution: what the default call answers, and what it calls a bound."""

import dataclasses
import math
import time
import types

import numpy as np
import pytest
from scipy import special, stats

import chancecorr as cc
from chancecorr.chance.engines import get_engine
from chancecorr.chance.models import make_model_of_margins, make_model_of_table
from chancecorr.correction.options import read_options
from chancecorr.correction.p_value import bound_p_value, read_p_value
from chancecorr.correction.tails import tail_from_splitting
from chancecorr.exact.summary import bound_tie
from chancecorr.machine.printing import format_p_value
from chancecorr.sampling.splitting import estimate_of
from tests.shares import small_and_full
from tests.tails import split_table

BLOCKS = [[18, 1, 1], [2, 9, 3], [0, 2, 12]]
LARGE = np.diag([60] * 10) + 10 - 2 * (np.arange(10)[:, None] == (np.arange(10)[None, :] + 1) % 10)
"""Ten clusters that agree too well for 17,000 tables, and not well enough for the tail to be enumerated."""


def three_by_three(rows, columns):
    """Logarithms of the probabilities of all tables, and their cells, by arrays of the free cells."""
    first, second = (
        np.array([(x, y, r - x - y) for x in range(r + 1) for y in range(r + 1 - x)]) for r in rows[:2]
    )
    cells = np.vstack([np.repeat(first, len(second), axis=0).T, np.tile(second, (len(first), 1)).T])
    cells = np.vstack([cells, np.array(columns)[:, np.newaxis] - cells[:3] - cells[3:]])
    cells = cells[:, (cells >= 0).all(axis=0)]
    log_factorials = special.gammaln(np.arange(sum(rows) + 1) + 1.0)
    whole = log_factorials[[*rows, *columns]].sum() - log_factorials[-1]
    return whole - log_factorials[cells].sum(axis=0), cells


def clusterings(name):
    """Labels of the data set, and those of three clusterers and of itself."""
    from sklearn import cluster, datasets

    data, truth = getattr(datasets, f"load_{name}")(return_X_y=True)
    return truth, {
        "ward": cluster.AgglomerativeClustering(3).fit_predict(data),
        "average": cluster.AgglomerativeClustering(3, linkage="average").fit_predict(data),
        "k-means": cluster.KMeans(3, n_init=10, random_state=0).fit_predict(data),
        "truth": truth,
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", small_and_full("iris", "wine"))
def test_data_sets_against_an_enumeration(name):
    """Exact p-values, or bounds that hold, at once."""
    truth, found = clusterings(name)
    cc.adjust(truth, found["ward"], index="rand", rng=0)
    for labels in found.values():
        table = cc.contingency_table(truth, labels)
        log_p, cells = three_by_three(table.row_totals.tolist(), table.column_totals.tolist())
        exact = special.logsumexp(log_p[(cells**2).sum(axis=0) >= table.sum_of_squares])
        began = time.perf_counter()
        score = cc.adjust(truth, labels, index="rand", rng=0)
        assert time.perf_counter() - began < 1.0
        assert score.p_is_bound or score.log_p_value == pytest.approx(exact, abs=1e-6)
        assert exact - 1e-6 < score.log_p_value < max(exact + 0.1, math.log(1e-11))


def test_far_beyond_floats():
    score = cc.adjust_table(np.diag([600, 600]), index="rand", rng=0)
    exact = math.log(2) + 2 * math.lgamma(601) - math.lgamma(1201)
    assert score.log_p_value == pytest.approx(exact, abs=1e-9)
    assert 0.0 < score.p_value < 1e-320
    assert not score.p_is_bound
    power = math.floor(exact / math.log(10))
    assert f"p_value={10 ** (exact / math.log(10) - power):.1f}e{power}" in repr(score)


@pytest.mark.parametrize("name", ["nmi_sum", "variation_of_information", "purity", "van_dongen"])
def test_other_indices_have_bounds_too(name):
    """Above the exact p-value of a small table, and far below what 17,000 tables can say of a large one."""
    fair = [[9, 2, 1], [2, 8, 1], [1, 2, 7]]
    exact = cc.tail_probability(fair, name, method="exact", alternative=side_of(name), budget=20)
    drawn = cc.null_distribution(cc.ContingencyTable(fair), name, method="monte-carlo", rng=1)
    assert exact.p_value <= bound_p_value(*case_of(fair, name), side_of(name), drawn).p_value
    score = cc.adjust_table(LARGE, index=name, rng=1)
    assert (score.p_value_from, score.p_is_bound) == ("bound", True)
    assert score.p_value < 1e-15


def test_the_bound_about_an_exact_mean_is_that_of_exchanges():
    """``exp(-2 d**2 / ((n - 1) c**2))`` for a distance d, c being the most that an exchange changes."""
    model, index = case_of(np.full((5, 5), 4), "nmi_sum")
    known, change = model.moments(index), get_engine(index).bound_change
    distance = known.moments.mean - model.observed(index) - known.error
    wanted = -2.0 * (distance / change(index, model.margins)) ** 2 / 99.0
    assert distance > 0.0
    assert bound_p_value(model, index, "less").log_p_value == pytest.approx(wanted, rel=1e-12)


def side_of(name):
    return "greater" if cc.get_index(name).larger_is_better else "less"


def case_of(table, name):
    return make_model_of_table(cc.ContingencyTable(table), read_options()), cc.get_index(name)


def test_neighbours_that_one_float_stands_for_are_told_apart_by_the_pair_sum():
    model, index = case_of([[9, 3, 1], [2, 8, 4], [1, 2, 10]], "rand")
    for method in ("exact", "monte-carlo"):
        null = cc.null_distribution(model.margins, "rand", method=method, n_tables=500, rng=1)
        alike = dataclasses.replace(null, values=np.full(null.values.size, model.observed(index)))
        one, other = (read_p_value(model, index, each, "greater") for each in (null, alike))
        assert one == other
        assert one.p_value < 0.01


def test_a_p_value_by_splitting():
    """Twice that of the last level where it was not reached; unknown if an index is undefined."""
    logs = np.log([1e-9, 3e-9])
    found, short = tail_from_splitting(estimate_of(logs)), tail_from_splitting(estimate_of(logs, True))
    assert (found.p_value, short.p_value) == (pytest.approx(2e-9), pytest.approx(4e-9))
    assert short.upper == short.p_value
    assert (found.is_bound, short.relative_error) == (False, math.inf)
    unknown = tail_from_splitting(dataclasses.replace(estimate_of(logs), log10_p_value=math.nan))
    assert math.isnan(unknown.p_value)
    assert {each.method for each in (found, short, unknown)} == {"splitting"}


def test_less_and_two_sided():
    options = {"index": "rand", "rng": 0}
    one, less, both = (
        cc.adjust_table(BLOCKS, alternative=side, **options) for side in ("greater", "less", "two-sided")
    )
    assert both.p_value == pytest.approx(2.0 * one.p_value, rel=1e-12)
    assert both.log_p_value == pytest.approx(one.log_p_value + math.log(2.0), abs=1e-9)
    assert less.p_value == pytest.approx(1.0, abs=1e-6)
    assert cc.adjust_table(BLOCKS, index="mirkin", rng=0).p_value == one.p_value


def test_no_table_as_extreme_is_no_bound():
    """If the probability is 1/m, a third of the runs have no table as extreme."""
    for index in ("purity", "rand"):
        score = cc.adjust_table(LARGE, index=index, method="monte-carlo", rng=0)
        assert (score.p_value, score.p_is_bound, score.p_relative_error) == (1 / 17_001, False, math.inf)
        assert score.p_upper == score.to_dict()["p_upper"] == pytest.approx(3 / 17_000, rel=2e-3)
        for said in (
            "p_value=5.9e-05",
            "none of 17,000 simulated tables is as extreme",
            "the probability is below 0.00018 with 95 % confidence",
        ):
            assert said in repr(score)


@pytest.mark.slow
def test_a_search_answers_by_splitting_or_bounds_better():
    """Below the floor of 17,000 tables; ten clusters, and three with indices that no law is known of.

    Where the moves do not reach the observed value, the bound is as good as the seed's: 1e-5 to 1e-7 here.
    """
    fair = [[20, 5, 5], [5, 20, 5], [5, 5, 20]]
    exact = cc.adjust_table(fair, index="rand").p_value
    for table, index in ((LARGE, "rand"), (fair, "purity"), (fair, "chi_square")):
        score = cc.adjust_table(table, index=index, rng=0, method="search", budget=20)
        assert score.p_value < (1e-6 if math.isfinite(score.p_relative_error) else 1 / 17_001)
        assert score.p_value_from in ("splitting", "bound")
        if index == "chi_square":  # a linear function of T where all clusters have one size
            assert abs(score.p_value / exact - 1.0) < 1.5 * score.p_relative_error
        if math.isfinite(score.p_relative_error):
            assert 0.0 < score.p_relative_error < 2.0


@pytest.mark.slow
def test_log_and_value_of_a_tail():
    tail = cc.tail_probability(BLOCKS, "rand")
    assert tail.p_value == pytest.approx(math.exp(tail.log_p_value), rel=1e-12)
    assert (tail.method, tail.is_bound) == ("exact", False)
    by_splitting = split_table(BLOCKS, "rand")
    assert abs(by_splitting.p_value / tail.p_value - 1.0) < 3.0 * by_splitting.relative_error
    assert cc.tail_probability(BLOCKS, "nmi_sum", method="exact").method == "exact"


@pytest.mark.long
def test_neighbours_are_no_ties_among_many_objects():
    """Ten million pairs: one more that is common changes Rand by 1e-14, less than the slack of ties."""
    n_pairs, common = 10**7, 3
    margins = cc.Margins(np.full(n_pairs, 2), np.full(n_pairs, 2))
    null = cc.null_distribution(margins, "rand")
    observed = null.values[common]
    assert null.values[common + 1] - observed < bound_tie(observed, null.values)
    table = types.SimpleNamespace(sum_of_squares=margins.n + 2 * common, margins=margins)
    model = dataclasses.replace(make_model_of_margins(margins, read_options()), table=table)
    found, less = (read_p_value(model, cc.get_index("rand"), null, side) for side in ("greater", "less"))
    poisson = 1.0 - sum(math.exp(-0.5) * 0.5**k / math.factorial(k) for k in range(common))
    assert found.p_value == pytest.approx(poisson, rel=1e-5)
    assert less.p_value == pytest.approx(1.0 - poisson + null.weights[common], rel=1e-5)


def resolved(n, k, seed):
    """Labels of n records out of n on both sides, k pairs of which are found again."""
    rng = np.random.default_rng(seed)
    records, found = rng.integers(0, n, n), rng.integers(0, n, n)
    records[: 2 * k] = found[: 2 * k] = np.repeat(np.arange(k) + n, 2)
    return cc.contingency_table(records, found)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "k"), [(30_000, 6), (200_000, 7), (30_000, 5)])
def test_many_small_clusters_of_records(n, k):
    """Pairs together in both are nearly a Poisson number of mean 1/2; apart by a per cent this far out."""
    table = resolved(n, k, seed=0)
    a = table.pair_counts.a
    score = cc.adjust_table(table, index="rand", rng=0)
    assert (score.p_value_from, score.null.values_from, score.n_tables) == ("cumulants", "cumulants", 0)
    A, B = table.margins.squares
    mean = (A - n) * (B - n) / (2 * n * (n - 1))
    assert score.p_value == pytest.approx(stats.poisson.sf(a - 1, mean), rel=0.03)
    assert score.log_p_value == math.log(score.p_value)
    assert score.p_relative_error < 1e-4


TABLES = {"few objects": BLOCKS, "two by two": [[900, 100], [300, 700]], "many": LARGE}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("index", ["rand", "mirkin", "jaccard", "purity", "nmi_sum"])
@pytest.mark.parametrize("method", ["auto", "search", "analytic", "exact", "monte-carlo"])
def test_a_tail_is_the_p_value_of_adjust_by_the_same_words(method, index, name):
    """Or both are refused, in the same words."""
    asked = {"method": method, "n_tables": 200, "rng": 1}
    if method != "monte-carlo":  # which draws fewer tables on a busy machine
        asked["budget"] = 0.5
    for alternative in (None, "greater", "less", "two-sided"):
        answers = []
        for answer in (cc.adjust_table, cc.tail_probability):
            try:
                found = answer(TABLES[name], index, alternative=alternative, **asked)
            except ValueError as error:
                answers.append(str(error))
            else:
                answers.append((found.p_value, found.log_p_value))
        assert answers[0] == answers[1]


@pytest.mark.parametrize("index", ["mirkin", "variation_of_information", "van_dongen", "rand", "purity"])
def test_left_out_the_alternative_is_that_of_adjust(index):
    table = [[5, 1, 0], [0, 4, 2], [1, 0, 5]]
    score = cc.adjust_table(table, index, method="exact")
    assert cc.tail_probability(table, index).p_value == pytest.approx(score.p_value, rel=1e-9)
    null = cc.null_distribution(cc.ContingencyTable(table), index, method="exact")
    assert null.p_value(score.observed) == pytest.approx(score.p_value, rel=1e-9)
    other = "less" if cc.get_index(index).larger_is_better else "greater"
    assert cc.tail_probability(table, index, alternative=other).p_value > 0.99


def test_what_is_printed():
    score = cc.adjust_table(BLOCKS, index="rand", rng=0)
    bound = dataclasses.replace(score, p_value=5.88e-5, log_p_value=math.log(5.88e-5), p_is_bound=True)
    for text in (repr(bound), bound._repr_html_()):
        assert "≤5.9e-05" in text
    assert format_p_value(score.p_value) in score._repr_html_()
