"""Two clusterings read as codes, and counted: from labels to a contingency table."""

import functools
import math
import re
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import (
    ArgumentError,
    ArgumentTypeError,
    ArgumentValueError,
    levels_to_the_caller,
    one_of,
)
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.tables.addition import ClusterNames, Part, add_frequencies
from chancecorr.tables.contingency import MAX_OBJECTS, ContingencyTable, SideNames, labelled_table
from chancecorr.tables.crosstab import cross_tabulate, numbered
from chancecorr.tables.dataframes import index_difference, is_numbered, name_of
from chancecorr.tables.labels import (
    EncodedLabels,
    Names,
    as_objects,
    encode,
    label_vectors,
    refuse_missing,
    with_article,
)

Align = Literal["raise", "position"]


Policy = Literal["keep", "drop", "singletons"] | None
NoiseOfSide = Policy | Mapping[Any, Policy]
NoiseOfSides = NoiseOfSide | tuple[NoiseOfSide, NoiseOfSide]
"""The keyword `noise`: a policy for the label -1, ``{label: policy}``, or one for each side."""
Missing = Literal["raise", "drop"]

LARGEST_SHARE_ALONE = 0.8
"""Share of objects alone in their clusters, beyond which a result asks whether it is a clustering."""

FEWEST_OBJECTS_ASKED = 20
"""Objects from which on it does."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Label of noise on one side, and what becomes of its objects."""

    policy: Policy
    label: Hashable


class LeftOut(NamedTuple):
    """How many objects a side leaves out, and why."""

    side: str
    missing: int
    noise: int


class Options(TypedDict):
    """How labels are read: keywords of `contingency_table`."""

    noise: NoiseOfSides
    missing: Missing
    align: Align


class LabelPair(NamedTuple):
    """Two clusterings of the same objects, read: codes of the objects that are kept, and their names."""

    codes: tuple[AnyArray, AnyArray]  # integers, equal for equal labels and in their order
    names: tuple[Names, Names]  # from codes to labels
    kept: Booleans | None  # which of the objects as given these are; None if all are kept
    alone: tuple[Integers, Integers]  # positions of noise objects that are clusters; their codes come last
    left_out: tuple[LeftOut, ...]  # of each side
    side_names: SideNames  # what the clusterings are called
    noise: tuple[Noise, Noise]

    def table(self, frequencies: Integers | None = None) -> ContingencyTable:
        """Contingency table of the codes, with the labels that they stand for: found only when asked for."""
        if frequencies is None:
            counts, rows, columns = cross_tabulate(*self.codes)
        else:
            counts, rows, columns = add_frequencies(*self.codes, frequencies)
        row_names, column_names = self.names
        labels = (lambda: row_names(rows())), (lambda: column_names(columns()))
        return labelled_table(counts, *labels, self.side_names)

    def part(self) -> Part:
        """Counts and names, to be added to those of other objects."""
        counts, *found = cross_tabulate(*self.codes)
        rows, columns = (
            ClusterNames(names(codes()[: size - alone.size]), alone)
            for names, codes, size, alone in zip(self.names, found, counts.shape, self.alone, strict=True)
        )
        return Part(counts, rows, columns, self.objects)

    @property
    def objects(self) -> int:
        """Number of objects as given."""
        return int(self.codes[0].size if self.kept is None else self.kept.size)

    def note(self) -> str:
        """How many objects are left out, and why; empty if none is."""
        sides = [side._replace(side=f"`{side.side}`") for side in self.left_out]
        return note_of_left_out(self.objects, self.codes[0].size, sides)


