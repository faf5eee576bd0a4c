"""Time and error of small p-values, and of the law that they are read from.

Margins of the published three-group design, (240, 240, 320) on both sides; tables with more and more objects
moved from independence to the diagonal, so that the p-value of the Rand index falls. By the exact law
(enumeration to a lost mass of 1e-12), Pearson's curve from four exact moments, the normal law, multilevel
splitting, and 17,000 simulated tables. A p-value of the exact law may be too small by the lost mass, 1e-12.
"""

import math
import statistics
from collections.abc import Callable
from functools import partial

import numpy as np

import chancecorr as cc
from chancecorr.correction.p_value_methods import compute_pearson_tail, split_p_value
from chancecorr.exact.enumeration import pair_sum_law
from chancecorr.tables.pair_sum import pair_sum_moments
from experiments.benchmarks.timing import Row, interleaved, repeats_at, run, scaled

MOVED = (6, 10, 14)
"""Objects moved to each diagonal cell."""


def measure(scale: float = 1.0) -> list[Row]:
    """Rows for the law, then for p-values by each method."""
    sizes = np.array([240, 240, 320]) if scale >= 0.1 else np.array([12, 12, 16])
    margins = cc.Margins(sizes, sizes)
    repeats = repeats_at(scale)
    (seconds,) = interleaved(lambda: pair_sum_law(margins), repeats=repeats)
    law = pair_sum_law(margins)
    rows: list[Row] = [
        {
            "law of T": f"{sizes.tolist()} on both sides",
            "values": law.values.size,
            "ms": statistics.median(seconds) * 1e3,
            "lost mass": f"{law.lost_mass:.0e}",
        }
    ]
    moments = pair_sum_moments(margins)
    expected = np.outer(sizes, sizes) / sizes.sum()
    for moved in MOVED:
        table = expected.round().astype(int)
        shift = max(1, round(moved * sizes.sum() / 800))
        table += shift * (3 * np.eye(3, dtype=int) - 1)
        table[-1] += sizes - table.sum(axis=0)
        table[:, -1] += sizes - table.sum(axis=1)
        observed = cc.ContingencyTable(table)
        exact = law.probabilities[law.values >= observed.sum_of_squares].sum()
        normal = 0.5 * math.erfc(float(observed.sum_of_squares - moments.mean) / moments.std / math.sqrt(2))
        n_tables = scaled(17_000, scale, minimum=50)
        sides: dict[str, Callable[[], float]] = {
            "Pearson's curve": partial(pearson, observed),
            "splitting": partial(splitting, observed),
            "17,000 tables": partial(simulation, observed, n_tables),
        }
        taken = dict(zip(sides, interleaved(*sides.values(), repeats=repeats), strict=True))
        rows.append(_row(exact, "exact law", statistics.median(seconds), exact))
        rows += [_row(exact, side, statistics.median(taken[side]), call()) for side, call in sides.items()]
        rows.append(_row(exact, "normal law", 0.0, normal))
    return rows


def pearson(observed: cc.ContingencyTable) -> float:
    """p-value by Pearson's curve."""
    return compute_pearson_tail(observed, "greater")[0]


def splitting(observed: cc.ContingencyTable) -> float:
    """p-value by multilevel splitting."""
    return split_p_value("rand", observed.margins, cc.score_table(observed, "rand"), rng=1).p_value


def simulation(observed: cc.ContingencyTable, n_tables: int) -> float:
    """p-value by simulated tables."""
    scores = cc.adjust_table(observed, index="rand", method="monte-carlo", rng=1, n_tables=n_tables)
    return scores.p_value


def _row(exact: float, method: str, seconds: float, found: float) -> Row:
    return {
        "exact p-value": f"{exact:.2e}",
        "by": method,
        "p-value": f"{found:.2e}",
        "relative to the exact one": f"{found / exact:.3g}",
        "ms": f"{seconds * 1e3:.3g}" if seconds else "–",
    }


def main() -> None:
    """Print the tables."""
    run(measure)


if __name__ == "__main__":
    main()
