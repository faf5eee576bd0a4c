"""Boundaries within a tolerance: against matchings of bipartite graphs, and rules of ruptures and TCPD."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import chancecorr as cc
from chancecorr.chance import segments, shifts
from chancecorr.clusterings import boundary_matches

RNG = np.random.default_rng(7)


def draw_changes(n, low=1):
    """Increasing change points with the number of samples last."""
    points = np.sort(RNG.choice(np.arange(1, n), size=RNG.integers(low, 9), replace=False))
    return [*points.tolist(), n]


def label(changes):
    return np.repeat(np.arange(len(changes)), np.diff(changes, prepend=0))


def match_by_assignment(first, second, tolerance):
    near = np.abs(np.subtract.outer(first, second)) <= tolerance
    rows, columns = linear_sum_assignment(near, maximize=True)
    return int(near[rows, columns].sum())


def match_as_ruptures(first, second, margin):
    """The published rule of `precision_recall` of ruptures: strictly within the margin, by order."""
    used, hits = set(), set()
    for true, found in product(first, second):
        if found - margin < true < found + margin and found not in used:
            used.add(found)
            hits.add(true)
    return len(hits)


def match_as_tcpd(first, second, margin):
    """The published rule of TCPD: each true change point takes the nearest of those that are left."""
    left, hits = set(second), 0
    for true in first:
        near = sorted((abs(true - found), found) for found in left if abs(true - found) <= margin)
        if near:
            hits += 1
            left.remove(near[0][1])
    return hits


def test_all_measures_on_random_change_points():
    differ = set()
    for _ in range(300):
        first, second = draw_changes(40), draw_changes(40)
        tolerance = int(RNG.integers(0, 5))
        true, found = first[:-1], second[:-1]
        matched = match_by_assignment(true, found, tolerance)
        score = {
            name: cc.score(label(first), label(second), boundary_matches(tolerance, measure=name))
            for name in ("precision", "recall", "f1")
        }
        assert score["precision"] == pytest.approx(matched / len(found), rel=1e-12)
        assert score["recall"] == pytest.approx(matched / len(true), rel=1e-12)
        assert score["f1"] == pytest.approx(2 * matched / (len(true) + len(found)), rel=1e-12)
        others = [
            match_as_ruptures(true, found, tolerance + 1), match_as_tcpd(true, found, tolerance)
        ]  # fmt: skip
        near = np.abs(np.subtract.outer(true, found)) <= tolerance
        if near.sum(axis=0).max() <= 1 and near.sum(axis=1).max() <= 1:
            assert others == [matched, matched]
        assert max(others) <= matched
        differ |= {name for name, other in zip(("ruptures", "tcpd"), others, strict=True) if other < matched}
    assert "ruptures" in differ  # greedy matching finds fewer if several are near


def test_under_shifts_every_shift_is_listed():
    first, second = label([20, 50, 80, 100]), label([22, 40, 81, 100])
    score = cc.adjust(first, second, boundary_matches(4), model=shifts(100))
    values = [cc.score(first, np.roll(second, k), boundary_matches(4)) for k in range(100)]
    assert score.expected == pytest.approx(np.mean(values), rel=1e-12)
    assert score.p_value == np.mean(np.array(values) >= score.observed - 1e-12)


def test_under_segments_all_orders_are_drawn():
    first, second = label([20, 50, 80, 100]), label([22, 40, 100])
    orders = [np.cumsum(np.array([22, 18, 60])[list(order)]) for order in (
        (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)
    )]  # fmt: skip
    values = [cc.score(first, label(ends.tolist()), boundary_matches(3)) for ends in orders]
    score = cc.adjust(first, second, boundary_matches(3), model=segments(), rng=1)
    assert set(score.null.values.round(12)) == set(np.round(values, 12))
    assert len(set(values)) > 1
    assert abs(score.expected - np.mean(values)) < 4.5 * np.std(values) / np.sqrt(score.n_tables)


def test_left_out_samples_keep_their_time():
    first, second = label([20, 50, 100]).astype(float), label([29, 60, 100])
    first[22:28] = np.nan
    score = cc.score(first, second, boundary_matches(9), missing="drop")
    assert score == 0.5  # 20 and 29 are at a distance of 9, 50 and 60 of 10


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda: boundary_matches(-1), "`tolerance` must be a number from 0 on"),
        (lambda: boundary_matches(1, measure="F1"), "Did you mean 'f1'"),
        (lambda: cc.score({"a": 0, "b": 1}, {"b": 0, "a": 1}, boundary_matches(1)), "order of time"),
        (lambda: cc.score(cc.Cover([{0}, {1}]), [0, 1], boundary_matches(1)), "must take cover"),
    ],
)  # fmt: skip
def test_refused(answer, message):
    with pytest.raises((ValueError, TypeError), match=message):
        answer()


def test_permutations_are_noted_as_the_wrong_model():
    first, second = label([20, 50, 80, 100]), label([22, 40, 81, 100])
    notes = [note.code for note in cc.adjust(first, second, boundary_matches(4), rng=1, n_tables=99).notes]
    assert "neighbours" in " ".join(notes)
    score = cc.adjust(first, second, boundary_matches(4), model=segments(), rng=1, n_tables=99)
    assert not any("neighbour" in note.code for note in score.notes)


def test_no_boundary_is_no_score():
    assert np.isnan(cc.score([0, 0, 0], [1, 1, 1], boundary_matches(1)))
    assert cc.score([0, 0, 0], [1, 1, 2], boundary_matches(1)) == 0.0
    assert np.isnan(cc.score([0, 0, 0], [1, 1, 2], boundary_matches(1, measure="recall")))


def test_several_tolerances_stand_side_by_side():
    labels_true, labels_pred, _ = cc.clusterings.segments([20, 50, 80, 100], [22, 40, 81, 100])
    indices = [boundary_matches(tolerance) for tolerance in (0, 2, 12.5)]
    scores = cc.adjust(labels_true, labels_pred, indices, model=cc.chance.segments(), rng=1)
    observed = {name: score.observed for name, score in scores.items()}
    assert observed == {
        "boundary_f1(0)": 0.0,
        "boundary_f1(2)": pytest.approx(2 / 3),
        "boundary_f1(12.5)": 1.0,
    }
