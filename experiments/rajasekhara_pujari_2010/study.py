"""The study: ten data sets, by the procedure that the paper states and by 24 other readings of it."""

from collections.abc import Sequence
from itertools import product

from experiments.common.runs import Cell, Study
from experiments.rajasekhara_pujari_2010.printed import CLASSES, DATASETS, FIRST, LAST_STATED, RUNS
from experiments.rajasekhara_pujari_2010.report import write
from experiments.rajasekhara_pujari_2010.unit import evaluate

REPLICATES = 60
"""Runs for each number of clusters by the procedure that the paper states."""

EXPECTED = 10
"""Runs of each data set that get means by chance."""

READING_RUNS, READING_RUNS_OF_FEW = 6, 20
"""Runs of each other reading, and where the sum has few k: enough to find an error of some hundredths."""

READINGS_END = 31
"""The last number of clusters of the other readings; by the search all sums end before."""

SCALINGS, EMPTIES = ("raw", "standardised", "min-max"), ("refilled", "stay")
STARTS = ("distinct", "replacement", "k-means++", "box")

N_TABLES = 500
"""Random tables for a mean by chance of IRM and accuracy: its standard error is below 0.001."""


def cell(dataset: str, replicates: int, *, expected: int = 0, last: int = LAST_STATED) -> Cell:
    """Runs of a data set as the paper states."""
    return Cell(
        name=dataset,
        inputs={
            "dataset": dataset, "scaling": "raw", "start": "distinct", "first": 2, "last": last,
            "expected": expected, "tables": N_TABLES,
        },
        replicates=replicates,
    )  # fmt: skip


def reading(dataset: str, scaling: str, start: str, empty: str, replicates: int, last: int) -> Cell:
    """Runs of a data set by another reading of the text."""
    first = FIRST[dataset] if FIRST[dataset] <= last else CLASSES[dataset]
    return Cell(
        name=f"readings/{dataset}/{scaling}/{start}/{empty}",
        inputs={
            "dataset": dataset, "scaling": scaling, "start": start, "empty": empty, "first": first,
            "last": last,
        },
        replicates=replicates,
    )  # fmt: skip


def readings(datasets: Sequence[str], replicates: int, last: int = READINGS_END) -> list[Cell]:
    """All readings of the data sets."""
    ways = product(SCALINGS, STARTS, EMPTIES)
    return [reading(each, *way, replicates, last) for way in ways for each in datasets]


def full_cells() -> tuple[Cell, ...]:
    """All data sets by the procedure that the paper states, with means by chance; and by other readings."""
    stated = [cell(dataset, REPLICATES, expected=EXPECTED) for dataset in DATASETS]
    few = [each for each in DATASETS if 26 <= FIRST[each] <= READINGS_END]
    many = [each for each in DATASETS if each not in few]
    return (*stated, *readings(many, READING_RUNS), *readings(few, READING_RUNS_OF_FEW))


def quick_cells() -> tuple[Cell, ...]:
    """Two small data sets with few runs, and the readings of one."""
    stated = [cell(dataset, RUNS // 10, expected=1) for dataset in ("lenses", "iris")]
    return (*stated, *readings(("lenses",), 2))


STUDY = Study(
    name="rajasekhara_pujari_2010",
    title="Rajasekhara & Pujari (2010): the IRM index and its rivals on k-means clusterings of ten data sets",
    evaluate=evaluate,
    full=full_cells(),
    quick=quick_cells(),
    write=write,
    seed=2010,
)
