"""What the paper leaves unsaid about Table 2: the readings that come nearest to each row.

Unsaid are the scaling of the variables, how seed points are drawn, what happens to empty clusters, how the
classes are lined up with the objects, and, judged by the table, where the sums end. All combinations are
tried on each row with the print in view. The same search on classes that were dealt to the objects at random
shows how near a search of that size comes without any relation of clusters and classes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.common.runs import Outcome
from experiments.common.verdict import Verdict
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, DATASETS, FIRST, TABLE_2, Column
from experiments.rajasekhara_pujari_2010.tables import (
    Floats,
    deviations,
    first_of,
    mean_without_nan,
    numbers_of,
    row_of,
    sum_of_sizes,
    values_of,
)

ENDS = range(26, 32)
CLOSE = 0.1
"""A printed sum is counted as close if ours is within 10 % of it, a row as explained if its error is so small
and the same search on classes at random finds none."""

WORDS = {
    "distinct": "objects without replacement", "replacement": "objects with replacement",
    "k-means++": "k-means++", "box": "points in the box of the data", "refilled": "refilled",
    "stay": "stay empty", "given": "as given",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The reading of a row with the least error, root mean square of log(ours / printed)."""

    dataset: str
    cell: str
    order: str
    last: int
    error: float
    tried: int

    @property
    def text(self) -> str:
        """In words."""
        _, _, scaling, start, empty = self.cell.split("/")
        order = WORDS.get(self.order, f"in {self.order}")
        return (
            f"{scaling}; seeds {WORDS[start]}; empty clusters {WORDS[empty]}; classes {order}; to {self.last}"
        )


def best_readings(outcome: Outcome, *, at_random: bool = False) -> dict[str, Reading]:
    """By data set, over all cells, orders of the classes and ends; or over as many orders at random."""
    best: dict[str, Reading] = {}
    tried: dict[str, int] = {}
    for cell in outcome.cells:
        if not cell.name.startswith("readings/"):
            continue
        dataset, numbers = cell.inputs["dataset"], numbers_of(outcome, cell.name)
        for order in outcome.records[cell.name][0]:
            if order.startswith("permuted") != at_random:
                continue
            means = {
                column: mean_without_nan(values)
                for column, values in deviations(outcome, cell.name, order).items()
            }
            for last in ENDS:
                tried[dataset] = tried.get(dataset, 0) + 1
                inside = (numbers >= first_of(dataset, last)) & (numbers <= last)
                error = error_of_row(dataset, means, inside)
                if dataset not in best or error < best[dataset].error:
                    best[dataset] = Reading(
                        dataset=dataset, cell=cell.name, order=order, last=last, error=error, tried=0
                    )
    return {
        name: Reading(
            dataset=name, cell=best[name].cell, order=best[name].order, last=best[name].last,
            error=best[name].error, tried=tried[name],
        )
        for name in DATASETS
        if name in best
    }  # fmt: skip


def error_of_row(dataset: str, means: Mapping[Column, Floats], inside: npt.NDArray[np.bool_]) -> float:
    """Root mean square of log(ours / printed) over a row of Table 2; infinite where a sum is 0."""
    sums = {column: sum_of_sizes(means[column][inside]) for column in COLUMNS}
    if min(sums.values()) == 0.0:
        return math.inf
    logs = [math.log(sums[column] / TABLE_2[dataset, column].value) for column in COLUMNS]
    return math.sqrt(math.fsum(log**2 for log in logs) / len(logs))


def verdicts_of(outcome: Outcome, reading: Reading) -> dict[Column, Verdict]:
    """On a row by a reading."""
    return row_of(outcome, reading.dataset, reading.cell, reading.order, reading.last)


def is_close(verdict: Verdict) -> bool:
    """Whether ours is within `CLOSE` of the print."""
    return abs(math.log(verdict.ours / verdict.printed.value)) <= math.log1p(CLOSE)


def is_explained(found: Reading, at_random: Reading) -> bool:
    """Whether a row is near by its reading, and by none on classes at random."""
    return found.error <= math.log1p(CLOSE) < at_random.error


def implied_last(outcome: Outcome, dataset: str) -> float:
    """Where a row of Table 2 ends if its printed Rand and IRM are right; nan if that is beyond our k.

    Accuracy cancels in (Rand - accuracy) + (accuracy - IRM) = Rand - IRM. Between two numbers of clusters it
    is interpolated.
    """
    values = values_of(outcome, dataset)
    steps = mean_without_nan(values["rand"] - values["irm"])[numbers_of(outcome, dataset) >= FIRST[dataset]]
    goal = TABLE_2[dataset, "rand"].value + TABLE_2[dataset, "irm"].value
    reached = np.concatenate([[0.0], np.cumsum(steps)])
    if goal > reached[-1]:
        return math.nan
    return float(np.interp(goal, reached, FIRST[dataset] - 1 + np.arange(len(reached))))
