"""Counts of different objects added by the names of their clusters: of two tables, or of many chunks."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentValueError
from chancecorr.machine.arrays import Integers
from chancecorr.tables.crosstab import DENSE_CELLS, numbered
from chancecorr.tables.labels import encode

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class ClusterNames(NamedTuple):
    """What the clusters of one side are called.

    Attributes
    ----------
    labels : ndarray or None
        Labels of the clusters, each once; None where clusters are known by their place only.
    alone : ndarray of int64
        Positions of the noise objects that are clusters of their own, after the others, ascending.
    """

    labels: npt.NDArray[Any] | None
    alone: Integers


class Part(NamedTuple):
    """Counts of some of the objects, shape (K, Q), the clusters' names, and how many objects were read.

    The objects that were read are more than the counted ones where noise or missing labels are left out.
    """

    counts: "Integers | csr_array[np.int64]"
    rows: ClusterNames
    columns: ClusterNames
    objects: int


def add_parts(first: Part, second: Part) -> Part:
    """Counts of the objects of both; those of the second come after those of the first.

    Examples
    --------
    >>> none = np.zeros(0, dtype=np.int64)
    >>> first = Part(np.array([[2, 1]]), *(ClusterNames(np.array(x), none) for x in (["a"], [0, 5])), 3)
    >>> second = Part(np.array([[4]]), *(ClusterNames(np.array(x), none) for x in (["b"], [3])), 4)
    >>> both = add_parts(first, second)
    >>> both.counts.tolist(), both.rows.labels.tolist(), both.columns.labels.tolist(), both.objects
    ([[2, 0, 1], [0, 4, 0]], ['a', 'b'], [0, 3, 5], 7)
    """
    shapes = first.counts.shape, second.counts.shape
    sides = [
        _united(name, getattr(first, name), getattr(second, name), axis, shapes, first.objects)
        for axis, name in enumerate(("rows", "columns"))
    ]
    (rows, row_places), (columns, column_places) = sides
    shape = _size(rows, row_places), _size(columns, column_places)
    n = int(first.counts.sum()) + int(second.counts.sum())
    placed = list(zip((first.counts, second.counts), row_places, column_places, strict=True))
    total = _dense if _is_dense(shape, n) else _sparse
    return Part(total(shape, placed), rows, columns, first.objects + second.objects)


def sum_of_parts(parts: Iterable[Part]) -> Part | None:
    """All parts added, in their order; None where there are none.

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


def without_label(part: Part, label: object) -> Part:
    """Part without the objects that have a label on either side, nor the clusters that are empty then.

    Examples
    --------
    >>> none = np.zeros(0, dtype=np.int64)
    >>> part = Part(np.array([[2, 1], [4, 0]]), *(ClusterNames(np.array([-1, k]), none) for k in (5, 7)), 7)
    >>> kept = without_label(part, 5)
    >>> kept.counts.tolist(), kept.rows.labels.tolist(), kept.columns.labels.tolist()
    ([[2, 1]], [-1], [-1, 7])
    """
    counts: Any = part.counts
    sides: list[Any] = [part.rows.labels, part.columns.labels]
    places = [{each: k for k, each in enumerate(labels.tolist())}.get(label) for labels in sides]
    if places == [None, None]:
        return part
    for axis, place in enumerate(places):
        if place is not None:
            others = np.delete(np.arange(counts.shape[axis]), place)
            counts, sides[axis] = _taken(counts, others, axis), sides[axis][others]
    for axis in (0, 1):
        found = np.flatnonzero(np.asarray(counts.sum(axis=1 - axis)).ravel())
        counts, sides[axis] = _taken(counts, found, axis), sides[axis][found]
    if _is_dense(counts.shape, int(counts.sum())) != isinstance(counts, np.ndarray):
        from scipy.sparse import csr_array

        counts = csr_array(counts) if isinstance(counts, np.ndarray) else counts.toarray()
    rows, columns = (
        ClusterNames(labels, names.alone) for labels, names in zip(sides, part[1:3], strict=True)
    )
    return Part(counts, rows, columns, part.objects)


def _taken(counts: Any, places: Integers, axis: int) -> Any:
    return counts[places] if axis == 0 else counts[:, places]


def _is_dense(shape: tuple[int, int], n: int) -> bool:
    return shape[0] * shape[1] <= max(DENSE_CELLS, 4 * n)


