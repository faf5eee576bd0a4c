"""Tables 1 and 2 of the paper, each printed number with its verdict.

A number of Table 2 is a sum over the numbers of clusters k: of the size of the mean, over 50 runs, of
accuracy less index. Its law is found by drawing 50 runs for each k from ours.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common.printed import Printed
from experiments.common.runs import Outcome
from experiments.common.units import generator
from experiments.common.verdict import Verdict, exact, judge, unreachable
from experiments.rajasekhara_pujari_2010.printed import (
    CLASSES,
    COLUMNS,
    DATASETS,
    FIRST,
    LAST_STATED,
    OBJECTS,
    PARTITIONS,
    REGISTERED,
    RUNS,
    TABLE_1,
    TABLE_2,
    Column,
    Pair,
)

Floats = npt.NDArray[np.float64]
Order = Literal["given", "sorted"]
Formula = Literal["usual", "as printed"]
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What the sums of Table 2 are made from.

    Attributes
    ----------
    scaling, start : str
        Name a cell of the study together with a data set.
    classes : {"given", "sorted"}
        Order of the classes.
    last : int
        Where the sums end.
    jaccard, nmi : {"usual", "as printed"}
        The index, or the formula that the paper prints: for Jaccard with v00 for v11 in the denominator, for
        NMI without a factor 2 n.
    """

    scaling: str = "raw"
    start: str = "distinct"
    classes: Order = "given"
    last: int = LAST_STATED
    jaccard: Formula = "usual"
    nmi: Formula = "usual"

    def cell(self, dataset: str) -> str:
        """Name of the cell with a data set."""
        return f"{dataset}/{self.scaling}/{self.start}"

    @property
    def text(self) -> str:
        """In words."""
        return (
            f"{self.scaling} variables, seed points {WORDS_OF_START[self.start]}, classes"
            f" {WORDS_OF_CLASSES[self.classes]}, k up to {self.last}, Jaccard {self.jaccard}, NMI {self.nmi}"
        )


WORDS_OF_START = {"distinct": "without replacement", "replacement": "with replacement"}
WORDS_OF_CLASSES = {"given": "as given", "sorted": "in sorted order"}
STATED = Recipe()
"""What the paper says, with the variables as they are and the indices as their sources define them."""


# --- Table 1 ------------------------------------------------------------------------------------------------


def table_1() -> dict[tuple[Column, Pair], Verdict]:
    """Verdicts on Table 1, where every number has one right value."""
    return {key: _rounded_or_cut(printed, value_of_table_1(*key)) for key, printed in TABLE_1.items()}


def value_of_table_1(column: Column, pair: Pair) -> float:
    """An index of two of the paper's partitions; NMI by the printed formula, without a factor 2 n."""
    first, second = (labels_of(name) for name in pair.split(", "))
    value = cc.score(first, second, index=REGISTERED[column])
    return value / (2 * len(first)) if column == "nmi" else value


def labels_of(name: str) -> list[int]:
    """Cluster of each of the objects 1 to 8."""
    cluster = {each: number for number, group in enumerate(PARTITIONS[name]) for each in group}
    return [cluster[each] for each in sorted(cluster)]


def _rounded_or_cut(printed: Printed, value: float) -> Verdict:
    """As `exact`, and a number that is cut off behind its last digit agrees, too, and says so."""
    verdict = exact(printed, value)
    unit = 10.0**-printed.digits
    if verdict.word == "differs" and abs(math.floor(value / unit) * unit - printed.value) < unit / 1e3:
        reason = f"cut off, not rounded: {value:.{printed.digits + 2}f}"
        return replace(verdict, word="agrees", reason=reason, z=0.0, p=1.0)
    return verdict


# --- Table 2 ------------------------------------------------------------------------------------------------


def datasets_of(outcome: Outcome, recipe: Recipe) -> list[str]:
    """Data sets whose cell of a recipe has been run."""
    there = {cell.name for cell in outcome.cells}
    return [dataset for dataset in DATASETS if recipe.cell(dataset) in there]


