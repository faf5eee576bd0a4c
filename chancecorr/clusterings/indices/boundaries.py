"""Boundaries of segments in time, such as change points, matched one to one within a tolerance."""

from functools import partial
from typing import Literal, get_args

import numpy as np

from chancecorr.clusterings.clustering import Agreement, Partition, index_of_clusterings
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    as_number,
    check_choice,
    explain_call,
)
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.tables.names import ObjectNames

Measure = Literal["f1", "precision", "recall"]


@explain_call
def boundary_matches(tolerance: float, *, measure: Measure = "f1") -> Index:
    """Make an index of boundaries: the share of change points that the other side has, within a tolerance.

    Parameters
    ----------
    tolerance : float
        Largest distance of two matched boundaries, in samples; 0 for boundaries at the same sample.
    measure : {"f1", "precision", "recall"}
        Matched boundaries as a share of the boundaries of the candidate (``"precision"``), of the boundaries
        of the reference (``"recall"``), or of the mean of both numbers (``"f1"``).

    Returns
    -------
    Index
        Index of two vectors of labels in the order of time. It is nan if the share is 0 / 0.

    Raises
    ------
    ValueError, TypeError
        If an argument is anything else; when the index is computed, if the labels do not have an order.

    See Also
    --------
    segments : Makes labels of samples from change points.
    chancecorr.chance.segments : Model of chance that keeps the lengths of segments, for these indices.

    Notes
    -----
    A boundary is a sample whose label differs from the label of the sample before. The start and the end of
    the series are not boundaries. The largest possible number of boundaries is matched, each at most once.
    Permutations of samples cut the segments: pass ``model=chance.segments()`` or ``chance.shifts(n)``.

    `precision_recall` of ruptures with margin ``m + 1`` matches the same number of boundaries as tolerance m
    here if each boundary has at most one other within its margin; else it may match fewer. The benchmark TCPD
    (van den Burg & Williams 2020, arXiv:2003.06222) also counts the start of the series, which both sides
    have.

    Examples
    --------
    >>> from chancecorr import adjust, chance
    >>> from chancecorr.clusterings import segments
    >>> labels_true, labels_pred, _ = segments([20, 50, 80, 100], [22, 40, 81, 100])
    >>> score = adjust(labels_true, labels_pred, boundary_matches(5), model=chance.segments(), rng=1)
    >>> round(score.observed, 4)
    0.6667
    """
    if not 0.0 <= as_number("tolerance", tolerance) < float("inf"):
        raise ArgumentValueError("tolerance", f"must be a number from 0 on; got {tolerance}.")
    check_choice("measure", measure, get_args(Measure))
    return _make_boundary_index(tolerance, measure, None)


def _make_boundary_index(tolerance: float, measure: Measure, times: Integers | None) -> Index:
    """Make the index for samples at these times; by default the samples are numbered from 0 on."""
    ends = None if times is None else partial(_list_neighbours, times.size)
    return index_of_clusterings(
        name=f"boundary_{measure}({tolerance:g})",
        about="Boundaries that are matched within a tolerance, as a share of all boundaries.",
        source="van den Burg & Williams (2020), arXiv:2003.06222",
        takes=("labels",),
        function=partial(agree_on_boundaries, tolerance, measure, times),
        neighbours=ends,
        place=partial(_place_boundary_index, tolerance, measure),
    )


def _place_boundary_index(
    tolerance: float, measure: Measure, objects: ObjectNames, kept: Booleans | None
) -> Index:
    """Make the index for samples if some of them are left out."""
    if not objects.has_order:
        rule = f"must be for labels in the order of time, which `{objects.reference}` does not have"
        raise ArgumentTypeError("index", f"{rule}; got 'boundary_{measure}'. Pass arrays or Series.")
    times = np.arange(len(objects)) if kept is None else np.flatnonzero(kept)
    return _make_boundary_index(tolerance, measure, times)


def _list_neighbours(n: int) -> Integers:
    """Return the pairs of neighbours of a series of n samples."""
    return np.column_stack([np.arange(n - 1), np.arange(1, n)])


def agree_on_boundaries(
    tolerance: float, measure: Measure, times: Integers | None, P: Partition, Q: Partition
) -> Agreement:
    """Compute the index, with values for permutations of the candidate's samples."""
    times = np.arange(P.n) if times is None else times
    reference = times[1:][np.diff(P.codes) != 0].tolist()

    def sums(permutations: Integers) -> Floats:
        values = []
        for codes in Q.codes[permutations]:
            candidate = times[1:][np.diff(codes) != 0].tolist()
            matched = count_matches(reference, candidate, tolerance)
            shares = {"precision": len(candidate), "recall": len(reference)}
            of_all = shares.get(measure, (len(reference) + len(candidate)) / 2.0)
            values.append(matched / of_all if of_all else np.nan)
        return np.array(values)

    return Agreement(observed=float(sums(np.arange(P.n)[np.newaxis])[0]), sums=sums)


def count_matches(first: list[int], second: list[int], tolerance: float) -> int:
    """Return the largest number of pairs of two increasing lists, each number in at most one pair.

    On a line the first boundary that is left is matched with the first one within its tolerance: another
    partner of either could be exchanged for it, because all later boundaries are at least as far away.
    """
    i = j = matched = 0
    while i < len(first) and j < len(second):
        if abs(first[i] - second[j]) <= tolerance:
            i, j, matched = i + 1, j + 1, matched + 1
        elif first[i] < second[j]:
            i += 1
        else:
            j += 1
    return matched
