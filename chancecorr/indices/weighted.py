"""Values of indices on tables of weights: sums of the weights of the objects that two clusters share."""

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.indices.calling import calling
from chancecorr.indices.compiling import run_loop
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.index import Index
from chancecorr.indices.loops import sum_over_weighted_cells
from chancecorr.machine.arrays import Floats


def check_weightable(index: Index) -> None:
    """Raise unless the index is defined for weights: as a function of pair counts, or a sum over cells."""
    if index.needs not in ("pairs", "cells") or index.with_totals:
        raise ArgumentValueError(
            "index",
            f"must need pairs or cells with `weights`; got {index.name!r}, which needs"
            f" {'cluster sizes' if index.with_totals else repr(index.needs)}.",
            "weights",
        )


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
    totals = np.empty(len(tables))
    run_loop(sum_over_weighted_cells, index, "a table of weights", tables, n, totals)
    if index.link is None:
        return totals
    linked = np.empty(len(tables))
    with calling(index, "a sum over cells with weights (its `link`)"):
        for t, table in enumerate(tables):
            linked[t] = index.link(totals[t : t + 1], table.sum(axis=1), table.sum(axis=0))[0]
    return linked
