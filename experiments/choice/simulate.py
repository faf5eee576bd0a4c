"""The best of many random clusterings: ``python -m experiments.choice.simulate``.

It writes `means.csv`, the mean score of the best of 20 random candidates with and without the correction for
the choice, and `p_values.csv`, how often the p-value of the best is at most 0.05, beside Holm's smallest
corrected p-value of the same candidates. It takes about 20 minutes on two processors.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
from scipy.stats import kstest

import chancecorr as cc
from chancecorr.machine.arrays import Floats, Integers
from experiments.common.kept import write_whole
from experiments.common.report import as_csv

HERE = Path(__file__).parent
PERMUTATIONS = 199
LEVEL = 0.05
SIZES = {
    50: 4,
    200: 1,
    1_000: 1,
}  # objects for the means, and times the number of runs: few objects vary more
INDICES = ("rand", "mutual_information", "purity")
CLASSES_OF_MEANS, CLUSTERS_OF_MEANS, CANDIDATES_OF_MEANS = 5, 8, 20
N, CLASSES, CLUSTERS = 50, 3, 4  # for the p-values: all tables are listed, so that Holm's are exact
CHANGED = 0.02  # share of the objects in which nearly equal candidates differ from the first one

Candidates = dict[int, Integers]


class Design(NamedTuple):
    """Number of candidates, how they depend on each other, and how the first one repeats the reference."""

    m: int
    alike: str  # "independent", or "nearly equal"
    repeated: float = 0.0  # probability that the first candidate has the class of an object as its cluster


UNRELATED = tuple(Design(m, alike) for alike in ("independent", "nearly equal") for m in (2, 5, 20, 100))
RELATED = tuple(
    Design(m, alike, repeated)
    for alike in ("independent", "nearly equal")
    for m in (5, 20)
    for repeated in (0.2, 0.3, 0.4, 0.5)
)


def draw_labels(design: Design, rng: np.random.Generator) -> tuple[Integers, Candidates]:
    """Return a reference and its candidates.

    Independent candidates after the first one are random; nearly equal ones are copies of the first one,
    of which `CHANGED` of the objects have new random clusters.
    """
    reference = rng.integers(CLASSES, size=N)
    first = np.where(rng.random(N) < design.repeated, reference, rng.integers(CLUSTERS, size=N))
    candidates = {0: first}
    for k in range(1, design.m):
        candidates[k] = rng.integers(CLUSTERS, size=N)
        if design.alike == "nearly equal":
            changed = rng.permutation(N)[: round(CHANGED * N)]
            new, candidates[k] = candidates[k], first.copy()
            candidates[k][changed] = new[changed]
    return reference, candidates


def measure_scores(n: int, run: int) -> list[tuple[float, float]]:
    """Return the best score of random candidates and the corrected one, for each of `INDICES`.

    Cluster sizes are drawn once for each n, so that expected values are computed once for all runs.
    """
    sizes, rng = np.random.default_rng(n), np.random.default_rng([n, run])
    reference = rng.permutation(sizes.integers(CLASSES_OF_MEANS, size=n))
    candidates = {
        k: rng.permutation(sizes.integers(CLUSTERS_OF_MEANS, size=n)) for k in range(CANDIDATES_OF_MEANS)
    }
    choice = cc.compare(
        reference, candidates, INDICES, chosen="best", interval=None, method="analytic",
        n_tables=PERMUTATIONS, rng=rng, n_jobs=1,
    ).choice  # fmt: skip
    return [(choice[name].adjusted, choice[name].corrected) for name in INDICES]


def measure_p_values(design: Design, run: int) -> tuple[float, float, float]:
    """Return the p-value of the best, the same with ties at random, and Holm's smallest one.

    Ties between the best score and scores by chance make a p-value larger than a uniform one. With ties at
    random it is uniform on (0, 1) if the reference is unrelated to the candidates.
    """
    rng = np.random.default_rng([design.m, int(100 * design.repeated), len(design.alike), run])
    reference, candidates = draw_labels(design, rng)
    comparison = cc.compare(
        reference, candidates, chosen="best", interval=None, n_tables=PERMUTATIONS, rng=rng, n_jobs=1
    )
    scores = [comparison[name]["rand"] for name in candidates]
    if {score.p_value_from for score in scores} != {"exact"}:
        raise ValueError("`design` must have exact p-values of single candidates.")
    choice = comparison.choice["rand"]
    higher = np.count_nonzero(choice.maxima > choice.adjusted + 1e-9)
    reached = np.count_nonzero(choice.maxima >= choice.adjusted - 1e-9)
    at_random = (higher + rng.random() * (reached - higher + 1)) / (PERMUTATIONS + 1)
    return choice.p_value, float(at_random), min(score.p_corrected for score in scores)


def run_many(measure: Callable[..., Any], of: Any, runs: int, jobs: int) -> Floats:
    """Return the results of all runs, one in each row; they do not depend on the number of workers."""
    found = joblib.Parallel(n_jobs=jobs)(joblib.delayed(measure)(of, run) for run in range(runs))
    return np.array(found)


def summarise_means(n: int, found: Floats) -> list[dict[str, Any]]:
    """Return a row for each index, from scores of shape (runs, indices, 2)."""
    means, errors = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(len(found))
    return [
        {
            "n": n, "index": name, "runs": len(found), "best": float(means[k, 0]),
            "error": float(errors[k, 0]), "corrected": float(means[k, 1]),
            "error_of_corrected": float(errors[k, 1]),
        }
        for k, name in enumerate(INDICES)
    ]  # fmt: skip


def summarise_p_values(design: Design, found: Floats) -> dict[str, Any]:
    """Return the row of a design, from p-values of shape (runs, 3)."""
    of_choice, at_random, of_holm = found.T
    return {
        "m": design.m, "candidates": design.alike, "repeated": design.repeated, "runs": len(found),
        "choice": float((of_choice <= LEVEL + 1e-9).mean()), "holm": float((of_holm <= LEVEL).mean()),
        "kolmogorov_smirnov": float(kstest(at_random, "uniform").pvalue),
    }  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """Measure all designs, and write both files."""
    parser = argparse.ArgumentParser(description="Scores and p-values of the best of many.")
    parser.add_argument("--runs", type=int, default=2_000, help="of each design; more or fewer of some")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args(arguments)
    means = []
    for n, times in SIZES.items():
        means += summarise_means(n, run_many(measure_scores, n, times * options.runs, options.jobs))
        write_whole(options.folder / "means.csv", as_csv(means))
    p_values = []
    for design in UNRELATED + RELATED:
        runs = options.runs // (2 if design.m == 100 or design.repeated else 1)
        found = run_many(measure_p_values, design, runs, options.jobs)
        p_values.append(summarise_p_values(design, found))
        write_whole(options.folder / "p_values.csv", as_csv(p_values))


if __name__ == "__main__":
    main()
