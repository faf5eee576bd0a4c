"""How time and memory grow with objects, clusters, tables, candidates and prototypes.

Each public function that takes data is called on a ladder of sizes, each twice the one below, up to about 2 s
a call or 1 GiB. Time is the least of up to five calls after a first one; memory is the peak of what Python
and NumPy lay out during a call (`tracemalloc`), the input aside. The exponent of time is the slope of its
logarithm over that of the size, by least squares over the four largest sizes; that of memory, which has no
noise, is the slope over the last two. 1 is proportional, 2 quadratic. "Stated" is what the algorithm implies
for large sizes. "Surprise" names what grew by more than 0.3 above it.
Labels are random integers, a third of which differ between the two sides. Objects grow at 10 clusters on
either side, clusters at 100 objects for each. One thread. Left out is splitting (`tail_probability`), the
time of which goes with the logarithm of the p-value more than with the size.
"""

import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

import chancecorr as cc
from chancecorr.comparison import (
    agreement,
    agreement_by_cluster,
    agreement_by_object,
    compare_trees,
    stability,
)
from chancecorr.ensembles import (
    arimm,
    arimp,
    average_nmi,
    consensus_matrix,
    consensus_partition,
    frobenius_similarity,
    kernel_alignment,
    pairwise_nmi,
    scaled_mantel_statistic,
)
from chancecorr.prototypes import (
    bhattacharyya_distances,
    centroid_index,
    map_prototypes,
)
from chancecorr.report import to_html
from chancecorr.tables import contingency_table_from
from experiments.benchmarks.growth_inputs import (
    Call,
    adjust_matrices,
    centroid_similarity,
    components,
    frames,
    many,
    on_candidates,
    on_datasets,
    on_labels,
    on_margins,
    on_matrices,
    on_new_margins,
    on_scorer,
    on_table,
    prototypes,
    soft,
    tree,
    two,
)
from experiments.benchmarks.timing import Row, run

SECONDS = 2.0
"""A size is the last one where the next would take longer."""

MOST_BYTES = 2**30
FITTED = 4
"""Sizes that an exponent is fitted to."""

REPEATS = 5
SURPRISE = 0.3


class Case(NamedTuple):
    """A call whose size grows, and what is expected of it.

    `time` and `memory` are the stated exponents, `why` the work that they come from.
    """

    function: str
    grows: str
    first: int
    make: Callable[[int], Call]
    time: float
    memory: float
    why: str
    last: int = 2**24


