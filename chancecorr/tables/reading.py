"""Read and count the labels of two clusterings: noise, missing labels, and the contingency table."""

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np

from chancecorr.machine.arguments import ArgumentValueError, check_choice, explain_call
from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.machine.notes import Note
from chancecorr.machine.printing import format_count
from chancecorr.tables.contingency import ContingencyTable, SideNames, make_table
from chancecorr.tables.crosstab import cross_tabulate, narrow_codes, note_clusters, number_labels
from chancecorr.tables.labels import EncodedLabels, Names, as_objects, note_points, read_sides, refuse_missing
from chancecorr.tables.names import ObjectNames
from chancecorr.tables.objects import Objects

Policy = Literal["keep", "drop", "singletons"] | None
NoiseOfSide = Policy | Mapping[Any, Policy]
NoiseOfSides = NoiseOfSide | tuple[NoiseOfSide, NoiseOfSide]  # the keyword `noise`
Missing = Literal["raise", "drop", "singletons"]

Noise = Mapping[Hashable, Policy]
"""Noise labels of one side, and the policy for their objects."""

NO_NOISE: Noise = {-1: None}  # for a side without `noise`


class Alone(NamedTuple):
    """Objects of one side that are separate clusters, as noise or because their label is missing."""

    positions: Integers
    labels: list[Hashable]  # None for a missing label


class LeftOut(NamedTuple):
    """Numbers of objects that a side leaves out, by reason."""

    side: str
    missing: int
    noise: int


class LabelPair(NamedTuple):
    """Two clusterings as codes of the objects that are kept."""

    codes: tuple[AnyArray, AnyArray]  # integers, equal for equal labels and in their order
    names: tuple[Names, Names]  # from codes to labels
    kept: Booleans | None  # mask of the kept objects among all objects; None if all are kept
    alone: tuple[Alone, Alone]  # their codes come last
    left_out: tuple[LeftOut, ...]  # for each side
    side_names: SideNames  # names of the clusterings
    noise: tuple[Noise, Noise]
    origins: tuple[str, str]  # container of each side's labels, as "a mapping"; empty for a vector
    objects: ObjectNames  # names of all objects, also of objects left out

    def table(self) -> ContingencyTable:
        """Count the codes into a contingency table with the labels."""
        counted = cross_tabulate(*self.codes)
        labels = self.names[0](counted.rows), self.names[1](counted.columns)
        return make_table(counted.counts, *labels, self.side_names, counted.totals)

    def tabulate(self) -> tuple[ContingencyTable, Objects, list[Note]]:
        """Return the contingency table, the clusters of its objects, and notes on the labels."""
        rows, columns = map(narrow_codes, self.codes)
        table, members = self.table(), Objects(rows, columns, self.kept, self.objects)
        rows, columns = table.margins.row_totals, table.margins.column_totals
        clusters = (table.row_labels, rows), (table.column_labels, columns)
        sides = [f"`{side.side}`" for side in self.left_out]
        notes = [
            Note("origin", f"labels of {len(self.objects):,} objects from {origin}", side)
            for side, origin in zip(sides, self.origins, strict=True)
            if origin
        ]
        notes += note_points(*self.codes)
        if self.kept is not None:
            left_out = [item._replace(side=side) for item, side in zip(self.left_out, sides, strict=True)]
            notes += note_left_out(len(self.objects), self.codes[0].size, left_out)
        is_noise = [len(alone.labels) - alone.labels.count(None) for alone in self.alone]
        for side, of_side, noise, alone, some in zip(
            sides, clusters, self.noise, self.alone, is_noise, strict=True
        ):
            notes += note_clusters(side, *of_side, has_policy=any(noise.values()))
            if unlabelled := len(alone.labels) - some:
                who = format_count(unlabelled, "object")
                notes.append(Note("no label", f"{who} without a label, each in a separate cluster", side))
        of_noise = dict.fromkeys(
            repr(label)
            for noise in self.noise
            for label, policy in noise.items()
            if policy not in (None, "keep")
        )
        if of_noise and not any(side.noise for side in self.left_out) and not any(is_noise):
            notes.append(Note("no noise", f"no object has the noise label, {' or '.join(of_noise)}"))
        return table, members, notes

    def refuse_no_objects(self) -> NoReturn:
        """Raise, because no object is left."""
        first, second = (side.side for side in self.left_out)
        if not len(self.objects):
            raise ArgumentValueError(first, "must hold at least one label; got none.")
        raise ArgumentValueError(
            first,
            f"must share an object with `{second}` that has a label and is not dropped as noise; got none.",
            second,
        )


