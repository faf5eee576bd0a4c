"""How much of the best score is choice, on measured data: ``python -m experiments.choice.winners``.

Methods of scikit-learn cluster the data sets of the UCI repository with 2 to 20 clusters and several seeds,
and the clustering with the highest adjusted Rand index is chosen, as by users who have a reference. It writes
`winners.csv`: each data set as it is, and random subsets of 50 objects, on which chance does more. It takes
about 10 minutes on two processors.
"""

import argparse
import warnings
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import scale

import chancecorr as cc
from chancecorr.machine.arrays import Floats, Integers
from experiments.common.data import MEASURED, load_dataset
from experiments.common.kept import write_whole
from experiments.common.report import as_csv

HERE = Path(__file__).parent
LARGEST_K, SEEDS, SUBSET = 20, 5, 50
LINKAGES = ("ward", "complete", "average")


def fit_candidates(X: Floats, largest_k: int, seeds: int) -> dict[str, Integers]:
    """Return the clusterings of standardised variables, by method, number of clusters and seed."""
    found: dict[str, Integers] = {}
    for k in range(2, min(largest_k, len(X) - 1) + 1):
        for seed in range(seeds):
            found[f"k-means, {k}, seed {seed}"] = KMeans(k, n_init=1, random_state=seed).fit_predict(X)
            mixture = GaussianMixture(k, covariance_type="diag", reg_covar=1e-3, random_state=seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                found[f"mixture, {k}, seed {seed}"] = mixture.fit_predict(X)
        for linkage in LINKAGES:
            found[f"{linkage} linkage, {k}"] = AgglomerativeClustering(k, linkage=linkage).fit_predict(X)
    return found


def choose_objects(labels: Integers, subset: int) -> Integers:
    """Return the objects of a random subset of `SUBSET`; of all objects if `subset` is 0."""
    n = len(labels)
    return np.random.default_rng([n, subset]).permutation(n)[:SUBSET] if subset else np.arange(n)


def measure_winner(name: str, subset: int, largest_k: int = LARGEST_K, seeds: int = SEEDS) -> dict[str, Any]:
    """Return the row of a data set, or of a random subset of its objects."""
    data = load_dataset(name)
    reference = np.unique(data.labels, return_inverse=True)[1]
    chosen = choose_objects(reference, subset)
    X = data.X[chosen]
    X = scale(X[:, X.std(axis=0) > 0])
    candidates = fit_candidates(X, largest_k, seeds)
    comparison = cc.compare(reference[chosen], candidates, chosen="best", interval=None, rng=subset, n_jobs=1)
    choice = comparison.choice["rand"]
    winner = comparison[choice.candidate]["rand"]
    return {
        "data": name, "subset": subset, "n": len(chosen), "classes": np.unique(reference[chosen]).size,
        "candidates": len(candidates), "winner": choice.candidate, "best": choice.adjusted,
        "by_choice": choice.expected_maximum, "error": choice.monte_carlo_error,
        "corrected": choice.corrected, "p_alone": winner.p_value, "p_holm": winner.p_corrected,
        "p_choice": choice.p_value,
    }  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """Measure all data sets and subsets, and write the file."""
    parser = argparse.ArgumentParser(description="How much of the best adjusted Rand index is choice.")
    parser.add_argument("--subsets", type=int, default=5, help="random subsets of each data set")
    parser.add_argument("--only", nargs="+", choices=MEASURED, default=list(MEASURED))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args(arguments)
    work = [
        joblib.delayed(measure_winner)(name, subset)
        for name in options.only
        for subset in range(options.subsets + 1)
        if not subset or len(load_dataset(name).labels) > 2 * SUBSET
    ]
    rows = joblib.Parallel(n_jobs=options.jobs, verbose=5)(work)
    write_whole(options.folder / "winners.csv", as_csv(rows))


if __name__ == "__main__":
    main()
