"""The best of many candidates, corrected for the choice: by all permutations, and over random candidates."""

import itertools
import json
import math

import numpy as np
import pytest
import scipy.stats
from sklearn import metrics

import chancecorr as cc
from tests.cli.test_commands import succeed


def make_random(rng, n, m, n_clusters=4):
    return rng.integers(3, size=n), {k: rng.integers(n_clusters, size=n) for k in range(m)}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("index", "score"),
    [("rand", metrics.adjusted_rand_score), ("cohen_kappa", metrics.cohen_kappa_score)],
)
def test_all_permutations(seed, index, score):
    rng = np.random.default_rng(seed)
    reference, candidates = rng.integers(3, size=6), {k: rng.integers(3, size=6) for k in range(3)}
    reference[:3] = range(3)
    for labels in candidates.values():
        labels[:3] = rng.permutation(3)
    choice = cc.compare(reference, candidates, index, chosen="best", interval=None).choice
    (found,) = choice.values()
    maxima = [
        max(score(reference[list(places)], labels) for labels in candidates.values())
        for places in itertools.permutations(range(6))
    ]
    seen = max(score(reference, labels) for labels in candidates.values())
    assert found.adjusted == pytest.approx(seen, abs=1e-12)
    assert found.expected_maximum == pytest.approx(np.mean(maxima), abs=1e-12)
    assert found.p_value == np.mean(np.array(maxima) >= seen - 1e-9)
    assert found.corrected == pytest.approx((seen - np.mean(maxima)) / (1 - np.mean(maxima)), abs=1e-12)
    assert found.monte_carlo_error == 0.0


def test_drawn_permutations_are_all_equally_likely():
    """By all 56 arrangements of a reference of three and five objects, beside two regular candidates."""
    reference = np.repeat([0, 1], [3, 5])
    candidates = {"a": [0, 0, 1, 1, 0, 1, 1, 1], "b": [0, 1, 1] * 2 + [1, 0]}
    maxima = []
    for places in itertools.combinations(range(8), 5):
        arranged = np.isin(range(8), places)
        maxima.append(max(metrics.adjusted_rand_score(arranged, labels) for labels in candidates.values()))
    found = cc.compare(reference, candidates, chosen="best", interval=None, n_tables=4_000, rng=1)
    choice = found.choice["rand"]
    assert abs(choice.expected_maximum - np.mean(maxima)) < 4.0 * np.std(maxima) / math.sqrt(4_000)
    share = np.mean(np.array(maxima) >= choice.adjusted - 1e-9)
    assert abs(choice.p_value - share) < 4.0 * math.sqrt(share * (1.0 - share) / 4_000)