def contingency_table(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    align: Align = "raise",
    frequency_weights: Any = None,
) -> ContingencyTable:
    """Contingency table of two clusterings of the same objects.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        One hashable label per object: the reference (rows) and the candidate (columns). Arrays (also of
        PyTorch and CuPy), lists, pandas Series and Categoricals, polars Series, Arrow arrays, frames of one
        column; labels that differ are never made one. Objects are matched by position. Also lists of sets
        of objects, as networkx gives communities, mappings from object to label, and clusterings of clusim,
        all matched by object; clusterings of igraph; fitted estimators of scikit-learn.
    noise : {None, "keep", "drop", "singletons"}, {label: one of these}, or a pair, default None
        What a noise label means: a cluster like any other (None or "keep"); an object to leave out if it is
        noise on either side ("drop"); a cluster of its own for each such object, after the others
        ("singletons"). The label of noise is -1, as by DBSCAN and HDBSCAN, or the key of a mapping, as in
        ``{"background": "drop"}``; a side in which it does not occur has no noise. A pair is for the
        reference and the candidate: with ``({"background": "drop"}, "keep")`` objects are left out that are
        background in the reference, as FG-ARI does.
    missing : {"raise", "drop"}, default "raise"
        Whether None, NaN, NaT and pandas.NA are refused, or the object left out if missing on either side.
    align : {"raise", "position"}, default "raise"
        Whether two pandas Series are refused if their indexes differ, or matched by position all the same.
    frequency_weights : array-like of shape (n,), optional
        How often each object was seen, whole numbers from 0 on: it counts as so many objects. Weights that
        are no counts are those of `adjust`.

    Returns
    -------
    ContingencyTable
        Rows and columns are the labels that occur, in sorted order (Categoricals: category order), or in
        order of first appearance if they cannot be sorted; what they are called is in `row_labels` and
        `column_labels`. Counts are sparse if ``K Q > max(4_000_000, 4 n)``.

    Raises
    ------
    TypeError, ValueError
        If a side is not one-dimensional, holds missing or unhashable labels, or the two differ in length or
        in their pandas indexes.

    Examples
    --------
    >>> contingency_table(["a", "a", "b", "b"], [0, 0, 0, 1])
    ContingencyTable([[2, 0], [1, 1]], row_labels=['a', 'b'])
    >>> contingency_table([0, 0, 1, 1], [0, -1, 1, -1], noise="singletons")
    ContingencyTable([[1, 0, 1, 0], [0, 1, 0, 1]], column_labels=[0, 1, (-1, 1), (-1, 3)])
    >>> contingency_table(["a", "a", "b"], [0, 1, 1], frequency_weights=[20, 5, 30])
    ContingencyTable([[20, 5], [0, 30]], row_labels=['a', 'b'])
    """
    options: Options = {"noise": noise, "missing": missing, "align": align}
    pair = read_labels(labels_true, labels_pred, **options)
    if frequency_weights is None:
        return pair.table()
    return pair.table(_as_frequencies(frequency_weights, pair.objects, pair.kept))


def table_and_notes(
    labels_true: object, labels_pred: object, **reading: Any
) -> tuple[ContingencyTable, str, LabelPair]:
    """Contingency table with an object at least, and what a result says of the labels; mostly nothing."""
    pair = read_labels(labels_true, labels_pred, **reading)
    if not pair.objects:
        raise ArgumentValueError("labels_true", "must hold the label of an object at least; got none.")
    if not pair.codes[0].size:
        raise ArgumentValueError(
            "labels_true",
            "must share an object with `labels_pred` that has a label and is not dropped as noise; got none.",
            "labels_pred",
        )
    table = pair.table()
    notes = notes_on_clusters(table, ("`labels_true`", "`labels_pred`"), pair.noise)
    found = any(side.noise for side in pair.left_out) or any(each.size for each in pair.alone)
    labels = dict.fromkeys(repr(each.label) for each in pair.noise if each.policy not in (None, "keep"))
    if labels and not found:
        notes.append(f"no object has the noise label, {' or '.join(labels)}")
    return table, "\n".join(note for note in (pair.note(), *notes) if note), pair


def read_labels(
    labels_true: object,
    labels_pred: object,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    align: Align = "raise",
    in_parts: bool = False,
) -> LabelPair:
    """Two clusterings as codes; in one of several parts a noise label need not occur."""
    of_sides = check_reading(noise, missing, align)
    called = "labels_true", "labels_pred"
    given: Sequence[Any] = (labels_true, labels_pred)
    if not in_parts:
        given = label_vectors(list(zip(called, given, strict=True)))
    sides = [encode(*each) for each in zip(called, given, strict=True)]
    n, other = (side.codes.size for side in sides)
    if n != other:
        rule = f"must have the same length as `labels_true`; got {other} and {n}."
        raise ArgumentValueError("labels_pred", rule, "labels_true")
    if align == "raise":
        check_indexes("labels_true", given[0], "labels_pred", given[1])
    if not in_parts:
        check_noise(sides, of_sides)
    left = [masks_left_out(*each, missing) for each in zip(called, sides, of_sides, strict=True)]
    dropped = either(mask for mask, _ in left)
    kept = None if dropped is None else ~dropped
    read = (codes_and_names(side, kept, each) for side, each in zip(sides, of_sides, strict=True))
    codes, names, alone = zip(*read, strict=True)
    left_out, side_names = tuple(count for _, count in left), (name_of(given[0]), name_of(given[1]))
    return LabelPair(codes, names, kept, alone, left_out, side_names, of_sides)


