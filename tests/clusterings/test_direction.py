"""A draw of the user's has one direction for all kinds: object i takes what object ``draw[i]`` has."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.clusterings.indices import find_pair_indices
from chancecorr.clusterings.reading import read_clusterings
from tests.clusterings.permutations import values
from tests.clusterings.sides import consensus, cover, soft

KINDS = {
    "labels": lambda rng, n: rng.integers(0, 3, n),
    "membership": soft,
    "crisp membership": lambda rng, n: np.eye(3)[rng.integers(0, 3, n)],
    "cover": cover,
    "similarity": consensus,
    "distance": lambda rng, n: 1.0 - consensus(rng, n),
    "tree": lambda rng, n: make_linkage(rng, n),
}


def make_linkage(rng, n):
    """Linkage of n objects, two clusters at random joined at each height."""
    clusters, sizes, rows = list(range(n)), [1] * n, []
    for merge in range(n - 1):
        first, second = (clusters.pop(int(rng.integers(len(clusters)))) for _ in range(2))
        sizes.append(sizes[first] + sizes[second])
        rows.append([first, second, float(1 + merge // 2), sizes[-1]])
        clusters.append(n + merge)
    return np.array(rows)


def permute(kind, side, draw):
    """One side by its definition, object i in the place of object ``draw[i]``."""
    if kind in ("similarity", "distance"):
        return side[np.ix_(draw, draw)]
    if kind != "tree":
        return side[draw]
    n, linkage = draw.size, side.copy()
    leaves = linkage[:, :2] < n
    linkage[:, :2][leaves] = np.argsort(draw)[linkage[:, :2][leaves].astype(int)]
    return linkage


def wrap(kind, side):
    classes = {"cover": cc.Cover, "similarity": cc.Similarity, "tree": cc.clusterings.Tree}
    if kind == "labels":
        return side
    if kind == "distance":
        return cc.Similarity(side, distance=True)
    return classes.get(kind, cc.Membership)(side)


def list_entries(P, Q):
    """Entries of all indices that take these two clusterings."""
    entries = []
    for name in (*cc.list_indices(), *cc.list_indices("clusterings")):
        try:
            entries += [index.entry for index in find_pair_indices(name, P, Q)]
        except ValueError:
            continue
    return [entry for entry in entries if entry.name != "dendrogram_purity" or P.word != Q.word]


PAIRS = [pair for pair in itertools.product(KINDS, KINDS) if pair != ("labels", "labels")]


@pytest.mark.parametrize("n", [7, 30])  # fewer objects than pairs of clusters, or more
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_object_i_takes_the_place_that_the_draw_names(first, second, n):
    """One draw, with cycles of three and more: under its inverse nearly all indices have other values."""
    rng = np.random.default_rng(n)
    u, v = KINDS[first](rng, n), KINDS[second](rng, n)
    draw = np.concatenate([[1, 2, 0], 3 + np.roll(np.arange(n - 3), 1)])
    P, Q = read_clusterings(wrap(first, u), wrap(second, v)).sides
    permuted = read_clusterings(P, wrap(second, permute(second, v, draw))).sides[1]
    entries = list_entries(P, Q)
    assert len(entries) > (0 if "tree" in (first, second) else 130)
    with np.errstate(all="ignore"):
        for entry in entries:
            value = values(entry.function(P, Q), draw[np.newaxis])[0]
            expected = entry.function(P, permuted).observed
            assert value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), entry.name


@pytest.mark.parametrize("kind", ["labels", "membership", "cover", "similarity"])
def test_own_draws_of_all_kinds_are_those_of_labels(kind):
    u, v, draws = np.array([0, 0, 1, 1, 2, 0]), np.array([0, 1, 1, 0, 2, 2]), [[1, 2, 0, 3, 5, 4]]
    same = {"labels": v, "similarity": 1.0 * (v[:, np.newaxis] == v)}.get(kind, np.eye(3)[v])
    score = cc.adjust(u, wrap(kind, same), "rand", model=cc.Draws(draws))
    assert score.expected == pytest.approx(cc.score(u, v[draws[0]], "rand")) == pytest.approx(0.8)