def numbers_of(outcome: Outcome, dataset: str, recipe: Recipe) -> npt.NDArray[np.int64]:
    """The numbers of clusters of a cell."""
    inputs = next(cell.inputs for cell in outcome.cells if cell.name == recipe.cell(dataset))
    count = len(outcome.records[recipe.cell(dataset)][0][recipe.classes]["accuracy"])
    return np.arange(inputs["first"], inputs["first"] + count)


def values_of(outcome: Outcome, dataset: str, recipe: Recipe) -> dict[str, Floats]:
    """Accuracy and the six indices, each of shape (runs, numbers of clusters); nan where 0/0."""
    cell = recipe.cell(dataset)
    found = {name: outcome.values(cell, recipe.classes, name) for name in ("accuracy", *COLUMNS)}
    if recipe.jaccard == "as printed":
        found["jaccard"] = outcome.values(cell, recipe.classes, "jaccard as printed")
    if recipe.nmi == "as printed":
        found["nmi"] = found["nmi"] / (2 * OBJECTS[dataset])
    return found


def deviations(outcome: Outcome, dataset: str, recipe: Recipe) -> dict[Column, Floats]:
    """Accuracy less index, shape (runs, numbers of clusters)."""
    values = values_of(outcome, dataset, recipe)
    return {column: values["accuracy"] - values[column] for column in COLUMNS}


def summed(dataset: str, recipe: Recipe) -> tuple[int, int]:
    """First and last number of clusters of a sum; from the true number where the printed k1 is beyond."""
    first = FIRST[dataset]
    return (first if first <= recipe.last else CLASSES[dataset]), recipe.last


def mean_without_nan(values: Floats) -> Floats:
    """Mean over the runs; nan for a number of clusters where an index is 0/0 in all of them."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0))


def sum_of_sizes(means: Floats) -> float:
    """Sum of the sizes of what is defined."""
    return float(np.nansum(np.abs(means)))


def table_2(outcome: Outcome, recipe: Recipe) -> dict[tuple[str, Column], Verdict]:
    """Verdicts on Table 2 by a recipe, for the data sets that were run."""
    found: dict[tuple[str, Column], Verdict] = {}
    for dataset in datasets_of(outcome, recipe):
        first, last = summed(dataset, recipe)
        numbers = numbers_of(outcome, dataset, recipe)
        inside = (numbers >= first) & (numbers <= last)
        stream = generator(outcome.seed, "resamples", dataset)
        for column, values in deviations(outcome, dataset, recipe).items():
            printed = TABLE_2[dataset, column]
            ours = sum_of_sizes(mean_without_nan(values[:, inside]))
            if FIRST[dataset] > recipe.last:
                why = f"k1 = {FIRST[dataset]} is beyond the last number of clusters, {recipe.last}"
                found[dataset, column] = unreachable(printed, why, ours=ours)
            else:
                found[dataset, column] = judge(printed, ours, law_of_sum(values[:, inside], stream))
    return found


def law_of_sum(values: Floats, stream: np.random.Generator, count: int = RESAMPLES) -> Floats:
    """The sum in repetitions of the paper's 50 runs for each k, drawn from ours; nan are left out.

    Stretched by ``sqrt(1 + 50 / runs)``, since ours are a sample themselves.
    """
    runs = len(values)
    drawn = stream.multinomial(RUNS, np.full(runs, 1.0 / runs), size=count).astype(np.float64)
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means = (drawn @ np.where(known, values, 0.0)) / (drawn @ known)
    sums = np.nansum(np.abs(means), axis=1)
    return np.asarray(sums.mean() + math.sqrt(1.0 + RUNS / runs) * (sums - sums.mean()))


def log_error(verdicts: Iterable[Verdict]) -> float:
    """Root mean square of log(ours / printed); 0.1 stands for about 10 %."""
    logs = [math.log(each.ours / each.printed.value) for each in verdicts]
    return math.sqrt(math.fsum(log**2 for log in logs) / len(logs)) if logs else math.nan


def by_dataset(verdicts: Mapping[tuple[str, Column], Verdict]) -> dict[str, list[Verdict]]:
    """Verdicts on Table 2, row by row."""
    rows: dict[str, list[Verdict]] = {}
    for (dataset, _), verdict in verdicts.items():
        rows.setdefault(dataset, []).append(verdict)
    return rows
