"""``python -m experiments.coverage.biclusters``: coverage of intervals of biclusterings.

Rows and columns of a matrix are drawn from a population each, with their clusters in a reference and in a
candidate. Counted is how often intervals of 95 % hold the adjusted score of the population, the limit of that
of a large matrix; as the control, intervals without the variance of the columns. Writes `biclusters.json` and
`biclusters.md`, in some minutes.
"""

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np

import chancecorr as cc
from chancecorr.chance.methods import MethodName
from chancecorr.clusterings import Biclusters
from chancecorr.correction import AdjustedScore
from chancecorr.correction.interval import Interval, jackknife_interval
from chancecorr.machine.arrays import Floats, Integers
from experiments.common.kept import write_json
from experiments.coverage.populations import adjusted_limit, blurred

HERE = Path(__file__).parent
SIZES = (30, 20), (100, 60), (400, 200)
MIXED = (1.0, 1.0), (1.0, 0.1), (0.5, 0.5), (0.1, 0.1), (0.02, 0.02), (0.1, 0.0)
CLUSTERS = np.array([0.5, 0.3, 0.2])


def coverage(index: str, mixed: tuple[float, float], sizes: tuple[int, int], samples: int) -> dict[str, Any]:
    """How often intervals hold the score of one population."""
    rng = np.random.default_rng([*sizes, *(int(100 * each) for each in mixed)])
    shares = [blurred(CLUSTERS, each) for each in mixed]
    truth = adjusted_limit(index, np.kron(*shares).astype(np.float64))
    method: MethodName = "analytic" if index == "rand" else "monte-carlo"
    held: list[list[float]] = []
    for _ in range(samples):
        (rows, other), (columns, others) = map(drawn, shares, sizes, [rng] * 2)
        first, second = Biclusters(rows, columns), Biclusters(other, others)
        score = cc.adjust(first, second, index, method=method, n_tables=300, rng=rng)
        held.append([holds(each, truth) for each in (score.interval(), of_rows_alone(score, sizes[0]))])
    with_both, with_rows = np.nanmean(held, axis=0).tolist()
    names = "index", "mixed rows, columns", "rows, columns", "truth", "held", "by rows alone"
    return dict(zip(names, (index, mixed, sizes, truth, with_both, with_rows), strict=True))


def drawn(shares: Floats, n: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Clusters of n rows or columns in the reference and in the candidate."""
    first, second = np.unravel_index(rng.choice(shares.size, n, p=shares.ravel()), shares.shape)
    return first, second


def of_rows_alone(score: AdjustedScore, rows: int) -> Interval:
    """Interval in which the columns do not vary."""
    assert score.model is not None
    found = score.model.leave_out(score.entry, score.null, None)
    is_row = np.cumsum(found.counts) <= rows
    return jackknife_interval(replace(found, without=np.where(is_row, found.without, found.whole)), 0.95)


def holds(interval: Interval, truth: float) -> float:
    """1 or 0; nan without an interval."""
    return (
        math.nan if math.isnan(interval.low) else float(interval.low - 1e-9 <= truth <= interval.high + 1e-9)
    )


def page(rows: Sequence[Mapping[str, Any]], samples: int) -> str:
    """The results as a page of Markdown."""
    lines = [
        "# Coverage of intervals of biclusterings",
        "",
        f"Share of {samples:,} intervals of 95 % that hold the population's score, in percent. Written by"
        " `python -m experiments.coverage.biclusters`.",
        "",
        "| index | rows, columns | mixed, % | truth | held | by rows alone |",
        "| :-- | --: | --: | --: | --: | --: |",
    ]
    for row in rows:
        mixed = " and ".join(f"{100 * each:g}" for each in row["mixed rows, columns"])
        size = " x ".join(map(str, row["rows, columns"]))
        held = " | ".join(f"{100 * row[name]:.1f}" for name in ("held", "by rows alone"))
        lines.append(f"| {row['index']} | {size} | {mixed} | {row['truth'] + 1e-12:.3f} | {held} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--folder", type=Path, default=HERE)
    options = parser.parse_args(arguments)
    cases = [(index, mixed, sizes) for index in ("rand", "jaccard") for mixed in MIXED for sizes in SIZES]
    rows = joblib.Parallel(n_jobs=-1)(joblib.delayed(coverage)(*each, options.samples) for each in cases)
    write_json(options.folder / "biclusters.json", {"samples": options.samples, "rows": rows})
    (options.folder / "biclusters.md").write_text(page(rows, options.samples), encoding="utf-8")


if __name__ == "__main__":
    main()