def cases() -> list[Case]:
    """All calls."""
    by_n, by_k, by_m = "objects", "clusters", "candidates"
    text = [np.array(["cluster a", "cluster b", "cluster c"])[np.arange(3)]]
    published = list(cc.PUBLISHED_INDICES)
    return [
        Case("contingency_table", by_n, 2**14, on_labels(cc.contingency_table), 1, 0, "reads each label"),
        Case(
            "contingency_table, text", by_n, 2**12,
            lambda n: partial(cc.contingency_table, *(text[0][each % 3] for each in two(n))),
            1, 1, "reads each label; codes of all",
        ),
        Case(
            "contingency_table, lists of text", by_n, 2**12,
            lambda n: partial(cc.contingency_table, *(text[0][each % 3].tolist() for each in two(n))),
            1, 1, "codes of all labels", 2**21,
        ),
        Case(
            "contingency_table", by_k, 16, lambda k: partial(cc.contingency_table, *two(100 * k, k)),
            2, 2, "cells; 100 objects a cluster",
        ),
        Case(
            "contingency_table_from, frames", by_n, 2**14,
            lambda n: partial(contingency_table_from, frames(n), "x", "y"), 1, 0, "reads each label",
        ),
        Case("score, rand", by_n, 2**14, on_labels(cc.score, "rand"), 1, 0, "the table"),
        Case("score_table, nmi_sum", by_k, 32, on_table(cc.score_table, "nmi_sum"), 2, 2, "cells"),
        Case("score_table, irm", by_k, 8, on_table(cc.score_table, "irm"), 2, 2, "sorts the cells"),
        Case("irm", by_n, 2**14, on_labels(lambda u, v: cc.score(u, v, "irm")), 1, 0, "the table"),
        Case(
            "score_table, maximum_matching_accuracy", by_k, 16,
            on_table(cc.score_table, "maximum_matching_accuracy"), 3, 2, "assignment",
        ),
        Case("adjusted_score, rand", by_n, 2**14, on_labels(cc.adjusted_score, "rand"), 1, 0, "the table"),
        Case(
            "adjusted_score, nmi_sum", by_n, 2**14, on_labels(cc.adjusted_score, "nmi_sum"), 1, 0,
            "the table; the cells' laws, √n counts each",
        ),
        Case(
            "adjusted_score, nmi_sum", by_k, 8,
            lambda k: partial(cc.adjusted_score, *two(100 * k, k), "nmi_sum"), 2, 2, "the cells' laws",
        ),
        Case("adjust, rand", by_n, 2**14, on_labels(cc.adjust), 1, 0, "the table", 2**17),
        Case(
            "adjust, the nine published", by_n, 2**14, on_labels(cc.adjust, index=published), 1, 0,
            "the table", 2**17,
        ),
        Case("adjust_table, rand", by_k, 4, on_table(cc.adjust_table, rng=1), 2, 2, "cells"),
        Case(
            "null_distribution, rand, analytic", by_k, 32,
            on_margins("rand", "analytic", by_clusters=True), 1, 1, "cluster sizes",
        ),
        Case(
            "null_distribution, jaccard, analytic", by_k, 8,
            on_margins("jaccard", "analytic", by_clusters=True), 2, 2, "moments of T",
        ),
        Case(
            "null_distribution, nmi_sum, analytic", by_n, 2**8, on_margins("nmi_sum", "analytic"), 1, 1,
            "pairs of the cells' laws, √n counts each", 2**16,
        ),
        Case(
            "null_distribution, rand, exact, 3 x 3", by_n, 2**5,
            lambda n: on_new_margins(lambda each: cc.null_distribution(each, "rand", method="exact"), n, 3),
            4, 2,
            "tables; distinct values of T",
        ),
        Case(
            "null_distribution, rand, monte-carlo", by_n, 2**14, on_margins("rand", "monte-carlo"), 0, 0,
            "cells of each table",
        ),
        Case(
            "null_distribution, rand, monte-carlo", by_k, 4,
            on_margins("rand", "monte-carlo", by_clusters=True), 2, 1, "cells of each table",
        ),
        Case(
            "null_distribution, irm, monte-carlo", by_k, 4,
            on_margins("irm", "monte-carlo", by_clusters=True), 2, 2, "sorts the cells of each table",
        ),
        Case(
            "null_distribution, maximum_matching_accuracy, monte-carlo", by_k, 4,
            on_margins("maximum_matching_accuracy", "monte-carlo", by_clusters=True), 3, 2,
            "assignment for each table",
        ),
        Case(
            "null_distribution, rand, monte-carlo", "tables", 2**12,
            lambda m: on_new_margins(
                lambda each: cc.null_distribution(each, "rand", method="monte-carlo", n_tables=m, rng=1),
                800, 3,
            ),
            1, 0, "draws each table; distinct values are kept",
        ),
        Case(
            "sample_tables", "tables", 2**10,
            lambda m: on_new_margins(lambda each: cc.sample_tables(each, m, rng=1), 800, 3),
            1, 1, "all tables",
        ),
        Case(
            "sample_tables, 100 tables", by_k, 8,
            lambda k: on_new_margins(lambda each: cc.sample_tables(each, 100, rng=1), 100 * k, k),
            2, 2, "cells",
        ),
        Case(
            "tail_probability, analytic", by_k, 8,
            on_table(cc.tail_probability, "rand", method="analytic", alternative="less"),
            2, 2, "moments of T",
        ),
        Case(
            "AdjustedScore.interval, jackknife", by_k, 4,
            on_table(lambda each: cc.adjust_table(each, method="analytic").interval()), 2, 2, "cells",
        ),
        Case("compare", by_m, 4, on_candidates(), 1, 1, "each candidate; the best against each"),
        Case(
            "report.to_html", by_m, 4, on_candidates(to_html), 1, 1,
            "a row for each, and 40 pictures",
        ),
        Case(
            "pairwise", "clusterings", 8, lambda m: partial(cc.pairwise, many(m, 1_000)), 2, 2,
            "pairs of them",
        ),
        Case(
            "pairwise, 8 clusterings", by_n, 2**12, lambda n: partial(cc.pairwise, many(8, n)), 1, 1,
            "reads each label; keeps codes",
        ),
        Case(
            "stability", "runs", 8, lambda m: partial(stability, many(m, 1_000)), 2, 2,
            "pairs of them, and each object of both",
        ),
        Case(
            "agreement, 100 permutations", "clusterings", 8,
            lambda m: partial(agreement, many(m, 1_000), n_permutations=100, rng=1), 2, 2, "pairs of them",
        ),
        Case("compare_datasets", "data sets", 4, on_datasets, 1, 1, "each of them"),
        Case(
            "agreement_by_cluster", by_n, 2**14, on_labels(agreement_by_cluster), 1, 0, "the table",
        ),
        Case("agreement_by_cluster", by_k, 8, on_table(agreement_by_cluster), 2, 2, "cells"),
        Case("agreement_by_object", by_n, 2**12, on_labels(agreement_by_object), 1, 1, "each object"),
        Case("match_labels", by_n, 2**14, on_labels(cc.comparison.match_labels), 1, 0, "the table"),
        Case("make_scorer", by_n, 2**14, on_scorer, 1, 0, "the table"),
        Case(
            "consensus_matrix", by_n, 2**7, lambda n: partial(consensus_matrix, many(5, n)), 2, 2,
            "pairs",
        ),
        Case(
            "consensus_matrix, 200 objects", "partitions", 8,
            lambda m: partial(consensus_matrix, many(m, 200)), 1, 1, "pairs of each; all labels",
        ),
        Case(
            "arimp", by_n, 2**9,
            lambda n: partial(arimp, consensus_matrix(many(3, n)), two(n)[0]), 2, 0, "pairs, by tiles",
            2**13,
        ),
        *(
            Case(each.__name__, by_n, 2**9, on_matrices(each), 2, 0, "pairs, by tiles", 2**13)
            for each in (arimm, frobenius_similarity, kernel_alignment, scaled_mantel_statistic)
        ),
        Case(
            "adjust, labels and memberships", by_n, 2**12,
            lambda n: partial(cc.adjust, two(n)[0], cc.Membership(soft(n)), n_tables=9, rng=1),
            1, 1, "each object for each permutation",
        ),
        Case(
            "adjust, matrices", by_n, 2**9, on_matrices(adjust_matrices), 2, 0,
            "pairs, by tiles", 2**13,
        ),
        Case(
            "compare_trees", by_n, 2**9,
            lambda n: partial(compare_trees, tree(n, 1), tree(n, 2), n_permutations=99, rng=1), 1, 1,
            "each leaf at each level",
        ),
        Case(
            "consensus_partition", by_n, 2**7, lambda n: partial(consensus_partition, many(5, n), 3), 2, 2,
            "pairs",
        ),
        Case(
            "average_nmi", "partitions", 8,
            lambda m: partial(average_nmi, many(m, 1_000), two(1_000)[0]), 1, 1, "each label",
        ),
        Case(
            "pairwise_nmi", "partitions", 8, lambda m: partial(pairwise_nmi, many(m, 1_000)), 2, 2,
            "pairs of clusters",
        ),
        Case(
            "centroid_index", "prototypes", 32, lambda k: partial(centroid_index, *prototypes(k)), 2, 2,
            "pairs",
        ),
        Case(
            "map_prototypes", "prototypes", 32, lambda k: partial(map_prototypes, *prototypes(k)), 2, 2,
            "pairs",
        ),
        Case("centroid_similarity_index", by_n, 2**14, centroid_similarity, 1, 1, "codes of all labels"),
        Case(
            "bhattacharyya_distances", "prototypes", 16,
            lambda k: partial(bhattacharyya_distances, *components(k)), 2, 2, "pairs",
        ),
    ]  # fmt: skip


