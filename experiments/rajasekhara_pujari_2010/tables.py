"""Tables 1 and 2 of the paper, each printed number with its verdict.

A number of Table 2 is a sum over the numbers of clusters k: of the size of the mean, over 50 runs, of
accuracy less index. Its law is found by drawing 50 runs for each k from ours.
"""

import math
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.common.runs import Outcome
from experiments.common.units import generator
from experiments.common.verdict import Verdict, exact_or_cut, judge
from experiments.rajasekhara_pujari_2010.printed import (
    CLASSES,
    COLUMNS,
    DATASETS,
    FIRST,
    LAST_STATED,
    PARTITIONS,
    REGISTERED,
    RUNS,
    TABLE_1,
    TABLE_2,
    Column,
    Pair,
)

Floats = npt.NDArray[np.float64]
RESAMPLES = 2_000


# --- Table 1 ------------------------------------------------------------------------------------------------


def table_1() -> dict[tuple[Column, Pair], Verdict]:
    """Verdicts on Table 1, where every number has one right value."""
    return {key: exact_or_cut(printed, value_of_table_1(*key)) for key, printed in TABLE_1.items()}


def value_of_table_1(column: Column, pair: Pair) -> float:
    """An index of two of the paper's partitions; NMI by the printed formula, without a factor 2 n."""
    first, second = (labels_of(name) for name in pair.split(", "))
    value = cc.score(first, second, index=REGISTERED[column])
    return value / (2 * len(first)) if column == "nmi" else value


def labels_of(name: str) -> list[int]:
    """Cluster of each of the objects 1 to 8."""
    cluster = {each: number for number, group in enumerate(PARTITIONS[name]) for each in group}
    return [cluster[each] for each in sorted(cluster)]


# --- Table 2 ------------------------------------------------------------------------------------------------


def datasets_of(outcome: Outcome) -> list[str]:
    """Data sets that were run as the paper states."""
    return [dataset for dataset in DATASETS if dataset in outcome.records]


def numbers_of(outcome: Outcome, cell: str) -> npt.NDArray[np.int64]:
    """The numbers of clusters of a cell."""
    inputs = next(each.inputs for each in outcome.cells if each.name == cell)
    count = len(outcome.records[cell][0]["given"]["accuracy"])
    return np.arange(inputs["first"], inputs["first"] + count)


def values_of(outcome: Outcome, cell: str, order: str = "given") -> dict[str, Floats]:
    """Accuracy and the six indices, each of shape (runs, numbers of clusters); nan where 0/0."""
    return {name: outcome.values(cell, order, name) for name in ("accuracy", *COLUMNS)}


def deviations(outcome: Outcome, cell: str, order: str = "given") -> dict[Column, Floats]:
    """Accuracy less index, shape (runs, numbers of clusters)."""
    values = values_of(outcome, cell, order)
    return {column: values["accuracy"] - values[column] for column in COLUMNS}


def mean_without_nan(values: Floats) -> Floats:
    """Mean over the runs; nan for a number of clusters where an index is 0/0 in all of them."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0))


def sum_of_sizes(means: Floats) -> float:
    """Sum of the sizes of what is defined."""
    return float(np.nansum(np.abs(means)))


def table_2(outcome: Outcome) -> dict[tuple[str, Column], Verdict]:
    """Verdicts on Table 2 by the procedure that the paper states, for the data sets that were run."""
    return {
        (dataset, column): verdict
        for dataset in datasets_of(outcome)
        for column, verdict in row_of(outcome, dataset, dataset, "given", LAST_STATED).items()
    }


def row_of(outcome: Outcome, dataset: str, cell: str, order: str, last: int) -> dict[Column, Verdict]:
    """Verdicts on a row by the runs of a cell, the classes in an order, and sums that end at `last`."""
    numbers = numbers_of(outcome, cell)
    inside = (numbers >= first_of(dataset, last)) & (numbers <= last)
    stream = generator(outcome.seed, "resamples", dataset)
    return {
        column: judge(
            TABLE_2[dataset, column],
            sum_of_sizes(mean_without_nan(values[:, inside])),
            law_of_sum(values[:, inside], stream),
        )
        for column, values in deviations(outcome, cell, order).items()
    }


def first_of(dataset: str, last: int) -> int:
    """Where a sum begins: at the printed k1, or at the true number of clusters if k1 is beyond the end."""
    return FIRST[dataset] if FIRST[dataset] <= last else CLASSES[dataset]


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
