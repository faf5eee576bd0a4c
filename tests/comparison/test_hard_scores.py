"""Scores of hard clusterings drawn from soft ones: by enumeration, certain memberships, and given draws."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import chancecorr as cc
from chancecorr.comparison import hard_scores
from chancecorr.comparison.hard_scores import _make_draw

SOFT = np.array([[0.7, 0.3, 0.0], [0.25, 0.25, 0.5], [0.0, 0.1, 0.9], [0.4, 0.0, 0.6]])
OTHER = np.array([[0.5, 0.5], [1.0, 0.0], [0.2, 0.8], [0.0, 1.0]])
LABELS = ["a", "a", "b", "b"]


def list_hard(rows):
    """All hard clusterings with their probabilities."""
    return [
        (labels, math.prod(row[k] for row, k in zip(rows, labels, strict=True)))
        for labels in itertools.product(range(rows.shape[1]), repeat=len(rows))
    ]


@pytest.mark.parametrize("index", ["rand", "mutual_information", "purity"])
@pytest.mark.parametrize("first", [LABELS, cc.Membership(OTHER)], ids=["labels", "memberships"])
def test_all_hard_clusterings_of_four_objects(first, index):
    """Mean and law of the values: 4.5 standard errors, and p > 1e-6, fail once in 50,000 seeds each."""
    n_draws, law = 20_000 if index == "rand" else 4_000, {}
    references = [(LABELS, 1.0)] if first is LABELS else list_hard(OTHER)
    for (one, p), (other, q) in itertools.product(references, list_hard(SOFT)):
        if p * q > 0.0:
            values = cc.score(one, other, index), cc.adjusted_score(one, other, index)
            key = tuple("none" if np.isnan(value) else round(value, 9) for value in values)
            law[key] = law.get(key, 0.0) + p * q
    found = hard_scores(first, cc.Membership(SOFT), index, n_draws=n_draws, rng=3)
    pairs = [
        tuple("none" if np.isnan(value) else round(value, 9) + 0.0 for value in values)
        for values in zip(found.observed.tolist(), found.adjusted.tolist(), strict=True)
    ]
    assert {*pairs} == {*law}
    counts = [pairs.count(key) for key in law]
    assert scipy.stats.chisquare(counts, np.array([*law.values()]) * n_draws).pvalue > 1e-6
    for place, kind in enumerate(("observed", "adjusted")):
        known = [(key[place], p) for key, p in law.items() if key[place] != "none"]
        values, weights = np.array(known).T
        mean = np.average(values, weights=weights)
        error = math.sqrt(np.average((values - mean) ** 2, weights=weights) / (n_draws * weights.sum()))
        assert abs(getattr(found, f"mean_{kind}") - mean) < 4.5 * error
        without = n_draws - sum(key[place] != "none" for key in pairs)
        assert (f"{without:,} of {n_draws:,} draws have no {kind} score" in str(found)) == (without > 0)


def test_limits_hold_the_stated_share():
    found = hard_scores(LABELS, cc.Membership(SOFT), n_draws=999, confidence=0.8, rng=1)
    for kind in ("observed", "adjusted"):
        values, low, high = (getattr(found, name) for name in (kind, f"low_{kind}", f"high_{kind}"))
        values = values[~np.isnan(values)]
        assert np.mean((values >= low) & (values <= high)) >= 0.8
        assert max(np.mean(values < low), np.mean(values > high)) <= 0.1 + 1e-12
        assert {low, high} <= {*values.tolist()}


def test_certain_memberships_are_their_labels():
    rng = np.random.default_rng(0)
    first, second = rng.integers(3, size=40), rng.integers(4, size=40)
    certain = cc.Membership(np.eye(6)[[0, 2, 3, 5]][second])  # clusters without objects, the first too
    for index in ("rand", "jaccard", "nmi_sum", "purity", "bcubed_f"):
        found = hard_scores(first, certain, index, n_draws=20, rng=0)
        assert {*found.observed.tolist()} == {cc.score(first, second, index)}
        if index != "bcubed_f":
            expected = cc.adjusted_score(first, second, index)
            assert found.adjusted == pytest.approx(np.full(20, expected), rel=1e-12)
            assert found.low_adjusted == found.high_adjusted
    assert np.isnan(found.mean_adjusted)
    assert "expected values are not known without simulation" in str(found)


def test_a_cluster_without_a_share_is_not_drawn():
    """Ten shares of 0.1 add up to less than 1, and a uniform number may lie between."""

    class Largest:
        def random(self, n):
            return np.full(n, np.nextafter(1.0, 0.0))

    rows = np.array([[*[0.1] * 10, 0.0, 0.0], [*[0.0] * 10, 0.5, 0.5]])
    assert rows[0].cumsum()[-1] < 1.0
    draw = _make_draw("labels_pred", cc.Membership(rows), None)
    assert draw(0, Largest()).tolist() == [9, 11]


def test_intervals_are_shorter_for_sharper_memberships():
    """Memberships that say little have short intervals too, near the value by chance; these are sharper."""
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=200)
    shares = rng.dirichlet([1.0, 1.0, 1.0], size=200) + np.eye(3)[labels]
    widths = []
    for power in (2, 4, 8, 16):
        rows = shares**power / (shares**power).sum(axis=1, keepdims=True)
        found = hard_scores(labels, cc.Membership(rows), n_draws=400, rng=2)
        widths.append(found.high_adjusted - found.low_adjusted)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0] / 2


def test_the_mean_of_rand_is_the_rand_index_of_the_memberships():
    """Two objects are drawn into one cluster with the inner product of their memberships."""
    rng = np.random.default_rng(2)
    labels, rows = rng.integers(3, size=60), rng.dirichlet([0.5] * 3, size=60)
    found = hard_scores(labels, cc.Membership(rows), n_draws=2_000, rng=5)
    error = np.std(found.observed) / math.sqrt(2_000)
    assert abs(found.mean_observed - cc.score(labels, cc.Membership(rows), "rand")) < 4.5 * error


def test_a_draw_depends_on_the_seed_and_its_number():
    few, many = (hard_scores(LABELS, cc.Membership(SOFT), n_draws=k, rng=7) for k in (50, 200))
    np.testing.assert_array_equal(few.observed, many.observed[:50])
    other = hard_scores(LABELS, cc.Membership(SOFT), n_draws=200, rng=8)
    assert (other.observed != many.observed).any()
    again = hard_scores(LABELS, cc.Membership(SOFT), n_draws=200, rng=many.seed)
    assert again.to_json() == many.to_json()


def test_rows_of_labels_are_the_draws():
    rng = np.random.default_rng(4)
    first, draws = rng.integers(3, size=30), rng.integers(5, 9, size=(12, 30))
    found = hard_scores(first, draws)
    assert found.n_draws == 12
    assert found.observed.tolist() == [cc.score(first, row) for row in draws]
    assert found.adjusted == pytest.approx([cc.adjusted_score(first, row) for row in draws], rel=1e-12)
    assert "`labels_pred`: an array of 12 draws of 30 objects" in str(found)
    for listed in (list(draws), draws.tolist(), tuple(map(list, draws))):
        assert hard_scores(first, listed).observed.tolist() == found.observed.tolist()
    both = hard_scores(draws[::-1], draws, "jaccard", n_draws=5)
    assert (
        both.observed.tolist()
        == [cc.score(*rows, "jaccard") for rows in zip(draws[::-1], draws, strict=True)][:5]
    )
    assert found.to_frame().shape == (12, 2)
    soft = hard_scores(draws, cc.Membership(np.eye(3)[first]))
    np.testing.assert_array_equal(soft.observed, found.observed)


def test_objects_are_matched_by_their_names():
    names, order = [*"dbca"], [2, 0, 3, 1]
    frame = pd.DataFrame(SOFT[order], index=[names[k] for k in order])
    for first in (pd.Series(LABELS, index=names), dict(zip(names, LABELS, strict=True))):
        found = hard_scores(first, cc.Membership(frame), n_draws=3_000, rng=1)
        expected = hard_scores(LABELS, cc.Membership(SOFT), n_draws=3_000, rng=2)
        error = math.hypot(np.std(found.observed), np.std(expected.observed)) / math.sqrt(3_000)
        assert abs(found.mean_observed - expected.mean_observed) < 4.5 * error
    places = pd.Series(LABELS, index=[3, 1, 0, 2])  # rows of labels are in the order of the positions
    draws = np.array([[0, 1, 1, 0], [0, 0, 0, 1]])
    assert hard_scores(places, draws).observed.tolist() == [
        cc.score(places.sort_index().tolist(), row) for row in draws
    ]


def test_expected_values_that_take_long_are_not_computed():
    rng = np.random.default_rng(0)
    labels, soft = rng.integers(3, size=60), cc.Membership(rng.dirichlet([1.0] * 3, size=60))
    found = hard_scores(labels, soft, "purity", n_draws=20, rng=1, budget=1e-6)
    assert np.isnan(found.adjusted).all()
    assert "take longer than" in str(found)
    assert np.isfinite(hard_scores(labels, soft, "purity", n_draws=20, rng=1).adjusted).all()


def test_what_is_refused():
    soft = cc.Membership(SOFT)
    for arguments, options, message in (
        ((LABELS, LABELS), {}, "must be memberships, or labels in two dimensions"),
        ((LABELS, SOFT), {}, "must be a `Membership` if it holds memberships"),
        ((LABELS, pd.DataFrame(np.zeros((3, 4), int))), {}, "Pass `labels_pred.to_numpy\\(\\)`"),
        ((LABELS, [[0, 1, 0, 1], [0, 1]]), {}, "must have"),
        ((LABELS, cc.Cover(np.eye(4))), {}, "`labels_pred` must be labels or memberships"),
        ((soft, np.zeros((3, 5), int)), {}, "`labels_pred` must have as many objects"),
        ((np.zeros((2, 4), int), np.zeros((3, 4), int)), {}, "must have as many draws as `labels_true`"),
        ((LABELS, np.zeros((3, 4), int)), {"n_draws": 4}, "must be at most 3, the rows given; got 4"),
        ((LABELS, soft, "cohen_kappa"), {}, "must not compare labels by name"),
        ((LABELS, soft, "fuzzy_rand"), {}, "must be an index of contingency tables here"),
        ((LABELS, soft), {"confidence": 1.0}, "`confidence` must lie between 0 and 1"),
        ((LABELS, soft), {"n_draws": 0}, "`n_draws` must be at least 1"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            hard_scores(*arguments, **options)


def test_the_picture_marks_the_interval():
    pytest.importorskip("matplotlib")
    for index, kind in (("rand", "adjusted"), ("bcubed_f", "observed")):
        found = hard_scores(LABELS, cc.Membership(SOFT), index, n_draws=300, rng=1)
        ax = found.plot()
        low, high = ax.lines[-1].get_xdata()
        assert (low, high) == (getattr(found, f"low_{kind}"), getattr(found, f"high_{kind}"))
        assert kind in ax.get_xlabel()
        assert sum(patch.get_height() for patch in ax.patches) == np.isfinite(getattr(found, kind)).sum()
