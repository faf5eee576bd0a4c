"""Time of null models beside the permutation model, against clusim.

clusim's own example, two clusterings of 9 elements in 3 clusters: the mean of Jaccard's index over random
clusterings. clusim draws 100 clusterings a side, its default, and compares each of the one side with each of
the other (with the fixed one, if one-sided); chancecorr draws 17,000 independent pairs. The ratio is that of
the times for one comparison. "E[Rand]" is exact in both.
"""

import statistics
from functools import partial

from clusim import sim
from clusim.clustering import Clustering

import chancecorr as cc
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

REFERENCE, CANDIDATE = [0, 0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 2, 2, 2]
MODELS = {
    "permutation": "perm",
    "fixed-k": "num",
    "all-partitions": "all",
    "one-sided-fixed-k": "num1",
    "one-sided-all-partitions": "all1",
}
CLUSIM_SAMPLES = 100


def measure(scale: float = 1.0) -> list[Row]:
    """One row a model."""
    table = cc.contingency_table(REFERENCE, CANDIDATE)
    margins, n = table.margins, table.n
    # The fixed clustering is the first here, the second there.
    second, first = (
        Clustering(elm2clu_dict={element: [label] for element, label in enumerate(labels)})
        for labels in (REFERENCE, CANDIDATE)
    )
    sizes = {"clu_size_seq1": margins.column_totals.tolist(), "clu_size_seq2": margins.row_totals.tolist()}
    tables = scaled(17_000, scale, minimum=200)
    rows: list[Row] = []
    for model, theirs in MODELS.items():
        own = cc.null_distribution(margins, "rand", method="analytic", model=model).mean
        exact = float(sim.expected_rand_index(n, random_model=theirs, n_clusters1=3, n_clusters2=3, **sizes))
        ours, peer = interleaved(
            partial(
                cc.null_distribution,
                margins,
                "jaccard",
                method="monte-carlo",
                model=model,
                n_tables=tables,
                rng=1,
            ),
            partial(
                sim.corrected_chance,
                first,
                second,
                measure="jaccard_index",
                random_model=theirs,
                n_samples=CLUSIM_SAMPLES,
            ),
            repeats=repeats_at(scale),
        )
        own_each = [seconds / tables for seconds in ours]
        compared_pairs = CLUSIM_SAMPLES * (1 if theirs.endswith("1") else CLUSIM_SAMPLES)
        peer_each = [seconds / compared_pairs for seconds in peer]
        row: Row = {
            "model": model,
            "chancecorr, µs a comparison": statistics.median(own_each) * 1e6,
            "clusim, µs a comparison": statistics.median(peer_each) * 1e6,
            "E[Rand] less clusim's": f"{abs(own - exact):.1e}",
        }
        rows.append(row | compared(peer_each, own_each))
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
