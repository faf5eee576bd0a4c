"""All permutations of few objects, and pairs of objects one by one."""

import itertools

import numpy as np
import pytest

from chancecorr.clusterings.clustering import Partition


def all_permutations(n):
    return np.array(list(itertools.permutations(range(n))), dtype=np.int64)


def partition(labels):
    return Partition(np.unique(labels, return_inverse=True)[1].astype(np.int64))


def pairs(n):
    return list(itertools.combinations(range(n), 2))


def values(agreement, permutations):
    return agreement.at_zero + agreement.slope * agreement.sums(permutations)


def law_of(value, first, second):
    """Values with all permutations of the second side, the identity first."""
    return np.array([value(first, second[order]) for order in all_permutations(len(second))])


def check_law(score, law):
    """A score against its values over all permutations, the identity first."""
    assert score.observed == pytest.approx(law[0], rel=1e-12, abs=1e-15)
    assert score.expected == pytest.approx(np.mean(law), rel=1e-11, abs=1e-12)
    assert score.variance == pytest.approx(np.var(law), rel=1e-10, abs=1e-15)
    assert score.p_value == pytest.approx(np.mean(np.array(law) >= law[0] - 1e-9), rel=1e-12)
