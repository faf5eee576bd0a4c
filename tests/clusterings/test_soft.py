"""Indices of soft clusterings: published definitions pair by pair, and all permutations of a few objects."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from tests.clusterings.permutations import check_law, pairs
from tests.clusterings.sides import labels, soft


def brouwer(U, W):
    """Brouwer (2009): cosines in place of co-memberships."""
    total = 0.0
    for i, j in pairs(len(U)):
        p, q = (M[i] @ M[j] / np.linalg.norm(M[i]) / np.linalg.norm(M[j]) for M in (U, W))
        total += p * q + (1 - p) * (1 - q)
    return total / len(pairs(len(U)))


def frobenius(U, W):
    """Andrews, Browne & Hvingelby (2022), as their package FARI for R has it, with whole matrices."""
    n = len(U)
    scaled = [A * A.sum() / (A * A).sum() for A in (U @ U.T, W @ W.T)]
    total = (scaled[0] * scaled[1]).sum() + ((1 - scaled[0]) * (1 - scaled[1])).sum() - n
    return total / (n * (n - 1))


TWINS = {"brouwer_rand": brouwer, "frobenius_rand": frobenius}


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("name", TWINS)
def test_all_permutations(name, hard):
    rng = np.random.default_rng(5)
    U, W = soft(rng, 6), np.eye(3)[labels(rng, 6)] if hard else soft(rng, 6, k=4)
    law = np.array([TWINS[name](U, W[list(order)]) for order in itertools.permutations(range(6))])
    given = W.argmax(axis=1) if hard else cc.Membership(W)
    score = cc.adjust(cc.Membership(U), given, name)
    check_law(score, law)
    analytic = cc.adjust(cc.Membership(U), given, name, method="analytic")
    assert analytic.expected == pytest.approx(law.mean(), rel=1e-12)
    assert analytic.variance == pytest.approx(law.var(), rel=1e-10)


def test_printed_by_other_software():
    """Tests of FuzzyClusteringSimilarity.jl: NDC as the R package FARI has it, and Frobenius' index of rows
    that are rounded, so that their sums are not 1 (by the twin), with its mean over permutations."""
    half = [[0.5, 0.5]] * 3
    for first, second, printed in [
        (half, half, 1.0),
        ([[0.34, 0.33, 0.33], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]], half, 0.61),
        ([[1, 0], [0, 1], [0.5, 0.5]], [[0.5, 0.5], [0.3, 0.7], [0.5, 0.5]], 0.4666666666666),
    ]:
        found = cc.adjust(cc.Membership(first), cc.Membership(second), "ndc", method="analytic")
        assert found.observed == pytest.approx(printed, rel=1e-12)
    U, W = (np.reshape(each, (5, 3)) / 1000 for each in (FIRST_OF_FARI, SECOND_OF_FARI))
    law = [frobenius(U, W[list(order)]) for order in itertools.permutations(range(5))]
    assert law[0] == pytest.approx(0.9999369353636434, rel=1e-14)
    assert np.mean(law) == pytest.approx(0.9999551958029949, rel=1e-14)


FIRST_OF_FARI = [278, 378, 344, 361, 339, 300, 298, 325, 378, 319, 319, 362, 316, 379, 304]
SECOND_OF_FARI = [305, 327, 368, 334, 344, 323, 364, 324, 312, 296, 388, 316, 321, 342, 337]


def test_fari_of_a_clustering_with_itself_is_1():
    U = cc.Membership(soft(np.random.default_rng(1), 40))
    assert cc.adjust(U, U, "fari", rng=1).adjusted == pytest.approx(1.0, rel=1e-12)
    assert cc.adjust(U, U, "brouwer_rand", rng=1).adjusted < 0.99
