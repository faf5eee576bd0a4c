"""Draws that put segments of time elsewhere, for a candidate whose samples are in the order of time.

The segments of the candidate are its longest stretches with one label. `bind_segments` finds the segments
when the candidate is known; `arrange_segments` draws their new places.
"""

import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from chancecorr.machine.arguments import ArgumentValueError, check_choice, explain_call
from chancecorr.machine.arrays import AnyArray, Floats, Integers
from chancecorr.sampling.own_draws import Draws, drop_positions
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.names import read_entries

Keep = Literal["lengths", "labels", "order"]

Reference = tuple[AnyArray, Integers]
"""Starts and row codes of the longest stretches with one label in the reference."""


class Recording(NamedTuple):
    """Segments of one recording, in the order of time."""

    lengths: AnyArray  # of its segments: numbers of samples, or durations
    labels: Integers  # codes of its segments
    starts: AnyArray  # of its segments, from the start of the recording
    free: Any  # total length of its gaps
    gap: int  # code of the gaps; -1 without a gap
    samples: Integers  # positions of its samples, or intervals, in the order of time


@dataclass(frozen=True, eq=False, repr=False)
class SegmentDraws(Draws):
    """Draws that put the segments of any candidate elsewhere."""

    keep: Keep = "lengths"
    gap: Any = None
    groups: Integers | None = None  # recording of each sample, or None for one recording
    recordings: tuple[Recording, ...] = ()  # of the candidate, if it is known

    needs_order: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Accept the source, which draws places if the recordings are known."""


@explain_call
def segments(*, keep: Keep = "lengths", gap: Any = None, groups: Any = None) -> Draws:
    """Make draws that put the segments of the candidate elsewhere, for labels in the order of time.

    A segment is a stretch of time with one label that is as long as possible, such as a turn of a speaker, a
    bout of a sleep stage, or the time between two change points. Permutations of samples would cut segments.

    Parameters
    ----------
    keep : {"lengths", "labels", "order"}
        Properties that chance keeps. ``"lengths"``: each segment keeps its length and its label; all orders
        of the segments are equally likely. ``"labels"``: the labels stay in their order, and the segments of
        each label exchange their lengths. ``"order"``: the segments keep their lengths and their order; only
        the gaps between them vary.
    gap : label, optional
        Label of the time without a segment, such as ``"silence"``. All placements of the other segments
        without overlap are equally likely.
    groups : array-like of shape (n,), Series, or {object: recording}, optional
        Recording of each sample, such as a night or a meeting. A segment stays in its recording.

    Returns
    -------
    Draws
        Random placements. The labels must be in the order of time, within each recording.

    Raises
    ------
    ValueError
        If `keep` is not one of the words, or if `gap` is given with ``keep="labels"``. When the draws are
        used, if nothing can move, or if no side has the label `gap`.

    See Also
    --------
    shifts : Keeps the gaps and the order as well, if the ends of the series may be joined.

    Notes
    -----
    ``"labels"`` is valid for semi-Markov processes: labels follow each other by any rule, and the length of a
    segment depends only on its label. It is the best choice if each label has several segments, for example
    speakers or stages of sleep. ``"lengths"`` is valid if the segments are exchangeable, and is for labels
    that occur once, such as the numbers of segments between change points. In a draw, two segments with one
    label may come next to each other, which does not happen in data, so that p-values are somewhat too large
    if labels recur.

    For samples, the mean of an index of agreement such as ``"label_accuracy"`` is exact with ``"order"``, and
    with ``"lengths"`` for up to some hundred segments [1]_.

    References
    ----------
    .. [1] Li, Rosé, Yuan & Zhou (2024), arXiv:2407.11371.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> night = ["wake"] * 4 + ["light"] * 9 + ["deep"] * 8 + ["light"] * 5 + ["rem"] * 4
    >>> score = adjust(night, night[2:] + ["wake"] * 2, "rand", model=segments(), rng=1)
    >>> score.null.model, score.n_tables
    ('segments', 999)
    """
    check_choice("keep", keep, get_args(Keep))
    if keep == "labels" and gap is not None:
        rule = "must be None with keep='labels', where gaps exchange their lengths as segments do"
        raise ArgumentValueError("gap", f"{rule}; got {gap!r}.", "keep")
    codes, own = None, None
    if groups is not None:
        values, own = read_entries("groups", groups)
        codes = np.unique(np.asarray(values).ravel(), return_inverse=True)[1]
    return SegmentDraws(
        draw_places,
        kind="places",
        name="segments",
        objects=drop_positions(own),
        keep=keep,
        gap=gap,
        groups=codes,
    )


def bind_segments(
    draws: SegmentDraws, table: ContingencyTable, codes: Integers, durations: Floats | None = None
) -> SegmentDraws:
    """Return the draws with the segments of the candidate, whose codes are columns of the table.

    Samples have equal lengths, intervals have durations.
    """
    lengths = np.ones(codes.size, dtype=np.int64) if durations is None else durations
    labels = table.column_labels.tolist()
    gap = labels.index(draws.gap) if draws.gap in labels else -1
    if draws.gap is not None and gap < 0 and draws.gap not in table.row_labels.tolist():
        got = f"got {draws.gap!r}, and labels such as {labels[0]!r}"
        raise ArgumentValueError("model", f"must have the label of a side as `gap`; {got}.")
    groups = np.zeros(codes.size, dtype=np.int64) if draws.groups is None else draws.groups
    groups = groups if draws.order is None else groups[draws.order]
    if groups.size != codes.size:
        got = f"got `groups` of {groups.size}. If samples are left out, leave them out of `groups`, too"
        raise ArgumentValueError("model", f"must be for {codes.size} objects; {got}.")
    recordings = []
    for number in range(int(groups.max()) + 1):
        samples = np.flatnonzero(groups == number)
        starts, of_runs, total = find_runs(codes[samples], lengths[samples])
        spans, is_segment = np.diff(starts, append=total), of_runs != gap
        free = spans[~is_segment].sum()
        spans, of_runs, starts = (part[is_segment] for part in (spans, of_runs, starts))
        recordings.append(Recording(spans, of_runs, starts, free, gap, samples))
    if draws.keep == "order" and not any(recording.free for recording in recordings):
        raise ArgumentValueError(
            "model",
            "must not keep the order of segments that fill all time, because nothing can move. Pass"
            " segments(keep='lengths') or shifts(n), or the label of the gaps as `gap`.",
        )
    if draws.keep == "labels" and not any(map(_has_unequal_segments, recordings)):
        raise ArgumentValueError(
            "model",
            "must not keep the order of labels if the segments of each label have equal lengths, because"
            " nothing can move. Pass segments(keep='lengths') or shifts(n).",
        )
    source = partial(draws.source, recordings, draws.keep)
    bound = copy.copy(draws)
    changes = {"source": source, "recordings": tuple(recordings), "order": None}
    for name, value in changes.items():
        object.__setattr__(bound, name, value)
    return bound


def _has_unequal_segments(recording: Recording) -> bool:
    """Return True if segments of one label have different lengths."""
    kinds = {*zip(recording.labels.tolist(), recording.lengths.tolist(), strict=True)}
    return len(kinds) > np.unique(recording.labels).size


def find_runs(codes: Integers, lengths: AnyArray) -> tuple[AnyArray, Integers, Any]:
    """Return starts and codes of the longest stretches with one code, and the total length."""
    firsts, ends = np.flatnonzero(np.diff(codes, prepend=-1)), np.cumsum(lengths)
    return (ends - lengths)[firsts], codes[firsts], ends[-1]


def find_references(draws: SegmentDraws, rows: Integers, durations: Floats | None = None) -> list[Reference]:
    """Return starts and codes of the reference's stretches with one label, for each recording."""
    lengths = np.ones(rows.size, dtype=np.int64) if durations is None else durations
    return [find_runs(rows[each.samples], lengths[each.samples])[:2] for each in draws.recordings]


