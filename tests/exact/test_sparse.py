"""Law of the pairs together in both clusterings from factorial cumulants: against other laws and tables."""

import dataclasses
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from chancecorr import Margins
from chancecorr.exact import closed_laws as sparse
from chancecorr.exact.closed_laws import compute_binomial_moments, compute_sparse_law
from chancecorr.exact.enumeration import compute_pair_sum_law


def records(n, labels, seed):
    """Cluster sizes of n objects with random labels on both sides: entity resolution."""
    rng = np.random.default_rng(seed)
    return Margins(*(np.unique(rng.integers(0, labels, n), return_counts=True)[1] for _ in range(2)))


def assert_covered(law, truth, error=1e-300):
    """Both tails at every k with p above 1e-15 are within their stated errors of the true probabilities."""
    for k in range(min(len(truth), law.probabilities.size)):
        for side, true in (("greater", math.fsum(truth[k:])), ("less", math.fsum(truth[: k + 1]))):
            p, relative = law.tail(law.n + 2 * k, side)
            if true > 1e-15:
                assert abs(p - true) <= relative * p + error, (k, side, p, true, relative)


def test_binomial_moments_by_all_permutations():
    rows, columns = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    pairs = list(itertools.combinations(range(6), 2))
    together = [(i, j) for i, j in pairs if rows[i] == rows[j]]
    orders = itertools.permutations(columns)
    counts = [sum(order[i] == order[j] for i, j in together) for order in orders]
    wanted = [Fraction(sum(math.comb(a, r) for a in counts), len(counts)) for r in range(8)]
    assert compute_binomial_moments(Margins([3, 2, 1], [2, 4]), 7) == wanted


def test_cumulants_are_those_of_the_logarithm():
    """The generating function ``(1 + u/3)**3 = E (1 + u)**a`` of three rare events."""
    moments = [Fraction(math.comb(3, r), 3**r) for r in range(4)] + [Fraction(0)] * 3
    wanted = [Fraction((-1) ** (r + 1) * 3, r * 3**r) for r in range(1, 7)]
    assert sparse.compute_factorial_cumulants(moments)[1:] == wanted


LARGER = [
    ([3] * 40, [3] * 40),
    ([3] * 30, [2] * 45),
    ([4] * 10 + [1] * 40, [2] * 40),
    ([5] * 4 + [1] * 80, [2] * 50),
]


@pytest.mark.slow
@pytest.mark.parametrize("margins", [Margins(*sides) for sides in LARGER])
def test_larger_clusters_against_enumerated_laws(margins):
    exact = compute_pair_sum_law(margins, budget=20)
    truth = np.zeros((exact.values[-1] - margins.n) // 2 + 1)
    truth[(exact.values - margins.n) // 2] = exact.probabilities
    law = compute_sparse_law(margins)
    assert_covered(law, truth, exact.lost_mass + 1e-13)
    cut = dataclasses.replace(law, probabilities=sparse._compute_probabilities(law.c[:1])[0])  # Poisson
    with pytest.raises(AssertionError):
        assert_covered(cut, truth)


def test_few_large_clusters_are_refused():
    for sides in (([240, 240, 320],) * 2, ([10] * 6,) * 2, ([5], [1] * 5)):
        assert compute_sparse_law(Margins(*sides)) is None


def test_beyond_what_it_can_tell_the_error_is_infinite():
    margins = records(3_000, 1_000, seed=3)
    law = compute_sparse_law(margins)
    assert law.tail(margins.n + 2 * 2_000, "greater")[1] == math.inf


@pytest.mark.parametrize("order", [2, 3])
def test_bonferroni(order):
    """Partial sums of inclusion and exclusion are above and below the probability in turn."""
    margins = records(30_000, 30_000, seed=0)
    moments, law = compute_binomial_moments(margins), compute_sparse_law(margins)
    for k in (1, 3, 6):
        terms = range(k, min(k + 2 * order, len(moments)))
        sums = np.cumsum([float((-1) ** (r - k) * math.comb(r - 1, k - 1) * moments[r]) for r in terms])
        p, relative = law.tail(30_000 + 2 * k, "greater")
        low, high = sums[1::2].max(), sums[::2].min()
        assert low * (1 - relative - 1e-14) <= p <= high * (1 + relative + 1e-14)