@explain_call
def contingency_table(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
) -> ContingencyTable:
    """Count two clusterings of the same objects into a contingency table.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        One hashable label per object: the reference (rows) and the candidate (columns). Vectors of any
        library, two label images of one shape, frames of one column, fitted estimators of scikit-learn and
        clusterings of igraph are matched by position. Communities of networkx, cdlib and clusim, mappings
        from object to label, and Series with an index other than 0 to n - 1 are matched by object.
    noise : {None, "keep", "drop", "singletons"}, {label: one of these}, or a pair, default None
        Policy for objects with the noise label -1. None or "keep": they are a cluster like any other. "drop":
        they are left out on both sides. "singletons": each of them is a separate cluster, after the other
        clusters. A mapping names other noise labels, as ``{"background": "drop", "unsure": "singletons"}``. A
        pair is for the reference and the candidate: ``({"background": "drop"}, "keep")`` leaves out the
        background of the reference, as FG-ARI does.
    missing : {"raise", "drop", "singletons"}, default "raise"
        Policy for missing labels: None, NaN, NaT and pandas.NA. "raise": they raise an error. "drop": the
        object is left out on both sides. "singletons": each object is a separate cluster on the side of the
        missing label, e.g. a record that was not merged with any other record. The policy also applies to
        objects that only one side has, in its sets or in the keys of its mapping.

    Returns
    -------
    ContingencyTable
        Rows and columns are the labels that occur, sorted (Categoricals: in category order), or in order of
        first appearance if they cannot be. Counts are sparse if ``K Q > max(4_000_000, 4 n)``.

    Raises
    ------
    TypeError, ValueError
        If a side is not one-dimensional, holds missing or unhashable labels, or the two differ in length or
        in the names of their objects.

    See Also
    --------
    chancecorr.tables.contingency_table_from : Columns of files that need not fit into memory.
    ContingencyTable : A table of counts.

    Examples
    --------
    >>> contingency_table(["a", "a", "b", "b"], [0, 0, 0, 1])
    ContingencyTable([[2, 0], [1, 1]], row_labels=['a', 'b'])
    >>> contingency_table([0, 0, 1, 1], [0, -1, 1, -1], noise="singletons")
    ContingencyTable([[1, 0, 1, 0], [0, 1, 0, 1]], column_labels=[0, 1, (-1, 1), (-1, 3)])
    """
    return read_label_pair(labels_true, labels_pred, noise=noise, missing=missing).table()


def read_label_pair(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: NoiseOfSides = None,
    missing: Missing = "raise",
    names: tuple[str, str] = ("labels_true", "labels_pred"),
    in_parts: bool = False,
) -> LabelPair:
    """Read two clusterings as codes; with `in_parts` a noise label need not occur in each part."""
    noise_of_sides = check_reading(noise, missing)
    both = (names[0], labels_true), (names[1], labels_pred)
    sides = read_sides(both, in_parts=in_parts, missing=missing)
    if noise is not None and not in_parts:
        check_noise(sides, noise_of_sides)
    (mask, left_out), (other_mask, other_left_out) = (
        mark_left_out(name, side, of_side, missing)
        for name, side, of_side in zip(names, sides, noise_of_sides, strict=True)
    )
    dropped = join_masks((mask, other_mask))
    kept = None if dropped is None else ~dropped
    each_side = zip(sides, noise_of_sides, strict=True)
    numbered = (name_codes(side, kept, of_side, missing) for side, of_side in each_side)
    codes, of_codes, alone = zip(*numbered, strict=True)
    return LabelPair(
        codes=codes,
        names=of_codes,
        kept=kept,
        alone=alone,
        left_out=(left_out, other_left_out),
        side_names=(sides[0].title, sides[1].title),
        noise=noise_of_sides,
        origins=(sides[0].origin, sides[1].origin),
        objects=sides[0].objects,
    )


def check_reading(noise: NoiseOfSides, missing: object) -> tuple[Noise, Noise]:
    """Check `noise` and `missing`, and return the noise of the reference and of the candidate."""
    if missing != "raise":
        check_choice("missing", missing, ["raise", "drop", "singletons"])
    if noise is None:
        return NO_NOISE, NO_NOISE
    sides = list[Noise]()
    for of_side in noise if isinstance(noise, tuple) and len(noise) == 2 else (noise, noise):
        of_labels: Noise = of_side if isinstance(of_side, Mapping) else {-1: of_side}
        if not of_labels:
            raise ArgumentValueError("noise", f"must have a label in a mapping; got {of_side!r}.")
        for label, policy in of_labels.items():
            check_choice("noise", policy, [None, "keep", "drop", "singletons"])
            if label is None or type(label).__name__ == "NAType" or label != label:
                rule = f"must not name missing labels; got {label!r}. Pass missing='drop' or 'singletons'."
                raise ArgumentValueError("noise", rule)
        sides.append(of_labels)
    return sides[0], sides[1]