def cross_segments(
    draws: SegmentDraws, references: list[Reference], rng: "np.random.Generator"
) -> tuple[Integers, Integers, AnyArray]:
    """Return row, column and length of each piece of time between two boundaries of a draw."""
    rows, columns, lengths = [], [], []
    for recording, (starts, of_rows) in zip(draws.recordings, references, strict=True):
        order, new_starts = arrange_segments(recording, draws.keep, rng)
        of_columns, total = recording.labels[order], recording.lengths.sum() + recording.free
        if recording.free:  # a gap may be at the start, and at the end of each segment
            ends = new_starts + recording.lengths[order]
            new_starts = np.maximum.accumulate(np.append(0, np.column_stack([new_starts, ends])))
            gaps = np.full(order.size, recording.gap)
            of_columns = np.append(recording.gap, np.column_stack([of_columns, gaps]))
        points = np.append(starts, new_starts)
        in_order = np.argsort(points, kind="stable")  # merges two sorted lists
        seen = np.cumsum(in_order < starts.size)
        rows.append(of_rows[seen - 1])
        columns.append(of_columns[np.arange(seen.size) - seen])
        lengths.append(np.maximum(np.diff(points[in_order], append=total), 0))
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(lengths)


def arrange_segments(
    recording: Recording, keep: Keep, rng: "np.random.Generator"
) -> tuple[Integers, AnyArray]:
    """Draw which segment comes first, second and so on, and the starts of the segments in this order.

    All orders are equally likely, or all orders within each label. For samples, the gaps before the segments
    and after the last one are uniform over the ways to write the total gap as a sum of whole numbers from 0
    on; in continuous time, they are the spacings of uniform points.
    """
    lengths, labels, free = recording.lengths, recording.labels, recording.free
    m, order = lengths.size, np.arange(lengths.size)
    if keep == "lengths":
        order = rng.permutation(m)
    elif keep == "labels":
        order[np.argsort(labels, kind="stable")] = np.lexsort((rng.random(m), labels))
    starts = np.cumsum(lengths[order]) - lengths[order]
    if not free:
        return order, starts
    if lengths.dtype.kind == "f":
        return order, starts + np.sort(rng.uniform(0.0, free, m))
    places = np.sort(rng.choice(free + m, m, replace=False, shuffle=False))
    return order, starts + places - np.arange(m)


def draw_places(recordings: list[Recording], keep: Keep, rng: "np.random.Generator") -> Integers:
    """Return, for each sample, the position of the sample whose label it takes."""
    parts = [_place_samples(each, *arrange_segments(each, keep, rng)) for each in recordings]
    if len(parts) == 1:
        return parts[0]
    drawn = np.empty(sum(part.size for part in parts), dtype=np.int64)
    for recording, part in zip(recordings, parts, strict=True):
        drawn[recording.samples] = recording.samples[part]
    return drawn


def _place_samples(recording: Recording, order: Integers, new_starts: Integers) -> Integers:
    """Return, for each sample of a recording, the sample whose label it takes."""
    of_new, total = recording.lengths[order], recording.samples.size
    moves = np.repeat(recording.starts[order] - new_starts, of_new)
    if moves.size == total:
        return np.asarray(moves + np.arange(total))
    places = np.full(total, -1, dtype=np.int64)
    new = np.arange(moves.size) + np.repeat(new_starts - np.cumsum(of_new) + of_new, of_new)
    places[new] = moves + new
    is_gap = np.ones(total, dtype=np.bool_)
    is_gap[places[new]] = False
    places[places < 0] = np.flatnonzero(is_gap)
    return places