def _united(
    name: str,
    first: ClusterNames,
    second: ClusterNames,
    axis: int,
    shapes: tuple[tuple[int, int], tuple[int, int]],
    objects: int,
) -> tuple[ClusterNames, tuple[Integers, Integers]]:
    """Names of the clusters of both, and the places among them of those of the first and the second."""
    sizes = shapes[0][axis] - first.alone.size, shapes[1][axis] - second.alone.size
    if first.labels is None and second.labels is None and sizes[0] == sizes[1]:
        labels, places = None, (np.arange(sizes[0]), np.arange(sizes[1]))
    elif first.labels is not None and second.labels is not None:
        labels, *places_of_both = _united_labels(first.labels, second.labels)
        places = (places_of_both[0], places_of_both[1])
    elif (first.labels is None) != (second.labels is None) and 0 in sizes:  # nothing there to be named
        labels = first.labels if sizes[0] else second.labels
        places = (np.arange(sizes[0]), np.arange(sizes[1]))
    else:
        raise ArgumentValueError(
            {"rows": "row_labels", "columns": "column_labels"}[name],
            "must be given for both tables that are added, or for neither if these are of one shape; got"
            f" {' and '.join('none' if side.labels is None else 'some' for side in (first, second))},"
            f" and shapes {shapes[0]} and {shapes[1]}.",
        )
    size = max((int(each.max(initial=-1)) + 1 for each in places), default=0)
    alone = np.concatenate([first.alone, second.alone + objects])
    lone = size + np.arange(alone.size)
    with_lone = (
        np.concatenate([places[0], lone[: first.alone.size]]),
        np.concatenate([places[1], lone[first.alone.size :]]),
    )
    return ClusterNames(labels, alone), with_lone


def _are_equal(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> bool:
    """Whether all labels are equal; False where they cannot be compared, such as bytes beside tuples."""
    if first.dtype != object:
        return bool(np.array_equal(first, second))
    try:
        return bool(first.tolist() == second.tolist())
    except (TypeError, ValueError):
        return False


def _united_labels(
    first: npt.NDArray[Any], second: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Integers, Integers]:
    """Labels of both, each once, and the places of the first and of the second among them.

    They are sorted if both were; else those of the first come first, in its order, as of labels that cannot
    be sorted, or of Categoricals in the order of their categories.
    """
    if first.size == second.size and first.dtype == second.dtype and _are_equal(first, second):
        return first, np.arange(first.size), np.arange(first.size)
    if not (first.size and second.size):
        return (first if first.size else second), np.arange(first.size), np.arange(second.size)
    joint: Any = [*first.tolist(), *second.tolist()]
    if first.dtype.kind == second.dtype.kind and first.dtype.kind in "biufUS":
        joint = np.concatenate([first, second])
    encoded = encode("labels", joint, None)
    halves = encoded.codes[: first.size], encoded.codes[first.size :]
    if all(bool(np.all(codes[:-1] < codes[1:])) for codes in halves):
        places, _, known = numbered(encoded.codes)
        labels = encoded.names(known())
    else:
        codes, firsts, ranks = np.unique(encoded.codes, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        places = np.empty(order.size, dtype=np.int64)
        places[order] = np.arange(order.size)
        places = places[ranks]
        labels = encoded.names(codes[order])
    return labels, places[: first.size], places[first.size :]


def _size(names: ClusterNames, places: tuple[Integers, Integers]) -> int:
    """Number of clusters."""
    return max(int(each.max(initial=-1)) + 1 for each in places)


def cells_above_zero(counts: "Integers | csr_array[np.int64]") -> tuple[Integers, Integers, Integers]:
    """Row numbers, column numbers and counts of the cells above zero, row by row."""
    if isinstance(counts, np.ndarray):
        rows, columns = np.nonzero(counts)
        return rows, columns, counts[rows, columns]
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return rows, counts.indices.astype(np.int64), counts.data


def _dense(shape: tuple[int, int], placed: list[tuple[Any, Integers, Integers]]) -> Integers:
    total = np.zeros(shape, dtype=np.int64)
    for counts, rows, columns in placed:
        if not isinstance(counts, np.ndarray):
            i, j, cells = cells_above_zero(counts)
            total[rows[i], columns[j]] += cells
        elif counts.shape == shape and _in_order(rows) and _in_order(columns):
            total += counts
        else:
            total[np.ix_(rows, columns)] += counts
    return total


def _in_order(places: Integers) -> bool:
    return np.array_equal(places, np.arange(places.size))


def _sparse(shape: tuple[int, int], placed: list[tuple[Any, Integers, Integers]]) -> "csr_array[np.int64]":
    from scipy.sparse import coo_array

    found = [(rows[i], columns[j], cells) for counts, rows, columns in placed
             for i, j, cells in [cells_above_zero(counts)]]  # fmt: skip
    i, j, cells = (np.concatenate(each) for each in zip(*found, strict=True))
    return coo_array((cells, (i, j)), shape=shape).tocsr()