def find_codes(side: EncodedLabels, noise: Noise, policy: Policy) -> dict[int, Hashable]:
    """Return the noise labels with this policy that occur, by their codes."""
    codes = ((side.code_of(label), label) for label in noise if noise[label] == policy)
    return {code: label for code, label in codes if code is not None}


def check_noise(sides: Sequence[EncodedLabels], noise: Sequence[Noise]) -> None:
    """Raise if a noise label is a number but the labels hold it as text, or the other way round."""
    of_labels = (
        (side, *item) for side, of_side in zip(sides, noise, strict=True) for item in of_side.items()
    )
    for side, label, policy in of_labels:
        if policy in (None, "keep") or side.code_of(label) is not None:
            continue
        labels, text = side.labels, str(label)
        if isinstance(label, str):
            number = float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else math.nan
            meant, kind = text, "a number"
            is_there = isinstance(labels, np.ndarray) and labels.dtype.kind in "iuf" and number in labels
        else:
            meant, kind = repr(text), "a text"
            is_there = any(isinstance(other, str) and other == text for other in labels)
        if is_there:
            rule = f"must have the label {meant}, {kind} as the labels are; got {label!r}."
            raise ArgumentValueError("noise", f"{rule} Pass noise={{{meant}: {policy!r}}}.")


def mark_left_out(
    name: str, side: EncodedLabels, noise: Noise, missing: Missing
) -> tuple[Booleans | None, LeftOut]:
    """Return the mask of objects that a side leaves out, or None, and their numbers by reason."""
    if side.missing is not None and missing == "raise":
        refuse_missing(name, side, remedy=("missing", "drop", "leave such objects out"))
    codes = find_codes(side, noise, "drop")
    dropped = np.isin(side.codes, list(codes)) if codes else None
    if dropped is not None and side.missing is not None:  # codes of missing labels have no meaning
        dropped &= ~side.missing
    masks = side.missing if missing == "drop" else None, dropped
    return join_masks(masks), LeftOut(name, *(0 if mask is None else int(mask.sum()) for mask in masks))


def name_codes(
    side: EncodedLabels, kept: AnyArray | None, noise: Noise, missing: Missing
) -> tuple[AnyArray, Names, Alone]:
    """Return the codes of the kept objects, the names, and the objects that are separate clusters."""
    some: Any = slice(None) if kept is None else kept
    codes, label_of = side.codes[some], find_codes(side, noise, "singletons")
    has_none = side.missing[some] if side.missing is not None and missing == "singletons" else None
    is_alone = join_masks((np.isin(codes, list(label_of)) if label_of else None, has_none))
    if is_alone is None:
        return codes, side.names, Alone(np.zeros(0, dtype=np.int64), [])
    others, size, before = number_labels(codes[~is_alone])
    places = np.flatnonzero(is_alone)
    ranks = np.empty(codes.size, dtype=np.int64)
    ranks[~is_alone], ranks[places] = others, size + np.arange(places.size)
    positions = places if kept is None else (np.flatnonzero(kept) if kept.dtype == np.bool_ else kept)[places]
    unlabelled = np.zeros(places.size, dtype=np.bool_) if has_none is None else has_none[places]
    of_places = zip(codes[places].tolist(), unlabelled.tolist(), strict=True)
    labels = [None if is_none else label_of[code] for code, is_none in of_places]
    named = as_objects([*side.names(before).tolist(), *zip(labels, positions.tolist(), strict=True)])
    return ranks, lambda codes: named[codes], Alone(positions, labels)


def join_masks(masks: Iterable[Booleans | None]) -> Booleans | None:
    """Return the mask of objects that are in at least one mask; None if it is empty."""
    present = [mask for mask in masks if mask is not None]
    together = np.logical_or.reduce(present) if present else None
    return together if together is not None and together.any() else None


def note_left_out(n: int, kept: int, sides: Sequence[LeftOut], subject: str = "") -> list[Note]:
    """List the note on the number of objects left out, by side and reason; empty if all are kept."""
    if kept == n:
        return []
    reasons = []
    for side in sides:
        place = f" in {side.side}" if side.side else ""
        reasons += [f"{side.noise:,} as noise{place}"] if side.noise else []
        reasons += [f"{side.missing:,} without a label{place}"] if side.missing else []
    text = f"{n - kept:,} of {n:,} objects are left out: {', '.join(reasons)}"
    return [Note("left out", text, subject)]
