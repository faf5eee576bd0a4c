"""Counts of different objects added by the names of their clusters: of two tables, or of many chunks."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.tables.crosstab import DENSE_CELLS
from chancecorr.tables.labels import encode

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class ClusterNames(NamedTuple):
    """Labels of the clusters of one side, and noise objects that are clusters of their own, after these."""

    labels: AnyArray | None  # None if clusters are known by their place only
    alone: Integers  # positions, ascending


class Part(NamedTuple):
    """Counts of some of the objects, shape (K, Q), the clusters' names, and how many objects were read."""

    counts: "Integers | csr_array[np.int64]"
    rows: ClusterNames
    columns: ClusterNames
    objects: int


def add_parts(first: Part, second: Part) -> Part:
    """Counts of the objects of both; those of the second come after those of the first."""
    rows, row_places, n_rows = _united(0, first, second)
    columns, column_places, n_columns = _united(1, first, second)
    counts = first.counts, second.counts
    total = _total((n_rows, n_columns), list(zip(counts, row_places, column_places, strict=True)))
    return Part(total, rows, columns, first.objects + second.objects)


def sum_of_parts(parts: Iterable[Part]) -> Part | None:
    """All parts added, in their order; None if there are none.

    Sums of equally many parts are added to each other, so that of m parts none is added more than log2(m)
    times, and no more than log2(m) sums are held at a time.
    """
    waiting: list[tuple[int, Part]] = []
    for part in parts:
        level, total = 0, part
        while waiting and waiting[-1][0] == level:
            level, total = level + 1, add_parts(waiting.pop()[1], total)
        waiting.append((level, total))
    if not waiting:
        return None
    total = waiting.pop()[1]
    while waiting:
        total = add_parts(waiting.pop()[1], total)
    return total


def _united(axis: int, first: Part, second: Part) -> tuple[ClusterNames, list[Integers], int]:
    """Names of the clusters of both, the places of each part's clusters among them, and their number."""
    sides = [part.columns if axis else part.rows for part in (first, second)]
    shapes = first.counts.shape, second.counts.shape
    sizes = [shape[axis] - side.alone.size for shape, side in zip(shapes, sides, strict=True)]
    labels = sides[0].labels if sizes[0] else sides[1].labels
    places = [np.arange(size) for size in sizes]
    if sides[0].labels is not None and sides[1].labels is not None:
        labels, places = _united_labels(sides[0].labels, sides[1].labels)
    elif 0 not in sizes and (sizes[0] != sizes[1] or sides[0].labels is not sides[1].labels):
        raise ArgumentValueError(
            ("row_labels", "column_labels")[axis],
            "must be given for both tables that are added, or for neither if these are of one shape; got"
            f" {' and '.join('none' if side.labels is None else 'some' for side in sides)},"
            f" and shapes {shapes[0]} and {shapes[1]}.",
        )
    size = 1 + max(int(each.max(initial=-1)) for each in places)
    alone = np.concatenate([sides[0].alone, sides[1].alone + first.objects])
    lone = np.split(size + np.arange(alone.size), [sides[0].alone.size])
    places = [np.concatenate(each) for each in zip(places, lone, strict=True)]
    return ClusterNames(labels, alone), places, size + alone.size


def _united_labels(first: AnyArray, second: AnyArray) -> tuple[AnyArray, list[Integers]]:
    """Labels of both, each once, and the places of the first and of the second among them.

    They are sorted if both were; else those of the first come first, in its order, as of labels that cannot
    be sorted, or of Categoricals in the order of their categories.
    """
    places = [np.arange(first.size), np.arange(second.size)]
    if not (first.size and second.size):
        return (first if first.size else second), places
    if first.dtype == second.dtype != object and np.array_equal(first, second):
        return first, places
    joint: Any = [*first.tolist(), *second.tolist()]
    if first.dtype.kind == second.dtype.kind and first.dtype.kind in "biufUS":
        joint = np.concatenate([first, second])
    encoded = encode("labels", joint, None)
    codes, firsts, ranks = np.unique(encoded.codes, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    if all(bool(np.all(each[:-1] < each[1:])) for each in np.split(ranks, [first.size])):
        order = np.arange(codes.size)
    return encoded.names(codes[order]), np.split(np.argsort(order)[ranks], [first.size])


def cells_above_zero(counts: "Integers | csr_array[np.int64]") -> tuple[Integers, Integers, Integers]:
    """Row numbers, column numbers and counts of the cells above zero, row by row."""
    if isinstance(counts, np.ndarray):
        rows, columns = np.nonzero(counts)
        return rows, columns, counts[rows, columns]
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return rows, counts.indices.astype(np.int64), counts.data


def _total(
    shape: tuple[int, int], placed: list[tuple[Any, Integers, Integers]]
) -> "Integers | csr_array[np.int64]":
    """Sum of counts whose rows and columns have places in it; sparse if it has too many cells."""
    n = sum(int(counts.sum()) for counts, _, _ in placed)
    is_dense = shape[0] * shape[1] <= max(DENSE_CELLS, 4 * n)
    if is_dense and all(
        isinstance(counts, np.ndarray) and all(map(_is_whole, places, shape)) for counts, *places in placed
    ):
        return np.asarray(placed[0][0] + placed[1][0])
    found = [(rows[i], columns[j], cells) for counts, rows, columns in placed
             for i, j, cells in [cells_above_zero(counts)]]  # fmt: skip
    i, j, cells = (np.concatenate(each) for each in zip(*found, strict=True))
    if is_dense:
        total = np.zeros(shape, dtype=np.int64)
        np.add.at(total, (i, j), cells)
        return total
    from scipy.sparse import coo_array

    return coo_array((cells, (i, j)), shape=shape).tocsr()


def _is_whole(places: Integers, size: int) -> bool:
    """Whether places are 0, 1, ... up to a size."""
    return np.array_equal(places, np.arange(size))
