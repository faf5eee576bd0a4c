"""Exact moments of sums over permuted pairs: the formula in fractions."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from chancecorr import Membership
from chancecorr.clusterings.sums_over_pairs import find_membership_space
from chancecorr.exact.pair_space import compute_permutation_moments
from tests.clusterings.sides import adjusted

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only


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
    found = compute_permutation_moments(find_membership_space(P), find_membership_space(Q))[1]
    assert found == pytest.approx(float(variance / 4), rel=1e-9)
    score = adjusted(rows, rows, kinds=("membership",) * 2)
    assert score.p_value == 0.001
    assert score.adjusted > 0.0
