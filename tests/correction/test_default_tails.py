"""P-values of the default call against exact laws, where T is dense or takes few values; and in time."""

import math
import time

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import chancecorr as cc
from tests.exact.test_closed_laws import exact_hypergeometric
from tests.shares import small_and_full


def upper_tail(x, n, good, draws):
    """P(overlap >= x), in fractions."""
    return float(sum(exact_hypergeometric(k, n, good, draws) for k in range(x, min(good, draws) + 1)))


class TestFewOrUnevenValues:
    """Curves that are fitted to moments are wrong by a factor of up to 9 on these."""

    def test_one_cluster_and_noise(self):
        u, v = np.full((2, 1000), -1)
        u[:100], v[85:185] = 0, 0
        score = cc.adjust(u, v, index="adjusted_rand", noise="singletons", rng=0)
        assert score.p_value == pytest.approx(upper_tail(15, 1000, 100, 100), rel=1e-9)
        assert score.p_value_from == "exact"

    @pytest.mark.parametrize("both", [4, 6])
    def test_two_uneven_clusters(self, both):
        one = 1000 - both
        score = cc.adjust_table([[999_000 - one, one], [one, both]], index="rand", rng=0)
        # P(overlap of the two small clusters, 1000 of 10**6 each, is `both` or more), plus the other extreme
        p = 1.0 - sum(float(exact_hypergeometric(k, 10**6, 1000, 1000)) for k in range(both))
        assert score.p_value == pytest.approx(p, rel=1e-6)


SKEWED = [
    ([656, 9, 16, 115, 41, 65, 12, 86], [991] + [1] * 9),
    ([986] + [2] * 7, [700, 150, 80, 40, 20, 10]),
    ([2] * 400, [133] * 5 + [135]),
    ([900, 50, 30, 10, 5, 3, 2], [850, 100, 20, 15, 10, 5]),
]


@pytest.mark.parametrize("sizes", SKEWED, ids=["noise", "small clusters", "pairs", "skewed"])
@pytest.mark.slow
def test_skewed_margins_end_in_time(sizes, record_property):
    """Forecasts were 1e-3 of the work; the law is given up, or found, within seconds."""
    began = time.monotonic()
    null = cc.null_distribution(cc.Margins(*sizes), "rand", n_tables=2000, rng=0)
    seconds = time.monotonic() - began
    record_property("answers", 1)
    record_property("slowest_seconds", seconds)
    assert seconds < 10.0
    assert null.values_from in ("exact", "cumulants", "monte-carlo")


def trivial_pairs(n):
    """Clusterings whose sizes fix every index, or nearly."""
    singletons, one = list(range(n)), [0] * n
    nearly = [0, 0, *range(1, n - 1)]
    return [(singletons, singletons), (one, one), (one, singletons), (nearly, singletons), (nearly, nearly)]


@pytest.mark.parametrize("n", [2, *small_and_full(12, 200)])
def test_no_adjusted_score_is_made_of_rounding(n):
    """Singletons against themselves had 2.0 by nmi_sum, -12 by moc; a remark now says why there is none."""
    for u, v in trivial_pairs(n):
        for name, score in cc.adjust(u, v, index=cc.list_indices(), rng=0, n_tables=20).items():
            assert math.isfinite(score.adjusted) or score.remark, name
            assert math.isnan(score.adjusted) or abs(score.adjusted) <= 1.0 + 1e-9, name
            assert math.isnan(score.z_score) or abs(score.z_score) < 1e6, name


def test_a_constant_that_is_not_the_best_value_is_no_better_than_chance():
    score = cc.adjust([0] * 6, [0, 0, 0, 1, 1, 1], index="rand")
    assert (score.adjusted, score.remark) == (0.0, "")
    assert math.isnan(score.z_score)


def test_a_column_of_wine_falls_with_the_scores():
    """The best candidate once had the bound of 17,000 tables, 5.9e-05, beside 2.9e-39 of the ninth."""
    measurements, cultivars = load_wine(return_X_y=True)
    measurements = StandardScaler().fit_transform(measurements)
    models = [KMeans(k, n_init=3, random_state=0) for k in range(2, 9)]
    models += [AgglomerativeClustering(k) for k in range(2, 9)]
    candidates = {str(model): model.fit_predict(measurements) for model in models}
    found = cc.compare(cultivars, candidates, "nmi_sum", interval=None, rng=1)
    scores = [found[name]["nmi_sum"] for name in candidates]
    assert max(score.p_value for score in scores) < 1e-30
    best = max(scores, key=lambda score: score.adjusted)
    assert best.p_value == min(score.p_value for score in scores)
