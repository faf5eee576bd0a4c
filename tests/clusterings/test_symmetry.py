"""Indices of clusterings of any kind say that the order of the two does not matter: it does not."""

import numpy as np
import pytest

import chancecorr as cc


def draw_two(kind, rng):
    """Two random clusterings of 12 objects, of a kind."""
    match kind:
        case "tree":
            return [cc.Tree(_join_one_by_one(rng)) for _ in range(2)]
        case "cover":
            return [cc.Cover(rng.integers(0, 2, (12, 3)) | np.eye(12, 3, dtype=int)) for _ in range(2)]
        case "membership":
            return [cc.Membership(rng.dirichlet(np.ones(3), 12)) for _ in range(2)]
    return [rng.integers(0, 3, 12) for _ in range(2)]


def _join_one_by_one(rng):
    """A linkage in which the objects join one cluster in a random order."""
    order, rows = rng.permutation(12), []
    last = order[0]
    for k, height in enumerate(np.cumsum(rng.random(11))):
        rows.append([last, order[k + 1], height, k + 2])
        last = 12 + k
    return np.array(rows, dtype=float)


@pytest.mark.parametrize("name", cc.list_indices("clusterings"))
def test_symmetric(name):
    index, rng = cc.get_index(name), np.random.default_rng(5)
    assert index.symmetric
    for kind in index.takes or ("tree", "cover", "membership", "labels"):
        for _ in range(5 if kind != "similarity" else 0):
            first, second = draw_two(kind, rng)
            if name == "dendrogram_purity":
                second = draw_two("tree" if kind == "labels" else "labels", rng)[0]
            assert cc.score(first, second, name) == pytest.approx(cc.score(second, first, name), rel=1e-12)
