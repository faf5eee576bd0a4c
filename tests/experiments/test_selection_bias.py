"""The study of selection bias: a case that is known by hand, fair and unfair pickers, data and registry."""

import json
import math

import numpy as np
import pytest
from scipy.stats import chisquare

import chancecorr as cc
from chancecorr.catalogue.details import ONE_AT, corrected_classes
from chancecorr.tables.pair_sum import pair_sum_moments
from experiments.common.kept import read_json
from experiments.selection_bias import run
from experiments.selection_bias.claims import claims
from experiments.selection_bias.fixed_sizes import contests
from experiments.selection_bias.random_sizes import std_of_pair_sum
from experiments.selection_bias.wins import FAIR, expected_distance, preference
from tests.figures import same_figures

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


@pytest.mark.parametrize(
    ("third", "shape"), [((0,), "few"), ((1,), "middle"), ((2,), "many"), ((0, 2), "ends")]
)
def test_a_biased_picker_is_caught(third, shape):
    """Each candidate of these thirds is picked half as often again: expected chi-square above 150."""
    weights = np.ones(21)
    for part in third:
        weights[7 * part : 7 * part + 7] = 1.5
    wins = np.random.default_rng(2).multinomial(5_000, weights / weights.sum())
    found = preference(CLUSTERS, wins)
    assert found.prefers == shape
    assert found.p_value < FAIR**2
    assert found.distance > 2 * expected_distance(21, 5_000)


def test_the_standard_deviation_is_that_of_exact_fractions():
    rows, columns = np.array([5, 4, 3]), np.array([[6, 3, 3], [4, 4, 4], [12, 0, 0], [10, 1, 1]])
    exact = [pair_sum_moments(cc.Margins(rows, sizes[sizes > 0])).std for sizes in columns]
    assert std_of_pair_sum(rows, columns) == pytest.approx(exact, rel=1e-12, abs=1e-6)


def test_a_quick_run_writes_results_and_the_catalogue(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "CLUSTERS", (2, 3, 4))
    catalogue = tmp_path / "selection_bias.json"
    options = ["--trials", "30", "--tables", "40", "--folder", str(tmp_path), "--catalogue", str(catalogue)]
    run.main([*options, "--only", "fixed_sizes"])
    found = read_json(tmp_path / "fixed_sizes.json")
    kept = json.loads(catalogue.read_text())
    assert sorted(kept) == sorted(["about", *cc.list_indices()])
    assert kept["rand"].keys() == {"raw", "adjusted", "standardized", "p_value", "unbalanced"}
    raw = run.wins_of(found["references"]["balanced"]["wins"]["rand"]["raw"])
    assert sum(raw) == 30
    assert kept["rand"]["raw"]["mean"] == pytest.approx(np.dot(raw, [2, 3, 4]) / 30, abs=0.005)


def test_new_indices_are_added(tmp_path, monkeypatch):
    """Without some: theirs are as in one run with all, but for how equals were shared out."""
    monkeypatch.setattr(run, "CLUSTERS", (2, 3, 4))
    names, path = ["jaccard", "muc", "rand"], tmp_path / "fixed_sizes.json"
    monkeypatch.setattr(run.cc, "list_indices", lambda: names)
    options = [
        "--trials",
        "30",
        "--tables",
        "40",
        "--folder",
        str(tmp_path),
        "--catalogue",
        str(tmp_path / "c"),
    ]
    run.main([*options, "--only", "fixed_sizes"])
    whole = read_json(path)
    without = read_json(path)
    for each in without["references"].values():
        del each["wins"]["muc"]
    run.write_json(path, without)
    run.main([*options, "--new"])
    for reference, each in read_json(path)["references"].items():
        expected = whole["references"][reference]["wins"]
        assert list(each["wins"]) == names
        assert each["wins"]["rand"] == expected["rand"]
        assert run.wins_of(each["wins"]["muc"]["raw"]) == run.wins_of(expected["muc"]["raw"])


def test_a_quick_run_of_random_sizes(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "CLUSTERS", (2, 3, 4))
    monkeypatch.setattr(run, "REFERENCES", {"balanced": (20, 20), "unbalanced": (30, 10)})
    small = {
        name: {**design, "objects": [n // 2 for n in design["objects"]]}
        for name, design in run.PAPERS.items()
    }
    monkeypatch.setattr(run, "PAPERS", small)
    run.main(["--trials", "8", "--only", "random_sizes", "--folder", str(tmp_path)])
    found = read_json(tmp_path / "random_sizes.json")
    pairs = [cc.get_index(name) for name in cc.list_indices() if cc.get_index(name).needs == "pairs"]
    for each in found["pairs"]["references"].values():
        assert set(each["wins"]) == {
            index.name for index in pairs if not index.with_totals and index.name != "mcnemar"
        }
        assert sum(run.wins_of(each["wins"]["phi"]["raw"])) == 8
    for each in claims(found["papers"]):
        assert each.word in ("agrees", "differs", "not reachable")
        assert each.evidence


@pytest.fixture(scope="module")
def results():
    return read_json(run.HERE / "results" / "fixed_sizes.json")


def test_the_catalogue_is_that_of_the_results(results):
    kept = json.loads(run.CATALOGUE.read_text(encoding="utf-8"))
    computed = run.for_catalogue(results)
    assert same_figures(*(json.dumps(each, sort_keys=True) for each in (kept, computed)))
    assert sorted(kept) == sorted(["about", *cc.list_indices()])


def test_indices_that_are_the_same_once_corrected_win_alike(results):
    """In 99 of 100 trials, of the classes that are affine in T or in the mutual information.

    Others have simulated means, and many equal scores, which are shared out anew for each index.
    """
    for reference in results["references"].values():
        for members in [corrected_classes()[name] for name in ONE_AT]:
            counts = [run.wins_of(reference["wins"][name]["adjusted"]) for name in members]
            for other in counts[1:]:
                assert np.abs(np.subtract(counts[0], other)).sum() / 2 <= 0.01 * results["trials"]