def check_reading(noise: NoiseOfSides, missing: object, align: object) -> tuple[Noise, Noise]:
    """Noise of both sides, once it and the other keywords of reading are checked."""
    one_of("missing", missing, ["raise", "drop"])
    one_of("align", align, ["raise", "position"])
    return as_noise(noise)


def check_noise(sides: Sequence[EncodedLabels], noise: Sequence[Noise]) -> None:
    """Raise if noise is to be dropped or parted, and its label is a number for a text, or a text for one."""
    for side, each in zip(sides, noise, strict=True):
        if each.policy in (None, "keep") or side.code_of(each.label) is not None:
            continue
        labels, text = side.labels, str(each.label)
        if isinstance(each.label, str):
            number = float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else math.nan
            meant, kind = text, "a number"
            is_there = isinstance(labels, np.ndarray) and labels.dtype.kind in "iuf" and number in labels
        else:
            meant, kind = repr(text), "a text"
            is_there = any(isinstance(label, str) and label == text for label in labels)
        if is_there:
            rule = f"must have the label {meant}, {kind} as the labels are; got {each.label!r}."
            raise ArgumentValueError("noise", f"{rule} Pass noise={{{meant}: {each.policy!r}}}.")


def check_indexes(first_name: str, first: object, name: str, labels: object) -> None:
    """Raise if labels, of as many objects as the first ones, have another pandas index than these."""
    difference = index_difference(first, labels)
    if difference:
        raise ArgumentValueError(
            name,
            f"must have the index of `{first_name}`; got {difference}."
            f" {_how_to_match(first_name, first, name, labels)}"
            " Arrays, as by `.to_numpy()`, match by position.",
            first_name,
        )


def _how_to_match(first_name: str, first: object, name: str, labels: object) -> str:
    """Advice on indexes that differ: one that only counts rows names no objects."""
    counts = is_numbered(first), is_numbered(labels)
    if counts[0] == counts[1]:
        return f"Match the objects first, as by `{first_name}.align({name}, join='inner')`."
    counted, other = (name, first_name) if counts[1] else (first_name, name)
    return f"If their objects are in the same order, pass `{counted}.set_axis({other}.index)`."


def _as_frequencies(given: object, n: int, kept: Booleans | None) -> Integers:
    """How often each object that is kept was seen."""
    found = np.asarray(given)
    if found.shape != (n,):
        raise ArgumentValueError(
            "frequency_weights", f"must have shape ({n},), one for each object; got {found.shape}."
        )
    if found.dtype.kind not in "biuf":
        raise ArgumentTypeError("frequency_weights", f"must be whole numbers; got {with_article(found[0])}.")
    bad = found[~((found >= 0) & (found <= MAX_OBJECTS) & (found == np.floor(found)))]
    if bad.size:
        raise ArgumentValueError(
            "frequency_weights",
            f"must be whole numbers from 0 on, how often each object was seen; got {bad[0]}."
            " Weights that are no counts go to `adjust(weights=...)`.",
        )
    return np.asarray(found if kept is None else found[kept], dtype=np.int64)


def part_of_chunk(labels_true: object, labels_pred: object, options: Options, chunk: str) -> Part:
    """Part of one chunk; an error about its labels names the chunk."""
    try:
        return read_labels(labels_true, labels_pred, **options, in_parts=True).part()
    except ArgumentError as error:
        raise type(error)(
            error.argument, f"of {chunk} {error.text}", *error.others, remedy=error.remedy
        ) from None


def as_noise(noise: NoiseOfSides) -> tuple[Noise, Noise]:
    """Noise in the reference and in the candidate, from what the keyword `noise` was given."""
    found = []
    for given in noise if isinstance(noise, tuple) and len(noise) == 2 else (noise, noise):
        of_labels = given if isinstance(given, Mapping) else {-1: given}
        if len(of_labels) != 1:
            raise ArgumentValueError("noise", f"must have one label in a mapping; got {given!r}.")
        ((label, policy),) = of_labels.items()
        one_of("noise", policy, [None, "keep", "drop", "singletons"])
        found.append(Noise(policy, label))
    return found[0], found[1]


def with_label(noise: Any, label: Hashable) -> Any:
    """The keyword `noise` for another label than -1, from a policy or two."""
    return tuple({label: each} for each in noise) if isinstance(noise, tuple) else {label: noise}


def masks_left_out(
    name: str, side: EncodedLabels, noise: Noise, missing: Missing
) -> tuple[Booleans | None, LeftOut]:
    """Which objects a side leaves out, None if none, and how many for which reason."""
    if missing == "raise":
        refuse_missing(name, side, remedy=("missing", "drop", "leave such objects out"))
    code = side.code_of(noise.label) if noise.policy == "drop" else None
    dropped = None if code is None else np.asarray(side.codes == code)
    if dropped is not None and side.missing is not None:  # their codes mean nothing
        dropped &= ~side.missing
    masks = side.missing, dropped
    return either(masks), LeftOut(name, *(0 if mask is None else int(mask.sum()) for mask in masks))


