"""Tables 4 to 7 of the paper, from the units of the study, each cell beside the printed one.

A cell is a mean over the data sets of a scenario. It agrees with the printed one when the two differ by at
most three standard errors of the difference of two such means, and the rounding of the printed digits.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import chancecorr as cc
from experiments.amorim_cardoso_2014 import paper
from experiments.amorim_cardoso_2014.approximations import approximate
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS
from experiments.amorim_cardoso_2014.study import Unit

Row = dict[str, Any]

STANDARD_ERRORS = 3.0
ROUNDING = 5e-4
"""Half a unit of the third decimal, to which the paper prints."""

KIND: dict[str, paper.Clusterer] = {
    "em_mixmod": "em",
    "gmm_full": "em",
    "gmm_diag": "em",
    "em_from_groups": "em",
    "kmeans_spss": "km",
    "kmeans_best_of_10": "km",
}
"""Which of the paper's two clusterers each stands for."""

L_FAMILY = ("rand", "russell_rao", "czekanowski", "fowlkes_mallows")
APPROXIMATED = ("gower_legendre", "jaccard", "sokal_sneath_1")


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean over data sets, its standard error, and the coefficient of variation."""

    mean: float
    standard_error: float
    cv: float


def mean_of(values: Iterable[float]) -> Mean:
    """Mean of a sample, with its spread (divisor m - 1); values that are not defined are left out.

    An index is 0/0 on a data set which a clusterer leaves in one cluster.

    Examples
    --------
    >>> mean_of([1.0, 2.0, 3.0])
    Mean(mean=2.0, standard_error=0.5773502691896258, cv=0.5)
    """
    sample = np.array(list(values), dtype=np.float64)
    sample = sample[~np.isnan(sample)]
    if sample.size == 0:
        return Mean(math.nan, math.nan, math.nan)
    spread = float(sample.std(ddof=1)) if sample.size > 1 else math.nan
    mean = float(sample.mean())
    return Mean(mean, spread / math.sqrt(sample.size), spread / abs(mean) if mean else math.nan)


def _defined(values: Iterable[float]) -> int:
    """How many values are not nan."""
    return sum(not math.isnan(value) for value in values)


def verdict(difference: float, standard_error: float) -> str:
    """Whether a difference from a printed number is within three standard errors and its rounding."""
    if math.isnan(difference):
        return ""
    return "agrees" if abs(difference) <= STANDARD_ERRORS * standard_error + ROUNDING else "differs"


def expectations(units: Iterable[Unit]) -> list[Row]:
    """Rows of tables 4 (EM) and 5 (k-means): expected values by simulation, closed form and approximation.

    The standard error of the difference of two simulated means takes the paper's data sets to vary as ours.
    """
    rows: list[Row] = []
    for (scenario_name, clusterer), group in by_cell(units).items():
        scenario = next(each for each in SCENARIOS if each.name == scenario_name)
        printed = _printed(paper.EXPECTATIONS, scenario, clusterer)
        approximated = [approximate(cc.ContingencyTable(unit.table).margins) for unit in group]
        for index in cc.PUBLISHED_INDICES:
            simulated = mean_of(unit.simulated[index] for unit in group)
            exact = mean_of(unit.exact[index] for unit in group)
            their_simulated, their_closed, their_approximate = printed.get(index, (math.nan, None, None))
            error = math.sqrt(2.0) * simulated.standard_error
            difference = simulated.mean - their_simulated
            rows.append(
                {
                    "groups": scenario.groups,
                    "design": scenario.design,
                    "separation": scenario.separation,
                    "clusterer": clusterer,
                    "index": index,
                    "data sets": _defined(unit.simulated[index] for unit in group),
                    "simulated": simulated.mean,
                    "distributional": exact.mean if index in L_FAMILY else math.nan,
                    "approximate": (
                        float(np.mean([each[index] for each in approximated]))
                        if index in APPROXIMATED
                        else math.nan
                    ),
                    "exact": exact.mean,
                    "paper simulated": their_simulated,
                    "paper distributional": math.nan if their_closed is None else their_closed,
                    "paper approximate": math.nan if their_approximate is None else their_approximate,
                    "difference": difference,
                    "standard error": error,
                    "verdict": verdict(difference, error),
                    "largest |simulated - exact|": _largest(
                        unit.simulated[index] - unit.exact[index] for unit in group
                    ),
                }
            )
    return rows


def agreement(units: Iterable[Unit]) -> list[Row]:
    """Rows of tables 6 (EM) and 7 (k-means): observed and adjusted means with coefficients of variation."""
    rows: list[Row] = []
    for (scenario_name, clusterer), group in by_cell(units).items():
        scenario = next(each for each in SCENARIOS if each.name == scenario_name)
        printed = _printed(paper.AGREEMENT, scenario, clusterer)
        for index in cc.PUBLISHED_INDICES:
            row: Row = {
                "groups": scenario.groups,
                "design": scenario.design,
                "separation": scenario.separation,
                "clusterer": clusterer,
                "index": index,
                "data sets": _defined(unit.adjusted[index] for unit in group),
            }
            theirs = printed.get(index, (math.nan,) * 4)
            for k, kind in enumerate(("observed", "adjusted")):
                ours = mean_of(getattr(unit, kind)[index] for unit in group)
                mean, cv = theirs[2 * k], theirs[2 * k + 1]
                error = math.hypot(ours.standard_error, abs(cv * mean) / math.sqrt(paper.DATASETS))
                row |= {
                    kind: ours.mean,
                    f"{kind} cv": ours.cv,
                    f"paper {kind}": mean,
                    f"paper {kind} cv": cv,
                    f"{kind} difference": ours.mean - mean,
                    f"{kind} standard error": error,
                    f"{kind} verdict": verdict(ours.mean - mean, error),
                }
            rows.append(row)
    return rows


def by_cell(units: Iterable[Unit]) -> dict[tuple[str, str], list[Unit]]:
    """Units by scenario and clusterer, in the order in which they come."""
    cells: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        cells.setdefault((unit.scenario, unit.clusterer), []).append(unit)
    return cells


def _printed(table: Mapping[str, Any], scenario: Any, clusterer: str) -> Mapping[str, Any]:
    """Printed cells of a scenario by index; none but for three groups."""
    if scenario.groups != 3:
        return {}
    found: Mapping[str, Any] = table[KIND[clusterer]][scenario.design][scenario.separation]
    return found


def claims(units: Sequence[Unit], expected: Sequence[Row]) -> dict[str, float]:
    """What the paper claims of its method, on all units and their `expectations`.

    R and C are equal after adjustment; simulated means differ from closed forms by at most 0.0001 in the
    printed averages; the mean of GK is 0, which is not exactly so.
    """
    averages = [row["simulated"] - row["exact"] for row in expected if row["index"] in L_FAMILY]
    return {
        "largest |R - C| adjusted by exact means": _largest(
            _adjusted(unit, "rand") - _adjusted(unit, "czekanowski") for unit in units
        ),
        "largest |simulated - closed form|, averages over data sets": _largest(averages),
        "largest |simulated - closed form|, single data sets": _largest(
            unit.simulated[name] - unit.exact[name] for unit in units for name in L_FAMILY
        ),
        "largest |E[GK]|": _largest(unit.exact["goodman_kruskal"] for unit in units),
    }


def _largest(values: Iterable[float]) -> float:
    """Largest size of those that are defined; nan if none is."""
    return max((abs(value) for value in values if not math.isnan(value)), default=math.nan)


def _adjusted(unit: Unit, index: str) -> float:
    """Score adjusted by the exact mean."""
    return (unit.observed[index] - unit.exact[index]) / (1.0 - unit.exact[index])
