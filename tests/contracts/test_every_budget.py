"""Budgets of every kind of clustering are held: in seconds by the clock, in draws and in bytes."""

import math
import re
import time
import tracemalloc

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import chancecorr as cc
from chancecorr.clusterings import spatial_rand
from tests.contracts import kinds
from tests.contracts.kinds import DRAWS, KIND, collect, indices_of, require_none, require_one_line
from tests.contracts.test_every_kind import check

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", KIND)
def test_a_budget_is_held(kind):
    """Of so many draws that they would take minutes; what is compiled beforehand does not count."""
    broken = []
    for name in ("one", "another", "own"):
        index = indices_of(kind)[name]
        for method in ("auto", "search", "monte-carlo"):
            collect(broken, kind, index, {"n_tables": DRAWS, "method": method, "budget": 0.03}, check)
            options = {"n_tables": 5_000_000, "method": method, "budget": 0.03}
            start = time.monotonic()
            collect(broken, kind, index, options, check)
            elapsed = time.monotonic() - start
            if elapsed > 2.0 * 0.03 + 1.0:
                broken.append(f"{kinds.words_of(kind, index, options)}more than {2.0 * 0.03 + 1.0} s")
    require_none(broken)


def check_no_mean(score, index, options):
    assert score.method != "monte-carlo", f"a mean of {score.n_tables} draws"


def names_few_seconds(argument, text):
    least = re.search(r"at least ([\d.e-]+) \(seconds\)", text)
    return argument != "budget" or (least is not None and 1e-9 < float(least[1]) < 1.0)


@pytest.mark.parametrize("kind", KIND)
def test_a_budget_for_fewer_than_20_draws_gives_no_mean(kind):
    """Refused with the seconds that would do, which are few, or answered without simulation."""
    broken = []
    for index in indices_of(kind).values():
        for method in ("auto", "monte-carlo"):
            options = {"method": method, "budget": 1e-9}
            collect(broken, kind, index, options, check_no_mean, names_few_seconds)
    require_none(broken)


def slow(first, second):
    """A user's function of a fiftieth of a second: 20 calls take longer than the budget and its grace."""
    time.sleep(0.02)
    return kinds.own(first, second)


@pytest.mark.parametrize("kind", KIND)
def test_a_budget_that_ends_within_20_draws_gives_no_mean(kind):
    """Forecasts do not tell how slow a function is; the clock does."""
    broken = []
    for method in ("auto", "monte-carlo"):
        collect(broken, kind, slow, {"method": method, "budget": 0.08}, check_no_mean)
    require_none(broken)


def numbers(n, clusters, seed=0):
    return np.random.default_rng(seed).integers(0, clusters, n)


STREAMS = [np.random.default_rng(seed) for seed in (0, 1)]


def memberships(n):
    return [cc.Membership(rng.dirichlet(np.full(50, 0.5), n)) for rng in STREAMS]


def covers(n):
    return [cc.Cover(rng.integers(0, 2, (n, n // 5))) for rng in STREAMS]


def trees(n):
    return [cc.Tree(linkage(rng.normal(size=(n, 3)), "average")) for rng in STREAMS]


def adjust_labels(n, index, budget, **options):
    return cc.adjust(numbers(n, 5), numbers(n, 5, 1), index, budget=budget, **options)


def compare_groups(n, budget):
    candidates = {name: numbers(n, 5, seed) for seed, name in enumerate("ab", 1)}
    return cc.compare(numbers(n, 5), candidates, groups=np.arange(n) // 2, budget=budget)


LARGE = {
    "groups": (8_000, compare_groups),
    "trees": (2_000, lambda n, budget: cc.adjust(*trees(n), "element_centric_similarity", budget=budget)),
    "fuzzy_rand": (4_000, lambda n, budget: cc.adjust(*memberships(n), "fuzzy_rand", budget=budget)),
    "omega": (2_000, lambda n, budget: cc.adjust(*covers(n), "omega", budget=budget)),
    "spatial_rand": (
        5_000,
        lambda n, budget: adjust_labels(n, spatial_rand(np.arange(2.0 * n).reshape(n, 2) % 97), budget),
    ),
    "onmi_lfk": (2_000, lambda n, budget: cc.adjust(*covers(n), "onmi_lfk", budget=budget)),
    "strata": (20_000, lambda n, budget: adjust_labels(n, "nmi_sum", budget, strata=np.arange(n) // 2)),
    "strata of pairs": (20_000, lambda n, budget: adjust_labels(n, "rand", budget, strata=np.arange(n) // 2)),
    "fixed-k": (200_000, lambda n, budget: adjust_labels(n, "nmi_sum", budget, model="fixed-k")),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_budget_is_held_for_large_data(name):
    """Answered or refused in time, and by a mean of 20 draws at least."""
    n, answer = LARGE[name]
    answer(60, 0.5)
    seconds = []
    while len(seconds) < 2 and min(seconds, default=math.inf) > 1.4:  # the first time something may compile
        start = time.monotonic()
        try:
            score = answer(n, 0.2)
        except ValueError as error:
            require_one_line(error)
        else:
            if isinstance(score, cc.correction.AdjustedScore):
                assert score.method != "monte-carlo" or score.n_tables >= 20
        seconds.append(time.monotonic() - start)
    assert min(seconds) <= 1.4


@pytest.mark.parametrize("name", ["groups", "trees", "fuzzy_rand", "omega"])
def test_work_that_is_done_as_a_whole_is_refused_with_the_seconds_it_needs(name):
    n, answer = LARGE[name]
    with pytest.raises(ValueError, match=r"^`budget` must be at least \d+ \(seconds\) for ") as refused:
        answer(n, 0.2)
    require_one_line(refused.value)
    assert 1.0 <= float(re.search(r"at least (\d+)", str(refused.value))[1]) <= 60.0


def covers_of_800_sets(n):
    sets = ([{k % n, (k * step) % n, (k + step) % n} for k in range(800)] for step in (3, 7))
    return [cc.Cover([*each, set(range(n))]) for each in sets]


def similarities(n):
    matrices = (rng.random((n, n)) for rng in STREAMS)
    return [cc.Similarity((degrees + degrees.T) / 2.0) for degrees in matrices]


SIDES_AND_INDICES = {
    "a cover of few objects": (covers_of_800_sets, 800, "omega"),
    "a cover": (covers_of_800_sets, 3_000, "omega"),
    "a cover, by its overlaps": (covers_of_800_sets, 800, "onmi_max"),
    "a cover, by PageRanks": (covers_of_800_sets, 800, "element_centric_similarity"),
    "memberships": (memberships, 1_000, "fuzzy_rand"),
    "trees": (trees, 1_000, "correlation"),
    "similarities": (similarities, 1_000, "rand"),
}


@pytest.mark.parametrize("name", SIDES_AND_INDICES)
def test_pairs_are_not_laid_out_beyond_the_bytes_of_a_budget(name):
    make, n, index = SIDES_AND_INDICES[name]
    sides = make(n)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"^`index` asks for .*; `budget` allows 1\.0 MB\.$") as refused:
            cc.adjust(*sides, index, n_tables=20, budget=cc.Budget(bytes=10**6))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    require_one_line(refused.value)
    assert peak < 4e6