def codes_and_names(
    side: EncodedLabels, kept: AnyArray | None, noise: Noise
) -> tuple[AnyArray, Names, Integers]:
    """Codes of the objects that are kept, their names, and the places of noise objects that are clusters."""
    codes, names, label = side.codes if kept is None else side.codes[kept], side.names, noise.label
    code = side.code_of(label) if noise.policy == "singletons" else None
    if code is None:
        return codes, names, np.zeros(0, dtype=np.int64)
    alone = np.flatnonzero(codes == code)
    ranks, size, known = numbered(codes)
    ranks[alone] = size + np.arange(alone.size)
    if kept is not None:
        alone = (np.flatnonzero(kept) if kept.dtype == np.bool_ else kept)[alone]

    def with_singletons(codes: AnyArray) -> AnyArray:
        before = known()
        single = codes >= before.size
        others = names(before[codes[~single]])
        if not single.any():
            return others
        found = np.empty(codes.size, dtype=object)
        found[~single] = as_objects(others.tolist())
        found[single] = as_objects((label, k) for k in alone[codes[single] - before.size].tolist())
        return found

    return ranks, with_singletons, alone


def either(masks: Iterable[Booleans | None]) -> Booleans | None:
    """Objects that are in one of the masks or more; None if there are none."""
    found = [mask for mask in masks if mask is not None]
    together = functools.reduce(np.logical_or, found) if found else None
    return together if together is not None and together.any() else None


def note_of_left_out(n: int, kept: int, sides: Sequence[LeftOut]) -> str:
    """How many of n objects are left out and because of which sides; empty if all are kept."""
    if kept == n:
        return ""
    reasons = []
    for side in sides:
        place = f" in {side.side}" if side.side else ""
        reasons += [f"{side.noise:,} as noise{place}"] if side.noise else []
        reasons += [f"{side.missing:,} without a label{place}"] if side.missing else []
    return f"{n - kept:,} of {n:,} objects are left out: {', '.join(reasons)}"


def notes_on_clusters(
    table: ContingencyTable, names: tuple[str, str], noise: tuple[Noise, Noise]
) -> list[str]:
    """Remarks on the clusters of a table: -1 among them, or nearly every object in one of its own."""
    sides = ((table.row_labels, table.row_totals), (table.column_labels, table.column_totals))
    found = []
    for name, each, (labels, totals) in zip(names, noise, sides, strict=True):
        found += [] if each.policy else _note_of_noise(name, labels, totals)
        found += [*_note_of_texts(name, labels), *_note_of_objects_alone(name, labels, totals)]
    return found


def _note_of_noise(name: str, labels: npt.NDArray[Any], totals: Integers) -> list[str]:
    """That -1, by which many clusterers mean noise, counts as a cluster."""
    times = int(totals[labels == -1].sum()) if labels.dtype.kind in "if" else 0
    if not times:
        return []
    return [f"label -1 occurs {times:,} times in {name} and counts as a cluster; `noise=` changes that"]


def _note_of_texts(name: str, labels: npt.NDArray[Any]) -> list[str]:
    """That a number and its text are both among the labels."""
    if labels.dtype.kind != "O":
        return []
    texts = {label for label in labels.tolist() if isinstance(label, str)}
    numbers = (label for label in labels.tolist() if not isinstance(label, str))
    twice = next((label for label in numbers if str(label) in texts), None)
    return [] if twice is None else [f"{twice!r} and {str(twice)!r} in {name} are different labels"]


def _note_of_objects_alone(name: str, labels: npt.NDArray[Any], totals: Integers) -> list[str]:
    """That nearly all labels occur once, as measurements do; a warning if they are no whole numbers."""
    n, alone = int(totals.sum()), np.count_nonzero(totals == 1)
    if n < FEWEST_OBJECTS_ASKED:
        return []
    measured = labels.dtype.kind == "f" and alone > n / 2 and bool((labels != np.floor(labels)).any())
    if measured:
        warnings.warn(
            f"{name} looks like measurements: {alone:,} of {n:,} labels are numbers that occur once."
            " Labels of clusters are expected.",
            UserWarning,
            stacklevel=levels_to_the_caller(),
        )
    if alone <= LARGEST_SHARE_ALONE * n and not measured:
        return []
    return [f"{alone:,} of {n:,} labels in {name} occur once: is it a clustering?"]
