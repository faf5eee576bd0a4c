"""Convert segments of a time line to labels: change points of samples, or named intervals of times."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from numbers import Real
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, check_choice, explain_call
from chancecorr.machine.arrays import AnyArray
from chancecorr.machine.notes import Note
from chancecorr.tables.dataframes import list_columns
from chancecorr.tables.inputs import IntervalLabels
from chancecorr.tables.labels import as_objects
from chancecorr.tables.mistakes import DURATIONS, ENDS, STARTS
from chancecorr.tables.reading import LEFT_OUT, Pair

Overlapped = Literal["raise", "drop"]


class Durations(np.ndarray[Any, np.dtype[np.float64]]):
    """Lengths of the intervals of a time line; as `weights` they are weights of moments, not of objects."""

    def __new__(cls, lengths: npt.ArrayLike) -> Self:
        """Make lengths of this class; NumPy keeps the class, for example in slices."""
        return np.asarray(lengths, dtype=np.float64).view(cls)


@explain_call
def segments(
    true: Any, pred: Any, *, overlapped: Overlapped = "raise", gap: Any = None
) -> tuple[AnyArray, AnyArray, Durations | None]:
    """Convert two segmentations of the same signal or recording to labels, for `adjust` and its relatives.

    Parameters
    ----------
    true, pred : array-like of shape (changes,), rows of (start, end, label), or Annotation of pyannote
        The reference and the candidate, in the same form. Either change points as ruptures returns them:
        increasing whole numbers, with the number of samples last. Or a list, array or data frame with a row
        for each segment: start, end, and label, such as a speaker or a state. Times are rounded to nine
        decimals. Gaps between segments are allowed, and segments with the same label may overlap.
    overlapped : {"raise", "drop"}, default "raise"
        Policy for time when segments of a side with different labels overlap, such as two speakers.
        "raise": an error that says how much time it is. "drop": the side has no label there, so that
        `adjust` leaves out this time with ``missing="drop"``, as it leaves out time without a segment.
    gap : label, optional
        Label of time without a segment, such as ``"silence"``. By default such time has no label.

    Returns
    -------
    labels_true, labels_pred : ndarray of shape (n,)
        Label of each sample, or of each interval in which both sides have one label; `gap` if a side has no
        segment there. A boundary between two segments with the same label does not start an interval. Labels
        of intervals are refused without the durations.
    durations : Durations, shape (n,), or None
        Length of each interval, an array of float64; None for samples, which have equal weights.

    Raises
    ------
    TypeError, ValueError
        If a side has another form, if the forms or the numbers of samples differ, or if segments with
        different labels overlap and are not dropped.

    See Also
    --------
    chancecorr.adjust : Takes the labels, the durations as `weights`, and `missing` for gaps.
    chancecorr.chance.segments : Model of chance that puts the segments of `pred` elsewhere.
    chancecorr.chance.shifts : Model of chance that shifts samples.

    Notes
    -----
    With these durations as `weights`, indices are for continuous time, the limit of more and more samples:
    pairs of moments within an interval count, and the expected value is for moments matched at random. This
    score does not have a p-value, because neighbouring moments are alike. Pass ``model=chance.segments()``
    for a p-value, and for the expected value if segments are put elsewhere.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> labels_true, labels_pred, _ = segments([4, 10], [5, 10])
    >>> round(adjust(labels_true, labels_pred, "rand").adjusted, 5)
    0.59701
    >>> first, second, seconds = segments([(0, 4, "ann"), (4, 10, "bob")], [(0, 5, 1), (5, 10, 2)])
    >>> score = adjust(first, second, "rand", weights=seconds)
    >>> round(score.observed, 12), round(score.adjusted, 12)
    (0.82, 0.64)
    >>> first, second, durations = segments([(0, 2.5, "ann"), (3, 4, "bob")], [(0, 3, 1), (3, 4, 2)])
    >>> first.tolist(), second.tolist(), durations.tolist()
    (['ann', None, 'bob'], [1, 1, 2], [2.5, 0.5, 1.0])
    >>> segments([(0, 2.5, "ann"), (3, 4, "bob")], [(0, 3, 1), (3, 4, 2)], gap="silence")[0].tolist()
    ['ann', 'silence', 'bob']
    """
    check_choice("overlapped", overlapped, get_args(Overlapped))
    rows, others = _list_segments("true", true), _list_segments("pred", pred)
    if isinstance(rows[0], tuple) != isinstance(others[0], tuple):
        rule = "must hold change points if `true` holds change points, else rows of (start, end, label)."
        raise ArgumentTypeError("pred", rule, "true")
    if not isinstance(rows[0], tuple):
        if rows[-1] != others[-1]:
            rule = f"must end with the number of samples, as `true`; got {others[-1]} and {rows[-1]}."
            raise ArgumentValueError("pred", rule, "true")
        of_samples = [np.repeat(range(len(side)), np.diff(side, prepend=0)) for side in (rows, others)]
        return of_samples[0], of_samples[1], None
    times = np.unique([time for row in (*rows, *others) for time in row[:2]])
    sides = [
        _label_intervals(name, of_side, times, overlapped, gap)
        for name, of_side in (("true", rows), ("pred", others))
    ]
    pairs = list(zip(*sides, strict=True))
    starts = [k for k, pair in enumerate(pairs) if k == 0 or pair != pairs[k - 1]]
    durations = Durations(np.diff([*times[starts], times[-1]]))
    labels_true, labels_pred = (as_objects([side[k] for k in starts]).view(IntervalLabels) for side in sides)
    labels_true.durations = labels_pred.durations = durations
    return labels_true, labels_pred, durations


def _label_intervals(
    name: str, rows: list[tuple[float, float, Any]], times: AnyArray, overlapped: Overlapped, gap: Any
) -> list[Any]:
    """Return the label of each interval between the times.

    It is `gap` without a segment, and None with several labels.
    """
    label_of, several = dict[int, Any](), dict[int, Any]()  # by interval; the second with another label
    for start, end, label in rows:
        for k in range(*np.searchsorted(times, [start, end])):
            if label_of.setdefault(k, label) != label:
                several.setdefault(k, label)
    if several and overlapped == "raise":
        k, other = min(several.items())
        shared = sum(times[k + 1] - times[k] for k in several)
        got = f"several for {shared:.6g} of {times[-1] - times[0]:.6g} units of time"
        raise ArgumentValueError(
            name,
            f"must have one label at a time; got {got}, first {label_of[k]!r} and {other!r} at {times[k]:g}.",
            remedy=("overlapped", "drop", "leave out this time if labels may be missing"),
        )
    return [None if k in several else label_of.get(k, gap) for k in range(times.size - 1)]


def refuse_silence(names: Sequence[str], sides: Sequence[Any], durations: Durations) -> None:
    """Raise if a label is missing at some time, and say for how much time on each side."""
    masks = [np.array([label is None for label in side], dtype=np.bool_) for side in sides]
    silent = {
        name: float(durations[mask].sum())
        for name, mask in zip(names, masks, strict=True)
        if mask.size == durations.size and mask.any()
    }
    if silent:
        first, *others = silent
        got = f"{silent[first]:.6g} of {float(durations.sum()):.6g} units of time"
        got += "".join(f", and `{name}` for {silent[name]:.6g}" for name in others)
        raise ArgumentValueError(
            first,
            f"must have a label at each time; it has none for {got}.",
            *others,
            remedy=("missing", "drop", "leave out this time"),
        )


def note_time_left_out(pair: Pair, durations: Durations) -> list[Note]:
    """List the note on the time that is left out, by side; empty if all time is kept."""
    if pair.kept is None:
        return []
    sides = [
        f"{float(durations[side.dropped].sum()):.6g} without a label in `{side.left_out.side}`"
        for side in pair.sides
        if side.dropped is not None
    ]
    lengths = float(durations[~pair.kept].sum()), float(durations.sum())
    text = "{:.6g} of {:.6g} units of time are left out: ".format(*lengths)
    return [Note(LEFT_OUT, text + ", ".join(sides))]


def _order_columns(name: str, columns: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Order columns as starts, ends and labels, by their names if possible."""
    names = [str(column).lower() for column, _ in columns]
    starts, ends, lengths = (
        [k for k, x in enumerate(names) if x in some] for some in (STARTS, ENDS, DURATIONS)
    )
    if lengths and not ends:
        start, length = (columns[some[0]][0] if some else "onset" for some in (starts, lengths))
        rule = f"must have the end of each segment in its second column; got the column {length!r}"
        label = next((column for column, _ in columns[::-1] if column not in (start, length)), "label")
        sums = f"{name}.assign(end={name}[{start!r}] + {name}[{length!r}])[[{start!r}, 'end', {label!r}]]"
        times = np.asarray(columns[starts[0]][1]) if starts else np.zeros(0)
        way = f"Pass `{sums}`" if times.dtype.kind in "biuf" else "Pass both as numbers of seconds"
        raise ArgumentValueError(name, f"{rule}. {way}.")
    if len(starts) == len(ends) == 1 and len(columns) == 3:
        (label,) = {0, 1, 2} - {starts[0], ends[0]}
        return [columns[k] for k in (starts[0], ends[0], label)]
    return columns