def climbed(case: Case, limit: float) -> Iterator[tuple[int, float, float]]:
    """Sizes, with seconds and bytes of each, until the next would take more than `limit` seconds."""
    size, rungs = case.first, 0
    while True:
        call = case.make(size)
        seconds = least_seconds(call, limit)
        peak = peak_bytes(call)
        yield size, seconds, peak
        size, rungs = 2 * size, rungs + 1
        is_long = seconds * 2**case.time > limit or peak * 2**case.memory > MOST_BYTES or size > case.last
        if rungs >= FITTED and is_long:
            return


def least_seconds(call: Call, limit: float) -> float:
    """Least time of up to `REPEATS` calls after a first one, which counts where it takes long."""
    taken: list[float] = []
    for _ in range(REPEATS + 1):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
        if sum(taken) > limit and len(taken) > 1:
            break
    return min(taken)


def peak_bytes(call: Call) -> float:
    """Most bytes that are held at a time during a call."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        found = call()
        del found
        return float(max(tracemalloc.get_traced_memory()[1] - before, 1))
    finally:
        tracemalloc.stop()


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Slope of the logarithms by least squares."""
    x, y = (np.log(np.asarray(each, dtype=np.float64)) for each in (sizes, values))
    x -= x.mean()
    return float(x @ y / (x @ x))


def measure(scale: float = 1.0, chosen: Sequence[Case] | None = None) -> list[Row]:
    """One row a case."""
    rows: list[Row] = []
    for case in cases() if chosen is None else chosen:
        sizes, seconds, peaks = zip(*climbed(case, SECONDS * scale), strict=True)
        of_time, of_memory = exponent(sizes[-FITTED:], seconds[-FITTED:]), exponent(sizes[-2:], peaks[-2:])
        measured = {"time": (of_time, case.time), "memory": (of_memory, case.memory)}
        rows.append(
            {
                "function": case.function,
                "grows with": case.grows,
                "from": sizes[-FITTED:][0],
                "to": sizes[-1],
                "ms at most": 1e3 * seconds[-1],
                "exponent of time": of_time,
                "exponent of time, stated": case.time,
                "MiB at most": peaks[-1] / 2**20,
                "exponent of memory": of_memory,
                "exponent of memory, stated": case.memory,
                "because": case.why,
                "surprise": ", ".join(
                    name for name, (found, stated) in measured.items() if found > stated + SURPRISE
                ),
            }
        )
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
