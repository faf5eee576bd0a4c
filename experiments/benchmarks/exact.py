"""Time and error of each method for the mean of an index, and of its exact answers against the peers'.

First table: the mean of Jaccard's index by each method, warm, on one thread; the error is that against the
exact law where that is affordable, else against quadrature with more nodes. The law of T is found once and
kept, so its time is measured on the bare `pair_sum_law`. Second table: exact means of sums over cells against
scikit-learn's `expected_mutual_information` in the same run, on random cluster sizes.
"""

import math
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

import chancecorr as cc
from chancecorr.exact import additive
from chancecorr.exact.additive import expected_cell_sum, variance_cell_sum
from chancecorr.exact.enumeration import forecast_pair_sum_law, pair_sum_law
from chancecorr.exact.quadrature import smooth_moments
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

MARGINS = {
    "3 x 3, n = 100": ([33, 33, 34], [33, 33, 34]),
    "3 x 3, n = 800": ([240, 240, 320], [240, 240, 320]),
    "3 x 3, n = 800, unequal": ([100, 300, 400], [150, 250, 400]),
    "10 x 10, n = 10,000": ([1000] * 10, [1000] * 10),
    "3 x 3, n = 10^9": ([3 * 10**8, 3 * 10**8, 4 * 10**8], [2 * 10**8, 35 * 10**7, 45 * 10**7]),
}
LAW_SECONDS = 1.0


def mi_term(n_ij: float, row: float, column: float, n: float) -> float:
    """Share of a cell in the mutual information."""
    return n_ij / n * math.log(n * n_ij / (row * column))


MI = cc.indices.Index(name="mutual_information_term", function=mi_term, needs="cells")


def measure(scale: float = 1.0) -> list[Row]:
    """Rows for Jaccard's mean by method, then rows for sums over cells."""
    return [*jaccard_rows(scale), *additive_rows(scale)]


def jaccard_rows(scale: float) -> list[Row]:
    """Mean of Jaccard's index: quadrature, exact law, 17,000 tables."""
    index = cc.get_index("jaccard")
    rows: list[Row] = []
    for name, totals in MARGINS.items():
        margins = cc.Margins(*totals)
        m = scaled(17_000, scale, minimum=50)
        repeats = repeats_at(scale)
        best = smooth_moments(index, margins, nodes=8).moments
        sides: dict[str, Callable[[], Any]] = {
            "quadrature": partial(smooth_moments, index, margins),
            "17,000 tables": partial(
                cc.null_distribution, margins, index, method="monte-carlo", n_tables=m, rng=1
            ),
        }
        if forecast_pair_sum_law(margins).seconds < LAW_SECONDS * min(scale * 10, 1):
            sides["exact law"] = partial(pair_sum_law, margins)
            best = cc.null_distribution(margins, index, method="exact").moments
        seconds = dict(zip(sides, interleaved(*sides.values(), repeats=repeats), strict=True))
        for side, taken in seconds.items():
            error = "reference"
            if side == "17,000 tables":
                error = f"{abs(sides[side]().mean - best.mean):.1e}"
            elif side == "quadrature":
                error = f"{abs(sides[side]().moments.mean - best.mean):.1e}"
            rows.append(
                {
                    "margins": name,
                    "mean of Jaccard by": side,
                    "ms": statistics.median(taken) * 1e3,
                    "error of the mean": error,
                    "std": best.std,
                }
            )
    return rows


def mean_anew(margins: cc.Margins) -> float:
    """E[MI], computed and not remembered from the last call."""
    additive._average_sum.cache_clear()
    return expected_cell_sum(MI, margins)


def variance_anew(margins: cc.Margins) -> float:
    """Var[MI], computed and not remembered from the last call."""
    additive._compute_variance.cache_clear()
    return variance_cell_sum(MI, margins)


def keep(found: dict[str, float], name: str, call: Callable[[], float]) -> None:
    """Store what a call returns; the peer takes minutes, so that its timed call is not made again."""
    found[name] = call()


def additive_rows(scale: float) -> list[Row]:
    """Exact E[MI] against scikit-learn, and exact Var[MI], which it does not have."""
    rng = np.random.default_rng(1)
    rows: list[Row] = []
    cases = [(10, 1_000, 5), (100, 100_000, 5)] if scale >= 0.1 else [(5, 100, 5)]
    cases += [(1_000, 1_000_000, 1)] if scale >= 1 else []  # the peer takes minutes
    for clusters, n, repeats in cases:
        labels = rng.integers(0, clusters, size=(2, n))
        table = cc.contingency_table(*labels)
        sparse = contingency_matrix(*labels, sparse=True).astype(np.int64)
        means: dict[str, float] = {}
        ours, peer = interleaved(
            partial(keep, means, "ours", partial(mean_anew, table.margins)),
            partial(keep, means, "peer", partial(expected_mutual_information, sparse, n)),
            repeats=repeats_at(scale, full=repeats) if repeats > 1 else 1,
        )
        difference = abs(means["ours"] - means["peer"])
        row: Row = {
            "E[MI], clusters": f"{clusters} x {clusters}",
            "n": n,
            "chancecorr, ms": statistics.median(ours) * 1e3,
            "scikit-learn, ms": statistics.median(peer) * 1e3,
            "difference": f"{difference:.1e}",
        }
        rows.append(row | compared(peer, ours))
    n = scaled(3000, scale, minimum=100)
    margins = cc.contingency_table(*rng.integers(0, 30, size=(2, n))).margins
    (seconds,) = interleaved(lambda: variance_anew(margins), repeats=repeats_at(scale))
    rows.append({"Var[MI], clusters": "30 x 30", "n": n, "chancecorr, ms": statistics.median(seconds) * 1e3})
    return rows


def main() -> None:
    """Print the tables."""
    run(measure)


if __name__ == "__main__":
    main()
