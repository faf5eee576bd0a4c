"""Indices of clusterings of any kind say that the order of the two does not matter: it does not."""

import numpy as np
import pytest

import chancecorr as cc
from tests.contracts import kinds


@pytest.mark.parametrize("name", cc.list_indices("clusterings"))
def test_symmetric(name):
    index, rng = cc.get_index(name), np.random.default_rng(5)
    assert index.symmetric
    for kind in index.takes or ("tree", "cover", "membership", "labels"):
        for _ in range(5):
            first, second = (getattr(kinds, kind)(rng) for _ in range(2))
            if name == "dendrogram_purity":
                second = (kinds.tree if kind == "labels" else kinds.labels)(rng)
            assert cc.score(first, second, name) == pytest.approx(cc.score(second, first, name), rel=1e-12)
