"""The spatially aware Rand index: printed numbers, all permutations, errors."""

import math

import numpy as np
import pytest

from chancecorr import adjust
from chancecorr.clusterings import spatial_rand
from chancecorr.correction.jackknife import leave_out
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from tests.clusterings.permutations import all_permutations, pairs, partition, values

# README of the R package spARI 0.99.9, section 3: labels as printed, and positions that its seed 123 gives
X, Y = np.fromstring(
    "24.572439 73.213521 84.745316 49.752727 38.790903 24.644899 11.109646 38.999444 57.193531 21.689276"
    " 44.476803 21.799067 50.229956 35.390457 64.998516 37.471396 35.544538 53.368795 74.033436 22.110294",
    sep=" ",
).reshape(2, 10)

POSITIONS = np.random.default_rng(3).random((5, 2))


def test_printed_with_positions():
    space = spatial_rand(np.column_stack([X, Y]))
    found = space.function(
        partition([2, 3, 2, 2, 1, 3, 1, 3, 1, 3]), partition([2, 3, 2, 3, 1, 3, 3, 3, 1, 3])
    )
    assert found.observed == pytest.approx(0.8650783, abs=1e-7)


def test_moments_by_enumeration():
    sides = partition([0, 0, 1, 1, 2]), partition([0, 0, 0, 1, 1])
    found = spatial_rand(POSITIONS).function(*sides)
    under_chance = values(found, all_permutations(5))
    assert under_chance[0] == pytest.approx(found.observed, rel=1e-12)
    assert under_chance.mean() == pytest.approx(found.expected, rel=1e-12)
    assert under_chance.var() == pytest.approx(found.variance, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.7, 1.0])
def test_from_the_definition(alpha):
    """Each pair with its weight."""
    u, v = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]
    x = (POSITIONS - POSITIONS.min(axis=0)) / np.ptp(POSITIONS, axis=0)
    total = 0.0
    for i, j in pairs(5):
        near = math.exp(-(math.dist(x[i], x[j]) ** 2))
        if (u[i] == u[j]) == (v[i] == v[j]):
            total += 1.0
        else:
            total += alpha * (near if v[i] == v[j] else 1.0 - near)
    index = spatial_rand(POSITIONS, alpha=alpha)
    assert index.function(partition(u), partition(v)).observed == pytest.approx(total / 10, rel=1e-12)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan])
def test_alpha_beyond_its_range(alpha):
    with pytest.raises(ValueError, match="`alpha` must be"):
        spatial_rand(POSITIONS, alpha=alpha)


def test_many_objects_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    sides, index = [partition(rng.integers(0, 3, 40)) for _ in range(2)], spatial_rand(rng.random((40, 3)))
    whole = index.function(*sides)
    monkeypatch.setattr("chancecorr.clusterings.clustering.OBJECTS_A_TILE", 7)
    parts = index.function(*sides)
    for name in ("observed", "expected", "variance"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), rel=1e-12)


def test_objects_in_one_place_keep_their_weight():
    found = spatial_rand([[1.0], [1.0], [1.0]]).function(partition([0, 1, 2]), partition([0, 0, 1]))
    assert found.observed == pytest.approx((2 + 0.8) / 3, rel=1e-12)


def test_errors():
    one = partition([0, 0, 1])
    with pytest.raises(ArgumentTypeError, match="`positions` must be numbers of shape"):
        spatial_rand([1.0, 2.0])
    with pytest.raises(ArgumentValueError, match="`positions` must be finite"):
        spatial_rand([[1.0], [math.nan]])
    with pytest.raises(ArgumentValueError, match="as many objects as the clusterings; got 2 and 3"):
        spatial_rand([[1.0], [2.0]]).function(one, one)


def test_an_interval_keeps_the_scale_of_the_map():
    """Without an object that lies inside, which leaves the scale as it is."""
    rng = np.random.default_rng(3)
    places, first, second = rng.random((15, 2)), rng.integers(0, 2, 15), rng.integers(0, 2, 15)
    places[:2] = [[-0.1, -0.1], [1.1, 1.1]]
    kept = np.arange(15) != 4
    wanted = adjust(first[kept], second[kept], spatial_rand(places[kept]), method="analytic").adjusted
    score = adjust(first, second, spatial_rand(places), method="analytic")
    without = leave_out(score.model, score.entry, score.null, None).without
    assert without[4] == pytest.approx(wanted, rel=1e-12)
    outside = adjust(first[1:], second[1:], spatial_rand(places[1:]), method="analytic").adjusted
    assert without[0] != pytest.approx(outside, rel=1e-6)
