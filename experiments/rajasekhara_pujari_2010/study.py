"""The study: ten data sets, each with its variables raw or standardised and two ways to draw seed points."""

from experiments.common.runs import Cell
from experiments.common.study import Study
from experiments.rajasekhara_pujari_2010.printed import DATASETS, LAST_STATED, RUNS
from experiments.rajasekhara_pujari_2010.report import write
from experiments.rajasekhara_pujari_2010.unit import evaluate

REPLICATES = 200
"""Runs for each number of clusters with raw variables, which the paper says nothing against."""

OTHER_REPLICATES = 60
"""Likewise with standardised variables."""

EXPECTED = 10
"""Runs of each data set that get means by chance."""

N_TABLES = 500
"""Random tables for a mean by chance of IRM and accuracy: its standard error is below 0.001."""


def cell(
    dataset: str, scaling: str, start: str, replicates: int, *, expected: int = 0, last: int = LAST_STATED
) -> Cell:
    """Runs of a data set."""
    return Cell(
        name=f"{dataset}/{scaling}/{start}",
        inputs={
            "dataset": dataset,
            "scaling": scaling,
            "start": start,
            "first": 2,
            "last": last,
            "expected": expected,
            "tables": N_TABLES,
        },
        replicates=replicates,
    )


def full_cells() -> tuple[Cell, ...]:
    """All data sets; means by chance for the recipe that the paper states."""
    return tuple(
        cell(
            dataset,
            scaling,
            start,
            REPLICATES if scaling == "raw" else OTHER_REPLICATES,
            expected=EXPECTED if (scaling, start) == ("raw", "distinct") else 0,
        )
        for dataset in DATASETS
        for scaling in ("raw", "standardised")
        for start in ("distinct", "replacement")
    )


def quick_cells() -> tuple[Cell, ...]:
    """Two small data sets with few runs."""
    return tuple(
        cell(dataset, "raw", start, RUNS // 10, expected=int(start == "distinct"))
        for dataset in ("lenses", "iris")
        for start in ("distinct", "replacement")
    )


STUDY = Study(
    name="rajasekhara_pujari_2010",
    title="Rajasekhara & Pujari (2010): the IRM index and its rivals on k-means clusterings of ten data sets",
    evaluate=evaluate,
    full=full_cells(),
    quick=quick_cells(),
    write=write,
    seed=2010,
)
