"""What the paper leaves unsaid about Table 2, fitted on three data sets and tested on the others.

Unsaid or contradicted by the table are: where the sums end, whether the variables are standardised, whether
seed points are drawn with replacement, how the classes are lined up with the objects, and whether the two
formulas that are printed with errors were computed so. All combinations are tried on the data sets of
`FITTED_ON`, the recipe with the least error is taken, and the error on the rest says what it is worth.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from experiments.common.runs import Outcome
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, FIRST, LAST_STATED, TABLE_2, Column
from experiments.rajasekhara_pujari_2010.tables import (
    Floats,
    Formula,
    Order,
    Recipe,
    datasets_of,
    deviations,
    mean_without_nan,
    numbers_of,
    sum_of_sizes,
    summed,
    values_of,
)

FITTED_ON = ("liver", "heart", "spect")
"""Long rows of Table 2, of files that are not sorted by class; chosen after a first look at all rows."""

LASTS = range(26, LAST_STATED + 1)
FORMULAS: tuple[Formula, ...] = ("usual", "as printed")
ORDERS: tuple[Order, ...] = ("given", "sorted")
CHOICES = [
    Recipe(scaling=scaling, start=start, classes=classes, last=last, jaccard=jaccard, nmi=nmi)
    for scaling, start, classes, last, jaccard, nmi in itertools.product(
        ("raw", "standardised"), ("distinct", "replacement"), ORDERS, LASTS, FORMULAS, FORMULAS
    )
]
"""All recipes that are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A recipe and its errors, root mean squares of log(ours / printed).

    Attributes
    ----------
    recipe : Recipe
    error : float
        On the data sets of the fit.
    held_out : float
        On the others.
    errors : dict
        By data set.
    """

    recipe: Recipe
    error: float
    held_out: float
    errors: dict[str, float]


class Means:
    """Mean deviations by cell, order of the classes and index, each found once."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._found: dict[tuple[str, str, str, str], dict[Column, Floats]] = {}

    def sums(self, dataset: str, recipe: Recipe) -> dict[Column, float]:
        """The row of Table 2."""
        key = recipe.cell(dataset), recipe.classes, recipe.jaccard, recipe.nmi
        if key not in self._found:
            found = deviations(self._outcome, dataset, recipe)
            self._found[key] = {column: mean_without_nan(values) for column, values in found.items()}
        first, last = summed(dataset, recipe)
        numbers = numbers_of(self._outcome, dataset, recipe)
        inside = (numbers >= first) & (numbers <= last)
        return {column: sum_of_sizes(means[inside]) for column, means in self._found[key].items()}

    def error(self, dataset: str, recipe: Recipe) -> float:
        """Root mean square of log(ours / printed) over a row."""
        return error_of_row(dataset, self.sums(dataset, recipe))


def error_of_row(dataset: str, sums: dict[Column, float]) -> float:
    """Root mean square of log(ours / printed) over a row of Table 2."""
    logs = [math.log(sums[column] / TABLE_2[dataset, column].value) for column in COLUMNS]
    return math.sqrt(math.fsum(log**2 for log in logs) / len(logs))


def can_fit(outcome: Outcome) -> bool:
    """Whether all cells are there."""
    there = {cell.name for cell in outcome.cells}
    return all(choice.cell(dataset) in there for choice in CHOICES for dataset in FITTED_ON)


def fits(outcome: Outcome) -> list[Fit]:
    """All recipes, the best on the data sets of the fit first."""
    means = Means(outcome)
    errors = {choice: _pooled([means.error(each, choice) for each in FITTED_ON]) for choice in CHOICES}
    best = sorted(CHOICES, key=errors.__getitem__)
    return [_fit(outcome, means, choice, errors[choice]) for choice in best]


def fit_of(outcome: Outcome, recipe: Recipe) -> Fit:
    """The errors of one recipe."""
    means = Means(outcome)
    there = [each for each in FITTED_ON if each in datasets_of(outcome, recipe)]
    return _fit(outcome, means, recipe, _pooled([means.error(each, recipe) for each in there]))


def _fit(outcome: Outcome, means: Means, recipe: Recipe, error: float) -> Fit:
    errors = {dataset: means.error(dataset, recipe) for dataset in datasets_of(outcome, recipe)}
    others = [each for dataset, each in errors.items() if dataset not in FITTED_ON]
    return Fit(recipe=recipe, error=error, held_out=_pooled(others), errors=errors)


def _pooled(errors: Sequence[float]) -> float:
    return float(np.sqrt(np.mean(np.square(errors)))) if errors else math.nan


def best_by_dataset(found: Sequence[Fit]) -> dict[str, Fit]:
    """For each data set the recipe that fits it best: how close the table can be come to with its own."""
    return {
        dataset: min((fit for fit in found if dataset in fit.errors), key=lambda fit: fit.errors[dataset])
        for dataset in found[0].errors
    }


def implied_last(outcome: Outcome, dataset: str, recipe: Recipe) -> float:
    """Where a row of Table 2 ends if its printed Rand and IRM are right; nan if that is beyond our k.

    Accuracy cancels in (Rand - accuracy) + (accuracy - IRM) = Rand - IRM, so that the answer does not depend
    on it. Between two numbers of clusters it is interpolated.
    """
    values = values_of(outcome, dataset, recipe)
    numbers = numbers_of(outcome, dataset, recipe)
    steps = mean_without_nan(values["rand"] - values["irm"])[numbers >= FIRST[dataset]]
    goal = TABLE_2[dataset, "rand"].value + TABLE_2[dataset, "irm"].value
    reached = np.concatenate([[0.0], np.cumsum(steps)])
    if goal > reached[-1]:
        return math.nan
    return float(np.interp(goal, reached, FIRST[dataset] - 1 + np.arange(len(reached))))
