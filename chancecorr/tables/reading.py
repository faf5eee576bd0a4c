"""Two clusterings read as codes, and counted: from labels to a contingency table."""

import functools
from collections.abc import Hashable, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np

from chancecorr.arguments import ArgumentError, ArgumentTypeError, ArgumentValueError, one_of
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.tables.addition import ClusterNames, Part
from chancecorr.tables.contingency import ContingencyTable, labelled_table
from chancecorr.tables.crosstab import cross_tabulate
from chancecorr.tables.dataframes import index_difference
from chancecorr.tables.labels import (
    EncodedLabels,
    Names,
    encode,
    is_hashable,
    names_with_singletons,
    noise_mask,
    refuse_missing,
    with_article,
    with_singletons,
)

Noise = Literal["keep", "drop", "singletons"] | None
Missing = Literal["raise", "drop"]
Align = Literal["raise", "position"]


class Options(TypedDict):
    """How labels are read: keywords of `contingency_table`."""

    noise: Noise
    noise_label: Hashable
    missing: Missing
    align: Align


class LabelPair(NamedTuple):
    """Two clusterings of the same objects, read: codes of the objects that are kept, and their names."""

    codes: tuple[AnyArray, AnyArray]  # integers, equal for equal labels and in their order
    names: tuple[Names, Names]  # from codes to labels
    kept: Booleans | None  # which of the objects as given these are; None if all are kept
    alone: tuple[Integers, Integers]  # positions of noise objects that are clusters; their codes come last
    sides: tuple[EncodedLabels, ...]

    def table(self) -> ContingencyTable:
        """Contingency table of the codes, with the labels that they stand for: found only when asked for."""
        counts, rows, columns = cross_tabulate(*self.codes)
        row_names, column_names = self.names
        return labelled_table(counts, lambda: row_names(rows()), lambda: column_names(columns()))

    def part(self) -> Part:
        """Counts and names, to be added to those of other objects."""
        counts, *found = cross_tabulate(*self.codes)
        rows, columns = (
            ClusterNames(names(codes()[: size - alone.size]), alone)
            for names, codes, size, alone in zip(self.names, found, counts.shape, self.alone, strict=True)
        )
        return Part(counts, rows, columns, self.codes[0].size if self.kept is None else self.kept.size)


def contingency_table(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: Noise = None,
    noise_label: Hashable = -1,
    missing: Missing = "raise",
    align: Align = "raise",
) -> ContingencyTable:
    """Contingency table of two clusterings of the same objects.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        One hashable label per object: the reference (rows) and the candidate (columns). Arrays, lists, pandas
        Series and Categoricals, polars Series, Arrow arrays; labels that differ are never made one. Objects
        are matched by position.
    noise : {None, "keep", "drop", "singletons"}, default None
        What a noise label means: a cluster like any other (None or "keep"); an object to leave out if it is
        noise on either side ("drop"); a cluster of its own for each such object, after the others
        ("singletons").
    noise_label : hashable, default -1
        The label of noise, by default that of DBSCAN and HDBSCAN in scikit-learn and hdbscan. A side in which
        it does not occur has no noise.
    missing : {"raise", "drop"}, default "raise"
        Whether None, NaN, NaT and pandas.NA are refused, or the object left out if missing on either side.
    align : {"raise", "position"}, default "raise"
        Whether two pandas Series are refused if their indexes differ, or matched by position all the same.

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
    """
    options: Options = {"noise": noise, "noise_label": noise_label, "missing": missing, "align": align}
    pair = read_labels(labels_true, labels_pred, **options)
    check_noise(pair.sides, noise, noise_label)
    return pair.table()


