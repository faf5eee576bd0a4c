"""Pair-counting distances: SciPy, the papers, identities, and where published software differs."""

import itertools
import math
import random

import numpy as np
import pytest
from scipy.spatial import distance

import chancecorr as cc
from tests.indices.definitions import correlation_distance, together
from tests.indices.formulas import of_exact_pairs
from tests.naive import all_tables


def value(name, a, b, c, d):
    """Of a function on pair counts, whether or not clusterings have them."""
    arrays = (np.array([float(count)]) for count in (a, b, c, d))
    with np.errstate(all="ignore"):
        return float(cc.get_index(name).function(*arrays)[0])


def random_labels(seed, n=25):
    rng = random.Random(seed)
    return [rng.randrange(4) for _ in range(n)], [rng.randrange(3) for _ in range(n)]


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("arabie_boorman", distance.hamming),
        ("bray_curtis", distance.dice),
        ("marczewski_steinhaus", distance.jaccard),
        ("yule_distance", distance.yule),
    ],
)
def test_scipy(name, peer):
    """SciPy 1.15, on the 0/1 vectors over the pairs."""
    for seed in range(5):
        labels = random_labels(seed)
        pairs = list(itertools.combinations(range(25), 2))
        vectors = [np.array([pair in together(side) for pair in pairs]) for side in labels]
        assert cc.score(*labels, name) == pytest.approx(peer(*vectors), rel=1e-12)


@pytest.mark.parametrize("name", ["koppen_2", "baulieu_distance_8"])
def test_what_the_cluster_sizes_give_is_not_corrected(name):
    values = {cc.score_table(table, name) for table in all_tables((4, 3, 5), (6, 2, 4))}
    assert len(values) == 1
    score = cc.adjust_table([[4, 0], [2, 3]], index=name)
    assert math.isnan(score.adjusted)
    assert "same value" in score.remark


class TestRootsAndAngles:
    @pytest.mark.parametrize("counts", [(10**7, 1, 1, 10**7), (10**15, 3, 0, 10**16), (5, 10**8, 10**8, 7)])
    def test_no_digits_are_lost_near_the_ends(self, counts):
        """1 - phi and 1 - FM are 1e-7 and less there."""
        assert value("correlation_distance", *counts) == pytest.approx(
            correlation_distance(*counts), rel=1e-11
        )
        for name in ("hellinger", "chord", "baulieu_distance_1", "baulieu_distance_2"):
            exact = of_exact_pairs(cc.get_index(name).formula, *counts)
            assert value(name, *counts) == pytest.approx(exact, rel=1e-11)

    def test_at_most_its_largest_value(self):
        """1 - 0 / sqrt(P Q) squared and divided again may round above 1."""
        for b, c in itertools.product(range(1, 40), range(1, 40)):
            assert value("hellinger", 0, b, c, 5) <= 2.0
            assert value("chord", 0, b, c, 5) <= math.sqrt(2.0)
