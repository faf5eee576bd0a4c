"""How often intervals of Cohen's kappa hold it: ``python -m experiments.coverage.kappa`` writes `kappa.csv`.

A reference and two raters put n items into K categories. A rater repeats the reference with a
probability, else the rater draws from shares of its own; given the reference, the raters are
independent. Intervals are for the kappa of the first rater with the reference, and for the
difference of both raters' kappas. They come from this package, from the percentile bootstrap, and
from the normal distribution with the standard error of Fleiss, Cohen & Everitt (1969), which
`std_kappa` of statsmodels has. It takes five minutes on one processor.
"""

import argparse
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import chancecorr as cc
from chancecorr.chance.models import make_model_of_table, name_clusters
from chancecorr.correction.interval import (
    Interval,
    compute_difference,
    make_difference_of_same,
    make_interval,
)
from chancecorr.correction.jackknife import LeaveOneOut, leave_groups_out, leave_one_out
from chancecorr.correction.nulls import find_nulls
from chancecorr.correction.options import read_options
from chancecorr.indices.registry import find_index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.objects import leave_out_groups
from experiments.common.kept import write_whole
from experiments.common.report import as_csv

HERE = Path(__file__).parent
LEVEL, NORMAL_QUANTILE = 0.95, 1.959963984540054
RESAMPLES = 999


class Design(NamedTuple):
    """Shares of the categories, probabilities that the raters repeat the reference, and items.

    In groups of items both vary: the reference by a Dirichlet distribution, the raters by beta distributions.
    """

    name: str
    shares: tuple[float, ...]
    repeated: tuple[float, float]
    n: int
    groups: int = 0
    drawn: tuple[float, ...] = ()  # shares from which the raters draw, by default those of the reference


HALVES, THIRDS, FIFTHS = (0.5, 0.5), (1 / 3, 1 / 3, 1 / 3), (0.2,) * 5
DESIGNS = (
    Design("2 equal categories", HALVES, (0.4, 0.4), 30),
    Design("3 equal categories", THIRDS, (0.0, 0.0), 30),
    Design("3 categories, 6:3:1", (0.6, 0.3, 0.1), (0.8, 0.6), 30),
    Design("2 categories, 9:1", (0.9, 0.1), (0.4, 0.4), 100),
    Design("2 equal categories", HALVES, (0.8, 0.8), 100),
    Design("5 equal categories", FIFTHS, (0.95, 0.9), 100),
    Design("3 equal categories", THIRDS, (0.0, 0.0), 300),
    Design("3 categories, 6:3:1, raters with 3:3:4", (0.6, 0.3, 0.1), (0.4, 0.2), 300, drawn=(0.3, 0.3, 0.4)),
    Design("5 categories, 5:2:1:1:1", (0.5, 0.2, 0.1, 0.1, 0.1), (0.95, 0.95), 1_000),
    Design("3 equal categories", THIRDS, (0.4, 0.4), 120, 12),
    Design("3 equal categories", THIRDS, (0.8, 0.6), 300, 30),
    Design("5 equal categories", FIFTHS, (0.4, 0.2), 1_000, 100),
)
SPREAD = 4.0
"""Sum of the parameters of the beta and Dirichlet distributions; groups vary more if it is smaller."""


def make_joint(shares: Floats, drawn: Floats, repeated: float) -> Floats:
    """Return the shares of the cells of reference and rater."""
    joint: Floats = repeated * np.diag(shares) + (1.0 - repeated) * np.outer(shares, drawn)
    return joint


