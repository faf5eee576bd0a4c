"""The picture of a stability shows the share of runs that put objects together, in an order that says so."""

import matplotlib
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison import agreement, agreement_by_cluster, agreement_by_object
from chancecorr.plotting import plot_stability

matplotlib.use("Agg")


def runs_of(n, m=6, seed=0, left_out=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    runs = [np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), truth).tolist() for _ in range(m)]
    return [[None if rng.random() < left_out else label for label in run] for run in runs]


def slow_shares(runs):
    shares = np.full((len(runs[0]),) * 2, np.nan)
    for i, j in np.ndindex(shares.shape):
        both = [run[i] == run[j] for run in runs if run[i] is not None and run[j] is not None]
        if both:
            shares[i, j] = sum(both) / len(both)
    return shares


@pytest.mark.parametrize("left_out", [0.0, 0.3, 0.6])
def test_shares_of_runs_that_have_both_objects(left_out):
    runs = runs_of(20, left_out=left_out)
    found = cc.comparison.stability(runs, missing="drop").share_together(np.arange(20))
    assert found == pytest.approx(slow_shares(runs), rel=1e-12, nan_ok=True)
    assert np.isnan(found).any() == (left_out == 0.6)


def test_objects_of_one_cluster_stand_side_by_side():
    labels = np.random.default_rng(1).integers(0, 3, 40)
    ax = cc.comparison.stability([labels, labels, labels]).plot()
    shown = ax.images[0].get_array()
    assert np.array_equal(np.sort(shown.sum(axis=0)), np.sort(np.bincount(labels)[labels]))
    changes = np.count_nonzero(np.diff(shown, axis=1).any(axis=0))
    assert changes == 2  # three blocks
    assert ax.get_title(loc="left") == "40 objects ordered by similarity"


def test_errors():
    with pytest.raises(TypeError, match="`result` must be a Stability; got int"):
        plot_stability(3)


def test_contributions_and_agreement_have_pictures():
    """Bars of the largest clusters, a histogram of objects, and the heat map of the pairs."""
    labels, others = np.repeat(np.arange(30), np.arange(1, 31)), np.arange(465) % 4
    by_cluster, by_object = agreement_by_cluster(labels, others), agreement_by_object(labels, others)
    ax = by_cluster.plot(color="tab:red")
    assert [text.get_text() for text in ax.get_yticklabels()][:2] == ["29 (30)", "28 (29)"]
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == by_cluster.scores[:9:-1].tolist()
    assert ax.get_title(loc="left") == "the 20 largest of 30 clusters"
    assert sum(bar.get_height() for bar in by_object.plot().patches) == 465
    together = agreement({"a": labels, "b": others})
    assert (together.plot().images[0].get_array() == together.scores.plot().images[0].get_array()).all()
