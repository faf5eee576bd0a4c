"""What a correction for chance adds to the indices, and to CI: how they rank, what CI is by chance."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import mannwhitneyu, spearmanr

import chancecorr as cc
from experiments.common.runs import Outcome
from experiments.franti_rezaei_2016.tables import Row
from experiments.franti_rezaei_2016.unit import INDICES

FloatArray = npt.NDArray[np.float64]
RANKED = ("kmeans", "kmeans++")
"""Clusterers whose solutions are ranked: those that miss clusters by chance."""
NOT_RANKED = ("birch2", "aggregation", "compound")


@dataclass(frozen=True, slots=True, eq=False)
class Solutions:
    """Clusterings of a data set."""

    data: str
    ci: FloatArray
    values: dict[tuple[str, str], FloatArray]


def solutions_of(outcome: Outcome) -> list[Solutions]:
    """Those of the spherical data sets, by data set."""
    cells: dict[str, list[str]] = {}
    for cell in outcome.cells:
        if cell.inputs["kind"] == "clustering" and cell.inputs["clusterer"] in RANKED:
            cells.setdefault(cell.inputs["data"], []).append(cell.name)
    found = []
    for data, names in cells.items():
        if data in NOT_RANKED:
            continue
        values = {}
        for index in INDICES:
            sign = 1.0 if cc.get_index(index).best == 1.0 else -1.0
            for form, direction in (("observed", sign), ("adjusted", 1.0)):
                each = [outcome.values(name, form, index) for name in names]
                values[index, form] = direction * np.concatenate(each)
        found.append(
            Solutions(data, np.concatenate([outcome.values(name, "partition") for name in names]), values)
        )
    return found


def rankings(solutions: Iterable[Solutions]) -> list[Row]:
    """By index and form: how often it puts a solution with CI = 0 above one with CI > 0.

    Within the data sets that have both, on average, and over all data sets pooled. The last column has the
    least rank correlation of the two forms of an index within a data set.
    """
    solutions = list(solutions)
    both = [each for each in solutions if (each.ci == 0).any() and (each.ci > 0).any()]
    if not both:
        return []
    ci = np.concatenate([each.ci for each in solutions])
    rows = []
    for index in INDICES:
        row: Row = {"index": index}
        for form in ("observed", "adjusted"):
            within = [ranked_rightly(each.values[index, form], each.ci) for each in both]
            pooled = np.concatenate([each.values[index, form] for each in solutions])
            row[f"{form} within"] = float(np.mean(within))
            row[f"{form} pooled"] = ranked_rightly(pooled, ci)
        row["least correlation"] = min(
            correlation(each.values[index, "observed"], each.values[index, "adjusted"]) for each in both
        )
        rows.append(row)
    return rows


def ranked_rightly(values: FloatArray, ci: FloatArray) -> float:
    """Share of the pairs of a solution with CI = 0 and one with CI > 0 with the first above, ties half."""
    good, bad = values[ci == 0], values[ci > 0]
    return float(mannwhitneyu(good, bad, method="asymptotic").statistic / (good.size * bad.size))


def correlation(a: FloatArray, b: FloatArray) -> float:
    """Spearman's rank correlation; 1 where both are constant."""
    if np.ptp(a) == 0.0 and np.ptp(b) == 0.0:
        return 1.0
    return float(spearmanr(a, b).statistic)


def by_chance(outcome: Outcome) -> list[Row]:
    """By data set: what CI is by chance, given the cluster sizes, and where a CI is no better than that."""
    rows: list[Row] = []
    names: dict[str, list[str]] = {}
    for cell in outcome.cells:
        if cell.inputs["kind"] == "clustering":
            names.setdefault(cell.inputs["data"], []).append(cell.name)
    for data, cells in names.items():
        expected = np.concatenate([outcome.values(each, "expected", "centroid_index") for each in cells])
        ci = np.concatenate([outcome.values(each, "partition") for each in cells])
        p = np.concatenate([outcome.values(each, "p") for each in cells])
        classes = len(outcome.records[cells[0]][0]["map_ba"])
        worst = int(np.nanargmax(p))
        rows.append(
            {
                "data": data,
                "clusters": classes,
                "clusterings": ci.size,
                "CI > 0": int(np.count_nonzero(ci > 0)),
                "least expected": float(expected.min()),
                "largest expected": float(expected.max()),
                "p above 0.05": int(np.count_nonzero(p > 0.05)),
                "largest p": float(p[worst]),
                "its CI": int(ci[worst]),
            }
        )
    return rows
