"""Two clusterings read as codes, and counted: from labels to a contingency table."""

import math
import re
from collections.abc import Hashable, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np

from chancecorr.arguments import ArgumentError, ArgumentTypeError, ArgumentValueError, one_of
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.tables.addition import ClusterNames, Part, add_frequencies
from chancecorr.tables.contingency import ContingencyTable, SideNames, labelled_table
from chancecorr.tables.crosstab import cross_tabulate
from chancecorr.tables.dataframes import index_difference, is_numbered, name_of
from chancecorr.tables.given import label_vectors
from chancecorr.tables.labels import (
    EncodedLabels,
    Names,
    encode,
    is_hashable,
    names_with_singletons,
    with_article,
    with_singletons,
)
from chancecorr.tables.left_out import (
    LeftOut,
    Missing,
    Noise,
    NoiseOfSides,
    either,
    masks_left_out,
    noise_of_sides,
    note_of_left_out,
    notes_on_clusters,
)
from chancecorr.tables.margins import MAX_OBJECTS

Align = Literal["raise", "position"]


class Options(TypedDict):
    """How labels are read: keywords of `contingency_table`."""

    noise: NoiseOfSides
    noise_label: Hashable
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
    noise_label: Hashable = -1,
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
    noise : {None, "keep", "drop", "singletons"} or a pair of these, default None
        What a noise label means: a cluster like any other (None or "keep"); an object to leave out if it is
        noise on either side ("drop"); a cluster of its own for each such object, after the others
        ("singletons"). A pair has a word for the reference and one for the candidate: with
        ``("drop", "keep")`` objects are left out that are noise in the reference, as FG-ARI leaves out the
        background.
    noise_label : hashable, default -1
        The label of noise, by default that of DBSCAN and HDBSCAN in scikit-learn and hdbscan. A side in which
        it does not occur has no noise.
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
    options: Options = {"noise": noise, "noise_label": noise_label, "missing": missing, "align": align}
    pair = read_labels(labels_true, labels_pred, **options)
    if frequency_weights is None:
        return pair.table()
    return pair.table(_as_frequencies(frequency_weights, pair.objects, pair.kept))


def table_and_notes(
    labels_true: object, labels_pred: object, *, noise: NoiseOfSides = None, **reading: Any
) -> tuple[ContingencyTable, str, LabelPair]:
    """Contingency table with an object at least, and what a result says of the labels; mostly nothing."""
    pair = read_labels(labels_true, labels_pred, noise=noise, **reading)
    if not pair.objects:
        raise ArgumentValueError("labels_true", "must hold the label of an object at least; got none.")
    if not pair.codes[0].size:
        raise ArgumentValueError(
            "labels_true",
            "must share an object with `labels_pred` that has a label and is not dropped as noise; got none.",
            "labels_pred",
        )
    table = pair.table()
    notes = notes_on_clusters(table, ("`labels_true`", "`labels_pred`"), noise)
    found = any(side.noise for side in pair.left_out) or any(each.size for each in pair.alone)
    if not found and {*noise_of_sides(noise)} - {None, "keep"}:
        notes.append(f"no object has the noise label, {reading.get('noise_label', -1)!r}")
    return table, "\n".join(note for note in (pair.note(), *notes) if note), pair


def read_labels(
    labels_true: object,
    labels_pred: object,
    *,
    noise: NoiseOfSides = None,
    noise_label: Hashable = -1,
    missing: Missing = "raise",
    align: Align = "raise",
    in_parts: bool = False,
) -> LabelPair:
    """Two clusterings as codes; in one of several parts a noise label need not occur."""
    check_reading(noise, noise_label, missing, align)
    names_of_sides = "labels_true", "labels_pred"
    if not in_parts:
        given = zip(names_of_sides, (labels_true, labels_pred), strict=True)
        labels_true, labels_pred = label_vectors(list(given))
    sides = [encode("labels_true", labels_true, noise_label), encode("labels_pred", labels_pred, noise_label)]
    n, other = (side.codes.size for side in sides)
    if n != other:
        rule = f"must have the same length as `labels_true`; got {other} and {n}."
        raise ArgumentValueError("labels_pred", rule, "labels_true")
    if align == "raise":
        check_indexes("labels_true", labels_true, "labels_pred", labels_pred)
    policies = noise_of_sides(noise)
    if not in_parts:
        check_noise(sides, policies, noise_label)
    left = [
        masks_left_out(name, side, noise=policy, missing=missing)
        for name, side, policy in zip(names_of_sides, sides, policies, strict=True)
    ]
    codes, names = [side.codes for side in sides], [side.names for side in sides]
    dropped = either(mask for mask, _ in left)
    kept = None if dropped is None else ~dropped
    alone = [np.zeros(0, dtype=np.int64)] * 2
    if kept is not None:
        codes = [each[kept] for each in codes]
    for k, side in enumerate(sides):
        if policies[k] == "singletons":
            codes[k], known, objects = with_singletons(codes[k], side.noise_code)
            if kept is not None:
                objects = np.flatnonzero(kept)[objects]
            names[k] = names_with_singletons(side.names, known, objects, noise_label)
            alone[k] = objects
    called, left_out = (name_of(labels_true), name_of(labels_pred)), tuple(count for _, count in left)
    return LabelPair((codes[0], codes[1]), (names[0], names[1]), kept, (alone[0], alone[1]), left_out, called)


def check_reading(noise: object, noise_label: object, missing: object, align: object) -> None:
    """Raise unless these are what `contingency_table` takes by their names."""
    for each in noise if isinstance(noise, tuple) and len(noise) == 2 else (noise,):
        one_of("noise", each, [None, "keep", "drop", "singletons"])
    one_of("missing", missing, ["raise", "drop"])
    one_of("align", align, ["raise", "position"])
    if not is_hashable(noise_label):
        raise ArgumentTypeError("noise_label", f"must be hashable; got {with_article(noise_label)}.")


def check_noise(sides: Sequence[EncodedLabels], noise: Sequence[Noise], noise_label: Hashable) -> None:
    """Raise if noise is to be dropped or parted, and its label is several ones, or a text for a number."""
    asked = [side for side, policy in zip(sides, noise, strict=True) if policy not in (None, "keep")]
    asked = [side for side in asked if side.noise_code is None]
    if asked and isinstance(noise_label, tuple) and len(asked) == len(sides):
        raise ArgumentValueError("noise_label", f"must be one label; got {noise_label!r}, which none is.")
    text = str(noise_label)
    number = float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else math.nan
    for labels in (side.labels for side in asked):
        if isinstance(noise_label, str):
            rule = f"must be {text}, a number as the labels are; got {text!r}."
            is_there = isinstance(labels, np.ndarray) and labels.dtype.kind in "iuf" and number in labels
        else:
            rule = f"must be {text!r}, a text as the labels are; got {text}."
            is_there = any(isinstance(label, str) and label == text for label in labels)
        if is_there:
            raise ArgumentValueError("noise_label", rule)


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
