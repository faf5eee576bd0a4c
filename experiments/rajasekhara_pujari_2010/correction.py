"""IRM and its rivals corrected for chance on the same clusterings, which the paper could not know.

The classes stay and the objects are dealt to the clusters at random: E is the mean of an index then, and the
corrected value is ``(index - E) / (1 - E)``, run by run. Accuracy by the Hungarian method is corrected alike,
so that the paper's deviation, accuracy less index, has a corrected counterpart, and one by chance: E of
accuracy less E of index, which is what clusterings have that know nothing of the classes.
"""

from dataclasses import dataclass

import numpy as np

from experiments.common.runs import Outcome
from experiments.rajasekhara_pujari_2010.printed import CLASSES, COLUMNS, Column
from experiments.rajasekhara_pujari_2010.tables import (
    Floats,
    mean_without_nan,
    numbers_of,
    sum_of_sizes,
    values_of,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Corrected:
    """Mean curves of a data set against the number of clusters."""

    dataset: str
    numbers: np.ndarray
    observed: dict[str, Floats]
    by_chance: dict[str, Floats]
    corrected: dict[str, Floats]

    def peak(self, index: str, kind: str) -> int:
        """The number of clusters with the highest mean."""
        return int(self.numbers[np.nanargmax(getattr(self, kind)[index])])

    def at(self, index: str, kind: str, number: int) -> float:
        """The mean at a number of clusters."""
        return float(getattr(self, kind)[index][int(number - self.numbers[0])])

    def deviation(self, index: str, kind: str, first: int, last: int) -> float:
        """Sum over the numbers of clusters of the size of accuracy less index."""
        curves = getattr(self, kind)
        inside = (self.numbers >= first) & (self.numbers <= last)
        return sum_of_sizes((curves["accuracy"] - curves[index])[inside])

    def deviations(self, kind: str, first: int, last: int) -> dict[Column, float]:
        """Of the six indices."""
        return {column: self.deviation(column, kind, first, last) for column in COLUMNS}

    @property
    def true(self) -> int:
        """The number of classes."""
        return CLASSES[self.dataset]


def corrected_curves(outcome: Outcome) -> list[Corrected]:
    """Of the data sets with means by chance."""
    found = []
    for cell in outcome.cells:
        count = min(cell.inputs.get("expected", 0), cell.replicates)
        if count == 0:
            continue
        dataset = cell.name
        values = values_of(outcome, dataset)
        records = outcome.records[cell.name][:count]
        observed, by_chance, corrected = {}, {}, {}
        for name, all_values in values.items():
            chance = np.array([record["expected"][name] for record in records], dtype=np.float64)
            with np.errstate(invalid="ignore", divide="ignore"):
                adjusted = (all_values[:count] - chance) / (1.0 - chance)
            observed[name] = mean_without_nan(all_values[:count])
            by_chance[name] = mean_without_nan(chance)
            corrected[name] = mean_without_nan(adjusted)
        found.append(
            Corrected(
                dataset=dataset,
                numbers=numbers_of(outcome, dataset),
                observed=observed,
                by_chance=by_chance,
                corrected=corrected,
            )
        )
    return found


def least(deviations: dict[Column, float]) -> Column:
    """The index with the least deviation; the adjusted Rand index where Rand, corrected, is the same."""
    order = sorted(COLUMNS, key=lambda column: column != "adjusted_rand")
    return min(order, key=lambda column: round(deviations[column], 9))
