"""Null distributions under other random models, through the public calls."""

import math

import numpy as np
import pytest

import chancecorr as cc
from tests.naive import set_partitions
from tests.random_models import (
    MODELS,
    expected_mutual_information,
    expected_rand,
    expected_value,
    sides_of_task,
)
from tests.simulated import simulate, task_of

MARGINS = cc.Margins([8, 7, 5], [10, 6, 4])
OTHERS = [model for model in MODELS if model != "permutation"]


def mutual_information(table, row_totals, column_totals):
    n = row_totals.sum()
    total = 0.0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j] > 0:
                total += table[i, j] / n * math.log(n * table[i, j] / (row_totals[i] * column_totals[j]))
    return total


MI = cc.indices.Index(name="mi", function=mutual_information, needs="table")


@pytest.mark.parametrize("model", OTHERS)
@pytest.mark.slow
def test_simulated_means_agree_with_the_exact_ones(model):
    rand = cc.null_distribution(MARGINS, "rand", method="monte-carlo", model=model, n_tables=4000, rng=1)
    mi = cc.null_distribution(MARGINS, MI, model=model, n_tables=400, rng=1)
    assert (rand.model, rand.values_from, rand.mean_from) == (model, "monte-carlo", "monte-carlo")
    assert abs(rand.mean - expected_rand(MARGINS, model)) < 4.5 * rand.monte_carlo_error
    assert abs(mi.mean - expected_mutual_information(MARGINS, model)) < 4.5 * mi.monte_carlo_error


@pytest.mark.parametrize("model", OTHERS)
@pytest.mark.slow
def test_same_bits_for_any_blocks_and_workers(model):
    task = task_of([cc.get_index("rand"), cc.get_index("jaccard"), MI], MARGINS, 3, sides_of_task(model))

    def bits(**how):
        found = simulate(task, 150, **how)
        return {name: (values.tobytes(), counts.tobytes()) for name, (values, counts) in found.items()}

    whole = bits()
    for block_size in (40, 50):
        assert bits(block_size=block_size, n_jobs=2) == whole


MI_BY_CELLS = cc.indices.Index(
    name="mi_by_cells", function=lambda x, a, b, n: x / n * math.log(n * x / (a * b)), needs="cells"
)


@pytest.mark.slow
@pytest.mark.parametrize("model", OTHERS)
def test_auto_takes_the_mean_from_the_model_and_the_rest_from_tables(model):
    exact = {"rand": expected_rand, "mi_by_cells": expected_mutual_information}
    # Sums over cells are evaluated table by table: fewer of them show as much.
    for index, given in (("rand", {}), (MI_BY_CELLS, {"n_tables": 400})):
        null = cc.null_distribution(MARGINS, index, model=model, rng=1, **given)
        assert (null.model, null.values_from, null.mean_from) == (model, "monte-carlo", "analytic")
        assert null.n_tables == given.get("n_tables", 17_000)
        assert null.mean == pytest.approx(exact[null.index](MARGINS, model), rel=1e-12)
        assert (null.error, null.monte_carlo_error) == (0.0, 0.0)
        assert null.variance == null.simulated.variance
        assert abs(null.z_of_difference) < 4.5
        bare = cc.null_distribution(MARGINS, index, model=model, method="analytic")
        assert (bare.mean, bare.values_from, bare.n_tables) == (null.mean, None, 0)
        assert math.isnan(bare.variance)
    jaccard = cc.null_distribution(MARGINS, "jaccard", model=model, n_tables=1000, rng=1)
    assert jaccard.mean_from == "monte-carlo"


def test_what_is_not_known_is_refused():
    with pytest.raises(ValueError, match=r"'monte-carlo' for index 'rand' under model 'fixed-k'"):
        cc.null_distribution(MARGINS, "rand", model="fixed-k", method="exact")
    with pytest.raises(ValueError, match=r"'jaccard' under model 'fixed-k': its mean is not known"):
        cc.null_distribution(MARGINS, "jaccard", model="fixed-k", method="analytic")


def test_no_score_where_chance_alone_surpasses_the_best_value():
    """Random partitions of 20 objects have many clusters, and more to tell each other than log 2."""
    table = [[5, 5], [5, 5]]
    score = cc.adjust_table(table, index="mutual_information", model="all-partitions", n_tables=50, rng=1)
    assert score.expected > score.best == pytest.approx(math.log(2))
    assert np.isnan([score.adjusted, score.interval().low]).all()
    assert score.remark.startswith("the expected value 1.09")
    assert math.isfinite(cc.adjust_table(table, index="mutual_information", rng=1).adjusted)
    # a distance is the better the smaller it is
    assert cc.adjust_table(table, index="arabie_boorman", rng=1).expected > 0
    assert math.isfinite(cc.adjust_table(table, index="arabie_boorman", rng=1).adjusted)


@pytest.mark.parametrize("name", ["baulieu_distance_12", "minkowski"])
def test_an_index_that_is_infinite_on_an_improbable_table_has_no_mean(name):
    """One pair against singletons: ``a = 0`` and ``b + c = 1``."""
    options = {"index": name, "model": "all-partitions", "n_tables": 50, "rng": 1}
    table = [[5, 1, 2], [1, 6, 2], [0, 1, 8]]
    score = cc.adjust_table(table, **options)
    assert np.isnan([score.expected, score.adjusted]).all()
    assert score.remark == "the index is 0/0 or infinite on some table that is possible by chance"
    assert math.isfinite(cc.adjust_table(table, **options, method="monte-carlo").expected)


@pytest.mark.parametrize("model", ["fixed-k", "all-partitions"])
@pytest.mark.parametrize("n", [4, pytest.param(6, marks=pytest.mark.long)])
def test_indices_without_a_mean_are_those_that_are_infinite_on_some_partitions(n, model):
    """Of all partitions, into three clusters or any number."""
    partitions = [x for x in set_partitions(n) if model == "all-partitions" or max(x) == 2]
    seen = {
        tuple(int((t * t).sum()) for t in (table, table.sum(axis=1), table.sum(axis=0))): table
        for table in (cc.contingency_table(x, y).counts for x in partitions for y in partitions)
    }
    margins, infinite = cc.Margins([n - 2, 1, 1], [n - 2, 1, 1]), set()
    for index in map(cc.get_index, cc.list_indices("pair_counting")):
        if index.needs == "pairs" and not index.with_totals and index.can_be_adjusted:
            values = {cc.score_table(table, index) for table in seen.values()}
            mean = expected_value(index, margins, model)
            is_undefined = mean is not None and math.isnan(mean)
            assert is_undefined is bool({math.inf, -math.inf} & values), index
            infinite |= {index.name} if values & {math.inf, -math.inf} else set()
    assert {"baulieu_distance_12", "minkowski"} <= infinite or model == "fixed-k"


@pytest.mark.parametrize("model", ["fixed-k", "one-sided-all-partitions"])
@pytest.mark.parametrize("sides", [(0, 0), (0, 2), (2, 1), (1, 0)], ids=str)
def test_what_is_0_by_0_is_no_score_of_rounding(model, sides):
    """One cluster, or singletons, against labels: an index may be at its best on every table."""
    n = 55
    labels = np.zeros(n, dtype=int), np.arange(n), np.random.default_rng(0).integers(0, 4, n)
    reference, candidate = (labels[side] for side in sides)
    scores = cc.adjust(reference, candidate, cc.list_indices(), model=model, n_tables=30, rng=1)
    for score in scores.values():
        if abs(score.best - score.expected) < 1e-12:
            assert math.isnan(score.adjusted) or score.adjusted == 0.0, score.index
