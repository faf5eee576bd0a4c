"""Exact means of segments that are placed at random: against lists of all placements."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance import segments
from chancecorr.exact.coverage_of_segments import compute_coverage
from tests.chance.test_segments import list_placements

TRUE = list("aab-bb-aac-b")
PRED = {
    "three segments": list("-abb--bbb---"),
    "one segment": list("---bbbbb----"),
    "equal lengths": list("aabbccbb----"),
    "four segments": list("-a-bbb-c-aa-"),
    "no gap": list("aabbbbbcccab"),
}


def find_means(placements, names):
    """Exact expected counts, by fractions."""
    means = {(i, j): Fraction(0) for i in names for j in names}
    for text in placements:
        for i, j in zip(TRUE, text, strict=True):
            means[i, j] += Fraction(1, len(placements))
    return np.array([[float(means[i, j]) for j in names] for i in names])


@pytest.mark.parametrize("keep", ["lengths", "order"])
@pytest.mark.parametrize("case", PRED)
def test_expected_counts_are_means_over_all_placements(case, keep):
    pred = PRED[case]
    gap = "-" if "-" in pred else None
    if keep == "order" and gap is None:
        return
    placements = list_placements(pred, keep, gap)
    options = {"model": segments(keep=keep, gap=gap), "rng": 1, "n_tables": 50}
    cells = cc.comparison.overlaps(TRUE, pred, **options)
    names = ["-", "a", "b", "c"]
    means = find_means(placements, names)
    rows, columns = (np.searchsorted(names, side) for side in (cells.labels_true, cells.labels_pred))
    assert cells.expected == pytest.approx(means[np.ix_(rows, columns)], rel=1e-12, abs=1e-13)
    for index in ("label_accuracy", "macro_f1", "balanced_accuracy"):
        score = cc.adjust(TRUE, pred, index, **options)
        values = [cc.score(TRUE, list(text), index) for text in placements]
        assert score.expected == pytest.approx(np.mean(values), rel=1e-12)
        assert (
            cc.adjust(TRUE, pred, index, model=options["model"], method="analytic").expected == score.expected
        )
        assert score.null.mean_from != "monte-carlo"


def test_recordings_are_added():
    groups = [0] * 7 + [1] * 4 + [2]
    pred = [*PRED["four segments"][:11], "-"]  # the last recording has no segment
    first, second = (list_placements(part, "lengths", "-") for part in (pred[:7], pred[7:11]))
    placements = [a + b + "-" for a, b in itertools.product(first, second)]
    score = cc.adjust(TRUE, pred, "label_accuracy", model=segments(gap="-", groups=groups), rng=1)
    values = [cc.score(TRUE, list(text), "label_accuracy") for text in placements]
    assert score.expected == pytest.approx(np.mean(values), rel=1e-12)


@pytest.mark.parametrize("in_order", [True, False])
def test_many_segments_add_up_and_agree_with_draws(in_order):
    rng = np.random.default_rng(4)
    lengths, labels = rng.integers(1, 60, size=120), rng.integers(0, 4, size=120)
    coverage = compute_coverage(lengths, labels, 900, 4, in_order=in_order)
    assert coverage.min() > -1e-13
    assert coverage.sum(axis=1) == pytest.approx(np.bincount(labels, lengths), rel=1e-11)
    if not in_order:  # the time that is read backwards is as likely
        assert coverage == pytest.approx(coverage[:, ::-1], abs=1e-12)
    pred = np.concatenate([np.repeat([*"abcd"], 1)[labels].repeat(lengths), np.repeat("-", 900)])
    true = np.resize(list("aaaaaaaaaabbbbbbbbbbbbbbbcccc-"), pred.size)
    model = segments(keep="order" if in_order else "lengths", gap="-")
    score = cc.adjust(true, pred, "label_accuracy", model=model, rng=1)
    error = score.null.std / math.sqrt(score.n_tables)
    drawn = float(score.null.values @ score.null.counts) / score.n_tables
    assert abs(drawn - score.expected) < 4.5 * error


def test_without_a_mean_draws_give_it():
    score = cc.adjust(TRUE, PRED["no gap"], "label_accuracy", model=segments(keep="labels"), rng=1)
    assert score.null.mean_from == "monte-carlo"
    with pytest.raises(ValueError, match="its mean is not known without draws"):
        cc.adjust(TRUE, PRED["no gap"], "rand", model=segments(), method="analytic")
