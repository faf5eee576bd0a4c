"""Labels of two sides numbered over their union, for an index that compares labels by name.

A contingency table numbers the labels of each side separately. Accuracy and kappa compare the labels of both
sides: their tables are square, with the same order of labels in rows and columns.
"""

import heapq
import itertools
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.tables.contingency import ContingencyTable, Margins, list_cells, make_table
from chancecorr.tables.crosstab import MAX_DENSE_CELLS, add_cells
from chancecorr.tables.labels import Categories, are_numbers, as_objects

MOST_LABELS_SHOWN = 5  # labels that a note lists


class Union(NamedTuple):
    """The union of the labels of two sides, and the number of each row and column label in the union."""

    labels: AnyArray
    rows: Integers
    columns: Integers
    is_ordered: bool  # True if the labels are a scale

    @property
    def is_shared(self) -> bool:
        """True if at least one label is on both sides."""
        return bool(np.isin(self.rows, self.columns).any())

    def describe(self) -> str:
        """Describe the union for a note: its labels, and the labels that only one side has."""
        text = f"both sides are numbered over their {self.labels.size:,} labels together"
        if self.labels.size <= MOST_LABELS_SHOWN:
            text += f" ({', '.join(map(repr, self.labels.tolist()))})"
        alone = self.labels[np.setxor1d(self.rows, self.columns)].tolist()  # on one side only
        if alone:
            more = f" and {len(alone) - 1:,} more" if len(alone) > 1 else ""
            text += f"; only one side has {alone[0]!r}{more}"
        return text

    def describe_order(self) -> str:
        """Describe the order of the labels for a note."""
        labels = list(map(repr, self.labels.tolist()))
        if len(labels) > MOST_LABELS_SHOWN:
            labels[2:-2] = ["..."]
        return f"weights depend on the positions of the labels in the order {' < '.join(labels)}"


def number_over_union(table: ContingencyTable) -> Union:
    """Number the labels of both sides of a table over their union."""
    labels = table.row_labels, table.column_labels
    together = join_labels(tuple(zip(labels, table.categories, strict=True)))
    number = {label: k for k, label in enumerate(together.labels)}
    rows, columns = (np.array([number[label] for label in side.tolist()], dtype=np.int64) for side in labels)
    return Union(as_objects(together.labels), rows, columns, together.is_ordered)


def join_labels(sides: Sequence[tuple[AnyArray, Categories | None]]) -> Categories:
    """Join the labels of several sides, given the labels that occur and the categories of each side.

    They are a scale if they are numbers, or if ordered categories hold all of them and imply a single order.
    Else they are sorted if all sides are sorted, or keep the order of each side if these orders agree.
    """
    listed = [
        (labels if declared is None else as_objects(declared.labels)).tolist() for labels, declared in sides
    ]
    listed += [labels.tolist() for labels, declared in sides if declared is not None]  # also not declared
    scales = [
        side for side, (_, declared) in zip(listed, sides, strict=False) if declared and declared.is_ordered
    ]
    together = list(dict.fromkeys(itertools.chain(*listed)))
    if scales:
        merged, is_single = merge_orders(scales)
        if len(merged) == len(together):
            return Categories(merged, is_single)
    is_scale = not scales and are_numbers(as_objects(together))
    try:
        if is_scale or all(sorted(side) == side for side in listed):
            return Categories(sorted(together), is_scale)
    except TypeError:  # labels that cannot be compared, such as texts and numbers
        pass
    return Categories(merge_orders(listed)[0], False)


def merge_orders(orders: Sequence[Sequence[Hashable]]) -> tuple[list[Hashable], bool]:
    """Merge orders of labels; also return True if only one order of all labels agrees with all of them.

    If the orders contradict each other, the labels are in order of their first appearance.
    """
    from graphlib import CycleError, TopologicalSorter

    labels = list(dict.fromkeys(itertools.chain(*orders)))
    place = {label: k for k, label in enumerate(labels)}
    sorter = TopologicalSorter[int]({k: () for k in range(len(labels))})
    for order in orders:
        for before, after in itertools.pairwise(order):
            sorter.add(place[after], place[before])
    try:
        sorter.prepare()
    except CycleError:
        return labels, False
    merged, ready, is_single = list[Hashable](), list[int](), True
    while sorter.is_active():
        for k in sorter.get_ready():
            heapq.heappush(ready, k)
        is_single = is_single and len(ready) == 1
        first = heapq.heappop(ready)
        merged.append(labels[first])
        sorter.done(first)
    return merged, is_single


def spread_table(table: ContingencyTable, union: Union) -> ContingencyTable:
    """Lay a table out as a square one over the union of the labels, with empty rows and columns."""
    rows, columns, counts = list_cells(table.counts)
    size = union.labels.size
    is_dense = isinstance(table.counts, np.ndarray) and size * size <= max(MAX_DENSE_CELLS, 4 * table.n)
    cells = add_cells(union.rows[rows], union.columns[columns], counts, (size, size), is_dense)
    categories = Categories(union.labels, union.is_ordered)
    labels = union.labels.copy(), union.labels.copy()
    return make_table(cells, *labels, table.side_names, categories=(categories, categories))


def square_margins(margins: Margins) -> Margins:
    """Return the margins with empty clusters on one side, so that both sides have the same number."""
    sides = margins.row_totals, margins.column_totals
    most = max(side.size for side in sides)
    return Margins(*(np.pad(side, (0, most - side.size)) for side in sides))
