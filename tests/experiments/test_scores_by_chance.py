"""Scores of random clusterings under each model: all pairs of six objects, and a tiny page."""

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.sampling.models import MODELS
from experiments import scores_by_chance
from experiments.scores_by_chance import INDICES, equal, expected, law_of_side, listed, main


def mean_of(law):
    known = np.isfinite(law.scores)
    return float(law.p[known] @ law.scores[known] / law.p[known].sum())


def test_measured_before():
    """Mutual information of six objects, as measured apart: under fixed-k with three clusters -.006."""
    all_partitions = ("mutual_information", "all-partitions", (2, 2, 2))
    assert round(mean_of(listed(*all_partitions)), 3) == -0.315
    assert round(mean_of(listed(*all_partitions, without_rule=True)), 3) == -0.069
    assert round(mean_of(listed("mutual_information", "fixed-k", (2, 2, 2))), 3) == -0.006


@pytest.mark.parametrize("model", MODELS)
def test_probabilities_and_means(model):
    """Probabilities add up to 1; exact means are those over all pairs; under permutation the score's is 0."""
    side = MODELS[model].columns
    assert sum(law_of_side(side.name, (3, 2, 1)).values()) == pytest.approx(1.0)
    for name in INDICES:
        assert listed(name, model, (3, 2, 1)).p.sum() == pytest.approx(1.0)
        if model == "permutation":
            assert mean_of(listed(name, model, (3, 2, 1))) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", scores_by_chance.WITH_EXACT_MEANS)
def test_exact_means_are_those_of_all_pairs(model, name, monkeypatch):
    known = expected.__wrapped__(name, model, (3, 2, 1), (2, 2, 2))
    monkeypatch.setattr(scores_by_chance, "WITH_EXACT_MEANS", ())
    assert expected.__wrapped__(name, model, (3, 2, 1), (2, 2, 2)) == pytest.approx(known, rel=1e-12)


OF_A_SCORE = [
    ("rand", "multinomial"),
    ("rand", "one-sided-all-partitions"),
    ("mutual_information", "fixed-k"),
    ("jaccard", "permutation"),
]


@pytest.mark.parametrize(("name", "model"), OF_A_SCORE)
def test_scores_that_a_score_draws_are_those_of_all_pairs(name, model):
    """1,500 pairs of nine objects; mean and spread. Chance of failure below 1e-4 for each."""
    score = cc.adjust_table(np.diag([3, 3, 3]), index=name, model=model, method="analytic", rng=34)
    found, whole = score.scores_by_chance(1_500), listed(name, model, equal(9))
    known = np.isfinite(whole.scores)
    assert whole.p[~known].sum() < 1e-6
    assert np.isfinite(found).all()
    spread = float(np.sqrt(np.cov(whole.scores[known], aweights=whole.p[known], ddof=0)))
    error = spread / np.sqrt(1_500)
    assert abs(found.mean() - mean_of(whole)) < 4.5 * error
    assert found.std() == pytest.approx(spread, rel=0.15)
    if model == "multinomial":  # negative control: not 0 on average
        assert found.mean() > 6.0 * error


def test_scores_by_chance_need_a_known_mean_and_two_partitions():
    table = [[3, 1], [1, 3]]
    with pytest.raises(ValueError, match="`index` must have an expected value that is known under"):
        cc.adjust_table(table, index="jaccard", model="fixed-k", rng=1).scores_by_chance()
    labels = [0, 0, 0, 1, 1, 1]
    with pytest.raises(ValueError, match="`score` must be of two partitions"):
        cc.adjust(labels, labels[::-1], "rand", weights=[1.0] * 6).scores_by_chance()
    with pytest.raises(ValueError, match="`score` must be of two partitions"):
        cc.adjust(labels, labels[::-1], "rand", strata=[0, 1] * 3).scores_by_chance()


def test_all_indices_and_models_are_printed(capsys):
    main(["--objects", "4"])
    assert len(capsys.readouterr().out.splitlines()) == len(INDICES) * len(MODELS)
