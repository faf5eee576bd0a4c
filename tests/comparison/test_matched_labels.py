"""Relabelling to a reference: as many objects as any matching has, and nothing lost on the way."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison import match_labels


def test_no_matching_has_more_objects():
    rng = np.random.default_rng(0)
    for _ in range(20):
        true, pred = rng.integers(0, rng.integers(1, 7), 40), rng.integers(-1, rng.integers(1, 7), 40)
        found = match_labels(true, pred)
        assert found.n_matched == (found.labels == true).sum()
        assert found.n_matched == round(40 * cc.score(true, pred, "maximum_matching_accuracy"))
        assert cc.score(found.labels, pred, "rand") == 1  # the clusters are the same, under other names
        assert [found.matches[label] for label in pred.tolist()] == found.labels.tolist()
        assert set(found.left_over) == {label for label, new in found.matches.items() if new not in true}
        assert set(found.not_found) == set(true.tolist()) - set(found.labels.tolist())


def test_labels_that_both_sides_have():
    """Candidate 2 is left over; its own label is that of another cluster in the reference."""
    found = match_labels([0, 0, 0, 2, 2], [2, 0, 0, 1, 1])
    assert found.labels.tolist() == [3, 0, 0, 2, 2]
    assert dict(found.matches) == {0: 0, 1: 2, 2: 3}
    assert (found.left_over, found.not_found) == ((2,), ())


def test_clusters_that_share_no_object_are_no_match():
    found = match_labels(["a", "a", "b"], [1, 1, 1])
    assert found.labels.tolist() == ["a"] * 3
    assert found.not_found == ("b",)


def test_many_clusters():
    """A table of 6,000 by 6,000 clusters, which is kept as its non-empty cells."""
    true = np.arange(12_000) // 2
    found = match_labels(true, true[::-1].copy())
    assert found.n_matched == 12_000


def test_errors():
    with pytest.raises(
        ValueError, match="`labels_pred` must have the same length as `labels_true`; got 3 and 2"
    ):
        match_labels([0, 1], [0, 1, 1])
