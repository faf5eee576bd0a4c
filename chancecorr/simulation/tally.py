"""Distinct values with their counts: the streaming reduction of simulated index values."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Floats, Integers

VALUE_AND_PAIR_SUM = np.dtype([("value", np.float64), ("pair_sum", np.int64)])
"""An index value with the T, less some number, of the table that gave it."""

Values = npt.NDArray[Any]
"""Index values (float64), values of T (int64), or both together (`VALUE_AND_PAIR_SUM`)."""

Counts = tuple[Values, Integers]
"""Distinct values in ascending order, and how often each was seen."""

MOST_VALUES = 1 << 24
"""Distinct values that a tally holds as they are: more than the ten million tables of the largest run that is
not asked for by its number."""

BYTES_A_VALUE = 400
"""Memory of a distinct value, and of the workspace while tallies are merged and moments taken."""

LEAST_EXPONENT, LARGEST_EXPONENT = -1074, 1024
"""Of a step of two: finer, all floats are multiples of it; coarser, none but 0 is."""


class Tally:
    """Distinct values, sorted, with how often each was seen, whatever the order in which they came.

    NaN counts as one value and comes last; -0.0 counts as 0.0. Of more than `most` distinct values T is left
    out, and if these are still too many, they are rounded down to multiples of the finest power of two at
    which they are not: about 2e-7 of their range. Rounding twice is rounding to the coarser step, so this
    step depends on the values alone. Whole numbers stay as they are.
    """

    def __init__(
        self, counted: Counts | None = None, *, most: int = MOST_VALUES, exponent: int | None = None
    ) -> None:
        self._most = most
        # runs of distinct values with counts, and the exponent of the step to which the first is rounded
        self._held: tuple[list[Counts], int | None] = ([] if counted is None else [counted], exponent)
        self._pending = 0 if counted is None else counted[0].size

    def add(self, values: Values, counts: Integers) -> None:
        """Add distinct values with their counts, as `distinct` gives them."""
        runs, _ = self._held
        runs.append((values, counts))
        self._pending += values.size
        # Merging only when as much is waiting as was merged before keeps the whole cost O(m log m).
        before = runs[0][0].size
        if self._pending > max(before + min(before, self._most // 2), 1 << 16):
            self._merge()

    @property
    def exponent(self) -> int | None:
        """Values are multiples of two to this power, rounded down; None if they are exact."""
        return self._held[1]

    @property
    def step(self) -> float:
        """The step of which values are multiples; 0 if they are exact."""
        return 0.0 if self.exponent is None else math.ldexp(1.0, self.exponent)

    def result(self) -> Counts:
        """Distinct values in ascending order, and their counts; rounded down if there is a `step`."""
        if not self._held[0]:
            return np.empty(0), np.empty(0, dtype=np.int64)
        self._merge()
        return self._held[0][0]

    def _merge(self) -> None:
        """Make one run of all, of one type, rounded alike."""
        runs, exponent = self._held
        values, counts = runs[0]
        if len(runs) > 1:
            if any(values.dtype == np.float64 for values, _ in runs):
                runs = [
                    (values["value"] if values.dtype.names else values, counts) for values, counts in runs
                ]
            if exponent is not None:  # the first run is rounded
                runs = [runs[0], *((_round_down(values, exponent), counts) for values, counts in runs[1:])]
            values, counts = merged(*(np.concatenate(parts) for parts in zip(*runs, strict=True)))
        if values.size > self._most and values.dtype.names:
            values, counts = merged(values["value"], counts)
        if values.size > self._most and values.dtype == np.float64:
            exponent = _find_exponent(values, self._most, exponent)
            values, counts = merged(_round_down(values, exponent), counts)
        # One assignment: if Ctrl-C comes before it, nothing is lost, and nothing counted twice.
        self._held = ([(values, counts)], exponent)
        self._pending = values.size


def _round_down(values: Floats, exponent: int) -> Floats:
    """Values rounded down to multiples of a power of two; those that are multiples, or infinite, stay."""
    result = values.copy()
    few = np.abs(values) < math.ldexp(1.0, min(exponent + 53, 1023))  # larger floats have no finer bits
    result[few] = np.ldexp(np.floor(np.ldexp(values[few], -exponent)), exponent)
    return result


def _find_exponent(values: Floats, most: int, begin: int | None) -> int:
    """Exponent of the finest step at which no more than `most` of ascending values differ once rounded."""
    low = LEAST_EXPONENT if begin is None else begin
    high = LARGEST_EXPONENT
    while low < high:
        middle = (low + high) // 2
        rounded = _round_down(values, middle)
        if 1 + int(np.count_nonzero(rounded[1:] != rounded[:-1])) <= most:
            high = middle
        else:
            low = middle + 1
    return low


def distinct(values: Values) -> Counts:
    """Distinct values in ascending order with their counts."""
    found, counts = np.unique(values + 0, return_counts=True)
    return found, counts.astype(np.int64)


def distinct_pairs(values: Floats, pair_sums: Integers) -> Counts:
    """Distinct values with their T, ascending by value and then by T, and their counts."""
    both = np.empty(values.size, dtype=VALUE_AND_PAIR_SUM)
    both["value"], both["pair_sum"] = values + 0, pair_sums
    return merged(both, np.ones(values.size, dtype=np.int64))


def merged(values: Values, counts: Integers) -> Counts:
    """Distinct values in ascending order, the counts of equal ones added up."""
    names = values.dtype.names
    if names:
        order = np.lexsort([values[name] for name in reversed(names)])
    else:
        values = values + 0
        order = np.argsort(values, kind="stable")  # fast if sorted runs follow each other
    values, counts = values[order], counts[order]
    del order
    new = np.zeros(values.size, dtype=np.bool_)
    new[:1] = True
    for column in [values[name] for name in names] if names else [values]:
        new[1:] |= (column[1:] != column[:-1]) & ~(np.isnan(column[1:]) & np.isnan(column[:-1]))
    places = np.flatnonzero(new)
    return values[places], np.add.reduceat(counts, places) if places.size else counts
