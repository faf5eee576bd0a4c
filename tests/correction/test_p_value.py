"""What a p-value says about itself."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.correction.tails import tail_from_count, tail_from_log, tail_from_p


@pytest.mark.parametrize("n_tables", [1, 2, 10, 1_000, 17_000])
def test_error_of_a_count_is_that_of_the_farther_end(n_tables):
    """Of the exact interval for a Poisson mean; Wilson and Hilferty's is within 1 % of it from one on."""
    for reached in range(1, 1 + min(n_tables // 10, 500)):
        p = (reached + 1) / (n_tables + 1)
        low, high = stats.chi2.ppf(0.025, 2 * reached) / 2, stats.chi2.ppf(0.975, 2 * reached + 2) / 2
        narrowed = math.sqrt(1.0 - reached / n_tables)
        farther = max(high / n_tables / p - 1.0, 1.0 - low / n_tables / p)
        assert tail_from_count(reached, n_tables).relative_error == pytest.approx(
            farther * narrowed, rel=0.06
        )


@pytest.mark.parametrize(
    ("p", "error", "is_bound", "upper"),
    [(0.25, 0.1, False, 0.275), (0.95, 0.1, False, 1.0), (0.25, 0.1, True, 0.25)],
)
def test_the_upper_limit_is_the_p_value_with_its_error(p, error, is_bound, upper):
    for tail in (
        tail_from_p(p, error, "splitting", is_bound),
        tail_from_log(math.log(p), error, "splitting", is_bound),
    ):
        assert tail.upper == pytest.approx(upper, rel=1e-12)
        assert tail.relative_error == (math.inf if is_bound else error)


def test_error_of_a_count_covers(record_property):
    """The probability, by the binomial law, that the truth is within the stated error: 95 % or nearly."""
    m, least = 17_000, 1.0
    for p in (0.5, 0.2, 0.05, 0.01, 3e-3, 1e-3, 3e-4, 1e-4):
        low, high = (int(stats.binom.ppf(q, m, p)) for q in (1e-9, 1.0 - 1e-9))
        covered = 0.0
        for reached in range(low, high + 1):
            found = (reached + 1) / (m + 1)
            if abs(p - found) <= tail_from_count(reached, m).relative_error * found:
                covered += stats.binom.pmf(reached, m, p)
        assert covered > 0.948, p
        least = min(least, covered)
    record_property("least_coverage", least)


UNDEFINED = [1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]


WEIGHTS = np.linspace(1.0, 2.0, 12)
ASKED = [
    ("janson_vegelius", None),
    *itertools.product(["phi", "anderberg_d", "rand", "purity"], [None, WEIGHTS]),
]


@pytest.mark.parametrize(
    ("index", "weights"), ASKED, ids=lambda x: x if isinstance(x, str) else type(x).__name__
)
def test_a_two_sided_p_value_is_known_where_those_of_both_sides_are(index, weights):
    greater, less, both = (
        cc.adjust(UNDEFINED, [0] * 12, index, weights=weights, alternative=side, rng=1)
        for side in ("greater", "less", "two-sided")
    )
    assert math.isnan(greater.p_value) == math.isnan(less.p_value) == math.isnan(both.p_value)
    assert math.isnan(both.log_p_value) == math.isnan(both.p_value)
    if not math.isnan(both.p_value):
        assert both.p_value == min(1.0, 2.0 * min(greater.p_value, less.p_value))


def test_a_candidate_whose_p_value_is_not_known_is_not_counted_in_the_correction():
    """0/0 for a candidate of one cluster: Holm's correction is of the other one alone."""
    candidates = {"one cluster": [0] * 12, "same": UNDEFINED}
    compared = cc.compare(UNDEFINED, candidates, "janson_vegelius", alternative="two-sided", interval=None)
    first, second = (compared[name]["janson_vegelius"] for name in candidates)
    assert math.isnan(first.p_corrected)
    assert second.p_corrected == second.score.p_value
