"""The distribution of the number of equal labels, by all permutations and by known numbers."""

import collections
import itertools
import math

import numpy as np
import pytest
import scipy.stats
from sklearn import metrics

import chancecorr as cc
from chancecorr.exact.matches import compute_law_of_matches
from chancecorr.tables.contingency import Margins


@pytest.mark.parametrize("seed", range(20))
def test_all_permutations(seed):
    first, second = np.random.default_rng(seed).integers(seed % 3 + 2, size=(2, 6))
    matches = collections.Counter(
        sum(a == b for a, b in zip(first, dealt, strict=True)) for dealt in itertools.permutations(second)
    )
    margins = Margins(*(np.bincount(side, minlength=4) for side in (first, second)))
    law = dict(zip(*map(np.ndarray.tolist, compute_law_of_matches(margins)), strict=True))
    assert law == {m: count / math.factorial(6) for m, count in matches.items()}


def test_permutations_without_a_fixed_point():
    values, probabilities = compute_law_of_matches(Margins(np.ones(8, int), np.ones(8, int)))
    assert values.tolist() == [0, 1, 2, 3, 4, 5, 6, 8]
    assert probabilities[0] == 14_833 / math.factorial(8)  # subfactorial of 8, A000166 of the OEIS


def test_two_labels_are_hypergeometric():
    values, probabilities = compute_law_of_matches(Margins([120, 80], [70, 130]))
    both = (values - 200 + 120 + 70) / 2  # objects with the first label on both sides
    np.testing.assert_allclose(
        probabilities, scipy.stats.hypergeom.pmf(both, 200, 120, 70), rtol=1e-9, atol=1e-300
    )


@pytest.mark.parametrize("name", ["cohen_kappa", "label_matthews"])
def test_p_value_of_raters(name):
    """As the share of random permutations that agree at least as well, within four standard errors."""
    rng = np.random.default_rng(1)
    first = rng.choice(list("abc"), 60)
    second = np.where(rng.random(60) < 0.15, first, rng.choice(list("abc"), 60))
    score = cc.adjust(first, second, name)
    assert score.null.values_from == "exact"
    value = {"cohen_kappa": metrics.cohen_kappa_score, "label_matthews": metrics.matthews_corrcoef}[name]
    seen = value(first, second)
    drawn = np.array([value(first, rng.permutation(second)) for _ in range(1_000)])
    share = np.mean(drawn >= seen - 1e-12)
    assert abs(share - score.p_value) < 4.0 * math.sqrt(score.p_value * (1 - score.p_value) / drawn.size)
