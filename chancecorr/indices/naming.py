"""Tests that decide whether a user's function compares labels by name, or clusterings without names.

Accuracy, kappa and F1 ask if two labels are equal. Their values change if the clusters of one side are
numbered in another order; the values of an index of clusterings do not change. `decide_on_names` tries this
on small tables, once for each function.
"""

import math
import warnings
import weakref
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np

from chancecorr.indices.calling import (
    LARGEST_DIFFERENCE,
    get_python_function,
    is_of_the_catalogue,
    require_number,
)
from chancecorr.indices.index import NAMED_NEEDS, Index
from chancecorr.machine.arrays import Floats, Integers, read_only
from chancecorr.machine.notes import Note
from chancecorr.tables.contingency import ContingencyTable

Verdict = Literal["clusters", "labels", "random", "unknown"]
"""Result of the test of a function. "random": its values differ for the same labels. "unknown": all values
are nan or errors."""

SHAPES = ((2, 2, 9), (3, 3, 14), (2, 3, 12), (3, 2, 12), (4, 4, 20), (5, 6, 30))
"""Numbers of clusters of both sides, and numbers of objects, of the labels for the tests."""

REPETITIONS = 3  # number of calls that show if a function is random
ROUNDING_OF_VALUES = 1e-13  # values that differ by less are equal up to rounding, however small they are
MOST_OBJECTS_TRIED = 1_000  # approximate number of objects of the data for a test

NOTE_ON_RANDOM = Note(
    "random function",
    "the function gives different values for the same labels: it is unknown if it compares labels by"
    " name, and each side is numbered separately",
)

Evaluate = Callable[[Integers, Integers], float]  # function of two vectors of cluster numbers

_verdicts: weakref.WeakKeyDictionary[Index, Verdict] = weakref.WeakKeyDictionary()
"""Results of the tests on small tables, kept as long as the index objects are used."""


def decide_on_names(index: Index, table: ContingencyTable | None = None) -> tuple[Index, list[Note]]:
    """Return the index, `named` if it compares labels by name, and a note if it is random.

    A function that fails on small tables is tested on the table of the data.
    """
    if index.named is not None or index.needs not in NAMED_NEEDS or is_of_the_catalogue(index.function):
        return index, []
    evaluate = make_evaluation(index)
    verdict = _verdicts.get(index)
    if verdict is None:
        verdict = "unknown"
        for labels in make_trials():
            tried = try_orders(evaluate, *labels)
            verdict = verdict if tried == "unknown" else tried
            if verdict in ("labels", "random"):
                break
        _verdicts[index] = verdict
    if verdict == "unknown" and table is not None and table.n:
        verdict = try_orders(evaluate, *lay_out(*table.nonzero_cells))
    if verdict == "labels":
        return replace(index, named=True), []
    return index, [NOTE_ON_RANDOM] if verdict == "random" else []


def make_evaluation(index: Index) -> Evaluate:
    """Make the function of two label vectors that evaluates an index of labels or of a table."""
    function = require_number(get_python_function(index.function))
    if index.needs == "labels":
        return lambda rows, columns: function(rows.copy(), columns.copy())

    def evaluate(rows: Integers, columns: Integers) -> float:
        shape = int(rows.max()) + 1, int(columns.max()) + 1
        table = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1]).reshape(shape)
        return function(*map(read_only, (table, table.sum(axis=1), table.sum(axis=0))))

    return evaluate


@cache
def make_trials() -> tuple[tuple[Integers, Integers], ...]:
    """Make small label vectors in irregular order that contain all clusters."""

    def mix(n_clusters: int, n: int, step: int) -> Integers:
        k = np.arange(n - n_clusters)
        return np.concatenate([np.arange(n_clusters), (step * k * k + k) // 5 % n_clusters])

    return tuple((mix(K, n, 7), mix(Q, n, 3)[::-1].copy()) for K, Q, n in SHAPES)


def lay_out(rows: Integers, columns: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """Turn cells into two label vectors of about a thousand objects that contain all clusters."""
    share = min(1.0, MOST_OBJECTS_TRIED / float(counts.sum()))
    fewer = np.ceil(counts * share).astype(np.int64)
    return np.repeat(rows, fewer), np.repeat(columns, fewer)


def try_orders(evaluate: Evaluate, rows: Integers, columns: Integers) -> Verdict:
    """Evaluate an index on label vectors, also with the clusters of each side in other orders."""

    def repeat(*labels: Integers) -> Floats:
        return np.array([evaluate(*labels) for _ in range(REPETITIONS)])

    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            here = repeat(rows, columns)
            if differ(here, here):
                return "random"
            numbers = [np.arange(int(side.max()) + 1) for side in (rows, columns)]
            for order in (lambda side: side[::-1], lambda side: np.roll(side, 1)):
                of_rows, of_columns = map(order, numbers)
                for labels in ((of_rows[rows], columns), (rows, of_columns[columns])):
                    if differ(here, np.array([evaluate(*labels)])):
                        there, again = repeat(*labels), repeat(rows, columns)
                        is_random = differ(there, there) or differ(again, again) or not differ(there, again)
                        return "random" if is_random else "labels"
    except Exception:  # the function does not accept such labels
        return "unknown"
    return "unknown" if math.isnan(here[0]) else "clusters"


def differ(values: Floats, others: Floats) -> bool:
    """Return True if a value of `others` differs from the first of `values` by more than rounding.

    nan is equal to nan.
    """
    largest = np.abs(np.append(values, others))
    scale = largest[np.isfinite(largest)].max(initial=0.0)
    slack = max(LARGEST_DIFFERENCE * float(scale), ROUNDING_OF_VALUES)
    return not np.isclose(values[:1], others, rtol=0.0, atol=slack, equal_nan=True).all()
