"""Rows of the results, from the units of the study."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.common.runs import Cell, Outcome
from experiments.common.units import Record
from experiments.common.verdict import Verdict, exact, unreachable
from experiments.zhang_wong_shen_2012.chance import MEASURES, equation_35
from experiments.zhang_wong_shen_2012.clusterings import RECIPES
from experiments.zhang_wong_shen_2012.datasets import MISSING, SCALES, load
from experiments.zhang_wong_shen_2012.paper import COLUMNS, DATA_SETS, EXAMPLE, MATRIX_2, SIZES
from experiments.zhang_wong_shen_2012.similarities import BETWEEN, CHOICES

FloatArray = npt.NDArray[np.float64]
Row = dict[str, Any]


def units_of(outcome: Outcome, experiment: str) -> Iterator[tuple[Cell, list[Record]]]:
    """Cells of an experiment with their records."""
    for cell in outcome.cells:
        if cell.inputs["experiment"] == experiment:
            yield cell, list(outcome.records[cell.name])


def mean_and_deviation(values: FloatArray) -> tuple[float, float]:
    """Over the first axis; nan for the deviation of one value."""
    return float(values.mean()), float(values.std(ddof=1)) if values.size > 1 else math.nan


def limit_rows(outcome: Outcome) -> list[Row]:
    """ARImp and ARImm of uncorrelated ensembles by N."""
    rows = []
    for cell, records in units_of(outcome, "limits"):
        for measure in ("ARImp", "ARImm"):
            mean, deviation = mean_and_deviation(np.array([record[measure] for record in records]))
            rows.append(
                {
                    "measure": measure, "N": cell.inputs["N"], "L": cell.inputs["L"],
                    "ensembles": len(records), "mean": mean, "deviation": deviation,
                    "z of the mean": mean / (deviation / math.sqrt(len(records))),
                }
            )  # fmt: skip
    return sorted(rows, key=lambda row: (row["measure"], row["N"]))


def curve_rows(outcome: Outcome) -> list[Row]:
    """Figures 2 and 3: a row for each N, L and K, means and standard deviations of the measures."""
    rows = []
    for cell, records in units_of(outcome, "curves"):
        N, L = cell.inputs["N"], cell.inputs["L"]
        for number, K in enumerate(cell.inputs["K"]):
            row: Row = {"N": N, "L": L, "K": K, "ensembles": len(records)}
            for measure in (*MEASURES, "self", "given"):
                values = np.array([record[measure][number] for record in records])
                row[measure], row[f"{measure} deviation"] = mean_and_deviation(values)
            row["least self"] = min(record["self"][number] for record in records)
            row["equation 35"] = equation_35(2 * K, L)
            row["below equation 35"] = sum(record["self"][number] < row["equation 35"] for record in records)
            rows.append(row)
    return sorted(rows, key=lambda row: (row["N"], row["L"], row["K"]))


def trial_rows(outcome: Outcome) -> list[Row]:
    """Figure 4: a row for each recipe, data set, set of clusterings, trial and consensus function."""
    return [
        {
            "clusters": cell.inputs["clusters"], "data set": cell.inputs["data set"], "set": number,
            "trial": trial, "function": function, "ARImp": arimp, "ARI": ari,
        }
        for cell, records in units_of(outcome, "clusterings")
        for number, record in enumerate(records)
        for function, values in record["trials"].items()
        for trial, (arimp, ari) in enumerate(zip(values["ARImp"], values["ARI"], strict=True))
    ]  # fmt: skip


def consensus_rows(outcome: Outcome) -> list[Row]:
    """Figure 4 in short: means over all trials; the deviation is within a set of clusterings."""
    rows = []
    for cell, records in units_of(outcome, "clusterings"):
        for function in records[0]["trials"]:
            arimp = np.array([record["trials"][function]["ARImp"] for record in records])
            ari = np.array([record["trials"][function]["ARI"] for record in records])
            rows.append(
                {
                    "clusters": cell.inputs["clusters"], "data set": cell.inputs["data set"],
                    "function": function, "trials": int(arimp.size), "ARImp": float(arimp.mean()),
                    "ARImp deviation": math.sqrt(float(arimp.var(axis=1, ddof=1).mean())),
                    "ARI": float(ari.mean()),
                    "ARI deviation": math.sqrt(float(ari.var(axis=1, ddof=1).mean())),
                    "ARI of a clustering": float(np.mean([record["single"] for record in records])),
                }
            )  # fmt: skip
    return sorted(rows, key=_place)


def _place(row: Row) -> tuple[int, int]:
    """Where a row of figures 4 and 5 stands: by recipe, then by data set."""
    return RECIPES.index(row["clusters"]), DATA_SETS.index(row["data set"])


def diversity_rows(outcome: Outcome) -> list[Row]:
    """Figure 5: a row for each recipe, data set, set of clusterings and condition."""
    rows = [
        {
            "clusters": cell.inputs["clusters"], "data set": cell.inputs["data set"], "set": number,
            "condition": condition, **found,
        }
        for cell, records in units_of(outcome, "clusterings")
        for number, record in enumerate(records)
        for condition, found in enumerate(record["diversity"], start=1)
    ]  # fmt: skip
    return sorted(rows, key=_place)


def correlation_rows(outcome: Outcome) -> list[Row]:
    """Figure 5 in short: Pearson's correlation of ARImm with the mean and with the sum of the NMI."""
    lines: dict[tuple[str, str, int], list[Row]] = {}
    for row in diversity_rows(outcome):
        lines.setdefault((row["clusters"], row["data set"], row["set"]), []).append(row)
    return [
        {
            "clusters": clusters, "data set": name, "set": number, "conditions": len(line),
            "with the mean": correlation(line, "PNMI"), "with the sum": correlation(line, "sum"),
            "largest sum": max(row["sum"] for row in line),
        }
        for (clusters, name, number), line in lines.items()
    ]  # fmt: skip


