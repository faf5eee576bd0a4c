"""The part of the page on how the sums of Table 2 were made: the fit, the held-out test, where rows end."""

import math
from collections.abc import Sequence
from dataclasses import replace

from experiments.common import report
from experiments.common.report import number
from experiments.common.runs import Outcome
from experiments.common.verdict import Verdict
from experiments.rajasekhara_pujari_2010.correction import Corrected
from experiments.rajasekhara_pujari_2010.fit import (
    CHOICES,
    FITTED_ON,
    LASTS,
    ORDERS,
    Fit,
    Means,
    best_by_dataset,
    error_of_row,
    fit_of,
    implied_last,
)
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, DATASETS, FIRST, LAST_STATED, SHORT, TABLE_2
from experiments.rajasekhara_pujari_2010.tables import (
    STATED,
    WORDS_OF_CLASSES,
    Recipe,
    datasets_of,
    summed,
)

NEAR = 1.5
"""Rows are taken to end near the fitted end when they do within as many numbers of clusters."""

CLOSE = 0.1
"""A printed sum is counted as close when ours is within 10 % of it."""


def is_close(verdict: Verdict) -> bool:
    """Whether ours is within `CLOSE` of the print."""
    return abs(math.log(verdict.ours / verdict.printed.value)) <= math.log1p(CLOSE)


def fit_section(outcome: Outcome, found: Sequence[Fit], corrected: Sequence[Corrected]) -> list[str]:
    """Recipes tried and their errors; nothing where a cell is missing."""
    if not found:
        return []
    best, stated = found[0], fit_of(outcome, STATED)
    others = [each for each in DATASETS if each not in FITTED_ON]
    lines = [
        "## How the sums were made",
        "",
        "The paper leaves unsaid how variables are scaled and seed points drawn, and sums that end where it"
        f" says, at {LAST_STATED}, are far from the print. {len(CHOICES):,} recipes were tried on"
        f" {', '.join(FITTED_ON)}: raw or standardised variables; seed points drawn with or without"
        " replacement; classes as given or lined up with the objects in sorted order; sums that end at"
        f" {LASTS[0]} to {LASTS[-1]}; the two misprinted formulas as usual or as printed. The"
        f" one with the least error there is: {best.recipe.text}. On the {len(others)} data sets that were"
        f" held out its error is {best.held_out:.2f}, that of the recipe as stated {stated.held_out:.2f}; on"
        f" those of the fit {best.error:.2f} and {stated.error:.2f}.",
        "",
        "The held-out test is of the recipe, not of the list of choices: which choices to try, and which rows"
        " to fit on, was decided after all ten rows had been looked at with smaller simulations.",
        "",
    ]
    chance = {each.dataset: _error_by_chance(each, best.recipe) for each in corrected}
    own = best_by_dataset(found)
    rows = [
        [
            dataset, "fitted" if dataset in FITTED_ON else "held out", number(stated.errors[dataset], 2),
            number(best.errors[dataset], 2), number(chance.get(dataset, math.nan), 2),
            number(own[dataset].errors[dataset], 2), own[dataset].recipe.text,
        ]
        for dataset in best.errors
    ]  # fmt: skip
    header = ["data set", "", "as stated", "fitted", "by chance", "best of its own", "that is"]
    lines += [*report.markdown_table(header, rows), ""]
    lines += [
        "Errors as above. *By chance* knows nothing of the relation of clusters to classes: sums of mean"
        " accuracy less mean index over random tables with the margins of the raw clusterings, over the"
        " fitted range of k."
        " *Best of its own* is the recipe, of all that were tried, that was chosen with the row itself in"
        " view; what it leaves was not found.",
        "",
        *_implied(outcome, found),
        *_iris(outcome, best.recipe.last),
        "The ten best on the data sets of the fit:",
        "",
    ]
    shown = [[fit.recipe.text, number(fit.error), number(fit.held_out)] for fit in found[:10]]
    return [*lines, *report.markdown_table(["recipe", "error", "held out"], shown), ""]


def _implied(outcome: Outcome, found: Sequence[Fit]) -> list[str]:
    """Where each row ends, from two columns in which accuracy cancels."""
    recipes = [
        Recipe(scaling=scaling, start="replacement", classes=order)
        for scaling in ("raw", "standardised")
        for order in ORDERS
    ]
    rows = []
    for dataset in DATASETS:
        there = [each for each in recipes if dataset in datasets_of(outcome, each)]
        ends = [implied_last(outcome, dataset, each) for each in there]
        shown = [f"beyond {LAST_STATED}" if math.isnan(end) else f"{end:.1f}" for end in ends]
        rows.append([dataset, str(FIRST[dataset]), *shown])
    header = [f"{each.scaling}, classes {WORDS_OF_CLASSES[each.classes]}" for each in recipes]
    return [
        "Accuracy cancels in the sum of the columns Rand and IRM, which are (Rand - accuracy) and (accuracy -"
        " IRM). So these two tell where a row ends, with less in between; seed points with replacement:",
        "",
        *report.markdown_table(["data set", "k1", *header], rows),
        "",
        where_sums_end(outcome, found),
        "",
    ]


def where_sums_end(outcome: Outcome, found: Sequence[Fit]) -> str:
    """Fitted, and on the rows that were held out, in a sentence; empty if nothing was fitted."""
    if not found:
        return ""
    fitted = found[0].recipe
    ends = {
        dataset: implied_last(outcome, dataset, fitted)
        for dataset in datasets_of(outcome, fitted)
        if dataset not in FITTED_ON
    }
    near = [dataset for dataset, end in ends.items() if abs(end - fitted.last) <= NEAR]
    return (
        f"The sums over k that are said to go to {LAST_STATED} end at {fitted.last} by the best of"
        f" {len(CHOICES):,} recipes tried on three data sets; of the {len(ends)} that were held out"
        f" {len(near)} end within {NEAR:g} of that ({', '.join(near) or 'none'})."
    )


def _iris(outcome: Outcome, last: int) -> list[str]:
    """The one row whose k1 is beyond where the others end."""
    recipe = replace(STATED, last=last)
    if FIRST["iris"] <= last or "iris" not in datasets_of(outcome, recipe):
        return []
    ours = Means(outcome).sums("iris", recipe)
    theirs = {column: TABLE_2["iris", column].value for column in COLUMNS}
    shown = [f"{SHORT[each]} {number(ours[each])} / {number(theirs[each])}" for each in COLUMNS]
    close = sum(abs(math.log(ours[each] / theirs[each])) <= math.log1p(CLOSE) for each in COLUMNS)
    return [
        f"Iris has k1 = {FIRST['iris']}, beyond that end. From its true number of clusters to {last}, raw and"
        f" as stated, ours / printed are {', '.join(shown)}: {close} of {len(shown)} within"
        f" {100 * CLOSE:.0f} %.",
        "",
    ]


def _error_by_chance(each: Corrected, recipe: Recipe) -> float:
    first, last = summed(each.dataset, recipe)
    return error_of_row(each.dataset, each.deviations("by_chance", first, last))
