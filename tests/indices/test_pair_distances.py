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

TABLE = ((2, 1), (0, 3))


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


class TestSizeAndShape:
    def test_size_and_shape_add_to_the_squared_distance(self):
        """Penrose (1952), SAS and SPSS: the size is (b - c)^2 / N^2. Choi et al. print (b + c)^2 / N^2."""
        for seed in range(5):
            labels = random_labels(seed)
            total = cc.score(*labels, "arabie_boorman")
            shape, size = cc.score(*labels, "shape_difference"), cc.score(*labels, "baulieu_distance_8")
            assert shape + size == pytest.approx(total, rel=1e-12)
            assert cc.score(*labels, "size_difference") == pytest.approx(total**2, rel=1e-12)
            pattern = cc.score(*labels, "pattern_difference")
            assert pattern + size == pytest.approx(total**2, rel=1e-12)

    def test_the_printed_size_does_not(self):
        """a = 4, b = 2, c = 3, d = 6: 74/225 + 25/225 is not 5/15 = 75/225; 74/225 + 1/225 is."""
        assert cc.score_table(TABLE, "shape_difference") == pytest.approx(74 / 225, rel=1e-14)
        assert cc.score_table(TABLE, "size_difference") == pytest.approx(25 / 225, rel=1e-14)
        assert cc.score_table(TABLE, "baulieu_distance_8") == pytest.approx(1 / 225, rel=1e-14)


@pytest.mark.parametrize("name", ["koppen_2", "baulieu_distance_8"])
def test_what_the_cluster_sizes_give_is_not_corrected(name):
    values = {cc.score_table(table, name) for table in all_tables((4, 3, 5), (6, 2, 4))}
    assert len(values) == 1
    score = cc.adjust_table([[4, 0], [2, 3]], index=name)
    assert math.isnan(score.adjusted)
    assert "same value" in score.remark


class TestMcNemar:
    def test_its_square_is_the_chi_square_of_the_discordant_pairs(self):
        """(b - s)^2 / s + (c - s)^2 / s with s = (b + c) / 2; clusterCrit's (d - c) / sqrt(d + c) = 1."""
        mcnemar = cc.score_table(TABLE, "mcnemar")
        assert mcnemar**2 == pytest.approx((2 - 2.5) ** 2 / 2.5 + (3 - 2.5) ** 2 / 2.5, rel=1e-14)
        assert mcnemar != pytest.approx((6 - 3) / math.sqrt(6 + 3))

    def test_no_value_is_best(self):
        assert math.isnan(cc.score_table(np.diag([2, 3]), "mcnemar"))
        assert math.isnan(cc.adjust_table(TABLE, index="mcnemar").adjusted)


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


class TestInfinitiesAndZeroOverZero:
    def test_minkowski_of_a_reference_of_singletons(self):
        assert cc.score_table([[1], [1], [1]], "minkowski") == math.inf
        assert cc.score_table(np.eye(3, dtype=int), "minkowski") == 0.0
        assert cc.score_table([[1, 1, 1]], "minkowski") == 1.0

    def test_batagelj_bren(self):
        assert value("batagelj_bren", 0, 1, 2, 5) == math.inf
        assert value("batagelj_bren", 4, 0, 2, 5) == 0.0
        for counts_of_zero in [(0, 0, 2, 5), (0, 2, 0, 5), (3, 0, 2, 0), (3, 2, 0, 0)]:
            assert math.isnan(value("batagelj_bren", *counts_of_zero))

    def test_twelve_of_baulieu(self):
        assert cc.score_table([[2, 0], [0, 1]], "baulieu_distance_12") == 0.0  # 0/0 with b + c = 0
        assert cc.score_table([[2]], "baulieu_distance_12") == 0.0
        assert cc.score_table([[1, 1]], "baulieu_distance_12") == math.inf
        assert cc.score_table([[1, 1], [1, 1]], "baulieu_distance_12") == 4 / 3  # a = 0, above 1