def correlation(line: list[Row], column: str) -> float:
    """Of ARImm with a column, over the conditions."""
    return float(np.corrcoef([row["ARImm"] for row in line], [row[column] for row in line])[0, 1])


def replaced_rows(outcome: Outcome) -> list[Row]:
    """Figure 6: a row for each choice, data set, scale and proportion; `least step` is over the draws."""
    rows = []
    for cell, records in units_of(outcome, "similarities"):
        for choice, scale in itertools.product(CHOICES, SCALES):
            values = np.array([record[choice]["ARImp"][scale] for record in records])
            steps = np.diff(values, axis=1).min(axis=0)
            for number, proportion in enumerate(cell.inputs["proportions"]):
                rows.append(
                    {
                        "choice": choice, "data set": cell.inputs["data set"], "scale": scale,
                        "proportion": proportion, "draws": len(records),
                        "ARImp": float(values[:, number].mean()),
                        "least step": float(steps[number - 1]) if number else math.nan,
                    }
                )  # fmt: skip
    return sorted(rows, key=lambda row: (row["choice"], DATA_SETS.index(row["data set"])))


def similarity_matrices(outcome: Outcome, choice: str) -> dict[str, dict[str, FloatArray]]:
    """Figures 7 to 10: by data set and measure, means over the draws."""
    found = {
        cell.inputs["data set"]: {
            measure: np.mean([record[choice][measure] for record in records], axis=0) for measure in BETWEEN
        }
        for cell, records in units_of(outcome, "similarities")
    }
    return {name: found[name] for name in DATA_SETS if name in found}


def similarity_rows(outcome: Outcome) -> list[Row]:
    """Figures 7 to 10: a row for each choice, data set and two of its matrices."""
    proportions = {
        cell.inputs["data set"]: cell.inputs["proportions"] for cell, _ in units_of(outcome, "similarities")
    }
    rows = []
    for choice in CHOICES:
        for name, matrices in similarity_matrices(outcome, choice).items():
            names = list(itertools.product(SCALES, proportions[name]))
            for (i, one), (j, other) in itertools.combinations_with_replacement(enumerate(names), 2):
                row = {
                    "choice": choice, "data set": name, "scale": one[0], "proportion": one[1],
                    "other scale": other[0], "other proportion": other[1],
                }  # fmt: skip
                rows.append(row | {measure: float(values[i, j]) for measure, values in matrices.items()})
    return rows


def distributed_rows(outcome: Outcome) -> list[Row]:
    """Eq. 29: a row for each number of objects and measure."""
    rows = []
    for cell, records in units_of(outcome, "distributed"):
        for record in records:
            for measure in ("ARImp", "ARImm"):
                found = record[measure]
                rows.append(
                    {
                        "n": cell.inputs["n"], "L": cell.inputs["L"], "measure": measure,
                        "blocks": found["blocks"], "tables": found["tables"], "equal": found["equal"],
                        "whole matrices": found.get("matrix", math.nan),
                        "gigabytes of a matrix": record["matrix gigabytes"],
                        "gigabytes of a worker": round(record["megabytes"] / 1000.0, 1),
                    }
                )  # fmt: skip
    return sorted(rows, key=lambda row: (row["n"], row["measure"]))


def size_verdicts(seed: int) -> dict[tuple[str, str], Verdict]:
    """Table 2 against the data sets at hand."""
    found = {}
    for name in DATA_SETS:
        if name not in MISSING:
            objects = load(name, seed)
            sizes = dict(zip(COLUMNS, (objects.n_classes, *objects.X.shape), strict=True))
        for column in COLUMNS:
            printed = SIZES[name, column]
            if name in MISSING:
                found[name, column] = unreachable(printed, MISSING[name])
            else:
                found[name, column] = exact(printed, float(sizes[column]))
    return found


def example_verdicts(outcome: Outcome) -> list[Verdict]:
    """The worked example; none without the cell that computes it."""
    for _, records in units_of(outcome, "exact"):
        values = records[0]["example"]["ARImm"]
        symmetric = {"M2 (2, 1)": MATRIX_2[0][1], "M2 (2, 2)": 0.0}
        return [exact(printed, (values | symmetric)[name]) for name, printed in EXAMPLE.items()]
    return []
