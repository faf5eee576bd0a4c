"""Distinct values with their counts: the streaming reduction of simulated index values."""

from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import Floats, Integers

VALUE_AND_PAIR_SUM = np.dtype([("value", np.float64), ("pair_sum", np.int64)])
"""An index value with the T, less some number, of the table that gave it."""

Values = npt.NDArray[Any]
"""Index values (float64), values of T (int64), or both together (`VALUE_AND_PAIR_SUM`)."""

Counts = tuple[Values, Integers]
"""Distinct values in ascending order, and how often each was seen."""


class Tally:
    """Distinct values, sorted, with how often each was seen.

    Adding is exact: the result does not depend on how the values were cut into blocks, nor on the order in
    which the blocks came, so moments taken from it have the same bits for any plan of work. Memory grows with
    the number of distinct values. NaN counts as one value and comes last; -0.0 counts as 0.0.
    A value with its T is ordered by the value first. A tally may begin with what another one has `counted`.
    """

    def __init__(self, counted: Counts | None = None) -> None:
        self._runs: list[Counts] = [] if counted is None else [counted]
        self._pending = 0 if counted is None else counted[0].size

    def add(self, values: Values, counts: Integers) -> None:
        """Add distinct values with their counts, as `distinct` gives them."""
        self._runs.append((values, counts))
        self._pending += values.size
        # Merging only when as much is waiting as was merged before keeps the whole cost O(m log m).
        if self._pending > max(2 * self._runs[0][0].size, 1 << 16):
            self._merge()

    @property
    def held(self) -> int:
        """Number of values held, some of them equal until they are merged."""
        return self._pending

    def result(self) -> Counts:
        """Distinct values in ascending order, and their counts."""
        if not self._runs:
            return np.empty(0), np.empty(0, dtype=np.int64)
        self._merge()
        return self._runs[0]

    def _merge(self) -> None:
        if len(self._runs) > 1:
            values, counts = zip(*self._runs, strict=True)
            # One assignment: where Ctrl-C comes before it, nothing is lost, and nothing counted twice.
            self._runs = [merged(np.concatenate(values), np.concatenate(counts))]
        self._pending = self._runs[0][0].size


def distinct(values: Values) -> Counts:
    """Distinct values in ascending order with their counts.

    Examples
    --------
    >>> values, counts = distinct(np.array([2.0, -0.0, 0.0, 2.0, 2.0]))
    >>> values.tolist(), counts.tolist()
    ([0.0, 2.0], [2, 3])
    """
    found, counts = np.unique(values + 0, return_counts=True)
    return found, counts.astype(np.int64)


def distinct_pairs(values: Floats, pair_sums: Integers) -> Counts:
    """Distinct values with their T, ascending by value and then by T, and their counts."""
    both = np.empty(values.size, dtype=VALUE_AND_PAIR_SUM)
    both["value"], both["pair_sum"] = values + 0, pair_sums
    return merged(both, np.ones(values.size, dtype=np.int64))


def merged(values: Values, counts: Integers) -> Counts:
    """Distinct values in ascending order, the counts of equal ones added up.

    Examples
    --------
    >>> values, counts = merged(np.array([3, 1, 3]), np.array([1, 1, 4]))
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 5])
    """
    if values.dtype.names:
        order = np.lexsort([values[name] for name in reversed(values.dtype.names)])
        values, counts = values[order], counts[order]
        new = np.zeros(values.size, dtype=np.bool_)
        new[:1] = True
        for name in VALUE_AND_PAIR_SUM.names or ():
            column = values[name]
            new[1:] |= (column[1:] != column[:-1]) & ~(np.isnan(column[1:]) & np.isnan(column[:-1]))
        places = np.flatnonzero(new)
        return values[places], np.add.reduceat(counts, places) if places.size else counts
    found, where = np.unique(values + 0, return_inverse=True)
    totals = np.zeros(found.size, dtype=np.int64)
    np.add.at(totals, where, counts)
    return found, totals
