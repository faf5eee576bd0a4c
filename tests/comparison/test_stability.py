"""Stability over runs: interval, clusters and objects against slow twins and simulation."""

import itertools
import json
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.machine.printing import convert_for_json
from tests.shares import one_in


def noisy_runs(m, n, seed, *, left_out=0.0, clusters=3):
    """Runs that follow one clustering more or less, and lack a share of the objects (None)."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % clusters
    runs = []
    for noise in rng.beta(2, 6, m):
        labels = np.where(rng.random(n) < noise, rng.integers(0, clusters + 1, n), truth).tolist()
        runs.append([None if rng.random() < left_out else label for label in labels])
    return runs


def clusters_of(labels):
    """Sets of objects by label; objects that are None are in none."""
    found = {}
    for k, label in enumerate(labels):
        if label is not None:
            found.setdefault(label, set()).add(k)
    return found


def slow_clusters(reference, runs):
    """Hennig (2007): for each cluster the mean of the largest Jaccard coefficient, on what both have."""
    means = {}
    for name, cluster in clusters_of(reference).items():
        largest = []
        for run in runs:
            have = {k for k, label in enumerate(run) if label is not None and reference[k] is not None}
            if cluster & have:
                shared = ((cluster & have, other & have) for other in clusters_of(run).values())
                largest.append(max(len(x & y) / len(x | y) for x, y in shared))
        means[name] = sum(largest) / len(largest) if largest else math.nan
    return means


def slow_consistency(runs):
    """For each object the mean Jaccard coefficient of its clusters over the pairs of runs that have it."""
    means = []
    for k in range(len(runs[0])):
        found = []
        for one, other in itertools.combinations(runs, 2):
            if one[k] is not None and other[k] is not None:
                have = [x for x in range(len(one)) if one[x] is not None and other[x] is not None]
                x, y = ({x for x in have if run[x] == run[k]} for run in (one, other))
                found.append(len(x & y) / len(x | y))
        means.append(sum(found) / len(found) if found else math.nan)
    return means


def slow_jackknife(matrix):
    """Mean over pairs, and the standard error from pseudo-values."""
    m = len(matrix)

    def mean(runs):
        return np.mean([matrix[i][j] for i, j in itertools.combinations(runs, 2)])

    whole = mean(range(m))
    pseudo = [m * whole - (m - 1) * mean([j for j in range(m) if j != i]) for i in range(m)]
    return whole, np.std(pseudo, ddof=1) / math.sqrt(m)


@pytest.mark.parametrize("left_out", [0.0, 0.3])
@pytest.mark.parametrize("index", ["rand", "jaccard", "wallace_1"])
def test_mean_and_interval_are_those_of_pseudo_values(left_out, index):
    from scipy.stats import t

    runs = noisy_runs(7, 40, seed=1, left_out=left_out)
    found = cc.comparison.stability(runs, index, missing="drop", confidence=0.9)
    matrix = cc.pairwise(runs, index, missing="drop").adjusted
    mean, error = slow_jackknife((matrix + matrix.T) / 2)
    assert found.mean_adjusted == pytest.approx(mean, rel=1e-12)
    assert found.interval.standard_error == pytest.approx(error, rel=1e-9)
    assert found.interval.low == pytest.approx(mean - t.ppf(0.95, 6) * error, rel=1e-9)
    assert found.interval.high == pytest.approx(min(mean + t.ppf(0.95, 6) * error, 1.0), rel=1e-9)


@pytest.mark.parametrize("left_out", [0.0, 0.35])
def test_clusters_of_a_reference(left_out):
    runs = noisy_runs(6, 30, seed=2, left_out=left_out)
    reference = [None if left_out and k % 7 == 0 else "abcd"[k % 4] for k in range(30)]
    found = cc.comparison.stability(runs, reference=reference, missing="drop")
    assert found.clusters == pytest.approx(slow_clusters(reference, runs), rel=1e-12)
    assert found.reference is None


@pytest.mark.parametrize("left_out", [0.0, 0.35])
def test_without_a_reference_they_are_those_of_the_medoid_in_the_other_runs(left_out):
    runs = noisy_runs(6, 30, seed=3, left_out=left_out)
    named = dict(zip("uvwxyz", runs, strict=True))
    found = cc.comparison.stability(named, missing="drop")
    assert found.reference == cc.pairwise(named, missing="drop").medoid
    others = [labels for name, labels in named.items() if name != found.reference]
    assert found.clusters == pytest.approx(slow_clusters(named[found.reference], others), rel=1e-12)


@pytest.mark.parametrize("left_out", [0.0, 0.35, 0.8])
def test_consistency_of_objects(left_out):
    runs = noisy_runs(5, 25, seed=4, left_out=left_out)
    found = cc.comparison.stability(runs, missing="drop")
    expected = slow_consistency(runs)
    assert found.consistency.tolist() == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert (left_out > 0.0) == any(map(math.isnan, expected))


def test_noise_is_left_out_as_a_missing_label_is():
    runs = noisy_runs(5, 40, seed=6, left_out=0.3)
    noise = [[-1 if label is None else label for label in run] for run in runs]
    first = cc.comparison.stability(runs, missing="drop")
    second = cc.comparison.stability(noise, noise="drop")
    assert (first.mean_adjusted, first.clusters) == (second.mean_adjusted, second.clusters)
    assert np.array_equal(first.consistency, second.consistency, equal_nan=True)


def test_objects_that_all_runs_have():
    runs = [[0, 0, 1, 1, 1, 0, 2, 2], [0, 0, 1, 1, 0, 0, 2, None], [0, 1, 1, 1, 1, 0, 2, None]]
    found = cc.comparison.stability(runs, missing="drop", drop="common")
    whole = cc.comparison.stability([run[:-1] for run in runs])
    assert found.mean_adjusted == whole.mean_adjusted
    assert found.consistency[:-1].tolist() == whole.consistency.tolist()
    assert math.isnan(found.consistency[-1])


def test_a_cluster_that_no_run_has_an_object_of():
    runs = [[0, 0, 1, 1, None], [0, 1, 1, 1, None], [0, 0, 0, 1, None]]
    found = cc.comparison.stability(runs, reference=["a", "a", "b", "b", "gone"], missing="drop")
    assert np.isnan([found.clusters["gone"], found.consistency[4]]).all()
    assert convert_for_json(found.to_dict())["consistency"][4] is None


def coverage(m, samples, seed):
    """Share of intervals, and of intervals half as long, that hold the mean over pairs of all runs."""
    rng = np.random.default_rng(seed)

    def mean_of(runs):
        return cc.pairwise(runs).adjusted[np.triu_indices(len(runs), 1)].mean()

    truth = np.mean([mean_of(noisy_runs(150, 40, int(rng.integers(2**31)))) for _ in range(4)])
    found = [cc.comparison.stability(noisy_runs(m, 40, int(rng.integers(2**31)))) for _ in range(samples)]
    reach = np.array([each.interval.high - each.mean_adjusted for each in found])
    away = np.array([abs(each.mean_adjusted - truth) for each in found])
    return np.mean(away <= reach), np.mean(away <= reach / 2)


@pytest.mark.parametrize("size", one_in(3, [(8, 200), (5, 400), (25, 400)]))
def test_intervals_hold_the_mean_of_all_runs(size):
    """95 % of the intervals, within 4.5 standard errors and 2 % for skewness; half as long, fewer."""
    m, samples = size
    room = 4.5 * math.sqrt(0.95 * 0.05 / samples) + 0.02
    whole, half = coverage(m, samples, seed=m)
    assert abs(whole - 0.95) < room
    assert half < 0.95 - room


def test_runs_that_are_all_the_same():
    found = cc.comparison.stability([[0, 0, 1, 1, 2]] * 4)
    assert (found.mean_adjusted, found.clusters) == (1.0, {0: 1.0, 1: 1.0, 2: 1.0})
    assert found.consistency.tolist() == [1.0] * 5
    assert math.isnan(found.interval.low)
    assert "all pairs of runs have the same score" in str(found.notes[0])


def test_two_runs_have_no_interval():
    found = cc.comparison.stability([[0, 0, 1, 1, 2], [0, 0, 1, 1, 1]])
    assert found.mean_adjusted == pytest.approx(cc.adjusted_score([0, 0, 1, 1, 2], [0, 0, 1, 1, 1]))
    assert math.isnan(found.interval.low)
    assert "it takes three runs" in repr(found)


def test_runs_of_which_pairs_have_no_score():
    runs = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 2]]
    matrix = cc.pairwise(runs).adjusted
    kept = [(i, j) for i, j in itertools.combinations(range(5), 2) if np.isfinite(matrix[i, j])]
    found = cc.comparison.stability(runs)
    assert found.mean_adjusted == pytest.approx(np.mean([matrix[i, j] for i, j in kept]))
    without = [np.mean([matrix[pair] for pair in kept if k not in pair]) for k in range(5)]
    assert found.interval.standard_error == pytest.approx(np.std(without) * math.sqrt(4), rel=1e-9)
    flat = cc.comparison.stability([[0, 0, 0]] * 3)
    assert math.isnan(flat.mean_adjusted)
    assert "no pair has an adjusted score" in flat.interval.remark


def test_how_it_is_printed_and_kept():
    found = cc.comparison.stability(noisy_runs(12, 60, seed=8, clusters=40))
    lines = repr(found).splitlines()
    assert lines[0].startswith("Stability('rand', 12 runs of 60 objects, mean adjusted ")
    assert f"and {len(found.clusters) - 30} more" in lines
    kept = json.loads(json.dumps(convert_for_json(found.to_dict())))
    assert (kept["low"], kept["high"]) == tuple(found.interval)
    assert len(kept["consistency"]) == kept["n"] == 60


@pytest.mark.parametrize(
    ("last", "options", "message"),
    [
        ([0, 1, None], {}, r'Pass missing="drop" to leave such objects out'),
        ([0, 1, 1], {"reference": [0, 1]}, "must have the same length as `reference`"),
        ([0, 1, 1], {"confidence": 95}, "`confidence` must lie between 0 and 1"),
        ([0, 1, 1], {"level": 0.9}, "'level'"),
    ],
)
def test_errors(last, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        cc.comparison.stability([[0, 1, 1], last], **options)
