"""The spatially aware Rand index: printed numbers, all permutations, errors."""

import math

import numpy as np
import pytest

from chancecorr import adjust
from chancecorr.clusterings.indices.places import spatial_rand
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
    space = spatial_rand(np.column_stack([X, Y]), permuted="both")
    sides = [2, 3, 2, 2, 1, 3, 1, 3, 1, 3], [2, 3, 2, 3, 1, 3, 3, 3, 1, 3]
    found = space.function(*map(partition, sides))
    assert found.observed == pytest.approx(0.8650783, abs=1e-7)
    score = (found.observed - found.expected) / (1.0 - found.expected)
    assert score == pytest.approx(0.4584890, abs=2e-7)


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


def test_sampled_permutations_of_both():
    """Mean and variance as the exact ones; the values do not depend on the workers."""
    rng = np.random.default_rng(8)
    places, first, second = rng.random((20, 2)), rng.integers(0, 3, 20), rng.integers(0, 3, 20)
    both, one = (spatial_rand(places, permuted=each) for each in ("both", "candidate"))
    exact = adjust(first, second, both, method="analytic")
    found = adjust(first, second, both, method="monte-carlo", n_tables=20_000, rng=1)
    assert abs(found.expected - exact.expected) < 4.5 * exact.std / math.sqrt(20_000)
    assert found.variance == pytest.approx(exact.variance, rel=0.05)  # 1 % is a standard error
    assert exact.variance > 1.1 * adjust(first, second, one, method="analytic").variance
    again = adjust(first, second, both, method="monte-carlo", n_tables=20_000, rng=1, n_jobs=2)
    np.testing.assert_array_equal(again.null.values, found.null.values)
    reached = np.average(found.null.values >= found.observed, weights=found.null.counts)
    assert found.p_value == pytest.approx((20_000 * reached + 1) / 20_001)


@pytest.mark.parametrize(
    ("positions", "options", "message"),
    [
        ([1.0, 2.0], {}, "`positions` must be numbers of shape"),
        ([[1.0], [math.nan]], {}, "`positions` must be finite"),
        ([[1.0], [2.0]], {}, "as many objects as the clusterings; got 2 and 3"),
        ([[1.0]], {"permuted": "all"}, "`permuted` must be one of"),
        *((POSITIONS, {"alpha": alpha}, "`alpha` must be") for alpha in (-0.1, 1.1, math.nan)),
    ],
)
def test_errors(positions, options, message):
    kind = ArgumentTypeError if np.ndim(positions) < 2 else ArgumentValueError
    with pytest.raises(kind, match=message):
        spatial_rand(positions, **options).function(*[partition([0, 0, 1])] * 2)


def test_an_interval_keeps_the_scale_of_the_map():
    """Without an object that lies inside, which leaves the scale as it is."""
    rng = np.random.default_rng(3)
    places, first, second = rng.random((15, 2)), rng.integers(0, 2, 15), rng.integers(0, 2, 15)
    places[:2] = [[-0.1, -0.1], [1.1, 1.1]]
    kept = np.arange(15) != 4
    wanted = adjust(first[kept], second[kept], spatial_rand(places[kept]), method="analytic").adjusted
    score = adjust(first, second, spatial_rand(places), method="analytic")
    without = score.model.leave_out(score.entry, score.null, None).without
    assert without[4] == pytest.approx(wanted, rel=1e-12)
    outside = adjust(first[1:], second[1:], spatial_rand(places[1:]), method="analytic").adjusted
    assert without[0] != pytest.approx(outside, rel=1e-6)
