"""Exact mean and variance of sums over permuted pairs, against the published formula in fractions."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from chancecorr.clusterings.clustering import Partition, Similarity, split_objects
from chancecorr.clusterings.membership import Membership, as_memberships
from chancecorr.clusterings.products import TileSums, find_membership_space
from chancecorr.exact.pair_space import permutation_moments
from tests.clusterings.sides import PAIRS_OF_KINDS, adjusted, naive_similarity, sides_of

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only


def space_of(kind, values):
    if kind == "labels":
        return find_membership_space(as_memberships(Partition(values)))
    if kind == "membership":
        return find_membership_space(Membership(np.asarray(values, dtype=np.float64)))
    sums = TileSums(len(values))
    for tile in Similarity(values).tiles(split_objects(len(values), 5)):
        sums.add(*tile)
    return sums.space()


def mantel_1967(P, Q, wrong=False):
    """Mean and variance from sums of squares and squared row sums of ordered pairs, in fractions."""
    n = len(P)

    def sums(M):
        rows = [[Fraction(float(M[i][j])) for j in range(n) if j != i] for i in range(n)]
        total = sum(map(sum, rows))
        return total, sum(x * x for row in rows for x in row), sum(sum(row) ** 2 for row in rows)

    (a1, a2, a3), (b1, b2, b3) = sums(P), sums(Q)
    squares = Fraction(2 * a2 * b2, 1) / (n * (n - 1))
    squares += 4 * (a3 - a2) * (b3 - b2) / (n * (n - 1) * (n - 2))
    apart = [x * x - 4 * z + 2 * y for x, y, z in ((a1, a2, a3), (b1, b2, b3))]
    squares += apart[0] * apart[1] / (n * (n - 1) * (n - 2) * (n - (2 if wrong else 3)))
    mean = a1 * b1 / (n * (n - 1))
    return mean / 2, (squares - mean**2) / 4


@pytest.mark.parametrize("n", [4, 7, 23])
@pytest.mark.parametrize("kinds", PAIRS_OF_KINDS)
def test_variance_is_that_of_mantel(kinds, n):
    given = sides_of("rand", kinds, n, n)
    P, Q = (naive_similarity("rand", kind, values) for kind, values in zip(kinds, given, strict=True))
    spaces = [space_of(kind, values) for kind, values in zip(kinds, given, strict=True)]
    mean, variance = permutation_moments(*spaces)
    assert (mean, variance) == pytest.approx(tuple(map(float, mantel_1967(P, Q))), rel=1e-12)
    if n > 4:  # a wrong formula, with n - 2 for n - 3, fails
        assert variance != pytest.approx(float(mantel_1967(P, Q, wrong=True)[1]), rel=1e-4)


def test_nothing_cancels_where_memberships_are_nearly_equal():
    """Memberships apart by 1e-6: similarities vary by 1e-12, far below the rounding of their squares' sum."""
    rng = np.random.default_rng(4)
    whole = rng.integers(-64, 65, (30, 2))
    rows = 1 / 4 + np.hstack([whole, -whole]) * 2.0**-26
    P, Q = Membership(rows), Membership(rows[rng.permutation(30)])
    of_pairs = [[[sum(Fraction(x) * Fraction(y) for x, y in zip(u, v, strict=True)) for v in M.rows.tolist()]
                 for u in M.rows.tolist()] for M in (P, Q)]  # fmt: skip
    n, pairs = 30, 435
    centred = []
    for M in of_pairs:
        mean = sum(M[i][j] for i, j in itertools.combinations(range(n), 2)) / pairs
        centred.append([[M[i][j] - mean for j in range(n)] for i in range(n)])

    def exact_sums(M):
        rows = [[M[i][j] for j in range(n) if j != i] for i in range(n)]
        return sum(x * x for row in rows for x in row), sum(sum(row) ** 2 for row in rows)

    (a2, a3), (b2, b3) = map(exact_sums, centred)
    variance = 2 * a2 * b2 / (n * (n - 1)) + 4 * (a3 - a2) * (b3 - b2) / (n * (n - 1) * (n - 2))
    variance += (2 * a2 - 4 * a3) * (2 * b2 - 4 * b3) / (n * (n - 1) * (n - 2) * (n - 3))
    found = permutation_moments(find_membership_space(P), find_membership_space(Q))[1]
    assert found == pytest.approx(float(variance / 4), rel=1e-9)
    score = adjusted(rows, rows, kinds=("membership",) * 2)
    assert score.p_value == 0.001
    assert score.adjusted > 0.0