def read_labels(
    labels_true: object,
    labels_pred: object,
    *,
    noise: Noise,
    noise_label: Hashable,
    missing: Missing,
    align: Align,
) -> LabelPair:
    """Two clusterings as codes, by the rules of `contingency_table`."""
    check_reading(noise, noise_label, missing, align)
    sides = {
        "labels_true": encode("labels_true", labels_true, noise_label),
        "labels_pred": encode("labels_pred", labels_pred, noise_label),
    }
    lengths = [side.codes.size for side in sides.values()]
    if lengths[0] != lengths[1]:
        raise ArgumentValueError(
            "labels_pred",
            f"must have the same length as `labels_true`; got {lengths[1]} and {lengths[0]}.",
            "labels_true",
        )
    if align == "raise":
        check_indexes("labels_true", labels_true, "labels_pred", labels_pred)
    left_out = [
        mask
        for name, side in sides.items()
        for mask in masks_left_out(name, side, noise=noise, missing=missing)
    ]
    codes, names = [side.codes for side in sides.values()], [side.names for side in sides.values()]
    kept = ~functools.reduce(np.logical_or, left_out) if left_out else None
    alone = [np.zeros(0, dtype=np.int64)] * 2
    if kept is not None:
        codes = [each[kept] for each in codes]
    if noise == "singletons":
        for k, side in enumerate(sides.values()):
            codes[k], known, objects = with_singletons(codes[k], side.noise_code)
            if kept is not None:
                objects = np.flatnonzero(kept)[objects]
            names[k] = names_with_singletons(side.names, known, objects, noise_label)
            alone[k] = objects
    read = tuple(sides.values())
    return LabelPair((codes[0], codes[1]), (names[0], names[1]), kept, (alone[0], alone[1]), read)


def check_reading(noise: object, noise_label: object, missing: object, align: object) -> None:
    """Raise unless these are what `contingency_table` takes by their names."""
    one_of("noise", noise, [None, "keep", "drop", "singletons"])
    one_of("missing", missing, ["raise", "drop"])
    one_of("align", align, ["raise", "position"])
    if not is_hashable(noise_label):
        raise ArgumentTypeError("noise_label", f"must be hashable; got {with_article(noise_label)}.")


def note_of_noise(table: ContingencyTable) -> str:
    """That -1, by which many clusterers mean noise, counts as a cluster; empty if it does not occur."""
    notes = []
    for name, labels, totals in (
        ("labels_true", table.row_labels, table.row_totals),
        ("labels_pred", table.column_labels, table.column_totals),
    ):
        times = int(totals[labels == -1].sum()) if labels.dtype.kind in "if" else 0
        if times:
            notes.append(
                f"label -1 occurs {times:,} times in `{name}` and counts as a cluster; `noise=` changes that"
            )
    return "; ".join(notes)


def check_noise(sides: Sequence[EncodedLabels], noise: Noise, noise_label: Hashable) -> None:
    """Raise if noise is to be dropped or parted, and its label occurs as text only, or is several labels."""
    can_occur = any(side.noise_code is not None for side in sides)
    if noise in (None, "keep") or can_occur or isinstance(noise_label, str):
        return
    if isinstance(noise_label, tuple):
        raise ArgumentValueError("noise_label", f"must be one label; got {noise_label!r}, which none is.")
    text = str(noise_label)
    if any(isinstance(label, str) and label == text for side in sides for label in side.labels):
        raise ArgumentValueError("noise_label", f"must be {text!r}, a text as the labels are; got {text}.")


def check_indexes(first_name: str, first: object, name: str, labels: object) -> None:
    """Raise if labels, of as many objects as the first ones, have another pandas index than these."""
    difference = index_difference(first, labels)
    if difference:
        raise ArgumentValueError(
            name,
            f"must have the index of `{first_name}`; got {difference}. Match the objects first, as by"
            f" `{first_name}.align({name}, join='inner')`.",
            first_name,
            remedy=("align", "position", "match them by position"),
        )


def masks_left_out(name: str, side: EncodedLabels, *, noise: str | None, missing: Missing) -> list[Booleans]:
    """Which objects a side leaves out, a mask for each reason: no label, and noise if that is dropped."""
    masks = []
    if side.missing is not None:
        if missing == "raise":
            refuse_missing(name, side, remedy=("missing", "drop", "leave such objects out"))
        masks.append(side.missing)
    if noise == "drop" and side.noise_code is not None:
        masks.append(noise_mask(side.codes, side.noise_code))
    return masks


def part_of_chunk(labels_true: object, labels_pred: object, options: Options, chunk: str) -> Part:
    """Part of one chunk; an error about its labels names the chunk."""
    try:
        return read_labels(labels_true, labels_pred, **options).part()
    except ArgumentError as error:
        raise type(error)(
            error.argument, f"of {chunk} {error.text}", *error.others, remedy=error.remedy
        ) from None
