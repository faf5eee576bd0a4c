"""What chance gives from cluster sizes alone, against labels with these sizes."""

import json
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison import baseline
from tests.cli.test_commands import fail, succeed

TRUE = np.repeat([0, 1, 2], [15, 10, 5])
PRED = np.random.default_rng(0).permutation(np.repeat([0, 1], [18, 12]))
SIZES = [15, 10, 5], [18, 12]


@pytest.mark.parametrize("index", ["rand", "jaccard", "purity", "variation_of_information"])
def test_as_with_labels(index):
    score = cc.adjust(TRUE, PRED, index, method="exact")
    found = baseline(*SIZES, index, observed=score.observed, method="exact")
    assert found.expected == pytest.approx(score.expected, rel=1e-12)
    assert found.adjusted == pytest.approx(score.adjusted, rel=1e-12)
    assert found.p_value == pytest.approx(score.p_value, rel=1e-9)
    better = (
        found.null.values > found.upper if score.entry.larger_is_better else found.null.values < found.upper
    )
    assert found.null.weights[better].sum() <= 0.01


def test_a_number_of_clusters_is_a_model_of_partitions():
    """By all partitions of five objects into two clusters."""
    true = np.array([0, 0, 0, 1, 1])
    values = [cc.score(true, [0, *(mask >> k & 1 for k in range(4))], "rand") for mask in range(1, 16)]
    found = baseline([3, 2], 2, "rand", observed=0.8, rng=0)
    assert found.model == "one-sided-fixed-k"
    assert found.expected == pytest.approx(np.mean(values), rel=1e-12)
    assert math.isnan(baseline([3, 2], 2, "mutual_information", observed=0.3, rng=0).adjusted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([3, 2], 6), "`sizes_pred` must be from 1 to 5 clusters; got 6"),
        (([3, 2], [4, 2]), "same"),
        (([3, 2], [3, 2], "ami"), "is the adjusted score of 'mutual_information'"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        baseline(*arguments)
    with pytest.raises(ValueError, match="`sizes_pred` must be cluster sizes with model 'permutation'"):
        baseline([3, 2], 2, model="permutation")


def test_the_command(capsys):
    printed = succeed(capsys, "baseline", "15,10,5", "18,12", "--observed", "0.8", "--json")
    assert json.loads(printed)["adjusted"] == baseline(*SIZES, observed=0.8).adjusted
    assert "model one-sided-fixed-k" in succeed(capsys, "baseline", "15,10,5", "3", "--seed", "1")
    assert "SIZES must be whole numbers with commas" in fail(capsys, "baseline", "15;10", "3").replace(
        "`", ""
    )
