"""Printed numbers with verdicts, and rows of what the cells hold."""

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common.data import load_dataset
from experiments.common.printed import Printed
from experiments.common.runs import Outcome
from experiments.common.verdict import Verdict, distance, exact, unreachable
from experiments.franti_rezaei_2016 import paper
from experiments.franti_rezaei_2016.clusterings import truth
from experiments.franti_rezaei_2016.unit import INDICES

FloatArray = npt.NDArray[np.float64]
Row = dict[str, Any]

FIGURE_3_IS_LOST = "its objects are in figure 3 alone, which was not at hand"
LARGEST_EXAMPLE = 30
"""Objects in the tables of two clusters by two that are searched for the values of figure 1."""


def verdicts_of(outcome: Outcome) -> dict[str, list[Verdict]]:
    """A verdict on each printed number that the outcome has cells for, by where it is printed."""
    found = {"data sets": sizes_of_data(), "figure 1": figure_1(), "operations": operations()}
    found["table 1"] = [unreachable(printed, FIGURE_3_IS_LOST) for printed in paper.FIGURE_3]
    found["clusterings"] = [
        drawn(printed, sample_values(outcome, printed))
        for printed in paper.SAMPLES
        if cell_of(printed) in outcome.records
    ]
    for cell in outcome.cells:
        group, _, name = cell.name.partition("/")
        if group == "figure 2":
            found[f"figure 2, {name}"] = [
                drawn(printed, figure_2_values(outcome, cell.name, printed)) for printed in paper.FIGURE_2
            ]
        elif group == "mixtures":
            found[f"figure 5, {name}"] = [
                drawn(printed, outcome.values(cell.name, printed.column)) for printed in paper.FIGURE_5
            ]
    return {name: verdicts for name, verdicts in found.items() if verdicts}


def drawn(printed: Printed, values: FloatArray) -> Verdict:
    """The verdict on one clustering of the paper: whether it lies within the range of ours.

    `p` is the share of ours that are as far out on that side or further, doubled.
    """
    values = values[~np.isnan(values)]
    if values.size == 0:
        return unreachable(printed, "no clustering of this kind here")
    if np.ptp(values) == 0.0:
        return exact(printed, float(values[0]))
    above = np.count_nonzero(values >= printed.value - printed.half_unit)
    below = np.count_nonzero(values <= printed.value + printed.half_unit)
    low, high = np.quantile(values, [0.025, 0.975])
    return Verdict(
        printed=printed,
        ours=float(values.mean()),
        low=float(low),
        high=float(high),
        z=distance(printed, float(values.mean()), float(values.std())),
        p=min(1.0, 2.0 * min(above, below) / values.size),
        word="agrees" if above and below else "differs",
    )


def cell_of(printed: Printed) -> str:
    """The cell that a printed clustering belongs to."""
    return printed.row.replace(" ", "/")


def sample_values(outcome: Outcome, printed: Printed) -> FloatArray:
    """What is printed of a clustering, for each of ours."""
    if printed.column == "centroid_index":
        return outcome.values(cell_of(printed), "partition")
    records = outcome.records[cell_of(printed)]
    return np.array([sum(size == 1 for size in record["sizes"]) for record in records], dtype=np.float64)


def figure_2_values(outcome: Outcome, cell: str, printed: Printed) -> FloatArray:
    """A number of figure 2 for those of ours in which k-means is off by one cluster, as it is there."""
    chosen = outcome.values(cell, "RS-KM", "centroid_index") == 1
    return np.asarray(outcome.values(cell, printed.row, printed.column)[chosen])


def sizes_of_data() -> list[Verdict]:
    """Printed sizes of the data sets against the files."""
    found = []
    for printed in paper.SIZES:
        data = load_dataset(printed.row)
        count = len(data.labels) if printed.column == "points" else np.unique(data.labels).size
        found.append(exact(printed, float(count)))
    return found


def operations() -> list[Verdict]:
    """Printed numbers of operations against their formulas, 2 k^2 and n + k^2, on S1."""
    data = truth("s1")
    counts = (2 * data.n_clusters**2, len(data.X) + data.n_clusters**2)
    return [exact(printed, float(count)) for printed, count in zip(paper.OPERATIONS, counts, strict=True)]


def figure_1() -> list[Verdict]:
    """Whether some table of two clusters by two has all four printed values."""
    table = example_of_figure_1()
    if table is None:
        return [unreachable(printed, "no such table of 2 x 2") for printed in paper.FIGURE_1]
    return [exact(printed, cc.score_table(table, printed.column)) for printed in paper.FIGURE_1]


def example_of_figure_1() -> cc.ContingencyTable | None:
    """The smallest table of two clusters by two with the four printed values; None if there is none."""
    for n in range(2, LARGEST_EXAMPLE + 1):
        for table in two_by_two(n):
            values = [cc.score_table(table, printed.column) for printed in paper.FIGURE_1]
            if all(exact(*each).word == "agrees" for each in zip(paper.FIGURE_1, values, strict=True)):
                return table
    return None


def two_by_two(n: int) -> list[cc.ContingencyTable]:
    """Tables of n objects, no cluster empty, with the printed number of objects off the diagonal."""
    off = next(printed for printed in paper.FIGURE_1 if printed.column == "criterion_h")
    found = []
    for b, c in product(range(n), repeat=2):
        if abs((b + c) / n - off.value) <= off.half_unit:
            found += [
                cc.ContingencyTable([[a, b], [c, n - a - b - c]])
                for a in range(1, n - b - c)
                if a >= n - a - b - c
            ]
    return found


def rows_of(outcome: Outcome) -> list[Row]:
    """A row for each cell of clusterings: CI, and means of the indices, observed and corrected."""
    rows = []
    for cell in outcome.cells:
        if cell.inputs["kind"] != "clustering":
            continue
        ci, partition = outcome.values(cell.name, "prototypes"), outcome.values(cell.name, "partition")
        row: Row = {
            "data": cell.inputs["data"],
            "clusterer": cell.inputs["clusterer"],
            "clusterings": len(ci),
            "clusters": truth(cell.inputs["data"]).n_clusters,
            "CI by centroids": float(ci.mean()),
            "CI by partitions": float(partition.mean()),
            "least CI": int(partition.min()),
            "largest CI": int(partition.max()),
            "share of CI = 0": float((partition == 0).mean()),
            "different": int(np.count_nonzero(ci != partition)),
            "largest p of CI": largest(outcome.values(cell.name, "p")),
        }
        for index in INDICES:
            for form in ("observed", "expected", "adjusted"):
                values = outcome.values(cell.name, form, index)
                row[f"{index} {form}"] = float(np.nanmean(values)) if not np.isnan(values).all() else math.nan
        rows.append(row)
    return rows


def largest(values: FloatArray) -> float:
    """Largest that is defined; nan if none is."""
    return float(np.nanmax(values)) if not np.isnan(values).all() else math.nan


def share(flags: Sequence[bool] | npt.NDArray[np.bool_]) -> str:
    """How many of how many, as text."""
    return f"{int(np.count_nonzero(flags))} of {len(flags)}"
