"""Segments of a time line as labels: change points of samples, or intervals of real times with names."""

from itertools import pairwise
from typing import Any

import numpy as np

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import AnyArray, Floats
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.labels import as_objects


def segments(true: Any, pred: Any) -> tuple[AnyArray, AnyArray, Floats | None]:
    """Labels of two segmentations of the same signal or recording, for `adjust` and its relatives.

    Parameters
    ----------
    true, pred : array-like of shape (changes,), or rows of (start, end, label)
        The reference and the candidate, in the same form. Change points as ruptures returns them: whole
        numbers that rise and end with the number of samples. Or a list, array or data frame with a row for
        each segment: where it starts and ends, and its label, such as a speaker or a state. Times count to
        nine decimals. The segments of one side must not overlap; between them there may be gaps.

    Returns
    -------
    labels_true, labels_pred : ndarray of shape (n,)
        Label of each sample, or of each interval between two neighbouring boundaries of either side; None
        where a side has no segment.
    durations : ndarray of float64, shape (n,), or None
        Length of each interval; None for samples, which all count the same.

    Raises
    ------
    TypeError, ValueError
        If a side is in neither form, the forms or the numbers of samples differ, or segments overlap.

    See Also
    --------
    chancecorr.adjust : Takes the labels, the durations as `weights`, and what gaps mean as `missing`.
    chancecorr.chance.shifts : Model of chance for samples that are like their neighbours, as they mostly are.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> labels_true, labels_pred, _ = segments([4, 10], [5, 10])
    >>> round(adjust(labels_true, labels_pred, "rand").adjusted, 5)
    0.59701
    >>> first, second, durations = segments([(0, 2.5, "ann"), (3, 4, "bob")], [(0, 3, 1), (3, 4, 2)])
    >>> first.tolist(), second.tolist(), durations.tolist()
    (['ann', None, 'bob'], [1, 1, 2], [2.5, 0.5, 1.0])
    """
    rows, others = _list_segments("true", true), _list_segments("pred", pred)
    if isinstance(rows[0], tuple) != isinstance(others[0], tuple):
        rule = "must hold change points if `true` does, else rows of (start, end, label)."
        raise ArgumentTypeError("pred", rule, "true")
    if not isinstance(rows[0], tuple):
        if rows[-1] != others[-1]:
            rule = f"must end with the number of samples, as `true`; got {others[-1]} and {rows[-1]}."
            raise ArgumentValueError("pred", rule, "true")
        of_samples = [np.repeat(range(len(side)), np.diff(side, prepend=0)) for side in (rows, others)]
        return of_samples[0], of_samples[1], None
    times = np.unique([time for row in (*rows, *others) for time in row[:2]])
    sides = [None] * (times.size - 1), [None] * (times.size - 1)
    for labels, of_side in zip(sides, (rows, others), strict=True):
        for start, end, label in of_side:
            first, last = np.searchsorted(times, [start, end])
            labels[first:last] = [label] * (last - first)
    return as_objects(sides[0]), as_objects(sides[1]), np.diff(times)


def _list_segments(name: str, side: Any) -> list[Any]:
    """Change points as whole numbers, or segments as tuples in the order of time, once they are checked."""
    if columns := list_columns(side):
        side = zip(*(np.asarray(column).tolist() for _, column in columns), strict=True)
    rows = side.tolist() if isinstance(side, np.ndarray) else list(side) if hasattr(side, "__iter__") else []
    if rows and all(isinstance(row, int | np.integer) for row in rows):
        for before, point in pairwise([0, *rows]):
            if point <= before:
                raise ArgumentValueError(name, f"must rise from above 0; got {point} after {before}.")
        return rows
    try:
        read = [(round(float(start), 9), round(float(end), 9), label) for start, end, label in rows]
    except (TypeError, ValueError):
        read = []
    read.sort(key=lambda row: row[:2])
    if not read:
        got = repr(rows[0]) + " first" if rows else "none"
        rule = "must hold whole numbers, or rows of (start, end, label) with numbers as times"
        raise ArgumentTypeError(name, f"{rule}; got {got}.")
    for (_, before, _), (start, end, label) in pairwise([(0.0, -np.inf, None), *read]):
        if not before <= start < end < np.inf:
            rule = "must have segments that end after they start, and do not overlap"
            got = f"{start:g} to {end:g} for {label!r}" + f" after one until {before:g}" * (start < before)
            raise ArgumentValueError(name, f"{rule}; got {got}.")
    return read