def draw_items(design: Design, rng: np.random.Generator) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the categories by the reference and by both raters, and the group of each item."""
    shares, n = np.array(design.shares), design.n
    drawn, n_groups = np.array(design.drawn or design.shares), max(design.groups, 1)
    groups = np.arange(n) % n_groups
    repeated = np.tile(design.repeated, (n_groups, 1)).T
    of_groups = np.tile(shares, (n_groups, 1))
    if design.groups:
        of_groups = rng.dirichlet(SPREAD * shares, n_groups)
        repeated = rng.beta(SPREAD * repeated, SPREAD * (1.0 - repeated))
    cumulative = np.cumsum(of_groups, axis=1)[groups, :-1]
    reference = (rng.random(n)[:, None] > cumulative).sum(axis=1)
    first, second = (
        np.where(rng.random(n) < of_rater[groups], reference, rng.choice(shares.size, n, p=drawn))
        for of_rater in repeated
    )
    return reference, first, second, groups


def compute_kappa(tables: Floats) -> Floats:
    """Return kappa of tables of counts or shares, shape (..., K, K); nan if there is one category."""
    totals = tables.sum(axis=(-2, -1))
    agreement = np.trace(tables, axis1=-2, axis2=-1) / totals
    expected = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / totals**2
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa: Floats = (agreement - expected) / (1.0 - expected)
    return kappa


def compute_influence(table: Floats) -> Floats:
    """Return the influence of an item of each cell on kappa, up to a constant, shape (K, K).

    ``(delta_ij - (1 - kappa) (column_i + row_j)) / (1 - p_e)``: its variance over the items, divided by n, is
    the large-sample variance of Fleiss, Cohen & Everitt (1969), doi:10.1037/h0028106.
    """
    shares = table / table.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    expected, kappa = rows @ columns, float(compute_kappa(shares))
    influence: Floats = (np.eye(rows.size) - (1.0 - kappa) * (columns[:, None] + rows)) / (1.0 - expected)
    return influence


def make_normal_interval(estimate: float, influence: Floats) -> tuple[float, float]:
    """Return the interval from the influence of each item; items are taken for independent."""
    error = NORMAL_QUANTILE * float(influence.std()) / np.sqrt(influence.size)
    return estimate - error, estimate + error


def leave_out_of_kappa(
    reference: Integers, rater: Integers, K: int, groups: Integers | None
) -> tuple[LeaveOneOut, Integers]:
    """Return kappa without each item, or each group, as `compare` computes it, and the cell of each item."""
    counts = np.zeros((K, K), dtype=np.int64)
    np.add.at(counts, (reference, rater), 1)
    present = (counts.sum(axis=0) + counts.sum(axis=1)) > 0
    labels = np.flatnonzero(present).tolist()
    table = cc.ContingencyTable(counts[present][:, present], row_labels=labels, column_labels=labels)
    entry, table, _ = name_clusters(find_index("cohen_kappa", to_adjust=True).entry, table)
    # with two categories, `compare` lists all tables, and takes the lowest score from them
    model = make_model_of_table(table, read_options(method="exact" if K == 2 else "analytic", rng=0))
    null = find_nulls(model, (entry,))[entry.name]
    number = np.cumsum(counts.ravel() > 0) - 1  # of each cell among the non-empty ones
    cells = number[reference * K + rater]
    if groups is None:
        return leave_one_out(model, entry, null), cells
    parts = leave_out_groups(table, cells, groups, keep_empty=True)
    return leave_groups_out(model, entry, parts, null), cells


def compare_kappas(sides: list[tuple[LeaveOneOut, Integers]], groups: Integers | None) -> Interval:
    """Return the interval of the difference of two kappas, as `compare` computes it."""
    (first, cells), (second, others) = sides
    if np.array_equal(cells, others):
        return make_difference_of_same(LEVEL).interval
    if groups is None:
        both, counts = np.unique(np.stack([cells, others]), axis=1, return_counts=True)
        return compute_difference(first, second, both[0], both[1], counts, LEVEL).interval
    numbers = np.arange(first.counts.size)
    return compute_difference(first, second, numbers, numbers, first.counts, LEVEL).interval


def resample_kappas(cube: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return kappas of both raters in resamples of the groups; `cube` has shape (groups, K, K, K)."""
    G, K = cube.shape[:2]
    drawn: Any
    if G == 1:  # a resample of n items is a multinomial draw of the cells
        n = int(cube.sum())
        drawn = rng.multinomial(n, cube.ravel() / n, RESAMPLES).reshape(RESAMPLES, K, K, K)
    else:
        times = rng.multinomial(G, np.full(G, 1.0 / G), RESAMPLES)
        drawn = (times @ cube.reshape(G, -1)).reshape(RESAMPLES, K, K, K)
    return compute_kappa(drawn.sum(axis=3)), compute_kappa(drawn.sum(axis=2))


