"""Budgets of every kind of clustering, and cases in which kinds once differed by accident."""

import math
import re
import time
import tracemalloc

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import chancecorr as cc
from chancecorr.clusterings import spatial_rand
from tests.contracts.kinds import (
    DIRICHLET,
    DRAWS,
    KIND,
    KINDS,
    MODELS,
    NO_ANSWER,
    collect,
    indices_of,
    own,
    pair_of,
    require_none,
    require_one_line,
    words_of,
)
from tests.contracts.test_every_kind import check

# Budgets


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
                broken.append(f"{words_of(kind, index, options)}more than {2.0 * 0.03 + 1.0} s")
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
    """A user's function of a hundredth of a second."""
    time.sleep(0.01)
    return own(first, second)


@pytest.mark.parametrize("kind", KIND)
def test_a_budget_that_ends_within_20_draws_gives_no_mean(kind):
    """Forecasts do not tell how slow a function is; the clock does."""
    broken = []
    for method in ("auto", "monte-carlo"):
        collect(broken, kind, slow, {"method": method, "budget": 0.08}, check_no_mean)
    require_none(broken)


def numbers(n, clusters, seed=0):
    return np.random.default_rng(seed).integers(0, clusters, n)


def memberships(n):
    return [cc.Membership(np.random.default_rng(seed).dirichlet(np.full(50, 0.5), n)) for seed in (0, 1)]


