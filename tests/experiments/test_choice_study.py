"""The studies of the best of many: their samples, their p-values beside plain ones, and tiny runs."""

import numpy as np
import pytest
from scipy.stats import binom, kstest
from sklearn.metrics import adjusted_rand_score

import chancecorr as cc
from experiments.choice import simulate, winners
from experiments.common.kept import ROOT
from tests.experiments.test_coverage import rows_of

DESIGNS = simulate.UNRELATED + simulate.RELATED


@pytest.mark.parametrize("design", [DESIGNS[k] for k in (1, 5, 8, 19)], ids=str)
def test_samples_are_as_the_design_says(design):
    rng = np.random.default_rng(1)
    agree = []
    for _ in range(400):
        reference, candidates = simulate.draw_labels(design, rng)
        assert len(candidates) == design.m
        differ = [np.count_nonzero(labels != candidates[0]) for labels in candidates.values()]
        assert (max(differ) <= 1) == (design.alike == "nearly equal")
        agree.append(np.mean(reference == candidates[0]))
    share = design.repeated + (1.0 - design.repeated) / simulate.CLUSTERS
    assert abs(np.mean(agree) - share) < 4.5 * np.sqrt(share * (1.0 - share) / (400 * simulate.N))


def test_p_values_are_as_by_permutations_of_scikit_learn():
    """The p-value of the best, within its error, and Holm's smallest one: m times the smallest exact one."""
    design = simulate.Design(5, "independent", 0.3)
    of_choice, at_random, of_holm = simulate.measure_p_values(design, 3)
    rng = np.random.default_rng([5, 30, len("independent"), 3])
    reference, candidates = simulate.draw_labels(design, rng)
    seen = max(adjusted_rand_score(reference, labels) for labels in candidates.values())
    reached = []
    for _ in range(300):
        permuted = rng.permutation(reference)
        reached.append(
            max(adjusted_rand_score(permuted, labels) for labels in candidates.values()) >= seen - 1e-9
        )
    share = np.mean(reached)
    assert abs(of_choice - share) < 4.5 * np.sqrt(share * (1.0 - share) * (1 / 300 + 1 / 199)) + 0.005
    assert at_random <= of_choice
    alone = [cc.adjust(reference, labels, "rand").p_value for labels in candidates.values()]
    assert of_holm == pytest.approx(min(1.0, 5 * min(alone)), rel=1e-9)


def test_p_values_with_ties_at_random_are_uniform():
    found = np.array([simulate.measure_p_values(simulate.UNRELATED[4], run) for run in range(200)])
    assert kstest(found[:, 1], "uniform").pvalue > 1e-3
    assert np.mean(found[:, 2]) > np.mean(found[:, 0])  # Holm's takes the two candidates as two tests


def test_a_tiny_run(tmp_path, monkeypatch):
    monkeypatch.setattr(simulate, "SIZES", {50: 1})
    monkeypatch.setattr(simulate, "UNRELATED", simulate.UNRELATED[:1])
    monkeypatch.setattr(simulate, "RELATED", simulate.RELATED[:1])
    simulate.main(["--runs", "4", "--jobs", "1", "--folder", str(tmp_path)])
    assert [row["index"] for row in rows_of(tmp_path / "means.csv")] == list(simulate.INDICES)
    assert [row["runs"] for row in rows_of(tmp_path / "p_values.csv")] == ["4", "2"]


def test_kept_means():
    """The corrected best of random candidates is 0 within its error, and the best itself is not."""
    rows = rows_of(simulate.HERE / "means.csv")
    assert len(rows) == len(simulate.SIZES) * len(simulate.INDICES)
    for row in rows:
        assert abs(float(row["corrected"])) < 4.0 * float(row["error_of_corrected"])  # chance of nine: 6e-4
        assert abs(float(row["corrected"])) < 0.002
        assert float(row["best"]) > 10.0 * float(row["error"])


