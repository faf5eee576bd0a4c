"""When Pearson's curve is trusted: on twenty kinds of margins, against the exact laws of T."""

import functools
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction.p_value_methods import PEARSON_ERRORS, support_pearson
from chancecorr.exact.enumeration import compute_pair_sum_law
from chancecorr.exact.tail_bounds import compute_pearson_p_value
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from tests.shares import small_and_full

MARGINS = {
    "pairs": ([2] * 60, [2] * 60),
    "pairs and singletons": ([2] * 40 + [1] * 40, [2] * 20 + [1] * 80),
    "one cluster and noise": ([100] + [1] * 900, [100] + [1] * 900),
    "two large, noise": ([60, 40] + [1] * 8, [50, 50] + [1] * 8),
    "even 2 x 2": ([500, 500], [480, 520]),
    "uneven 2 x 2": ([999_000, 1_000], [999_000, 1_000]),
    "very uneven 2 x 2": ([9_990, 10], [9_980, 20]),
    "paper's balanced": ([240, 240, 320], [240, 240, 320]),
    "paper's unbalanced": ([480, 160, 160], [400, 240, 160]),
    "small": ([5, 4, 3], [6, 3, 3]),
    "triples": ([3] * 20, [3] * 20),
    "fives": ([5] * 10, [5] * 10),
    "tens": ([10] * 6, [10] * 6),
    "one huge": ([900, 10, 8, 7], [870, 40, 15]),
    "huge against even": ([900, 10, 8, 7], [300, 300, 325]),
    "sizes 1 to 8": (list(range(1, 9)), list(range(1, 9))),
    "many small against two": ([4] * 25, [50, 50]),
    "many small against four": ([4] * 25, [40, 30, 20, 10]),
    "three by two": ([200, 200, 100], [300, 200]),
    "skewed": ([300, 30, 3], [250, 70, 13]),
}
REFUSED = {"pairs", "one cluster and noise", "uneven 2 x 2", "very uneven 2 x 2", "small"}


@functools.cache
def trusted(name):
    """Whether the curve is borne out, and its largest error, in stated ones, from 0.05 down to 1e-4."""
    margins = cc.Margins(*MARGINS[name])
    law = compute_pair_sum_law(margins, budget=30.0)
    tail = np.cumsum(law.probabilities[::-1])[::-1]
    null = cc.null_distribution(margins, "rand", method="monte-carlo", rng=2014)
    moments = compute_pair_sum_moments(margins)
    worst = 0.0
    for p in (0.05, 0.02, 0.005, 0.002, 5e-4, 1e-4):
        at = int(np.abs(np.log(tail / p)).argmin())
        found = compute_pearson_p_value(moments, int(law.values[at]))
        stated = next((error for least, error in PEARSON_ERRORS if found >= least), math.inf)
        worst = max(worst, abs(found / tail[at] - 1.0) / stated)
    return support_pearson(null, "greater"), worst


@pytest.mark.heavy
@pytest.mark.parametrize("names", small_and_full(REFUSED | {*sorted(MARGINS)[1::3]}, {*MARGINS}), ids=len)
def test_the_curve_is_trusted_where_its_stated_error_holds(names):
    found = {name: trusted(name) for name in names}
    assert {name: worst for name, (good, worst) in found.items() if good and worst > 1.0} == {}
    refused = {name for name, (good, _) in found.items() if not good}
    assert refused >= REFUSED
    assert "paper's unbalanced" not in refused


@pytest.mark.parametrize("name", sorted(MARGINS))
def test_five_hundred_tables_do_not_trust_a_curve_that_is_wrong(name):
    """By them the default takes the curve where all tables take long: of 10 runs all, or none."""
    margins = cc.Margins(*MARGINS[name])
    law = compute_pair_sum_law(margins, budget=30.0)
    tail = np.cumsum(law.probabilities[::-1])[::-1]
    moments = compute_pair_sum_moments(margins)
    places = {int(np.abs(np.log(tail / p)).argmin()) for p in (0.5, 0.2, 0.05, 0.02, 0.005, 0.0012)}
    worst = max(abs(compute_pearson_p_value(moments, int(law.values[at])) / tail[at] - 1.0) for at in places)
    for seed in range(10):
        few = cc.null_distribution(margins, "rand", method="monte-carlo", n_tables=500, rng=seed)
        trusted = support_pearson(few, "greater")
        assert not trusted or worst < PEARSON_ERRORS[0][1]
        assert trusted or name != "paper's unbalanced"


@pytest.mark.parametrize("agree", [0.0, 0.0012])
@pytest.mark.parametrize("m", small_and_full(20_000, 100_000))
def test_many_large_clusters_have_their_p_value_by_a_checked_curve(agree, m):
    """30 clusters of a million objects against 30: 17,000 tables would take a quarter of a second."""
    rng = np.random.default_rng(2)
    labels, other = rng.integers(0, 30, (2, 1_000_000))
    candidate = np.where(rng.random(1_000_000) < agree, labels, other)
    score = cc.adjust(labels, candidate, rng=1)
    assert score.p_value_from == "pearson"
    by_tables = cc.adjust(labels, candidate, rng=2, n_tables=m)
    assert by_tables.n_tables == m
    error = math.sqrt(by_tables.p_value * (1 - by_tables.p_value) / m)
    assert abs(score.p_value - by_tables.p_value) < 0.03 * by_tables.p_value + 4 * error
    assert score.compute_null().n_tables == 17_000  # drawn when asked for
