"""The study of selection bias: a case that is known by hand, fair and unfair pickers, data and registry."""

import math

import numpy as np
import pytest
from scipy.stats import chisquare

import chancecorr as cc
from experiments.common.kept import read_json
from experiments.common.units import Clock
from experiments.selection_bias import run
from experiments.selection_bias.claims import claims
from experiments.selection_bias.fixed_sizes import contests
from experiments.selection_bias.unit import PAPERS, evaluate
from experiments.selection_bias.wins import FAIR, preference

CLUSTERS = range(2, 23)


def test_of_four_objects_the_wins_are_known():
    """Reference 0011, candidates of sizes (2, 2), (2, 1, 1) and (1, 1, 1, 1), matched at random.

    A cluster of two objects is one of the reference's with probability 1/3. The Rand index is then 1 and 5/6,
    else 1/3 and 1/2, and always 2/3 for singletons. So the wins are 1/3, 2/3 * 1/3 = 2/9, and 4/9. Adjusted,
    with means 5/9, 11/18 and 2/3: 1 and 4/7, else -1/2 and -2/7, and none for singletons, where nothing
    varies and (observed - mean) / (1 - mean) is 0: the same wins. Standardised, the values of both other
    candidates are sqrt(2) and -1/sqrt(2), and singletons have none: 1/2 and 1/2.
    """
    trials = 5_000
    wins = contests([2, 2], [2, 3, 4], ["rand"], trials=trials, n_tables=50, seed=1)["rand"]
    for key in ("raw", "adjusted"):
        assert chisquare(wins[key], trials * np.array([3, 2, 4]) / 9).pvalue > 1e-6
    assert wins["standardized"][2] == 0
    assert chisquare(wins["standardized"][:2]).pvalue > 1e-6
    assert chisquare(wins["raw"], np.full(3, trials / 3)).pvalue < 1e-12  # it is not fair, and that shows


@pytest.mark.parametrize("reference", [[30, 30, 30, 30], [90, 20, 10]])
def test_the_correlation_of_pairs_standardises_itself(reference):
    """Candidates with equal sizes, every object with m - 1 partners: no variance comes from single objects.

    The rest of the pairs of V has the squared length Q Q' / N, so that the standard deviation of a is
    proportional to sqrt(Q Q'), and that of phi is the same for all candidates. If all classes of U are equal,
    it is 1 / sqrt(N - n).
    """
    n, N = 120, 120 * 119 // 2
    sizes = [[n // k] * k for k in (2, 3, 5, 8, 24)]
    stds = [cc.null_distribution(cc.Margins(reference, each), "phi", method="analytic").std for each in sizes]
    assert stds == pytest.approx([stds[0]] * len(stds), rel=1e-11)
    equal = len(set(reference)) == 1
    assert (stds[0] == pytest.approx(1 / math.sqrt(N - n), rel=1e-11)) is equal
    unequal = cc.null_distribution(cc.Margins(reference, [60, 40, 20]), "phi", method="analytic").std
    assert equal or unequal != pytest.approx(stds[0], rel=0.01)  # which is not so for all candidates


SHAPES = [((0,), "few"), ((1,), "middle"), ((2,), "many"), ((0, 2), "ends")]


@pytest.mark.parametrize(("third", "shape"), SHAPES)
def test_a_biased_picker_is_caught(third, shape):
    """Each candidate of these thirds is picked half as often again: expected chi-square above 150."""
    weights = np.ones(21)
    for part in third:
        weights[7 * part : 7 * part + 7] = 1.5
    wins = np.random.default_rng(2).multinomial(5_000, weights / weights.sum())
    found = preference(CLUSTERS, wins)
    assert found.prefers == shape
    assert found.p_value < FAIR**2
    p = 1 / 21  # of a fair picker half the sum of the mean deviations of shares, which are nearly normal
    assert found.distance > 2 * 21 / 2 * math.sqrt(2 * p * (1 - p) / (math.pi * 5_000))


def test_the_catalogue_has_what_a_run_gives():
    """Two indices on the tables that all indices had; only equal scores are shared out anew."""
    kept = read_json(run.CATALOGUE)
    assert set(cc.list_indices()) <= set(kept)
    found = run.describe_preferences(["rand", "nmi_sum"], trials=500, n_tables=500, seed=7)
    for name, each in found.items():
        assert each["raw"]["prefers"] == kept[name]["raw"]["prefers"]
        assert each["raw"]["distance"] == pytest.approx(kept[name]["raw"]["distance"], abs=0.05)
        assert each["adjusted"]["mean"] == pytest.approx(kept[name]["adjusted"]["mean"], abs=1.5)


def test_a_quick_run_of_a_paper():
    design = {**PAPERS["Romano et al. 2014, section 4.1"], "objects": [60], "trials": 8, "number": 0}
    wins = evaluate(design, 0, 2014, Clock())
    assert set(wins) == set(design["names"])
    assert all(sum(map(int, each["raw"].split())) == 8 for each in wins.values())
    few = {"trials": 3, "number": 0}
    papers = {name: {**paper, "wins": evaluate(paper | few, 0, 1, Clock())} for name, paper in PAPERS.items()}
    for each in claims(papers):
        assert each.evidence
        assert each.word in ("agrees", "differs", "not reachable")