def test_what_is_subtracted_is_the_mean_of_other_arrangements():
    """The best adjusted Rand index of 100,000 arrangements with the same sizes, without this package."""
    n, m, rng = 50, simulate.CANDIDATES_OF_MEANS, np.random.default_rng(12345)
    (row,) = (x for x in rows_of(simulate.HERE / "means.csv") if (x["n"], x["index"]) == ("50", "rand"))
    corrected = float(row["corrected"])
    subtracted = (float(row["best"]) - corrected) / (1.0 - corrected)
    sizes = np.random.default_rng(n)
    reference = sizes.integers(simulate.CLASSES_OF_MEANS, size=n)
    candidates = np.array([sizes.integers(simulate.CLUSTERS_OF_MEANS, size=n) for _ in range(m)])

    def count_pairs(counts):
        return (counts * (counts - 1) // 2).sum(axis=-1)

    of_candidates = np.array([count_pairs(np.bincount(labels)) for labels in candidates])
    pairs = count_pairs(np.bincount(reference))
    expected = pairs * of_candidates / (n * (n - 1) / 2)
    maxima, table = [], 40 * np.arange(500 * m).reshape(500, m, 1)
    for _ in range(200):
        rows = rng.permuted(np.tile(reference, (500, 1)), axis=1)[:, np.newaxis]
        columns = rng.permuted(np.tile(candidates, (500, 1, 1)), axis=2)
        counts = np.bincount((table + 8 * rows + columns).ravel(), minlength=500 * m * 40)
        together = count_pairs(counts.reshape(500, m, 40))
        maxima.append(((together - expected) / ((pairs + of_candidates) / 2 - expected)).max(axis=1))
    found = np.concatenate(maxima)
    assert abs(found.mean() - subtracted) < 4.5 * found.std() / np.sqrt(found.size)


def test_kept_p_values():
    """At most 5 % of unrelated references are significant, by Holm far fewer if candidates are alike."""
    rows = rows_of(simulate.HERE / "p_values.csv")
    assert len(rows) == len(DESIGNS)
    for row in rows:
        of_choice, of_holm, runs = float(row["choice"]), float(row["holm"]), int(row["runs"])
        is_alike = row["candidates"] == "nearly equal"
        if float(row["repeated"]) == 0.0:
            # a chance of 1e-4 for each of eight designs, and ties make p-values larger
            assert of_choice <= binom.ppf(0.9999, runs, simulate.LEVEL) / runs
            assert float(row["kolmogorov_smirnov"]) > 1e-3
            assert not (is_alike and int(row["m"]) >= 20) or of_holm < 0.02
        elif is_alike:
            assert of_choice > of_holm


def test_candidates_of_a_data_set():
    X = winners.scale(winners.load_dataset("iris").X)
    candidates = winners.fit_candidates(X, 4, 2)
    assert len(candidates) == 3 * (2 * 2 + len(winners.LINKAGES))
    for name, labels in candidates.items():
        k = int(name.split(", ")[1])
        assert labels.shape == (150,)
        assert np.unique(labels).size <= k


def test_a_winner_is_the_best_of_its_candidates():
    row = winners.measure_winner("lenses", 0, 3, 2)
    data = winners.load_dataset("lenses")
    X = winners.scale(data.X)
    scores = {
        name: adjusted_rand_score(data.labels, labels)
        for name, labels in winners.fit_candidates(X, 3, 2).items()
    }
    assert row["candidates"] == len(scores)
    assert row["best"] == pytest.approx(max(scores.values()), abs=1e-12)
    assert row["corrected"] == pytest.approx((row["best"] - row["by_choice"]) / (1.0 - row["by_choice"]))


def test_subsets_differ_and_are_repeatable():
    labels = np.zeros(120)
    first, again, second = (winners.choose_objects(labels, subset) for subset in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)
    assert np.unique(first).size == winners.SUBSET
    assert np.array_equal(winners.choose_objects(labels, 0), np.arange(120))


def test_kept_winners():
    rows = rows_of(winners.HERE / "winners.csv")
    assert {row["data"] for row in rows} == set(winners.MEASURED)
    for row in rows:
        best, by_choice = float(row["best"]), float(row["by_choice"])
        assert float(row["corrected"]) == pytest.approx((best - by_choice) / (1.0 - by_choice), abs=1e-12)
        assert float(row["p_choice"]) >= 1 / 2_001
        assert by_choice > 0.0


def test_the_page_has_the_numbers_of_the_files():
    """Counts and p-values in the sentences of the page, from the kept rows."""
    page = " ".join((ROOT / "docs" / "studies" / "choice.md").read_text(encoding="utf-8").split())
    rows = rows_of(winners.HERE / "winners.csv")
    whole = [row for row in rows if row["subset"] == "0"]
    some = [row for row in rows if row["subset"] != "0"]

    def count(of_rows, name):
        return sum(float(row[name]) <= 0.05 for row in of_rows)

    alone, of_choice, of_holm = (count(some, f"p_{name}") for name in ("alone", "choice", "holm"))
    kept = f"On {count(whole, 'p_choice')} of {len(whole)} measured data sets the winner stays significant"
    assert f"{kept}** after a choice among {whole[0]['candidates']} clusterings" in page
    significant = f"{alone} of {len(some)} winners are significant alone, {of_choice} after the choice"
    assert f"{significant}, and {of_holm} by Holm's" in page
    by_choice = [float(row["by_choice"]) for row in some]
    assert f"and {min(by_choice):.3f} to {max(by_choice):.3f} in subsets" in page
    by_choice = sorted(float(row["by_choice"]) for row in whole)
    assert f"It contributes {by_choice[0]:.3f} to {by_choice[-2]:.3f} with 150 to 1,000" in page
    null = [row for row in rows_of(simulate.HERE / "p_values.csv") if row["repeated"] == "0.0"]
    shares = [100 * float(row["choice"]) for row in null]
    assert f"{min(shares):.1f} to {max(shares):.1f} % of the runs at 5 %" in page
