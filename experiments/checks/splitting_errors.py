"""Stated errors of multilevel splitting against enumerated tails, over many seeds.

``python -m experiments.checks.splitting_errors`` takes some ten minutes. On margins where walks from table to
table mix slowly, many small clusters or sizes that match in several ways, the p-value of a large T is known
from its law. Printed are, for each, how many of the stated errors, which claim 95 of 100, cover it, the mean
of the p-values over the truth, and the time of one answer.
"""

import argparse
import time

import numpy as np

import chancecorr as cc
from chancecorr.correction.p_value_methods import split_p_value
from chancecorr.exact.enumeration import pair_sum_law

CASES = (
    ([2] * 20, [2] * 20, 1.2e-6),
    ([3] * 20, [3] * 20, 4e-11),
    ([20, 10, 5, 5], [15, 15, 10], 1e-6),
    ([20, 10, 5, 5], [15, 15, 10], 1e-12),
    ([6] * 4, [6] * 4, 1e-11),
    ([2] * 30 + [20], [10] * 8, 1e-6),
    ([240, 240, 320], [240, 240, 320], 1e-8),
)
PAIR_SUM = cc.indices.Index(name="pair_sum", function=lambda a, b, c, d: a, needs="pairs")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--tables", type=int, default=500)
    options = parser.parse_args()
    print(f"{'margins':34} {'p':>8} {'covered':>8} {'mean/p':>7} {'stated':>7} {'s':>6}")
    for rows, columns, p in CASES:
        margins = cc.Margins(rows, columns)
        law = pair_sum_law(margins, budget=30.0)
        tail = np.cumsum(law.probabilities[::-1])[::-1]
        at = int(np.abs(np.log(tail / p)).argmin())
        observed = (int(law.values[at]) - margins.n) / 2
        began = time.perf_counter()
        found = [
            split_p_value(PAIR_SUM, margins, observed, rng=seed, n_tables=options.tables)
            for seed in range(options.seeds)
        ]
        seconds = (time.perf_counter() - began) / options.seeds
        ratios = np.array([one.p_value for one in found]) / tail[at]
        stated = np.array([one.relative_error for one in found])
        covered = float((np.abs(ratios - 1.0) <= stated * ratios).mean())
        name = f"{rows[0]} x {len(rows)}, {columns[0]} x {len(columns)}"
        numbers = f"{covered:8.0%} {ratios.mean():7.3f} {np.median(stated):7.2f} {seconds:6.2f}"
        print(f"{name:34} {tail[at]:8.2g} {numbers}", flush=True)


if __name__ == "__main__":
    main()