def _list_segments(name: str, side: Any) -> list[Any]:
    """Check and list change points as whole numbers, or segments as tuples in the order of time."""
    if columns := list_columns(side):
        columns = _order_columns(name, columns)
        side = zip(*(np.asarray(column).tolist() for _, column in columns), strict=True)
    elif hasattr(side, "itertracks"):  # an Annotation of pyannote
        side = [(time.start, time.end, label) for time, _, label in side.itertracks(yield_label=True)]
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
        way = _write_rows(rows[0]) if rows else ""
        raise ArgumentTypeError(name, f"{rule}; got {got}." + f" Pass `[{way} for x in {name}]`." * bool(way))
    for start, end, label in read:
        if not -np.inf < start < end < np.inf:
            rule = "must have segments that end after they start"
            raise ArgumentValueError(name, f"{rule}; got {start:g} to {end:g} for {label!r}.")
    return read


def _write_rows(row: Any) -> str:
    """Return the expression that makes (start, end, label) of a row `x` in another form; empty if unknown."""
    if isinstance(row, Mapping):
        names = {str(key).lower(): f"x[{key!r}]" for key in row}
        starts, ends, lengths = ([names[x] for x in names if x in some] for some in (STARTS, ENDS, DURATIONS))
        others = [names[x] for x in names if x not in STARTS | ENDS | DURATIONS]
        if not starts or not (ends or lengths) or len(others) != 1:
            return ""
        end = ends[0] if ends else f"{starts[0]} + {lengths[0]}"
        return f"({starts[0]}, {end}, {others[0]})"
    if isinstance(row, list | tuple) and len(row) == 3:
        if hasattr(row[0], "start") and hasattr(row[0], "end"):  # of `itertracks` of pyannote
            return "(x[0].start, x[0].end, x[2])"
        if isinstance(row[0], str) and all(isinstance(x, Real) for x in row[1:]):
            return "(x[1], x[2], x[0])"
    return ""
