"""Counts of many chunks of objects, added by the labels of their clusters."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.tables.crosstab import DENSE_CELLS, CrossClassification, numbered
from chancecorr.tables.labels import encode

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class ClusterNames(NamedTuple):
    """Labels of the clusters of one side, and noise objects that are clusters of their own, after these."""

    labels: AnyArray
    alone: Integers  # positions, ascending


class Part(NamedTuple):
    """Counts of some of the objects, shape (K, Q), the clusters' names, and how many objects were read."""

    counts: "Integers | csr_array[np.int64]"
    rows: ClusterNames
    columns: ClusterNames
    objects: int


def sum_of_parts(parts: Iterable[Part]) -> Part | None:
    """All parts added, in their order; None if there are none."""
    # Sums of equally many parts are added to each other: of m parts none is added more than log2(m) times.
    waiting: list[tuple[int, Part]] = []
    for part in parts:
        level, total = 0, part
        while waiting and waiting[-1][0] == level:
            level, total = level + 1, _added(waiting.pop()[1], total)
        waiting.append((level, total))
    while len(waiting) > 1:
        (_, first), (level, second) = waiting[-2:]
        waiting[-2:] = [(level, _added(first, second))]
    return waiting[0][1] if waiting else None


def _added(first: Part, second: Part) -> Part:
    """Counts of the objects of both; those of the second come after those of the first."""
    rows, row_places = _united(first.rows, second.rows, first.objects)
    columns, column_places = _united(first.columns, second.columns, first.objects)
    shape = rows.labels.size + rows.alone.size, columns.labels.size + columns.alone.size
    counts = first.counts, second.counts
    total = _total(shape, list(zip(counts, row_places, column_places, strict=True)))
    return Part(total, rows, columns, first.objects + second.objects)


def _united(first: ClusterNames, second: ClusterNames, shift: int) -> tuple[ClusterNames, list[Integers]]:
    """Names of the clusters of both, and the places of each one's clusters among them."""
    labels, places = _united_labels(first.labels, second.labels)
    alone = np.concatenate([first.alone, second.alone + shift])
    lone = np.split(labels.size + np.arange(alone.size), [first.alone.size])
    return ClusterNames(labels, alone), [np.concatenate(each) for each in zip(places, lone, strict=True)]


def _united_labels(first: AnyArray, second: AnyArray) -> tuple[AnyArray, list[Integers]]:
    """Labels of both, sorted if both were, else in order of appearance, and the places of each side's."""
    places = [np.arange(first.size), np.arange(second.size)]
    if not (first.size and second.size):
        return (first if first.size else second), places
    if first.dtype == second.dtype != object and np.array_equal(first, second):
        return first, places
    joint: Any = [*first.tolist(), *second.tolist()]
    if first.dtype.kind == second.dtype.kind and first.dtype.kind in "biufUS":
        joint = np.concatenate([first, second])
    encoded = encode("labels", joint)
    codes, firsts, ranks = np.unique(encoded.codes, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    if all(bool(np.all(each[:-1] < each[1:])) for each in np.split(ranks, [first.size])):
        order = np.arange(codes.size)
    return encoded.names(codes[order]), np.split(np.argsort(order)[ranks], [first.size])


def cells_above_zero(counts: "Integers | csr_array[np.int64]") -> tuple[Integers, Integers, Integers]:
    """Row numbers, column numbers and counts of the cells above zero, row by row."""
    if isinstance(counts, np.ndarray):
        places = np.flatnonzero(counts)  # `np.nonzero` gives views, for which Numba compiles loops once more
        return *np.divmod(places, max(counts.shape[1], 1)), counts.ravel()[places]
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return rows, counts.indices.astype(np.int64), counts.data


def _total(
    shape: tuple[int, int], placed: list[tuple[Any, Integers, Integers]]
) -> "Integers | csr_array[np.int64]":
    """Sum of counts whose rows and columns have places in it; sparse if it has too many cells."""
    n = sum(int(counts.sum()) for counts, _, _ in placed)
    is_dense = shape[0] * shape[1] <= max(DENSE_CELLS, 4 * n)
    if is_dense and all(
        isinstance(counts, np.ndarray) and all(map(np.array_equal, places, map(np.arange, shape)))
        for counts, *places in placed
    ):
        return np.asarray(placed[0][0] + placed[1][0])
    found = [(rows[i], columns[j], cells) for counts, rows, columns in placed
             for i, j, cells in [cells_above_zero(counts)]]  # fmt: skip
    i, j, cells = (np.concatenate(each) for each in zip(*found, strict=True))
    return sum_of_cells(i, j, cells, shape, is_dense)


def sum_of_cells(
    rows: Integers, columns: Integers, counts: Integers, shape: tuple[int, int], is_dense: bool
) -> "Integers | csr_array[np.int64]":
    """Counts of a table given as cells, of which several may be in one place."""
    if is_dense:
        total = np.zeros(shape, dtype=np.int64)
        np.add.at(total, (rows, columns), counts)
        return total
    from scipy.sparse import coo_array

    return coo_array((counts, (rows, columns)), shape=shape).tocsr()


def add_frequencies(x: AnyArray, y: AnyArray, frequencies: Integers) -> CrossClassification:
    """`cross_tabulate` of objects each of which was seen so many times; those never seen are not there."""
    seen = frequencies > 0
    (rows, n_rows, row_labels), (columns, n_columns, column_labels) = numbered(x[seen]), numbered(y[seen])
    is_dense = n_rows * n_columns <= max(DENSE_CELLS, 4 * x.size)
    counts = sum_of_cells(rows, columns, frequencies[seen], (n_rows, n_columns), is_dense)
    return CrossClassification(counts, row_labels, column_labels)
