"""Objects of small clusters, one by one: each takes a label not taken yet, like a card from a deck.

The labels of a deck stand cluster after cluster, the largest cluster last. Object i takes place ``p`` of the
``left = total - i`` labels that are left, uniform in ``[0, left)``, and the last of these labels moves to p:
half of an exchange in the shuffle of Fisher and Yates, because what was taken is never looked at again. The
labels of the largest cluster are not stored: every place from `stored` on holds that label, and always will,
since only later places move there. So a table with one huge cluster on each side takes a time, and an array,
of the size of the other clusters.

The deck is as before once a table is done: shuffled on, it would make a table depend on the one before.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Integers, Whole
from chancecorr.machine.kernel import inlined_kernel
from chancecorr.null.kernels.dice import Steps

Labels = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
"""Cluster numbers and counts: in 16 bits where n and the numbers of clusters allow, which is faster."""

REPAIR = 8
"""A deck larger than this many times the objects dealt is repaired at their places, not copied anew."""


class Deck(NamedTuple):
    """Labels to be dealt, at least ``stored + 1``: the last of these is the label of the largest cluster."""

    fresh: Labels
    labels: Labels


def deck_of(totals: Integers, dtype: npt.DTypeLike) -> Deck:
    """Deck of ``totals[i]`` labels i, where the last total is the largest."""
    if totals.size == 1:
        fresh = np.zeros(1, dtype=dtype)
    else:
        fresh = np.repeat(np.arange(totals.size, dtype=dtype), np.append(totals[:-1], 1))
    return Deck(fresh, fresh.copy())


@inlined_kernel
def restore(
    fresh: Labels, labels: Labels, stored: Whole, dealt: Whole, stride: int, table: int, steps: Steps
) -> None:
    """Put the deck in order again, after `dealt` objects."""
    if dealt * REPAIR > stored:
        for i in range(stored):
            labels[i] = fresh[i]
        return
    for i in range(dealt):
        at = min(np.uint64(steps[i * stride + table]), np.uint64(stored))
        labels[at] = fresh[at]


@inlined_kernel
def take(labels: Labels, place: np.uint64, left: np.uint64, stored: np.uint64) -> np.uint64:
    """The label at this place, where the last of the `left` others moves to."""
    at = min(place, stored)
    label = labels[at]
    labels[at] = labels[min(left, stored)]
    return np.uint64(label)


@inlined_kernel
def deal_rows(
    row_totals: Integers, rows: int, row_places: Integers, column_places: Integers, total: Whole,
    labels: Labels, stored: np.uint64, stride: int, table: int, steps: Steps, cells: Labels,
) -> None:  # fmt: skip
    """Each object of the first `rows` rows takes a column; `cells` counts them."""
    left = np.uint64(total)
    step = np.uint64(table)
    for k in range(rows):
        place = np.uint64(row_places[k])
        for _ in range(row_totals[k]):
            left -= np.uint64(1)
            label = take(labels, np.uint64(steps[step]), left, stored)
            cells[place + np.uint64(column_places[label])] += 1
            step += np.uint64(stride)


@inlined_kernel
def deal_columns(
    left_of_columns: Integers, columns: int, row_places: Integers, column_places: Integers, first_row: int,
    total: Whole, labels: Labels, stored: np.uint64, stride: int, table: int, steps: Steps, cells: Labels,
    left_of_rows: Integers,
) -> Whole:  # fmt: skip
    """Each object left in the first `columns` columns takes one of the rows from `first_row` on.

    Return how many there were.
    """
    left = np.uint64(total)
    step = np.uint64(table)
    for q in range(columns):
        place = column_places[q]
        for _ in range(left_of_columns[q]):
            left -= np.uint64(1)
            row = np.uint64(first_row) + take(labels, np.uint64(steps[step]), left, stored)
            left_of_rows[row] -= 1
            cells[np.uint64(row_places[row] + place)] += 1
            step += np.uint64(stride)
    return total - np.int64(left)
