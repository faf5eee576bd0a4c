"""Printed numbers with verdicts, and rows of what the cells hold."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common.data import load_dataset
from experiments.common.printed import Printed
from experiments.common.runs import Outcome
from experiments.common.verdict import Verdict, exact, judge_one, unreachable
from experiments.franti_rezaei_2016 import paper
from experiments.franti_rezaei_2016.clusterings import truth
from experiments.franti_rezaei_2016.unit import INDICES, WARD

FloatArray = npt.NDArray[np.float64]
Row = dict[str, Any]

FIGURE_3_IS_LOST = "its objects are in figure 3 alone, which was not at hand"
LARGEST_EXAMPLE = 30
"""Objects in the tables of two clusters by two that are searched for the values of figure 1."""


def verdicts_of(outcome: Outcome) -> dict[str, list[Verdict]]:
    """A verdict on each printed number that the outcome has cells for, by where it is printed; each once."""
    found = {"data sets": sizes_of_data(), "figure 1, a table that was searched for": figure_1()}
    found["operations"] = operations()
    found["table 1"] = [unreachable(printed, FIGURE_3_IS_LOST) for printed in paper.FIGURE_3]
    found["clusterings"] = [
        judge_one(printed, sample_values(outcome, printed))
        for printed in paper.SAMPLES
        if cell_of(printed) in outcome.records
    ]
    readings = readings_of_figure_2(outcome)
    if readings:
        name = f"figure 2, data and partition chosen among {len(readings)} with the print in view"
        found[name] = readings[chosen_reading(readings)]
    found["figure 5"] = figure_5(outcome)
    return {name: verdicts for name, verdicts in found.items() if verdicts}


Reading = tuple[str, str]


def readings_of_figure_2(outcome: Outcome) -> dict[Reading, list[Verdict]]:
    """Verdicts on figure 2 by data set and by the partition that stands for Ward's method."""
    return {
        (cell.inputs["data"], partition): [
            figure_2(outcome, cell.name, partition, printed) for printed in paper.FIGURE_2
        ]
        for cell in outcome.cells
        if cell.inputs["kind"] == "three_clusterings"
        for partition in WARD
    }


def chosen_reading(readings: Mapping[Reading, Sequence[Verdict]]) -> Reading:
    """The one with most agreement, of several the nearest."""
    return max(readings, key=lambda each: (agreeing(readings[each]), -worst(readings[each])))


def agreeing(verdicts: Sequence[Verdict]) -> int:
    """Numbers that agree, or are those that ours were chosen by."""
    return sum(each.word in ("agrees", "consistent") for each in verdicts)


def worst(verdicts: Sequence[Verdict]) -> float:
    """Largest distance of ARI, NVD and CH from the print; infinite if one is not known."""
    offs = [abs(each.ours - each.printed.value) for each in verdicts if each.printed.digits]
    return math.inf if np.isnan(offs).any() else max(offs)


def figure_2(outcome: Outcome, cell: str, partition: str, printed: Printed) -> Verdict:
    """The verdict on a number of figure 2 by a reading."""
    verdict = judge_one(printed, figure_2_values(outcome, cell, partition, printed))
    if (printed.row, printed.column) == CHOSEN_BY and verdict.word == "agrees":
        return replace(verdict, word="consistent", reason="ours are those with this value")
    return verdict


CHOSEN_BY = ("RS-KM", "centroid_index")
"""Ours are compared with figure 2 if k-means is off by one cluster, as it is there."""


def starts_with_all(outcome: Outcome, cell: str, partition: str) -> tuple[int, int]:
    """How many starts of k-means have all printed numbers of k-means to their digits, and of how many."""
    of_k_means = [each for each in paper.FIGURE_2 if "KM" in each.row]
    right = np.array(
        [
            np.abs(figure_2_values(outcome, cell, partition, each) - each.value) <= each.half_unit
            for each in of_k_means
        ]
    )
    return int(right.all(axis=0).sum()), right.shape[1]


def figure_5(outcome: Outcome) -> list[Verdict]:
    """Whether some pair of mixtures of ours has the three printed values; the data are not named."""
    cells = [cell.name for cell in outcome.cells if cell.inputs["kind"] == "mixtures"]
    if not cells:
        return []
    values = {
        each.column: np.concatenate([outcome.values(name, each.column) for name in cells])
        for each in paper.FIGURE_5
    }
    both = np.all([values[each.column] == each.value for each in paper.FIGURE_5], axis=0)
    reason = f"{share(both)} pairs of ours have all three"
    return [
        replace(
            judge_one(each, values[each.column]), word="possible" if both.any() else "differs", reason=reason
        )
        for each in paper.FIGURE_5
    ]


def cell_of(printed: Printed) -> str:
    """The cell that a printed clustering belongs to."""
    return printed.row.replace(" ", "/")


def sample_values(outcome: Outcome, printed: Printed) -> FloatArray:
    """What is printed of a clustering, for each of ours."""
    if printed.column == "centroid_index":
        return outcome.values(cell_of(printed), "partition")
    records = outcome.records[cell_of(printed)]
    return np.array([sum(size == 1 for size in record["sizes"]) for record in records], dtype=np.float64)


def figure_2_values(outcome: Outcome, cell: str, partition: str, printed: Printed) -> FloatArray:
    """A number of figure 2 for those of ours in which k-means is off by one cluster, as it is there."""
    chosen = outcome.values(cell, partition, *CHOSEN_BY) == 1
    return np.asarray(outcome.values(cell, partition, printed.row, printed.column)[chosen])


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
    tables = examples_of_figure_1()
    if not tables:
        return [unreachable(printed, "no such table of 2 x 2") for printed in paper.FIGURE_1]
    reason = f"{len(tables)} tables of up to {LARGEST_EXAMPLE} objects have all four"
    return [
        replace(exact(printed, cc.score_table(tables[0], printed.column)), word="consistent", reason=reason)
        for printed in paper.FIGURE_1
    ]


@cache
def examples_of_figure_1() -> list[cc.ContingencyTable]:
    """Tables of two clusters by two with the four printed values, the smallest first."""
    return [
        table
        for n in range(2, LARGEST_EXAMPLE + 1)
        for table in two_by_two(n)
        if all(exact(each, cc.score_table(table, each.column)).word == "agrees" for each in paper.FIGURE_1)
    ]


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