@pytest.mark.parametrize("alike", [False, True])
def test_random_candidates_have_corrected_scores_of_0_and_uniform_p_values(alike):
    """200 references; nearly equal candidates differ from one of them in five objects."""
    rng, scores, p_values = np.random.default_rng(7), [], []
    for _ in range(200):
        reference, candidates = make_random(rng, 50, 6)
        if alike:
            first = candidates[0]
            for k in range(1, 6):
                changed = rng.permutation(50)[:5]
                candidates[k] = first.copy()
                candidates[k][changed] = rng.integers(4, size=5)
        found = cc.compare(reference, candidates, chosen="best", interval=None, n_tables=99, rng=rng)
        scores.append(found.choice["rand"].corrected)
        p_values.append(found.choice["rand"].p_value)
    error = np.std(scores) / math.sqrt(200)
    assert abs(np.mean(scores)) < 4.0 * error
    uniform = (np.array(p_values) - rng.random(200) / 100.0).clip(0.0, 1.0)  # p is a multiple of 1 / 100
    assert scipy.stats.kstest(uniform, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("index", ["rand", "cohen_kappa", "purity"])
def test_tables_are_counted_alike_with_and_without_compiled_code(index, monkeypatch):
    reference, candidates = make_random(np.random.default_rng(4), 30, 3)
    found = []
    for has_kernel in (False, True):
        monkeypatch.setattr(
            "chancecorr.comparison.choice.is_worth_compiling", lambda *of_call, answer=has_kernel: answer
        )
        found.append(cc.compare(reference, candidates, index, chosen="best", interval=None, rng=1).choice)
    (first,), (second,) = (of_index.values() for of_index in found)
    assert np.array_equal(first.maxima, second.maxima)


def test_permutations_within_strata():
    """With the reference constant within strata, every permutation is the data themselves."""
    reference = np.repeat([0, 1, 2], 10)
    rng = np.random.default_rng(1)
    candidates = {k: rng.integers(3, size=30) for k in range(3)}
    comparison = cc.compare(reference, candidates, "jaccard", chosen="best", strata=reference, rng=1)
    assert np.ptp(comparison.choice["jaccard"].maxima) < 1e-12
    within_halves = cc.compare(reference, candidates, chosen="best", strata=np.arange(30) % 2, rng=1)
    assert within_halves.choice["rand"].expected_maximum > 0.0


def test_all_shifts():
    """Of two rolled copies of a reference of runs, and an unrelated candidate of runs."""
    reference = np.repeat([0, 1, 2, 0], [4, 7, 5, 4])
    candidates = {"a": np.roll(reference, 3), "b": np.roll(reference, 8), "c": np.repeat([0, 1], 10)}
    scores = np.array(
        [
            [cc.score(reference, np.roll(labels, shift), "purity") for labels in candidates.values()]
            for shift in range(20)
        ]
    )
    adjusted = (scores - scores.mean(axis=0)) / (1.0 - scores.mean(axis=0))
    best = adjusted[0].max()
    for model in (cc.chance.shifts(20), cc.Draws(lambda rng: np.roll(np.arange(20), rng.integers(20)))):
        found = cc.compare(reference, candidates, "purity", chosen="best", interval=None, model=model, rng=0)
        choice = found.choice["purity"]
        if choice.monte_carlo_error == 0.0:
            assert choice.maxima == pytest.approx(adjusted.max(axis=1), abs=1e-12)
            assert choice.p_value == np.mean(adjusted.max(axis=1) >= best - 1e-9)
            assert choice.corrected == pytest.approx(
                (best - adjusted.max(axis=1).mean()) / (1.0 - adjusted.max(axis=1).mean()), abs=1e-12
            )
        else:
            assert choice.maxima.size == 999
            assert abs(choice.expected_maximum - adjusted.max(axis=1).mean()) < 0.05


@pytest.mark.parametrize("index", ["rand", "purity"])
def test_weighted_objects(index):
    """Permuted candidates, whose weights stay with the reference, by `adjust` one by one."""
    reference, weights = np.array([0, 0, 1, 1, 2]), np.array([1.0, 2.0, 0.5, 3.0, 1.5])
    candidates = {"a": np.array([0, 0, 1, 0, 1]), "b": np.array([0, 1, 1, 2, 2])}
    found = cc.compare(reference, candidates, index, chosen="best", interval=None, weights=weights, rng=0)
    choice, maxima = found.choice[index], []
    for places in itertools.permutations(range(5)):
        scores = []
        for name, labels in candidates.items():
            score = cc.adjust(reference, labels[list(places)], index, weights=weights, n_tables=2, rng=0)
            expected = found[name][index].expected
            scores.append((score.observed - expected) / (found[name][index].best - expected))
        maxima.append(max(scores))
    assert choice.maxima == pytest.approx(np.array(maxima), abs=1e-12)
    assert choice.p_value == np.mean(np.array(maxima) >= choice.adjusted - 1e-9)


def test_what_is_printed_and_written(tmp_path, capsys):
    rng = np.random.default_rng(2)
    reference, candidates = make_random(rng, 40, 5)
    comparison = cc.compare(reference, candidates, chosen="best", rng=1)
    (note,) = [note for note in map(str, comparison.notes) if note.startswith("best of 5: ")]
    assert note in str(comparison)
    report = cc.compare(reference, candidates, chosen="best", interval=None, rng=1).report()
    assert "Best of 5: " in report
    assert "To correct for this choice, 2,000 permutations of the reference" in report
    assert "(Westfall & Young, 1993)" in report
    assert "this choice" not in cc.compare(reference, candidates, interval=None, rng=1).report()
    names = ",".join(["t", *map(str, candidates)])
    rows = [",".join(map(str, row)) for row in zip(reference, *candidates.values(), strict=True)]
    (tmp_path / "labels.csv").write_text("\n".join([names, *rows]) + "\n")
    options = "--chosen", "best", "--seed", "1", "--json"
    printed = succeed(capsys, "compare", "t", "--data", tmp_path / "labels.csv", *options)
    (written,) = json.loads(printed)["choice"].values()
    assert written["p_value"] == comparison.choice["rand"].p_value


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"model": "fixed-k"}, "`chosen` must be None with another model than 'permutation' or Draws"),
        ({"model": cc.Draws(lambda rng: rng.integers(4, size=20))}, "the draws are not permutations"),
        ({"model": cc.Draws(lambda rng: rng.integers(9, size=20), "places")}, "the draws are not permut"),
        ({"model": cc.chance.segments(keep="lengths")}, "the draws are not permutations"),
        ({"missing": "drop"}, "`chosen` must be None if candidates leave out objects"),
        ({"chosen": "worst"}, "`chosen` must be one of 'best', None; got 'worst'"),
    ],
)
def test_what_is_refused(keywords, message):
    reference, candidates = make_random(np.random.default_rng(0), 20, 2)
    gaps = {k: [None, *labels[1:]] for k, labels in candidates.items()}
    given = gaps if "missing" in keywords else candidates
    with pytest.raises(ValueError, match=message):
        cc.compare(reference, given, **({"chosen": "best"} | keywords))
