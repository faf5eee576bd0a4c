"""Labels of two sides numbered over their union, for an index that compares labels by name.

A contingency table numbers the labels of each side separately. Accuracy and kappa compare the labels of both
sides: their tables are square, with the same order of labels in rows and columns.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.tables.contingency import ContingencyTable, list_cells, make_table
from chancecorr.tables.crosstab import MAX_DENSE_CELLS, add_cells
from chancecorr.tables.labels import as_objects

MOST_LABELS_SHOWN = 5  # labels that a note lists


class Union(NamedTuple):
    """The union of the labels of two sides, and the number of each row and column label in the union."""

    labels: AnyArray
    rows: Integers
    columns: Integers

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


def number_over_union(row_labels: AnyArray, column_labels: AnyArray) -> Union:
    """Number the distinct labels of two sides over their union.

    The union is sorted if the labels of both sides are. Else, as with ordered categories, it keeps the order
    of each side if the two orders agree; if they do not, labels that only the columns have come last.
    """
    sides: list[list[Any]] = [row_labels.tolist(), column_labels.tolist()]
    together = list(dict.fromkeys([*sides[0], *sides[1]]))
    try:
        if all(sorted(side) == side for side in sides):
            together.sort()
        else:
            together = _merge_orders(*sides)
    except TypeError:  # labels that cannot be compared, such as texts and numbers
        together = _merge_orders(*sides)
    number = {label: k for k, label in enumerate(together)}
    rows, columns = (np.array([number[label] for label in side], dtype=np.int64) for side in sides)
    return Union(as_objects(together), rows, columns)


def _merge_orders(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Hashable]:
    """Merge two orders of labels into one; the second order gives way if they contradict each other."""
    of_first = set(first)
    common = dict.fromkeys(label for label in second if label in of_first)
    if list(common) != [label for label in first if label in common]:
        return list(dict.fromkeys([*first, *second]))
    merged, rest = list[Hashable](), iter(second)
    for label in first:
        merged += _take_until(rest, label) if label in common else ()
        merged.append(label)
    return [*merged, *rest]


def _take_until(labels: Iterator[Hashable], last: Hashable) -> list[Hashable]:
    """Take labels from an iterator up to the last one, which is taken and left out."""
    taken = []
    for label in labels:
        if label == last:
            break
        taken.append(label)
    return taken


def spread_table(table: ContingencyTable, union: Union) -> ContingencyTable:
    """Lay a table out as a square one over the union of the labels, with empty rows and columns."""
    rows, columns, counts = list_cells(table.counts)
    size = union.labels.size
    is_dense = isinstance(table.counts, np.ndarray) and size * size <= max(MAX_DENSE_CELLS, 4 * table.n)
    cells = add_cells(union.rows[rows], union.columns[columns], counts, (size, size), is_dense)
    return make_table(cells, union.labels.copy(), union.labels.copy(), table.side_names)
