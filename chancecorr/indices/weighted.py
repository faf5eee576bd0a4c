"""Values of indices on tables of weights: sums of the weights of the objects that two clusters share."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.indices.calling import (
    as_python,
    failure_of,
    is_of_the_catalogue,
    returning_a_number,
    run_loop,
    sum_over_weighted_cells,
)
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Floats
from chancecorr.machine.kernel import compiler

TABLES = (((3, 1, 0), (0, 1, 1)), ((5, 2), (1, 4)), ((2, 0, 1), (1, 3, 0), (0, 1, 2)))
UNITS = (1.0, 2.0, 0.3)
"""Tables, and units of their weights, by which an index is asked whether the unit matters to it."""


def check_weightable(index: Index) -> None:
    """Raise unless the index is defined for weights: of pair counts, or without a unit."""
    if index.needs == "labels" or index.with_totals or (index.needs != "pairs" and not _is_of_shares(index)):
        raise ArgumentValueError(
            "index",
            "must be a function of pair counts, or one of a table to which the unit of its weights does not"
            f" matter, with `weights`; got {index.name!r}.",
            "weights",
        )


def _is_of_shares(index: Index) -> bool:
    """Whether the value stays where all cells are multiplied by a number, or is multiplied by it."""
    tables = [np.array([table], dtype=np.float64) for table in TABLES]
    values = np.array([[weighted_values(index, k * each, 0.0)[0] for each in tables] for k in UNITS])
    scaled = (np.outer(np.power(UNITS, power), values[0]) for power in (0, 1))
    return any(np.allclose(values, each, rtol=1e-12, atol=0.0) for each in scaled)


def _of_table(index: Index, table: Floats) -> float:
    """Value on one table of weights."""
    try:
        with np.errstate(all="ignore"):
            function = _for_weights(index.function)
            return returning_a_number(function)(table, table.sum(axis=1), table.sum(axis=0))
    except Exception as error:
        raise failure_of(index, "a table of weights", error) from error


@functools.lru_cache(maxsize=64)
def _for_weights(function: Callable[..., Any]) -> Callable[..., Any]:
    """Machine code of a function of the catalogue for tables of weights; a user's runs as Python."""
    plain = as_python(function)
    return compiler().compiled(plain) if is_of_the_catalogue(function) else plain


def weighted_values(index: Index, tables: Floats, square_of_objects: float) -> Floats:
    """Values on tables of weights, shape (m, K, Q); the other number is the sum of the squared weights."""
    n = float(tables[0].sum())
    if index.needs == "pairs":
        T = (tables**2).sum(axis=(1, 2))
        A, B = ((tables.sum(axis=axis) ** 2).sum(axis=1) for axis in (2, 1))
        twice = (T - square_of_objects, A - T, B - T, n * n - A - B + T)
        counts = tuple(np.maximum(each, 0.0) / 2.0 for each in twice)
        nothing = np.zeros(T.size, dtype=np.int64)
        return values_of_varying_pairs(index, counts, (nothing, nothing), 2)
    if index.needs == "table":
        return np.array([_of_table(index, table) for table in tables])
    totals = np.empty(len(tables))
    run_loop(sum_over_weighted_cells, index, "a table of weights", tables, n, totals)
    if index.link is None:
        return totals
    linked = np.empty(len(tables))
    try:
        with np.errstate(all="ignore"):
            for t, table in enumerate(tables):
                linked[t] = index.link(totals[t : t + 1], table.sum(axis=1), table.sum(axis=0))[0]
    except Exception as error:
        raise failure_of(index, "a sum over cells with weights (its `link`)", error) from error
    return linked
