"""Values that other packages gave for the same labels, by version, and where they compute something else."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices.reduced_information import least_nats

OBJECTS = np.arange(60)
KEY = np.repeat(range(10), [20, 12, 8, 5, 4, 3, 2, 2, 2, 2])
FOUND = np.where(OBJECTS % 4 == 0, (3 * KEY + OBJECTS // 4) % 11, KEY)


def score(name):
    return cc.score(KEY, FOUND, name)


def test_scikit_image():
    """Version 0.26.0, with labels from 1 on, so that it leaves out no pixel."""
    assert score("adapted_rand_error") == pytest.approx(0.32592592592592595, rel=1e-12)
    bits = [score(name) / math.log(2) for name in ("vi_split", "vi_merge")]
    assert bits == pytest.approx([0.99198129, 0.74165546], abs=5e-9)
    assert cc.score([1, 1, 1, 1], [1, 1, 2, 2], "vi_split") == pytest.approx(math.log(2))
    assert cc.score([1, 1, 2, 2], [1, 1, 1, 1], "vi_merge") == pytest.approx(math.log(2))


def test_pixels_without_a_label_in_the_reference_of_scikit_image():
    """Its default, `ignore_labels=(0,)`, on labels from 0 on: FG-ARI leaves out the same pixels."""
    table = cc.contingency_table(KEY, FOUND, noise=({0: "drop"}, "keep"))
    assert table.n == 40
    assert cc.score_table(table, "adapted_rand_error") == pytest.approx(0.3980582524271845, rel=1e-12)
    assert cc.score_table(table, "wallace_1") == pytest.approx(0.5299145299145299, rel=1e-12)


def test_pyannote_metrics():
    """Version 4.2.0, each object a second of speech."""
    values = {
        "jaccard_error_rate": 0.4079120879120879,
        "classification_error": 0.23333333333333334,  # DiarizationErrorRate
        "purity": 0.7833333333333333,
        "inverse_purity": 0.7666666666666667,  # DiarizationCoverage
    }
    assert {name: score(name) for name in values} == pytest.approx(values, rel=1e-12)


def repeat_numbers(*sizes):
    return np.repeat(range(len(sizes)), sizes)


def test_tcpdbench():
    """Commit 1709f40: docstrings of `cover_single`, whose first argument is the candidate, and `covering`."""
    for candidate, reference, value in (
        ((3, 2, 1), (3, 3), 0.8333333333333334),
        ((4, 2), (6,), 0.6666666666666666),
        ((2, 2, 2), (3, 3), 0.6666666666666666),
        ((6,), (1, 1, 1, 3), 0.3333333333333333),
    ):
        found = cc.score(repeat_numbers(*reference), repeat_numbers(*candidate), "covering")
        assert found == pytest.approx(value, rel=1e-15)
    candidate = repeat_numbers(10, 10, 25)  # change points at 10 and 20, of 45 observations
    references = (10, 10, 25), (10, 35), (5, 40)
    found = [cc.score(repeat_numbers(*sizes), candidate, "covering") for sizes in references]
    assert np.mean(found) == pytest.approx(0.7962962962962963, rel=1e-14)


def test_evaluate_segmentation():
    """Commit d1faaec: the formula in comments of GlobalConsistencyError.h; the one that is used differs."""
    for tp, fp, fn, tn in ((3.0, 1.0, 1.0, 3.0), (50.0, 7.0, 11.0, 30.0)):
        n = tp + fp + fn + tn
        first = 1.0 - ((tn**2 + fn**2) / (tn + fn) + (fp**2 + tp**2) / (fp + tp)) / n
        second = 1.0 - ((tn**2 + fp**2) / (tn + fp) + (fn**2 + tp**2) / (fn + tp)) / n
        found = cc.score_table(np.array([[tp, fn], [fp, tn]], dtype=int), "gce")
        assert found == pytest.approx(min(first, second), rel=1e-12)
        used = (fn * (fn + 2 * tp) / (tp + fn) + fp * (fp + 2 * tn) / (tn + fp)) / n
        assert used - found > 0.03


def test_clustering_mi():
    """Version 0.2.2, whose alpha stays between 1e-4 and 1e4, and whose values are in bits, times n.

    The reference with itself has an alpha of 0, where theirs ends up within 1e-5 of log(1e-4).
    """
    bits = score("dirichlet_reduced_information") * 60 / math.log(2)
    assert bits == pytest.approx(61.90677400244488, rel=1e-9)
    sizes, alpha = np.bincount(KEY), 1e-4
    itself = sum(math.lgamma(size + 10 * alpha) - math.lgamma(size + alpha) for size in sizes.tolist())
    itself += 10 * (math.lgamma(alpha) - math.lgamma(10 * alpha))
    alone = least_nats(sizes, np.array([60]), 10)
    theirs, ours = (alone - nats for nats in (itself, 10 * math.log(10)))
    assert score("reduced_nmi") == pytest.approx(0.4109259557292342 * theirs / ours, rel=1e-8)


THREE, TEN, MANY = np.repeat(range(3), 50), np.repeat(range(10), 100), np.arange(1000)
OF_FASTAMI = [
    (KEY, FOUND, (0.5767246725215542, 0.0009810806745249507), (13.654412849596211, 0.1364985579532448)),
    (THREE, np.roll(THREE, 40), (0.5387879659, 0.0006868779610), (61.35447084129, 0.6135236120313)),
    (TEN, np.where(MANY % 10 == 0, TEN, 7 * MANY % 10), (0.0056181893, 0.000868), (1.7591652889, 0.0166)),
]


@pytest.mark.parametrize(("reference", "candidate", "ami", "smi"), OF_FASTAMI)
def test_fastami(reference, candidate, ami, smi):
    """Version 0.2.1 with scikit-learn 1.2.2: means by sampling, with the standard errors that it states.

    By `accuracy_goal=0.001` and `precision_goal=0.01` with `seed=1`, each once, so that three errors suffice.
    """
    score = cc.adjust(reference, candidate, "ami", method="analytic")
    assert abs(score.adjusted - ami[0]) < 3 * ami[1]
    assert abs(score.z_score - smi[0]) < 3 * smi[1]