Ends = dict[tuple[str, str], tuple[float, float]]
"""Ends of intervals, by what they are for and the method."""


def make_intervals(design: Design, rng: np.random.Generator) -> Ends:
    """Return the intervals of one sample, by all methods."""
    reference, first, second, groups = draw_items(design, rng)
    K = len(design.shares)
    cube = np.zeros((max(design.groups, 1), K, K, K))
    np.add.at(cube, (groups, reference, first, second), 1.0)
    found: Ends = {}
    by = groups if design.groups else None
    ours = [leave_out_of_kappa(reference, rater, K, by) for rater in (first, second)]
    intervals = {"kappa": make_interval(ours[0][0], LEVEL), "difference": compare_kappas(ours, by)}
    for what, interval in intervals.items():
        found[what, "chancecorr"] = interval.low, interval.high
    tables = cube.sum(axis=(0, 3)), cube.sum(axis=(0, 2))
    kappas = [float(compute_kappa(table)) for table in tables]
    influences = [
        compute_influence(table)[reference, rater]
        for table, rater in zip(tables, (first, second), strict=True)
    ]
    found["kappa", "normal"] = make_normal_interval(kappas[0], influences[0])
    found["difference", "normal"] = make_normal_interval(kappas[0] - kappas[1], influences[0] - influences[1])
    one, other = resample_kappas(cube, rng)
    tails = [(1.0 - LEVEL) / 2, (1.0 + LEVEL) / 2]
    for what, values in (("kappa", one), ("difference", one - other)):
        low, high = np.nanquantile(values, tails)
        found[what, "bootstrap"] = float(low), float(high)
    return found


def compute_truths(design: Design) -> dict[str, float]:
    """Return kappa of the first rater, and the difference of both, in the population.

    Groups do not change these: the reference and the raters vary independently, and cells are linear in each.
    """
    shares, drawn = np.array(design.shares), np.array(design.drawn or design.shares)
    kappas = [float(compute_kappa(make_joint(shares, drawn, repeated))) for repeated in design.repeated]
    return {"kappa": kappas[0], "difference": kappas[0] - kappas[1]}


def measure_coverage(design: Design, samples: int) -> list[dict[str, Any]]:
    """Return a row for each kind of interval and method."""
    rng = np.random.default_rng([design.n, design.groups, zlib.crc32(repr(design).encode())])
    truths, drawn = compute_truths(design), [make_intervals(design, rng) for _ in range(samples)]
    rows = []
    for what, method in drawn[0]:
        about = {
            "categories": design.name, "n": design.n, "groups": design.groups, "of": what,
            "truth": round(truths[what], 6), "method": method, "samples": samples,
        }  # fmt: skip
        rows.append(about | count_intervals([of_sample[what, method] for of_sample in drawn], truths[what]))
    return rows


def count_intervals(ends: list[tuple[float, float]], truth: float) -> dict[str, float]:
    """Return the shares of intervals that hold the true value, or lie above or below it, and their width.

    Samples without an interval have the share "none", and do not count in the others.
    """
    low, high = np.array(ends).T
    known = np.isfinite(low) & np.isfinite(high)
    above, below = low[known] > truth + 1e-12, high[known] < truth - 1e-12
    return {
        "held": float(1.0 - (above | below).mean()), "above": float(above.mean()),
        "below": float(below.mean()), "none": float((~known).mean()),
        "width": float(np.median((high - low)[known])),
    }  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    """Measure all designs, and write the file."""
    parser = argparse.ArgumentParser(description="Coverage of intervals of Cohen's kappa.")
    parser.add_argument("--samples", type=int, default=2_000, help="of each design; half of it for groups")
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args(arguments)
    rows = []
    for design in DESIGNS:
        rows += measure_coverage(design, options.samples // (2 if design.groups else 1))
    write_whole(options.folder / "kappa.csv", as_csv(rows))


if __name__ == "__main__":
    main()