def covers(n):
    return [cc.Cover(np.random.default_rng(seed).integers(0, 2, (n, n // 5))) for seed in (0, 1)]


def trees(n):
    return [cc.Tree(linkage(np.random.default_rng(seed).normal(size=(n, 1)), "average")) for seed in (0, 1)]


def adjust_labels(n, index, budget, **options):
    return cc.adjust(numbers(n, 5), numbers(n, 5, 1), index, budget=budget, **options)


def compare_groups(n, budget):
    candidates = {"one": numbers(n, 4, 1), "two": numbers(n, 4, 2)}
    return cc.compare(numbers(n, 3), candidates, groups=np.arange(n) % (n // 2), budget=budget)


LARGE = {
    "groups": (20_000, compare_groups),
    "trees": (2_000, lambda n, budget: cc.adjust(*trees(n), "element_centric", budget=budget)),
    "campello_rand": (4_000, lambda n, budget: cc.adjust(*memberships(n), "campello_rand", budget=budget)),
    "fuzzy_rand": (4_000, lambda n, budget: cc.adjust(*memberships(n), "fuzzy_rand", budget=budget)),
    "spatial_rand": (
        5_000,
        lambda n, budget: adjust_labels(n, spatial_rand(np.arange(2.0 * n).reshape(n, 2) % 97), budget),
    ),
    "omega": (2_000, lambda n, budget: cc.adjust(*covers(n), "omega", budget=budget)),
    "onmi_lfk": (2_000, lambda n, budget: cc.adjust(*covers(n), "onmi_lfk", budget=budget)),
    "strata": (20_000, lambda n, budget: adjust_labels(n, "nmi_sum", budget, strata=np.arange(n) // 2)),
    "strata of pairs": (20_000, lambda n, budget: adjust_labels(n, "rand", budget, strata=np.arange(n) // 2)),
    "fixed-k": (200_000, lambda n, budget: adjust_labels(n, "nmi_sum", budget, model="fixed-k")),
    "dirichlet-fitted": (
        5_000,
        lambda n, budget: cc.adjust(*memberships(n), "rand", model="dirichlet-fitted", budget=budget),
    ),
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


# Memory


def test_a_cover_of_many_sets_is_not_laid_out_beyond_its_budget():
    sides = [cc.Cover([{k, (k + step) % 800} for k in range(800)]) for step in (1, 2)]
    tracemalloc.start()
    try:
        cc.adjust(*sides, "omega", n_tables=20, budget=cc.Budget(seconds=0.2, bytes=10**6))
    except ValueError as error:
        require_one_line(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4e6


# Every door


DOORS = {
    "score": lambda first, second, index: cc.score(first, second, index),
    "adjusted_score": lambda first, second, index: cc.adjusted_score(first, second, index, rng=1),
    "compare": lambda first, second, index: cc.compare(first, {"one": second}, index, rng=1, n_tables=DRAWS),
    "pairwise": lambda first, second, index: cc.pairwise({"one": first, "two": second}, index, rng=1),
}
PLAIN = [name for name, _, keywords in KINDS if not keywords and name not in NO_ANSWER]


@pytest.mark.parametrize("kind", PLAIN)
def test_each_door_takes_what_adjust_takes(kind):
    first, second = pair_of(kind)
    broken = []
    for door, answer in DOORS.items():
        for index in dict.fromkeys(indices_of(kind)[name] for name in ("one", "another")):
            try:
                answer(first, second, index)
            except (ValueError, TypeError) as error:
                broken.append(f"{kind} | {door} | index {index!r} | {type(error).__name__}: {error}")
    require_none(broken)


@pytest.mark.parametrize("form", [list, tuple, np.array])
def test_columns_are_labels_in_every_form(form):
    codes = [0, 1, 1, 0, 1, 0]
    flat = cc.adjust([0, 0, 1, 1, 2, 2], codes)
    columns = cc.adjust([0, 0, 1, 1, 2, 2], form([form([code]) for code in codes]))
    assert columns.to_json() == flat.to_json()


def test_an_index_of_covers_takes_labels_at_each_door():
    labels, others = pair_of("labels")
    assert cc.get_index("omega").name == "omega"
    assert "omega" in cc.list_indices()
    assert "omega" in cc.adjust(labels, others, ["rand", "omega"], strata=np.arange(len(labels)) // 5)
    assert cc.adjust(labels, others, "omega", noise={-1: None}).observed == cc.score(labels, others, "omega")


def test_an_unknown_model_is_refused_with_all_models():
    for kind in ("labels", "memberships"):
        with pytest.raises(ValueError, match="`model`") as refused:
            cc.adjust(*pair_of(kind), model="fixed")
        for model in ("permutation", *MODELS, *DIRICHLET):
            assert repr(model) in str(refused.value)


@pytest.mark.parametrize("n", [3, 4, 9])
@pytest.mark.parametrize("kind", KIND)
def test_few_objects_have_no_interval(kind, n):
    keywords = {
        name: value[:n] if isinstance(value, np.ndarray) else value for name, value in KIND[kind][1].items()
    }
    try:
        score = cc.adjust(*pair_of(kind, n=n), indices_of(kind)["one"], n_tables=DRAWS, rng=1, **keywords)
        interval = score.interval()
    except (ValueError, TypeError) as error:
        require_one_line(error)
        return
    assert "groups" not in interval.remark
    if kind != "biclusters":  # n rows by six columns
        assert math.isnan(interval.low)
        assert math.isnan(interval.high)


@pytest.mark.parametrize("index", ["rand", "mirkin", "variation_of_information", "jaccard"])
def test_tails_are_of_as_much_agreement_or_more(index):
    table = cc.contingency_table(*pair_of("labels"))
    score = cc.adjust_table(table, index, method="exact")
    tail = cc.tail_probability(table, index, method="exact")
    assert tail.p_value == pytest.approx(score.p_value, rel=1e-12)
    null = cc.null_distribution(table.margins, index, method="exact")
    assert null.p_value(score.observed) == pytest.approx(score.p_value, rel=1e-12)


def test_keywords_of_before_are_refused():
    for keywords in ({"tail": "search"}, {"seed": 1}, {"n_samples": 5}, {"precision": 0.1}):
        with pytest.raises(TypeError, match=f"has no keyword '{next(iter(keywords))}'"):
            cc.adjust(*pair_of("labels"), **keywords)


def test_scores_are_no_numbers_by_halves():
    """Either all comparisons and sums work, or none."""
    one, other = (cc.adjust(*pair_of("labels", seed)) for seed in (0, 1))
    works = []
    for act in (
        *(lambda: one < other, lambda: one <= other, lambda: one > 0.1, lambda: one >= 0.1),
        *(lambda: one - other, lambda: one + other, lambda: sum([one, other]), lambda: one * 2),
    ):
        try:
            act()
        except TypeError:
            works.append(False)
        else:
            works.append(True)
    assert len(set(works)) == 1, works


def test_missing_labels_against_a_membership_are_refused_in_words_of_their_own():
    _, soft = pair_of("labels and a membership")
    hard = [None, *["a", "b", "c"] * 3]
    for missing in ("raise", "drop"):
        with pytest.raises(ValueError, match="`") as refused:
            cc.adjust(hard, soft, missing=missing)
        require_one_line(refused.value)
        if missing == "drop":
            assert "`missing`" in str(refused.value)
