"""Consensus functions: ensembles with a known answer, and the definitions of their papers on small ones."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from experiments.zhang_wong_shen_2012 import consensus_functions
from experiments.zhang_wong_shen_2012.consensus_functions import FUNCTIONS
from experiments.zhang_wong_shen_2012.sums import lay_out_clusters

# Strehl & Ghosh (2002), table 1, the three complete clusterings, and the combined one that they expect.
STREHL_GHOSH = [[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [1, 1, 2, 2, 3, 3, 3]]
EXPECTED = [2, 2, 2, 3, 3, 1, 1]


def function_named(name):
    return lambda partitions, *options: FUNCTIONS[name](lay_out_clusters(partitions), *options)


def rng(seed=1):
    return np.random.default_rng(seed)


def noisy(truth, n_partitions, share, seed):
    """The true groups under other names, a share of the objects moved to a random group."""
    stream = rng(seed)
    n_groups, found = max(truth) + 1, []
    for _ in range(n_partitions):
        labels = stream.permutation(n_groups)[truth]
        moved = stream.random(len(truth)) < share
        labels[moved] = stream.integers(0, n_groups, moved.sum())
        found.append(labels)
    return np.array(found)


def halves(n):
    """Ways to split n objects into two of n / 2, as 0 and 1."""
    for chosen in itertools.combinations(range(1, n), n // 2):
        labels = np.zeros(n, dtype=int)
        labels[list(chosen)] = 1
        yield labels


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_published_example(name):
    assert cc.score(EXPECTED, function_named(name)(STREHL_GHOSH, 3, rng()), index="adjusted_rand") == 1.0


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("n_groups", [2, 4, 7])
def test_partitions_that_agree_are_given_back(name, n_groups):
    truth = np.tile(np.arange(n_groups), 12)
    labels = function_named(name)(noisy(truth, 6, 0.0, n_groups), n_groups, rng())
    assert labels.dtype == np.int64
    assert labels.tolist() == truth.tolist()  # numbered in the order of appearance, as here


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_consensus_is_better_than_its_partitions(name):
    """Four groups of 20, a third of the objects at random in each of 15 partitions.

    For HGPA a twentieth: with more every cluster is cut, whatever the parts, and there is nothing to go by.
    """
    truth = np.repeat(np.arange(4), 20)
    partitions = noisy(truth, 15, 0.05 if name == "hgpa" else 0.33, 3)
    single = max(cc.score(truth, each, index="adjusted_rand") for each in partitions)
    labels = function_named(name)(partitions, 4, rng())
    assert cc.score(truth, labels, index="adjusted_rand") > max(0.8, single)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("name", "share"), [("cspa", 0.35), ("hgpa", 0.15)])
def test_no_two_halves_cut_less(name, share, seed):
    """Of similarity by CSPA, of clusters by HGPA."""
    partitions = noisy([0] * 5 + [1] * 5, 7, share, seed)
    together, clusters = cc.ensembles.consensus_matrix(partitions), lay_out_clusters(partitions).T

    def cut(labels):
        if name == "cspa":
            return together[labels[:, None] < labels].sum()
        return sum(len(set(labels[members])) > 1 for members in clusters)

    labels = function_named(name)(partitions, 2, rng(seed))
    assert np.bincount(labels).tolist() == [5, 5]
    assert cut(labels) == pytest.approx(min(map(cut, halves(10))), rel=1e-12)


def test_the_embedding_of_hbgf_is_that_of_the_whole_graph():
    """Eigenvectors of the normalised adjacency of objects and clusters, by projections onto their span."""
    clusters = lay_out_clusters(noisy(np.repeat([0, 1, 2], 8), 5, 0.2, 1)).astype(float)
    n, m = clusters.shape
    whole = np.block([[np.zeros((n, n)), clusters], [clusters.T, np.zeros((m, m))]])
    degrees = whole.sum(axis=1)
    values, vectors = np.linalg.eigh(whole / np.sqrt(np.outer(degrees, degrees)))
    leading = vectors[:, np.argsort(values)[::-1][:3]]
    leading /= np.linalg.norm(leading, axis=1, keepdims=True)
    rows = np.concatenate(consensus_functions.embed(clusters.astype(bool), 3))
    assert rows @ rows.T == pytest.approx(leading @ leading.T, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_ncut_finds_the_least_normalised_cut(seed):
    partitions = noisy([0] * 4 + [1] * 6, 9, 0.25, seed)
    together = cc.ensembles.consensus_matrix(partitions)

    def normalised_cut(labels):
        sides = [labels == side for side in (0, 1)]
        return sum(together[side][:, ~side].sum() / together[side].sum() for side in sides)

    splits = (np.array((0, *rest)) for rest in itertools.product((0, 1), repeat=9) if any(rest))
    best = min(splits, key=normalised_cut)
    assert normalised_cut(function_named("ncut")(partitions, 2, rng())) == pytest.approx(normalised_cut(best))


def test_average_linkage_by_hand():
    """Merge by merge: the two clusters of least mean distance."""
    partitions = rng(4).integers(0, 5, (11, 14))
    distances = 1.0 - cc.ensembles.consensus_matrix(partitions)
    groups = [[i] for i in range(14)]
    while len(groups) > 4:
        pairs = itertools.combinations(groups, 2)
        one, other = min(pairs, key=lambda two: distances[np.ix_(*two)].mean().round(12))
        groups = [each for each in groups if each not in (one, other)] + [one + other]
    by_hand = np.zeros(14, dtype=int)
    for number, members in enumerate(groups):
        by_hand[members] = number
    found = function_named("average-linkage")(partitions, 4, rng())
    assert cc.score(by_hand, found, index="adjusted_rand") == 1.0
