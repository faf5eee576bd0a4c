"""Bounds of tails of T from its moments: above every enumerated tail, and not far above it."""

import math

import pytest

from chancecorr import Margins
from chancecorr.exact.enumeration import compute_pair_sum_law
from chancecorr.exact.tail_bounds import bound_log_tail

MARGINS = [
    Margins([5, 4, 3], [6, 3, 3]),
    Margins([20, 20, 20], [30, 20, 10]),
    Margins([2] * 12, [2] * 12),
    Margins([300, 40], [170, 170]),
    Margins([3] * 15, [1] * 15 + [5] * 6),
]


@pytest.mark.slow
@pytest.mark.parametrize("margins", MARGINS)
@pytest.mark.parametrize("side", ["greater", "less"])
def test_no_tail_is_above_its_bound(margins, side):
    law = compute_pair_sum_law(margins)
    apart = []
    for T in law.values.tolist():
        reached = law.values >= T if side == "greater" else law.values <= T
        tail = math.log(math.fsum(law.probabilities[reached]))
        bound = bound_log_tail(margins, T, side)
        assert tail <= bound + 1e-9
        apart.append(bound - tail)
    assert min(apart) < 0.7


def test_the_sharpest_one_is_taken():
    """Twelve pairs in common of 15,000: far above a mean of 1/2, where Cantelli's bound is 3e-3."""
    margins = Margins([2] * 15_000, [2] * 15_000)
    assert bound_log_tail(margins, 30_000 + 24, "greater") < math.log(1e-9)


def test_a_value_on_the_other_side_of_the_mean_has_no_bound():
    assert bound_log_tail(Margins([20, 20], [20, 20]), 400, "greater") == 0.0
