"""Tables 4 to 7 of the paper, from the units of the study, with a verdict on each printed number."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from experiments.amorim_cardoso_2014.clusterers import is_em
from experiments.amorim_cardoso_2014.paper import DATASETS, PRINTED, QUANTITIES, Place
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS, Scenario
from experiments.common.runs import Outcome
from experiments.common.units import generator
from experiments.common.verdict import Resamples, Statistic, Verdict, judge, statistic_of

FloatArray = npt.NDArray[np.float64]
Row = dict[str, Any]

L_FAMILY = ("rand", "russell_rao", "czekanowski", "fowlkes_mallows")
"""Indices whose mean the paper has in closed form."""

APPROXIMATED = ("gower_legendre", "jaccard", "sokal_sneath_1")

FITS = "fits/"
"""How the names of the cells of `em_unit` begin."""

SOURCES: dict[str, tuple[str, Statistic]] = {
    "simulated": ("expected", "mean"),
    "distributional": ("expected", "mean"),
    "approximate": ("approximate", "mean"),
    "observed": ("observed", "mean"),
    "observed cv": ("observed", "cv"),
    "adjusted": ("adjusted", "mean"),
    "adjusted cv": ("adjusted", "cv"),
}
"""What of a unit, and which statistic over the data sets, a column of the paper shows."""


@dataclass(frozen=True, slots=True)
class Group:
    """The data sets of a scenario with one clusterer: a cell of the study."""

    scenario: Scenario
    clusterer: str

    @property
    def cell(self) -> str:
        """Name of the cell."""
        return f"{self.scenario.name}/{self.clusterer}"


def groups_of(outcome: Outcome) -> list[Group]:
    """What an outcome holds, in its order."""
    scenarios = {scenario.name: scenario for scenario in SCENARIOS}
    names = (cell.name.split("/") for cell in outcome.cells if not cell.name.startswith(FITS))
    return [Group(scenarios[scenario], clusterer) for scenario, clusterer in names]


def verdicts_of(outcome: Outcome) -> dict[str, dict[Place, Verdict]]:
    """A verdict on each printed number, by clusterer; the paper prints three groups only."""
    found: dict[str, dict[Place, Verdict]] = {}
    for group in groups_of(outcome):
        if group.scenario.groups == 3:
            found.setdefault(group.clusterer, {}).update(_verdicts(outcome, group))
    return found


def _verdicts(outcome: Outcome, group: Group) -> Iterator[tuple[Place, Verdict]]:
    replicates = len(outcome.records[group.cell])
    resamples = Resamples.draw(replicates, DATASETS, generator(outcome.seed, "resamples", group.cell))
    laws: dict[tuple[str, str, Statistic], tuple[float, FloatArray]] = {}
    for index in cc.PUBLISHED_INDICES:
        for quantity in QUANTITIES:
            place = Place(
                "em" if is_em(group.clusterer) else "km",
                group.scenario.design,
                group.scenario.separation,
                index,
                quantity,
            )
            if place not in PRINTED:
                continue
            source, statistic = SOURCES[quantity]
            key = index, source, statistic
            if key not in laws:
                values = outcome.values(group.cell, source, index)
                laws[key] = float(statistic_of(values, statistic)), resamples.law(values, statistic)
            yield place, judge(PRINTED[place], *laws[key])


def rows_of(outcome: Outcome) -> list[Row]:
    """A row for each cell and index: means over the data sets, and coefficients of variation."""
    return [_row(outcome, group, index) for group in groups_of(outcome) for index in cc.PUBLISHED_INDICES]


def _row(outcome: Outcome, group: Group, index: str) -> Row:
    observed = outcome.values(group.cell, "observed", index)
    adjusted = outcome.values(group.cell, "adjusted", index)
    expected = outcome.values(group.cell, "expected", index)
    drawn = [record for record in outcome.records[group.cell] if "simulated" in record]
    off = np.array([record["simulated"][index] - record["expected"][index] for record in drawn])
    return {
        "groups": group.scenario.groups,
        "design": group.scenario.design,
        "separation": group.scenario.separation,
        "clusterer": group.clusterer,
        "index": index,
        "data sets": int(np.count_nonzero(~np.isnan(adjusted))),
        "observed": float(statistic_of(observed, "mean")),
        "observed cv": float(statistic_of(observed, "cv")),
        "adjusted": float(statistic_of(adjusted, "mean")),
        "adjusted cv": float(statistic_of(adjusted, "cv")),
        "adjusted standard error": _standard_error(adjusted),
        "expected": float(statistic_of(expected, "mean")),
        "approximate": _approximate(outcome, group, index),
        "deviation": float(statistic_of(outcome.values(group.cell, "deviation", index), "mean")),
        "simulated data sets": len(drawn),
        "mean simulated - expected": _mean(off),
        "largest abs(simulated - expected)": float(np.nanmax(np.abs(off))) if _known(off) else math.nan,
    }


def _approximate(outcome: Outcome, group: Group, index: str) -> float:
    if index not in APPROXIMATED:
        return math.nan
    return float(statistic_of(outcome.values(group.cell, "approximate", index), "mean"))


def _standard_error(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1) / math.sqrt(known.size)) if known.size > 1 else math.nan


def _known(values: FloatArray) -> bool:
    return values.size > 0 and not bool(np.isnan(values).all())


def _mean(values: FloatArray) -> float:
    return float(np.nanmean(values)) if _known(values) else math.nan


def p_value_rows(outcome: Outcome) -> list[Row]:
    """Exact p-values where units have them: their median and range, as powers of ten."""
    rows: list[Row] = []
    for group in groups_of(outcome):
        logs = np.array([record["p"] for record in outcome.records[group.cell] if "p" in record])
        tens = logs[~np.isnan(logs)] / math.log(10.0)
        if tens.size:
            rows.append(
                {
                    "groups": group.scenario.groups,
                    "design": group.scenario.design,
                    "separation": group.scenario.separation,
                    "clusterer": group.clusterer,
                    "data sets": int(tens.size),
                    "least log10 p": float(tens.min()),
                    "median log10 p": float(np.median(tens)),
                    "largest log10 p": float(tens.max()),
                }
            )
    return rows


@dataclass(frozen=True, slots=True)
class MeanOfGoodmanKruskal:
    """The mean of GK by chance, furthest from 0 among the data sets of some kind."""

    kind: str
    data_sets: int
    mean: float
    cell: str
    sizes: tuple[int, ...]
    relative_spread: float


def means_of_goodman_kruskal(outcome: Outcome) -> list[MeanOfGoodmanKruskal]:
    """Furthest means of GK from 0, with clusters of some size and with tiny or missing ones."""
    kinds: dict[str, list[tuple[float, str, cc.Margins]]] = {"no such cluster": []}
    for group in groups_of(outcome):
        for record in outcome.records[group.cell]:
            margins = cc.Margins(np.sum(record["table"], axis=1), np.sum(record["table"], axis=0))
            sizes = margins.column_totals
            tiny = sizes.size < group.scenario.groups or sizes.min() <= 0.01 * margins.n
            mean = record["expected"]["goodman_kruskal"]
            if not math.isnan(mean):
                kind = "a cluster with at most 1 % of the objects" if tiny else "no such cluster"
                kinds.setdefault(kind, []).append((mean, group.cell, margins))
    rows = []
    for kind, found in kinds.items():
        if found:
            mean, cell, margins = max(found, key=lambda each: abs(each[0]))
            sizes_of = tuple(margins.column_totals.tolist())
            rows.append(
                MeanOfGoodmanKruskal(kind, len(found), mean, cell, sizes_of, relative_spread(margins))
            )
    return rows


def relative_spread(margins: cc.Margins) -> float:
    """Coefficient of variation by chance of ad + bc, the denominator of GK."""
    rand = cc.null_distribution(margins, "rand", method="exact")
    N = margins.n * (margins.n - 1) / 2
    P, Q = ((square - margins.n) / 2 for square in margins.squares)
    a = (rand.values * N - N + P + Q) / 2
    denominators = a * (N - P - Q + a) + (P - a) * (Q - a)
    mean = float(rand.weights @ denominators)
    return float(math.sqrt(rand.weights @ (denominators - mean) ** 2) / mean)


def by_place(rows: list[Row]) -> Mapping[tuple[int, str, str, str, str], Row]:
    """Rows of `rows_of` by groups, design, separation, clusterer and index."""
    keys = ("groups", "design", "separation", "clusterer", "index")
    return {tuple(row[key] for key in keys): row for row in rows}
