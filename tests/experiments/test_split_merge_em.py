"""EM with splits and merges, and with random swaps: single steps by hand, and what they are made for."""

import numpy as np
import pytest

import chancecorr as cc
from experiments.clusterers.split_merge_em import em, rsem, smem


def blobs(n=60, seed=1):
    """Nine Gaussians on a grid, ten standard deviations apart."""
    rng = np.random.default_rng(seed)
    centres = np.array([[10.0 * x, 10.0 * y] for x in range(3) for y in range(3)])
    return np.repeat(centres, n, axis=0) + rng.normal(size=(9 * n, 2)), centres


@pytest.mark.parametrize(("better", "least"), [(smem, 4), (rsem, 5)])
def test_they_find_all_groups_where_em_does_not(better, least):
    """SMEM tries five candidates only, and may end with a component on two stray objects."""
    X, centres = blobs()
    missed, missed_by_em = [], []
    for seed in range(5):
        plain = em(X, 9, np.random.default_rng(seed))
        found = better(X, 9, np.random.default_rng(seed))
        assert found.log_likelihood >= plain.log_likelihood  # both begin as plain EM does
        missed.append(cc.prototypes.centroid_index(found.parameters.means, centres))
        missed_by_em.append(cc.prototypes.centroid_index(plain.parameters.means, centres))
    assert missed.count(0) >= least
    assert missed_by_em.count(0) < least
