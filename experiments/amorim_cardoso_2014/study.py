"""The study: 18 scenarios, five clusterers, and for three groups all 14 families of Gaussian mixtures."""

from experiments.amorim_cardoso_2014.clusterers import EM_FAMILIES, THE_EM, THE_KMEANS
from experiments.amorim_cardoso_2014.paper import DATASETS
from experiments.amorim_cardoso_2014.report import write
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS, Scenario, mixture_of
from experiments.amorim_cardoso_2014.tables import FITS
from experiments.amorim_cardoso_2014.unit import evaluate
from experiments.common.runs import Cell, Study

KMEANS_DATASETS = 1_000
EM_DATASETS = 300
P_VALUES = 10
"""Data sets of a cell that get an exact p-value."""

OF_TODAY = {"kmeans_best_of_10": KMEANS_DATASETS, "gmm_full": EM_DATASETS, "gmm_diag": EM_DATASETS}
"""Common choices of today beside those of the paper, and how many data sets each clusters."""


def cell(scenario: Scenario, clusterer: str, datasets: int, *, simulate: int = 0, p: int = 0) -> Cell:
    """Data sets of a scenario with one clusterer."""
    return Cell(
        name=f"{scenario.name}/{clusterer}",
        inputs={
            "scenario": scenario.name,
            "mixture": mixture_of(scenario).to_dict(),
            "n": scenario.n,
            "clusterer": clusterer,
            "simulate": simulate,
            "p": p,
        },
        replicates=datasets,
    )


FITTED = 40
"""Data sets of a scenario that are fitted in all ways of `em_unit`."""


def fits(scenario: Scenario, datasets: int) -> Cell:
    """Data sets of a scenario, fitted in all ways of `em_unit`."""
    return Cell(
        name=f"{FITS}{scenario.name}",
        inputs={"scenario": scenario.name, "mixture": mixture_of(scenario).to_dict(), "n": scenario.n},
        replicates=datasets,
    )


def full_cells() -> tuple[Cell, ...]:
    """The two clusterers of the paper and three of today; for three groups also the other families."""
    cells = []
    for scenario in SCENARIOS:
        for clusterer, datasets in ((THE_KMEANS, KMEANS_DATASETS), (THE_EM, EM_DATASETS)):
            cells.append(cell(scenario, clusterer, datasets, simulate=DATASETS, p=P_VALUES))
        cells += [cell(scenario, clusterer, datasets) for clusterer, datasets in OF_TODAY.items()]
        if scenario.groups == 3:
            cells += [cell(scenario, each, EM_DATASETS) for each in EM_FAMILIES if each != THE_EM]
            cells.append(fits(scenario, FITTED))
    return tuple(cells)


def quick_cells() -> tuple[Cell, ...]:
    """The two clusterers of the paper and another family on two scenarios; first what compiles most."""
    return tuple(
        cell(scenario, clusterer, 20, simulate=2, p=1)
        for scenario in SCENARIOS
        if scenario.name in ("3-balanced-well", "3-unbalanced-moderate")
        for clusterer in (THE_EM, "em_lk_c", THE_KMEANS)
    )


STUDY = Study(
    name="amorim_cardoso_2014",
    title="Amorim & Cardoso (2014): nine indices of paired agreement, corrected by simulated tables",
    evaluate=evaluate,
    full=full_cells(),
    quick=quick_cells(),
    write=write,
    seed=2014,
)
