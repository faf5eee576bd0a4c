"""One-to-one matchings of sparse tables, from their non-empty cells, against SciPy's sparse assignment.

Tables of two independent clusterings of n objects into ``n / log n`` clusters, about as many as a random
partition has. Cells weigh their counts, the share of their row, or the share of the larger cluster that they
hold. Tables of a million objects are timed once.
"""

import functools
import math
import statistics
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from chancecorr.indices.entry import heaviest_matching
from chancecorr.machine.arrays import Floats, Integers
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled, seconds_of

OBJECTS = (10_000, 100_000, 1_000_000)
OFTEN = 100_000
"""Objects up to which a timing is repeated."""

Listed = tuple[Integers, Integers, Floats, int]
"""Rows, columns and weights of the cells, and the number of clusters on a side."""

WEIGHTS: dict[str, Callable[[Integers, Integers, Integers], npt.NDArray[np.float64]]] = {
    "counts": lambda counts, rows, columns: counts.astype(np.float64),
    "shares of rows": lambda counts, rows, columns: counts / rows,
    "shares of the larger cluster": lambda counts, rows, columns: counts / np.maximum(rows, columns),
}


def measure(scale: float = 1.0) -> list[Row]:
    """Rows for each size and kind of weight."""
    rows: list[Row] = []
    for objects in OBJECTS:
        n = scaled(objects, scale, minimum=200)
        for kind in WEIGHTS:
            listed = random_table(n, kind)
            row: Row = {"objects": n, "clusters a side": listed[3], "weights": kind}
            ours = functools.partial(heaviest, *listed)
            theirs = functools.partial(by_scipy, *listed)
            if not math.isclose(ours(), theirs(), rel_tol=1e-12):
                raise RuntimeError(f"the matchings of {kind} differ")
            repeats = repeats_at(scale, 3)
            own, peer = (
                interleaved(ours, theirs, repeats=repeats)
                if n <= OFTEN
                else ([seconds_of(ours)], [seconds_of(theirs)])
            )
            seconds = {"chancecorr, s": statistics.median(own), "SciPy, s": statistics.median(peer)}
            rows.append({**row, **seconds, **compared(peer, own)})
    return rows


def random_table(n: int, kind: str) -> Listed:
    """Non-empty cells, row by row, of two independent clusterings."""
    rng, clusters = np.random.default_rng(n), round(n / math.log(n))
    labels = rng.integers(0, clusters, n), rng.integers(0, clusters, n)
    table = csr_array((np.ones(n, dtype=np.int64), labels), shape=(clusters, clusters))
    table.sum_duplicates()
    cells = table.tocoo()
    rows, columns = (each.astype(np.int64) for each in cells.coords)
    sizes = [np.bincount(each, minlength=clusters) for each in labels]
    return rows, columns, WEIGHTS[kind](cells.data, sizes[0][rows], sizes[1][columns]), clusters


def heaviest(rows: Integers, columns: Integers, weights: Floats, clusters: int) -> float:
    """The weight by chancecorr."""
    return heaviest_matching(rows, columns, weights, clusters, clusters)


def by_scipy(rows: Integers, columns: Integers, weights: Floats, clusters: int) -> float:
    """The weight by SciPy, which matches every row: each may have a column of its own that adds nothing."""
    own, top = np.arange(clusters), 2.0 * float(weights.max())  # all costs above zero: a zero is no cell
    costs = np.concatenate([top - weights, np.full(clusters, top)])
    places = np.concatenate([rows, own]), np.concatenate([columns, clusters + own])
    matched = min_weight_full_bipartite_matching(csr_array((costs, places), shape=(clusters, 2 * clusters)))
    weight_of = csr_array((weights, (rows, columns)), shape=(clusters, 2 * clusters))
    return float(weight_of[matched].sum())


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
