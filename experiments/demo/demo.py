"""Nine indices corrected for chance on a real clustering: k-means on Fisher's irises."""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.cluster.vq import kmeans2, whiten

# Python looks for modules in the folder of the file that it runs, not in that of the project.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chancecorr as cc
from experiments.common.data import load_dataset


def cluster(measurements: npt.NDArray[np.float64], k: int = 3, starts: int = 20) -> npt.NDArray[np.int32]:
    """K-means labels on standardised measurements: the best of several starts, always the same ones."""
    scaled = whiten(measurements)
    best = (np.inf, np.empty(0, dtype=np.int32))
    for seed in range(starts):
        centres, labels = kmeans2(scaled, k, minit="++", rng=np.random.default_rng(seed))
        best = min(best, (float(((scaled - centres[labels]) ** 2).sum()), labels), key=lambda found: found[0])
    return best[1]


def main() -> cc.correction.AdjustedScores:
    """Print the contingency table and the adjusted scores."""
    irises = load_dataset("iris")
    clusters = cluster(irises.X)
    table = cc.contingency_table(irises.labels, clusters)
    print("150 irises: species (rows) against k-means clusters (columns)\n")
    for name, row in zip(np.unique(irises.labels), table.dense_counts(), strict=True):
        print(f"  {name:<12}" + "".join(f"{count:5d}" for count in row))
    scores = cc.adjust_table(table, index=cc.PUBLISHED_INDICES, method="monte-carlo", rng=2014)
    n_tables = scores["rand"].n_tables
    print(f"\nNine indices corrected for chance, {n_tables:,} tables with the same cluster sizes\n")
    print(scores.to_text(wide=True))
    observed = sorted(score.observed for score in scores.values())
    expected = sorted(score.expected for score in scores.values())
    print(
        f"\nobserved  the raw index: from {observed[0]:.2f} to {observed[-1]:.2f} for one and the same table"
        f"\nexpected  what chance gives: from {abs(expected[0]):.2f} to {expected[-1]:.2f}"
        "\nadjusted  0 is chance, 1 is perfect agreement"
        "\np         probability that chance does as well, (b + 1) / (m + 1)"
        "\nanalytic  closed form of the expected value; z.diff. is how far the simulation is from it"
    )
    exact = cc.adjust_table(table, index="jaccard", method="exact")
    print(
        f"\nThe same without simulation: expected Jaccard {exact.expected:.6f} (simulated"
        f" {scores['jaccard'].expected:.6f}),"
        f" p {'at most ' * exact.p_is_bound}{exact.p_value:.1e} by enumeration"
    )
    return scores


if __name__ == "__main__":
    main()
