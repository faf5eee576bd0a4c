"""Distinct values with their counts: the streaming reduction of simulated index values."""

from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]
"""Index values (float64), values of T (int64), or index values with T as the imaginary part (complex128)."""

Counts = tuple[Values, npt.NDArray[np.int64]]
"""Distinct values in ascending order, and how often each was seen."""


class Tally:
    """Distinct values, sorted, with how often each was seen.

    Adding is exact: the result does not depend on how the values were cut into blocks, nor on the order in
    which the blocks came, so moments taken from it have the same bits for any plan of work. Memory grows with
    the number of distinct values. NaN counts as one value and comes last; -0.0 counts as 0.0.
    Complex values are ordered by their real parts first.
    """

    def __init__(self) -> None:
        self._values: list[Values] = []
        self._counts: list[npt.NDArray[np.int64]] = []
        self._pending = 0

    def add(self, values: Values, counts: npt.NDArray[np.int64]) -> None:
        """Add distinct values with their counts, as `distinct` gives them."""
        self._values.append(values)
        self._counts.append(counts)
        self._pending += values.size
        # Merging only when as much is waiting as was merged before keeps the whole cost O(m log m).
        if self._pending > max(2 * self._values[0].size, 1 << 16):
            self._merge()

    def result(self) -> Counts:
        """Distinct values in ascending order, and their counts."""
        if not self._values:
            return np.empty(0), np.empty(0, dtype=np.int64)
        self._merge()
        return self._values[0], self._counts[0]

    def _merge(self) -> None:
        if len(self._values) > 1:
            values, counts = merged(np.concatenate(self._values), np.concatenate(self._counts))
            self._values, self._counts = [values], [counts]
        self._pending = self._values[0].size


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


def merged(values: Values, counts: npt.NDArray[np.int64]) -> Counts:
    """Distinct values in ascending order, the counts of equal ones added up.

    Examples
    --------
    >>> values, counts = merged(np.array([3, 1, 3]), np.array([1, 1, 4]))
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 5])
    """
    found, places = np.unique(values + 0, return_inverse=True)
    totals = np.zeros(found.size, dtype=np.int64)
    np.add.at(totals, places, counts)
    return found, totals
