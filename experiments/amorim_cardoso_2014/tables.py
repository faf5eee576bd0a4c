"""Tables 4 to 7 of the paper, from the units of the study, each cell beside the printed one.

A cell is a mean over the data sets of a scenario. It agrees with the printed one when the two differ by at
most three standard errors of the difference of two such means, and the rounding of the printed digits.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

import chancecorr as cc
from experiments.amorim_cardoso_2014 import paper
from experiments.amorim_cardoso_2014.approximations import approximate
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS, Scenario
from experiments.amorim_cardoso_2014.study import Unit

Row = dict[str, Any]
Cell = TypeVar("Cell", paper.Expectation, paper.Agreement)
Printed = Mapping[paper.Clusterer, Mapping[paper.Design, Mapping[paper.Separation, Mapping[str, Cell]]]]
"""Cells of two tables of the paper, as `paper.EXPECTATIONS` and `paper.AGREEMENT` hold them."""

STANDARD_ERRORS = 3.0
ROUNDING = 5e-4
"""Half a unit of the third decimal, to which the paper prints."""

KIND: dict[str, paper.Clusterer] = {
    "em_mixmod": "em",
    "gmm_full": "em",
    "gmm_diag": "em",
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
    if math.isnan(difference) or math.isnan(standard_error):
        return ""
    return "agrees" if abs(difference) <= STANDARD_ERRORS * standard_error + ROUNDING else "differs"


def expectations(units: Iterable[Unit]) -> list[Row]:
    """Rows of tables 4 (EM) and 5 (k-means): expected values by simulation, closed form and approximation.

    The standard error of the difference of two means takes the paper's data sets to vary as ours.
    """
    rows: list[Row] = []
    for cell, group, printed in _cells(units, paper.EXPECTATIONS):
        approximated = [approximate(cc.ContingencyTable(unit.table).margins) for unit in group]
        for index in cc.PUBLISHED_INDICES:
            exact = [unit.exact[index] for unit in group]
            simulated = [unit.simulated[index] for unit in group]
            values = {
                "simulated": simulated,
                "distributional": exact if index in L_FAMILY else [],
                "approximate": [each[index] for each in approximated] if index in APPROXIMATED else [],
            }
            row = cell | {"index": index, "data sets": _defined(simulated), "exact": mean_of(exact).mean}
            for kind, theirs in zip(values, printed.get(index, (None, None, None)), strict=True):
                ours = mean_of(values[kind])
                row |= _beside(kind, ours.mean, theirs, math.sqrt(2.0) * ours.standard_error)
            pairs = zip(simulated, exact, strict=True)
            rows.append(row | {"largest |simulated - exact|": _largest(x - y for x, y in pairs)})
    return rows


def agreement(units: Iterable[Unit]) -> list[Row]:
    """Rows of tables 6 (EM) and 7 (k-means): observed and adjusted means with coefficients of variation.

    The standard error of the cv of m data sets is that of a normal sample: ``1 / (2 m - 2) + cv**2 / m`` is
    its square, relative to that of the cv.
    """
    rows: list[Row] = []
    for cell, group, printed in _cells(units, paper.AGREEMENT):
        for index in cc.PUBLISHED_INDICES:
            theirs = printed.get(index, (math.nan,) * 4)
            row = cell | {"index": index, "data sets": _defined(unit.adjusted[index] for unit in group)}
            for kind, mean, cv in (("observed", *theirs[:2]), ("adjusted", *theirs[2:])):
                ours = mean_of(getattr(unit, kind)[index] for unit in group)
                their_error = abs(cv * mean) / math.sqrt(paper.DATASETS)
                row |= _beside(kind, ours.mean, mean, math.hypot(ours.standard_error, their_error))
                errors = [_error_of_cv(ours.cv, row["data sets"]), _error_of_cv(cv, paper.DATASETS)]
                row |= _beside(f"{kind} cv", ours.cv, cv, math.hypot(*errors))
            rows.append(row)
    return rows


def _beside(kind: str, ours: float, theirs: float | None, standard_error: float) -> Row:
    """A cell of ours beside the printed one, with difference and verdict; nan where nothing is printed."""
    printed = math.nan if theirs is None else theirs
    return {
        kind: ours,
        f"paper {kind}": printed,
        f"{kind} difference": ours - printed,
        f"{kind} standard error": standard_error,
        f"{kind} verdict": verdict(ours - printed, standard_error),
    }


def _error_of_cv(cv: float, datasets: int) -> float:
    """Standard error of the coefficient of variation of a normal sample."""
    if datasets < 2:
        return math.nan
    return abs(cv) * math.sqrt(0.5 / (datasets - 1) + cv**2 / datasets)


def _cells(
    units: Iterable[Unit], printed: Printed[Cell]
) -> Iterator[tuple[Row, list[Unit], Mapping[str, Cell]]]:
    """What a cell is, its units, and what is printed of it."""
    for (scenario_name, clusterer), group in by_cell(units).items():
        scenario = next(each for each in SCENARIOS if each.name == scenario_name)
        about = {
            "groups": scenario.groups,
            "design": scenario.design,
            "separation": scenario.separation,
            "clusterer": clusterer,
        }
        yield about, group, _printed(printed, scenario, clusterer)


def by_cell(units: Iterable[Unit]) -> dict[tuple[str, str], list[Unit]]:
    """Units by scenario and clusterer, in the order in which they come."""
    cells: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        cells.setdefault((unit.scenario, unit.clusterer), []).append(unit)
    return cells


def _printed(table: Printed[Cell], scenario: Scenario, clusterer: str) -> Mapping[str, Cell]:
    """Printed cells of a scenario by index; none but for three groups."""
    if scenario.groups != 3:
        return {}
    return table[KIND[clusterer]][scenario.design][scenario.separation]


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
