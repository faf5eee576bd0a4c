"""Trivial clusterings: what scikit-learn gives, and every index by every method, without a warning."""

import contextlib
import math
from functools import partial

import pytest

import chancecorr as cc
from chancecorr.chance.options import METHODS

metrics = pytest.importorskip("sklearn.metrics")

ONE, EACH, TWO = [0] * 6, [0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 1, 1]
PAIRS = {
    "one object": ([0], [0]),
    "one cluster on both sides": (ONE, ONE),
    "singletons on both sides": (EACH, EACH),
    "one cluster against singletons": (ONE, EACH),
    "singletons against one cluster": (EACH, ONE),
    "one cluster against two": (ONE, TWO),
    "two against one cluster": (TWO, ONE),
    "singletons against two": (EACH, TWO),
    "two against singletons": (TWO, EACH),
    "two against two": (TWO, TWO),
}
PEERS = {
    "rand": metrics.rand_score,
    "adjusted_rand": metrics.adjusted_rand_score,
    "fowlkes_mallows": metrics.fowlkes_mallows_score,
    "mutual_information": metrics.mutual_info_score,
    "homogeneity": metrics.homogeneity_score,
    "completeness": metrics.completeness_score,
    "v_measure": metrics.v_measure_score,
}
for name, mean in (("sum", "arithmetic"), ("sqrt", "geometric"), ("max", "max"), ("min", "min")):
    PEERS[f"nmi_{name}"] = partial(metrics.normalized_mutual_info_score, average_method=mean)

# No pair is together in one of the clusterings, or in neither: the formula is 0/0. Singletons against
# singletons are identical, and have the best value here; else the share of no pairs is not a number.
OF_FOWLKES_MALLOWS = {
    "one object": 1.0, "singletons on both sides": 1.0, "one cluster against singletons": math.nan,
    "singletons against one cluster": math.nan, "singletons against two": math.nan,
    "two against singletons": math.nan,
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")  # that singletons look like a regression
@pytest.mark.parametrize("name", PEERS)
def test_trivial_clusterings(name):
    for case, pair in PAIRS.items():
        found, theirs = cc.score(*pair, index=name), PEERS[name](*pair)
        if name == "fowlkes_mallows" and case in OF_FOWLKES_MALLOWS:
            assert theirs == 0.0, case
            assert found == pytest.approx(OF_FOWLKES_MALLOWS[case], nan_ok=True), case
        else:
            assert found == pytest.approx(theirs, rel=1e-12, abs=1e-12), case


DEGENERATE = [
    [[0]], [[0, 0], [0, 0]], [[1]], [[1], [1]], [[2, 1, 1]], [[5, 1], [0, 0]], [[1, 1, 1], [0, 0, 0]],
    [[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[2, 0], [0, 2]], [[3, 0], [0, 1]], [[1, 1], [1, 1]],
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("table", DEGENERATE, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_an_answer_or_a_refusal(table, method):
    options = {"n_tables": 20, "rng": 1} if method not in ("analytic", "exact") else {}
    names = cc.list_indices()
    if method == "analytic":  # where one index has no moments from the margins, all of them are refused
        scores = {}
        for name in names:
            with contextlib.suppress(ValueError):
                scores[name] = cc.adjust_table(table, index=name, method=method)
    else:
        scores = cc.adjust_table(table, index=names, method=method, **options)
        assert list(scores) == names
    for name, score in scores.items():
        assert math.isfinite(score.adjusted) or score.remark, name
        assert score.to_dict()["index"] == name
        low, high = cc.get_index(name).range
        assert math.isnan(score.expected) or low - 1e-12 <= score.expected <= high + 1e-12, name
